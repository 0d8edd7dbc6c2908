import assert from "node:assert/strict";
import { parseFilter } from "../../server/filter/parse.ts";
import type { Filter, Relation } from "../../server/filter/tree.ts";
import { assertRefused, shapeOf, things, TYPES } from "./fixtures.ts";

/** A filter as one line: `(id eq 1 and not code isNull true)`. */
function show(filter: Filter | undefined): string {
  if (!filter) return "everything";
  switch (filter.kind) {
    case "and":
    case "or":
      if (filter.filters.length === 0) return filter.kind === "and" ? "true" : "false";
      return `(${filter.filters.map(show).join(` ${filter.kind} `)})`;
    case "not":
      return `not ${show(filter.filter)}`;
    case "related":
      return `${filter.relation.name}[${show(filter.filter)}]`;
    case "compare":
      return `${filter.column.name} ${filter.operator} ${JSON.stringify(filter.value)}`;
    case "call":
      return filter.name;
  }
}

const parents: Relation = {
  name: "parents",
  get target() {
    return family;
  },
  on: [["parent", "id"]],
};
const family = shapeOf(
  "shop",
  "family",
  ["id", "parent", "and", "OR"].map((name) => ({ name, type: TYPES.int4 })),
  () => [parents, { ...parents, name: "not" }],
);

/** [where, its meaning] over `things`. */
const MEANINGS: readonly (readonly [unknown, string])[] = [
  [undefined, "everything"],
  [null, "everything"],
  [{}, "everything"],
  ["null", "everything"],
  ["{}", "everything"],
  [{ and: [] }, "everything"],
  [{ and: [{}, { and: {} }] }, "everything"],
  [{ or: [{ id: 1 }, {}] }, "everything"],
  [{ or: [] }, "false"],
  [{ not: {} }, "false"],
  [{ not: { or: [] } }, "not false"],
  [{ id: 1 }, "id eq 1"],
  [`{"id": {"gt": 1}}`, "id gt 1"],
  [{ id: "1" }, `id eq "1"`],
  [{ id: 1, text: "a" }, `(id eq 1 and text eq "a")`],
  [{ id: { gt: 1, lte: 5 } }, "(id gt 1 and id lte 5)"],
  [{ id: { GT: 1, iSnUlL: false } }, "(id gt 1 and id isNull false)"],
  [{ id: null }, "id isNull true"],
  [{ id: { eq: null } }, "id isNull true"],
  [{ id: { neq: null } }, "id isNull false"],
  [{ jsonb: null }, "jsonb isNull true"],
  [{ id: { in: [1, 2] } }, "id in [1,2]"],
  [{ id: { in: [] } }, "id in []"],
  [{ id: { nin: [] } }, "id nin []"],
  [{ id: { in: [1, null] } }, "(id in [1] or id isNull true)"],
  [{ id: { in: [null] } }, "id isNull true"],
  [{ id: { nin: [1, null] } }, "(id nin [1] and id isNull false)"],
  [{ int4s: { in: [[1], [2, 3], null] } }, "(int4s eq [1] or int4s eq [2,3] or int4s isNull true)"],
  [{ int4s: { nin: [[1], [2]] } }, "(int4s neq [1] and int4s neq [2])"],
  [{ int4s: { in: [] } }, "false"],
  [{ int4s: { nin: [] } }, "everything"],
  [{ int4s: [1, 2] }, "int4s eq [1,2]"],
  [{ AND: [{ id: 1 }, { id: 2 }] }, "(id eq 1 and id eq 2)"],
  [{ Or: [{ id: 1 }, { id: 2 }] }, "(id eq 1 or id eq 2)"],
  [{ or: { id: 1, code: "x" } }, `(id eq 1 and code eq "x")`],
  [{ nOt: { id: 1 } }, "not id eq 1"],
  [{ id: 1, or: [{ id: 2 }, { id: 3 }], not: { id: 4 } }, "(id eq 1 and (id eq 2 or id eq 3) and not id eq 4)"],
  [{ jsonb: { eq: { eq: 1 } } }, `jsonb eq {"eq":1}`],
  [{ jsonb: [1] }, "jsonb eq [1]"],
  [{ jsonb: "a" }, `jsonb eq "a"`],
  [{ int4range: { lower: 1, upper: 2 } }, `int4range eq {"lower":1,"upper":2}`],
  [{ int4range: { contains: { lower: 1 } } }, `int4range contains {"lower":1}`],
  [{ interval: { days: 1 } }, `interval eq {"days":1}`],
  [{ point: { x: 1, y: 2 } }, `point eq {"x":1,"y":2}`],
  [{ address: { street: "a" } }, `address eq {"street":"a"}`],
];

/** [where, message, code] over `things`. */
const REFUSED: readonly (readonly [unknown, RegExp, string?])[] = [
  [[], /^where: expected a filter object, got an empty list/],
  [5, /^where: expected a filter object, got 5/],
  [true, /expected a filter object/],
  ["", /where: expected a filter object or its JSON text/],
  ["id = 1", /expected a filter object or its JSON text, got "id = 1"/],
  ['"{}"', /expected a filter object, got "{}"/],
  [{ nope: 1 }, /^where: there is no column, relation or logical operator "nope"/],
  [{ ["n".repeat(9999)]: 1 }, /logical operator "n{60}…"$/],
  [{ ID: 1 }, /there is no column.* "ID"/],
  [{ id: {} }, /^where\.id: expected a value or at least one operator, got \{\}/],
  [{ jsonb: {} }, /at least one operator/],
  [{ int4range: {} }, /at least one operator/],
  [{ id: { equals: 1 } }, /^where\.id: there is no operator "equals"; there are eq, neq, gt/],
  [{ jsonb: { a: 1 } }, /^where\.jsonb: there is no operator "a"; .*\{"eq": \{…\}\}.*\{"contains": \{…\}\}/],
  [{ jsonb: { eq: 1, a: 1 } }, /there is no operator "a"/],
  [{ int4range: { lower: 1, eq: 1 } }, /there is no operator "lower"/],
  [{ id: { gt: 1, toString: 1 } }, /there is no operator "toString"/],
  [{ id: "abc" }, /^where\.id\.eq: expected a whole number, got "abc"/],
  [{ id: [1, 2] }, /^where\.id\.eq: expected a whole number, got a list/],
  [{ id: { gt: null } }, /^where\.id\.gt: expected a value, got null/],
  [{ id: { in: 1 } }, /^where\.id\.in: expected a list, got 1/],
  [{ id: { in: { a: 1 } } }, /expected a list, got an object/],
  [{ id: { in: [1, "x"] } }, /^where\.id\.in\[1\]: expected a whole number/],
  [{ id: { in: [[1], [2]] } }, /list in the list/],
  [{ id: { like: "1%" } }, /^where\.id\.like: the column does not take this operator; int4 takes eq, neq, gt/],
  [{ text: { like: 5 } }, /^where\.text\.like: expected a string \(a pattern\), got 5/],
  [{ text: { like: null } }, /got null/],
  [{ id: { startsWith: "1" } }, /^where\.id\.startsWith: the column does not take this operator/],
  [{ text: { endsWith: 5 } }, /^where\.text\.endsWith: expected a string \(a suffix\), got 5/],
  [{ text: { regex: {} } }, /^where\.text\.regex: expected a string \(a regular expression\), got/],
  [{ id: { iregex: "1" } }, /^where\.id\.iregex: the column does not take this operator/],
  [{ text: { startsWith: 5 } }, /^where\.text\.startsWith: expected a string \(a prefix\), got 5/],
  [{ text: { startsWith: null } }, /got null/],
  [{ text: { startsWith: ["a"] } }, /got a list/],
  [{ text: { startsWith: "a\0" } }, /^where\.text\.startsWith: /],
  [{ text: { contains: "a" } }, /does not take this operator/],
  [{ text: { hasKey: "a" } }, /does not take this operator/],
  [{ jsonb: { hasKey: 1 } }, /jsonb\.hasKey: expected a string \(a key\), got 1/],
  [{ jsonb: { hasKey: null } }, /jsonb\.hasKey: expected a string \(a key\), got null/],
  [{ text: 5 }, /^where\.text\.eq: expected a string/],
  [{ id: { isNull: 1 } }, /^where\.id\.isNull: expected true or false, got 1/],
  [{ id: { isNull: null } }, /expected true or false, got null/],
  [{ jsonb: { gt: 1 } }, /does not take this operator/],
  [{ int4: { containedBy: [1] } }, /does not take this operator/],
  [{ int4range: { containedBy: null } }, /^where\.int4range\.containedBy: expected a value, got null/],
  [{ int4range: { containedBy: 3 } }, /^where\.int4range\.containedBy: expected/],
  [{ jsonb: { overlaps: {} } }, /does not take this operator/],
  [{ point: { gt: { x: 1, y: 1 } } }, /does not take this operator/],
  [{ points: { contains: [{ x: 1, y: 1 }] } }, /does not take this operator/],
  [{ points: { gt: [] } }, /does not take this operator/],
  [{ xml: { gt: "<a/>" } }, /does not take this operator/],
  [{ int4range: { contains: null } }, /expected a value, got null/],
  [{ and: 1 }, /^where\.and: expected a list of filter objects, got 1/],
  [{ or: [1] }, /^where\.or\[0\]: expected a filter object, got 1/],
  [{ or: [null] }, /^where\.or\[0\]: expected a filter object, got null/],
  [{ or: [{ and: [{ id: "x" }] }] }, /^where\.or\[0\]\.and\[0\]\.id\.eq: expected/],
  [{ not: [] }, /^where\.not: expected a filter object/],
  [{ not: null }, /expected a filter object, got null/],
  [JSON.parse(`{"__proto__": 1}`), /"__proto__"/],
  [`{"__proto__": {"id": 1}}`, /"__proto__"/],
  [{ constructor: 1 }, /"constructor"/],
  [{ id: JSON.parse(`{"__proto__": 1}`) }, /no operator "__proto__"/],
  [{ jsonb: { hasOwnProperty: 1 } }, /no operator "hasOwnProperty"/],
  [{ id: { in: Array(10_001).fill(1) } }, /a list of more than 10000 elements/, "LIMIT_EXCEEDED"],
  [{ or: Array(600).fill({ id: 1 }) }, /a filter of more than 1000 parts/, "LIMIT_EXCEEDED"],
  [{ int4s: { in: Array(2000).fill([1]) } }, /a filter of more than 1000 parts/, "LIMIT_EXCEEDED"],
];

describe("parseFilter", () => {
  for (const [where, meaning] of MEANINGS) {
    it(`${JSON.stringify(where)} is ${meaning}`, () => assert.equal(show(parseFilter(where, things)), meaning));
  }

  for (const [where, message, code] of REFUSED) {
    it(`refuses ${JSON.stringify(where).slice(0, 60)} with ${message}`, () =>
      assertRefused(() => parseFilter(where, things), message, code));
  }

  it("a column's own name wins over and, or, not; those over a relation's", () => {
    assert.equal(
      show(parseFilter({ and: 1, OR: 2, or: [{ id: 3 }, { id: 4 }] }, family)),
      "(and eq 1 and OR eq 2 and (id eq 3 or id eq 4))",
    );
    assert.equal(show(parseFilter({ AND: [{ id: 1 }, { id: 2 }] }, family)), "(id eq 1 and id eq 2)");
    assert.equal(show(parseFilter({ not: { id: 1 } }, family)), "not id eq 1");
  });

  it("relations filter by related rows, {} asks for any, null for none", () => {
    assert.equal(
      show(parseFilter({ parents: { id: 1, parents: { id: 2 } } }, family)),
      "parents[(id eq 1 and parents[id eq 2])]",
    );
    assert.equal(show(parseFilter({ parents: {} }, family)), "parents[true]");
    assert.equal(show(parseFilter({ parents: null }, family)), "not parents[true]");
    assertRefused(() => parseFilter({ parents: [] }, family), /^where\.parents: expected a filter object/);
    assertRefused(() => parseFilter({ parents: { text: 1 } }, family), /^where\.parents: there is no column.* "text"/);
  });

  it("nests twelve deep, or as deep as it is told", () => {
    const nested = (depth: number): unknown => (depth === 1 ? { id: 1 } : { not: nested(depth - 1) });
    assert.ok(parseFilter(nested(12), family));
    assertRefused(() => parseFilter(nested(13), family), /nested deeper than 12/, "LIMIT_EXCEEDED");
    assertRefused(() => parseFilter(nested(3), family, { maxDepth: 2 }), /nested deeper than 2/, "LIMIT_EXCEEDED");
    assertRefused(
      () => parseFilter(`${'{"not":'.repeat(50_000)}{}${"}".repeat(50_000)}`, family),
      /nested deeper/,
      "LIMIT_EXCEEDED",
    );
  });

  it("whole numbers are keys of text, where the column is shown as an ID", () => {
    assert.equal(show(parseFilter({ code: 5 }, things)), "code eq 5");
    assert.equal(show(parseFilter({ code: { in: [5, "6"] } }, things)), `code in [5,"6"]`);
    assertRefused(() => parseFilter({ code: 5.5 }, things), /expected a string/);
    assertRefused(() => parseFilter({ code: true }, things), /expected a string/);
  });
});
