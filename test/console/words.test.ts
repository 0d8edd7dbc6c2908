import assert from "node:assert/strict";
import { cql2Text } from "../../console/src/service/rows/cql2Text.ts";
import { filterText, patternOf } from "../../console/src/service/rows/filterText.ts";
import type { Column } from "../../console/src/service/rows/relations.ts";
import { show } from "../../console/src/service/rows/values.ts";

const COLUMNS = [
  { name: "name", column: 'the "name"', sqlType: "character varying(20)" },
  { name: "crew", column: "crew", sqlType: "integer" },
  { name: "since", column: "since", sqlType: "date" },
  { name: "isOpen", column: "is_open", sqlType: "boolean" },
  { name: "tags", column: "tags", sqlType: "text[]" },
] as unknown as readonly Column[];

describe("the console: words for filters and values", () => {
  for (const [condition, text] of [
    [{ crew: { gte: 16 } }, "crew ≥ 16"],
    [{ name: { ilike: patternOf("begins", "B") } }, "name begins with B"],
    [{ name: { ilike: patternOf("contains", "50%_\\") } }, "name contains 50%_\\"],
    [{ name: { ilike: "b_%" } }, "name is like b_%"],
    [{ name: { eq: "" } }, 'name is ""'],
    [{ name: null }, "name is null"],
    [{ not: { name: null } }, "name is not null"],
    [{ id: { in: [1, 2] } }, "id is one of 1, 2"],
    [{ or: [{ a: { eq: 1 } }, { b: { gt: 2, lt: 5 } }] }, "(a is 1 or b > 2 and b < 5)"],
    [{ not: { a: { eq: 1 } } }, "not (a is 1)"],
    [{ geom: { intersects: {} } }, '{"geom":{"intersects":{}}}'],
  ] as const)
    it(`says a filter as ${text}`, () => assert.equal(filterText(condition), text));

  const none = { years: 0, months: 0, days: 0, hours: 0, minutes: 0, seconds: 0 };
  for (const [value, text] of [
    [["a", null, 3], "a, null, 3"],
    [{ ...none, days: 3, hours: 1 }, "3 days 1 hour"],
    [{ ...none, months: -1, seconds: 2.5 }, "-1 month 2.5 seconds"],
    [none, "0 seconds"],
    [{ start: { value: 1, inclusive: true }, end: { value: 5, inclusive: false } }, "[1, 5)"],
    [{ start: null, end: { value: "2026-01-01", inclusive: true } }, "(, 2026-01-01]"],
    [{ a: [1] }, '{"a":[1]}'],
    [[{ a: 1 }], '[{"a":1}]'],
    [{ type: "Point", coordinates: [1, 2] }, "Point [1,2]"],
  ] as const)
    it(`shows a value as ${text}`, () => assert.equal(show(value), text));

  for (const [where, text] of [
    [{ crew: { gte: 16, neq: 20 } }, '"crew" >= 16 AND "crew" <> 20'],
    [{ name: { eq: "O'Neil" } }, `"the ""name""" = 'O''Neil'`],
    [{ name: { like: "a%" }, isOpen: { eq: true } }, `"the ""name""" LIKE 'a%' AND "is_open" = TRUE`],
    [{ not: { since: { lt: "2026-01-31" } } }, `NOT ("since" < DATE('2026-01-31'))`],
    [{ and: [{ crew: null }, { or: [{ crew: { in: [1, 2] } }] }] }, '("crew" IS NULL AND ("crew" IN (1, 2)))'],
    [{ since: { eq: "infinity" } }, undefined],
    [{ tags: { contains: ["a"] } }, undefined],
    [{ or: [{ crew: { eq: 1 } }, { name: { regex: "a" } }] }, undefined],
    [{ captains: { name: { eq: "a" } } }, undefined],
    [{}, undefined],
  ] as const)
    it(`says ${JSON.stringify(where)} in CQL2 as ${text ?? "nothing"}`, () =>
      assert.equal(cql2Text(where, COLUMNS), text));
});
