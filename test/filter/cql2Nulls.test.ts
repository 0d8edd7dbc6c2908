/** Each operator of CQL2 with each type: which types it takes, and that neither it nor its opposite keeps a null. */
import assert from "node:assert/strict";
import type pg from "pg";
import { GatewayError } from "../../server/ground/errors.ts";
import { parseCql2 } from "../../server/filter/cql2/parse.ts";
import { kindOf, type ValueKind } from "../../server/filter/cql2/terms.ts";
import { cities, citiesDatabase, cityColumns, kept } from "./cities.ts";

const VALUES: Readonly<Record<ValueKind, string>> = {
  number: "2",
  text: "'so-so'",
  boolean: "TRUE",
  date: "DATE('2021-04-30')",
  timestamp: "TIMESTAMP('2021-05-01T00:00:00Z')",
  geometry: "POLYGON((5 49, 10 49, 10 51, 5 51, 5 49))",
  array: "('a', 'b')",
  other: "'[1,5)'",
};
const ORDERED: readonly ValueKind[] = ["number", "text", "boolean", "date", "timestamp"];
const TEMPORAL: readonly ValueKind[] = ["date", "timestamp"];

interface OperatorCase {
  readonly name: string;
  /** Operators of a property and a value of its kind. */
  readonly write: (property: string, value: string) => string;
  readonly kinds: readonly ValueKind[];
}
const of = (kinds: readonly ValueKind[], names: readonly string[], write: (name: string) => OperatorCase["write"]) =>
  names.map((name): OperatorCase => ({ name, write: write(name), kinds }));

const CASES: readonly OperatorCase[] = [
  ...of([...ORDERED, "other"], ["=", "<>", "<", "<=", ">", ">="], (name) => (a, b) => `${a} ${name} ${b}`),
  ...of([...ORDERED, "other"], ["= turned"], () => (a, b) => `${b} = ${a}`),
  ...of([...ORDERED, "other"], ["between"], () => (a, b) => `${a} BETWEEN ${b} AND ${b}`),
  ...of([...ORDERED, "other"], ["in"], () => (a, b) => `${a} IN (${b}, ${b})`),
  ...of(["text"], ["like"], () => (a) => `${a} LIKE '%o%'`),
  ...of(["text"], ["casei"], () => (a) => `casei(${a}) = casei('LUXEMBOURG')`),
  ...of(["text"], ["accenti"], () => (a) => `accenti(${a}) LIKE accenti('%o%')`),
  ...of(["number"], ["+", "-", "*", "/", "%", "div", "^"], (name) => (a) => `${a} ${name} 1 > 1`),
  ...of(
    ["geometry"],
    ["s_intersects", "s_disjoint", "s_equals", "s_within", "s_contains"],
    (name) => (a, b) => `${name}(${a}, ${b})`,
  ),
  ...of(["geometry"], ["s_touches", "s_crosses", "s_overlaps"], (name) => (a, b) => `${name}(${a}, ${b})`),
  ...of(
    TEMPORAL,
    ["t_after", "t_before", "t_disjoint", "t_equals", "t_intersects"],
    (name) => (a, b) => `${name}(${a}, ${b})`,
  ),
  ...of(
    TEMPORAL,
    [
      "t_contains",
      "t_during",
      "t_finishedBy",
      "t_finishes",
      "t_meets",
      "t_metBy",
      "t_overlappedBy",
      "t_overlaps",
      "t_startedBy",
      "t_starts",
    ],
    (name) => (a) => `${name}(INTERVAL(${a}, ${a}), INTERVAL('2021-01-01', '2021-12-31'))`,
  ),
  ...of(
    ["array"],
    ["a_contains", "a_containedBy", "a_equals", "a_overlaps"],
    (name) => (a, b) => `${name}(${a}, ${b})`,
  ),
];

describe("Each operator of CQL2 with each type", () => {
  let client: pg.Client;
  let drop: () => Promise<void>;

  before(async () => ({ client, drop } = await citiesDatabase()));
  after(() => drop());

  for (const { name: operator, write, kinds } of CASES)
    it(`${operator} takes ${kinds.join(", ")}`, async () => {
      let taken = 0;
      for (const { name, type } of cityColumns) {
        const kind = kindOf(type);
        const value = kind === "array" && type.element?.kind === "integer" ? "(1, 2)" : VALUES[kind];
        const text = write(`"${name}"`, value);
        if (!kinds.includes(kind)) {
          assert.throws(
            () => parseCql2(text, cities),
            (error) => error instanceof GatewayError && Number(error.members["position"]) > 0,
            text,
          );
          continue;
        }
        const isTrue = await kept(client, text, cities);
        const isFalse = await kept(client, `NOT (${text})`, cities);
        const isNull = await kept(client, `"${name}" IS NULL`, cities);
        // exactly one of the three keeps each row
        assert.deepEqual(
          [...isTrue, ...isFalse, ...isNull].sort((a, b) => a - b),
          [1, 2, 3, 4, 5, 6, 7],
          text,
        );
        taken++;
      }
      assert.ok(taken > 0);
    });
});
