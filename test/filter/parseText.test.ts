import assert from "node:assert/strict";
import { parseFilter } from "../../server/filter/parse.ts";
import { parseFilterText } from "../../server/filter/parseText.ts";
import { assertRefused, shapeOf, TYPES } from "./fixtures.ts";

const shape = shapeOf("shop", "parks", [
  { name: "id", type: TYPES.text, id: true },
  { name: "name", type: TYPES.text },
  { name: "size", type: TYPES.numeric },
  { name: "trees", type: TYPES.int4 },
  { name: "open", type: TYPES.bool },
  { name: "Odd Name", type: TYPES.text },
  { name: 'a"b', type: TYPES.int4 },
  { name: "größe", type: TYPES.float8 },
  { name: "order", type: TYPES.int4 },
  { name: "is", type: TYPES.int4 },
  { name: "spot", type: TYPES.point },
]);

/** [text, the same as JSON] */
const MEANINGS: readonly (readonly [string, unknown])[] = [
  ["", undefined],
  [" \n\t", undefined],
  ["name = 'a'", { name: "a" }],
  ["name='a'", { name: "a" }],
  ["NAME <> 'a'", { name: { neq: "a" } }],
  ["name != 'it''s'", { name: { neq: "it's" } }],
  ["name = ''", { name: "" }],
  ["name = ''''", { name: "'" }],
  ["name = 'or 1=1 --'", { name: "or 1=1 --" }],
  ["id = 5", { id: 5 }],
  ["trees < -1", { trees: { lt: "-1" } }],
  ["trees<-1 and trees>+2", { and: [{ trees: { lt: "-1" } }, { trees: { gt: "+2" } }] }],
  ["size <= 1.50", { size: { lte: "1.50" } }],
  ["size >= 123456789012345678901234567890.5", { size: { gte: "123456789012345678901234567890.5" } }],
  ["größe > -.5E-3", { größe: { gt: "-.5E-3" } }],
  ["size = 'NaN'", { size: "NaN" }],
  ["open = true", { open: true }],
  ["open = FALSE", { open: false }],
  ["trees in (1, 2,3)", { trees: { in: ["1", "2", "3"] } }],
  ["name not in ('a','b')", { name: { nin: ["a", "b"] } }],
  ["name like 'A%'", { name: { like: "A%" } }],
  ["name NOT ILIKE '%\\_%'", { not: { name: { ilike: "%\\_%" } } }],
  ["name is null", { name: null }],
  ["name Is Not Null", { name: { isNull: false } }],
  [`"Odd Name" = 'x'`, { "Odd Name": "x" }],
  [`"a""b" = 1`, { 'a"b': "1" }],
  ["order = 1", { order: "1" }],
  [`"is" = 1`, { is: "1" }],
  ["trees = 1 or trees = 2 and open = true", { or: [{ trees: "1" }, { trees: "2", open: true }] }],
  ["(trees = 1 or trees = 2) and open = true", { and: [{ or: [{ trees: "1" }, { trees: "2" }] }, { open: true }] }],
  ["not trees = 1 and open = true", { and: [{ not: { trees: "1" } }, { open: true }] }],
  ["not (trees = 1 and open = true)", { not: { trees: "1", open: true } }],
  ["not not ((trees = 1))", { not: { not: { trees: "1" } } }],
];

describe("a filter as text", () => {
  for (const [text, json] of MEANINGS)
    it(`means the same as JSON: ${text}`, () => {
      assert.deepEqual(parseFilterText(text, shape), parseFilter(json, shape));
    });

  const ERRORS: readonly (readonly [string, RegExp])[] = [
    ["nope = 1", /there is no column "nope"/],
    [`"Name" = 'a'`, /there is no column "Name"/],
    ["name", /expected an operator, got the end/],
    ["name = ", /expected a value: .*got the end/],
    ["name 'a'", /expected an operator, got "'a'" at character 6/],
    ["name = 'a", /quote at character 8 is not closed/],
    [`"name = 'a'`, /quote at character 1 is not closed/],
    [`"" = 'a'`, /quote at character 1/],
    ["name = a", /expected a value/],
    ["trees = 1 trees = 2", /expected and, or, or the end, got "trees" at character 11/],
    ["(trees = 1", /expected \), got the end/],
    ["trees = 1)", /expected and, or, or the end/],
    ["trees in ()", /expected a value/],
    ["trees in (1", /expected \)/],
    ["trees in 1", /expected \(/],
    ["trees not = 1", /expected in, like or ilike/],
    ["trees is 1", /expected null or not null/],
    ["trees is not 1", /expected null/],
    ["trees = null", /write is null/],
    ["trees in (1, null)", /write is null/],
    ["and = 1", /expected the name of a column, got "and"/],
    ["or", /expected the name of a column/],
    ["1 = 1", /expected the name of a column, got "1"/],
    ["trees == 1", /expected a value/],
    ["trees = 1; drop table parks", /unexpected ";" at character 10/],
    ["trees = 1 -- comment", /unexpected "-"/],
    ["name = $$a$$", /unexpected "\$"/],
    ["name = e'a'", /expected a value/],
    ["lower(name) = 'a'", /there is no column "lower"/],
    ["name || 'a' = 'b'", /unexpected "\|"/],
    ["trees = 1x", /unexpected "1"/],
    ["trees = 1.5", /where\.trees\.eq: expected a whole number/],
    ["name = 5", /where\.name\.eq: expected a string/],
    ["trees like '1%'", /where\.trees\.like: the column does not take this operator/],
    ["name = 'a\u0000'", /U\+0000/],
    ["name = 'a\ud800'", /Unicode/],
    ["open = 'maybe'", /where\.open\.eq/],
    ["💥 = 1", /unexpected "💥"/u],
  ];
  for (const [text, message] of ERRORS)
    it(`is refused: ${JSON.stringify(text)}`, () => assertRefused(() => parseFilterText(text, shape), message));

  it("is bounded in depth, parts, lists and length", () => {
    const limited = (text: string, message: RegExp): void =>
      assertRefused(() => parseFilterText(text, shape), message, "LIMIT_EXCEEDED");
    limited(`${"(".repeat(13)}trees = 1${")".repeat(13)}`, /nested deeper than 12/);
    limited(`${"(".repeat(30_000)}trees = 1`, /nested deeper than 12/);
    limited(`${"not ".repeat(20_000)}trees = 1`, /nested deeper than 12/);
    limited(Array.from({ length: 1001 }, () => "trees = 1").join(" or "), /more than 1000 parts/);
    limited(`trees in (${Array.from({ length: 10_001 }, () => "1").join(",")})`, /more than 10000 elements/);
    limited(`name = '${"a".repeat(100_000)}'`, /more than 100000 characters/);
    assert.ok(parseFilterText(`${"(".repeat(11)}trees = 1${")".repeat(11)}`, shape));
    assertRefused(() => parseFilterText(`trees = ${"1".repeat(99_000)}x`, shape), /unexpected/);
    assertRefused(() => parseFilterText(`name = ${"'".repeat(99_001)}`, shape), /not closed/);
  });
});
