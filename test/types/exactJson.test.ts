import assert from "node:assert/strict";
import { isRawNumber, parseBoth, parseKeepingDigits, parseKeepingIntegers } from "../../server/types/exactJson.ts";

describe("JSON with every digit kept", () => {
  it("keeps a number that JavaScript cannot hold anywhere, and leaves the others", () => {
    for (let before = 0; before <= 40; before++)
      for (const [number, isKept] of [
        ["123456789012345", false],
        ["1234567890123456", false],
        ["12345678901234567", true],
        ["-0.12345678901234567891", true],
        ["12345678901234.567891", true],
        ["1.2345678901234567e5", true],
        ["-1234567890.123456", false],
        ["1e400", true],
        ["1E+400", true],
        ["0.1234567890123", false],
      ] as const) {
        const text = `["${"x".repeat(before)}",${number}]`;
        const [, exact] = parseKeepingDigits(text) as [string, unknown];
        assert.equal(isRawNumber(exact), isKept, text);
        assert.equal(JSON.stringify(parseKeepingDigits(text)), isKept ? text : JSON.stringify(JSON.parse(text)));
        const both = parseBoth(text);
        assert.deepEqual([both.json, isRawNumber((both.exact as unknown[])[1])], [JSON.parse(text), isKept]);
        const [, integer] = parseKeepingIntegers(text) as [string, unknown];
        assert.equal(typeof integer, number === "12345678901234567" ? "string" : "number", text);
      }
  });
});
