import assert from "node:assert/strict";
import { filterText, patternOf } from "../../console/src/service/rows/filterText.ts";
import { show } from "../../console/src/service/rows/values.ts";

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
});
