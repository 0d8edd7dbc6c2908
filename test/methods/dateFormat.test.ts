import assert from "node:assert/strict";
import { dateFormatOf } from "../../server/methods/dates/dateFormat.ts";
import { baseType } from "../../server/types/catalogue.ts";

const formatOf = (pattern: string, name = "timestamptz") =>
  dateFormatOf({ x: pattern }, "x", baseType({ schema: "pg_catalog", name }))!;
const print = (pattern: string, text: string): string => formatOf(pattern).print(text);

describe("patterns of PHP's date()", () => {
  it("each letter prints what PHP prints", () => {
    // date_create('2024-02-09 15:04:05.678901 +05:30') in PHP 8.3
    const text = "2024-02-09 15:04:05.678901+05:30";
    const expected: Record<string, string> = {
      d: "09",
      D: "Fri",
      j: "9",
      l: "Friday",
      N: "5",
      S: "th",
      w: "5",
      z: "39",
      W: "06",
      F: "February",
      m: "02",
      M: "Feb",
      n: "2",
      t: "29",
      L: "1",
      o: "2024",
      X: "+2024",
      x: "2024",
      Y: "2024",
      y: "24",
      a: "pm",
      A: "PM",
      B: "440",
      g: "3",
      G: "15",
      h: "03",
      H: "15",
      i: "04",
      s: "05",
      u: "678901",
      v: "678",
      e: "+05:30",
      I: "0",
      O: "+0530",
      P: "+05:30",
      p: "+05:30",
      T: "+05:30",
      Z: "19800",
      c: "2024-02-09T15:04:05+05:30",
      r: "Fri, 09 Feb 2024 15:04:05 +0530",
      U: "1707471245",
    };
    for (const [letter, value] of Object.entries(expected)) assert.equal(print(letter, text), value, letter);
    assert.equal(print("\\Y\\\\ jS \\of F", text), "Y\\ 9th of February");
  });

  it("weeks, ends of years, years before Christ, midnight and noon", () => {
    assert.equal(print("o-W-N", "2021-01-03"), "2020-53-7");
    assert.equal(print("o-W-N", "2024-12-30"), "2025-01-1");
    assert.equal(print("z t L", "2023-12-31"), "364 31 0");
    assert.equal(print("Y x X", "0044-03-15 BC"), "-0043 -0043 -0043");
    assert.equal(print("x X", "12024-03-15"), "+12024 +12024");
    assert.deepEqual(
      ["00", "11", "12", "23"].map((h) => print("g A", `2024-01-01 ${h}:00:00`)),
      ["12 AM", "11 AM", "12 PM", "11 PM"],
    );
    assert.deepEqual(
      [1, 2, 3, 4, 11, 12, 13, 21, 22, 23].map((d) => print("S", `2024-01-${String(d).padStart(2, "0")}`)),
      ["st", "nd", "rd", "th", "th", "th", "th", "st", "nd", "rd"],
    );
    assert.equal(print("p P T e", "2024-01-01 00:00:00+00"), "Z +00:00 +00:00 +00:00");
    assert.equal(print("Y", "infinity"), "infinity");
    assert.equal(print("H:i", "10:11:12"), "10:11");
  });

  it("it reads what it has printed, with any pattern", () => {
    for (const pattern of [
      "Y-m-d H:i:s.uP",
      "c",
      "r",
      "U",
      "D, jS F Y g:i:s A O",
      "d/m/y H\\hi\\ms",
      "o-\\WW-N G:i:s p",
      "Y z H:i:s T",
      "l j M Y h:i:sa v e",
      "X-n-j G:i:s Z",
      "Y-m-d H:i:s P \\a\\t B",
    ]) {
      const text = "2024-02-09 15:04:05+05:30";
      const format = formatOf(pattern);
      const printed = format.print(text);
      const again = format.parse(printed, "x");
      assert.equal(
        format.print(again.replace(" +", "+")).replace(/[+-]\d\d:?\d\d|Z$/g, ""),
        printed.replace(/[+-]\d\d:?\d\d|Z$/g, ""),
        `${pattern}: ${printed} → ${again}`,
      );
    }
  });

  it("reads for the type of the parameter", () => {
    assert.equal(formatOf("d.m.Y", "date").parse("09.02.2024", "x"), "2024-02-09");
    assert.equal(formatOf("g:i A", "time").parse("12:05 am", "x"), "00:05:00");
    assert.equal(formatOf("d.m.Y", "timestamp").parse("09.02.2024", "x"), "2024-02-09 00:00:00");
    assert.equal(formatOf("U").parse("0", "x"), "1970-01-01 00:00:00+00:00");
    assert.equal(formatOf("y", "date").parse("70", "x"), "1970-01-01");
    assert.equal(formatOf("y", "date").parse("69", "x"), "2069-01-01");
    assert.equal(
      formatOf("Y-m-d H:i e").parse("2024-01-01 10:00 Europe/Berlin", "x"),
      "2024-01-01 10:00:00 Europe/Berlin",
    );
  });

  it("takes ISO 8601 beside the pattern, which is the column's too", () => {
    for (const text of ["2024-02-01", "2024-02-01T10:00:00Z", "2024-W07-2", "2024-044", "10:30"])
      assert.equal(formatOf("d/m/Y").parse(text, "day"), text);
    assert.equal(formatOf("Y-d-m", "date").parse("2024-02-01", "day"), "2024-01-02"); // the pattern comes first
  });

  it("refuses texts that do not match the pattern", () => {
    for (const [pattern, text] of [
      ["d.m.Y", "31.02.2024"],
      ["d.m.Y", "01.13.2024"],
      ["d.m.Y", "01.01.2024x"],
      ["d.m.Y", "2024/01/01"],
      ["g A", "13 PM"],
      ["z Y", "366 2023"],
      ["d.m.Y", ""],
    ] as const)
      assert.throws(() => formatOf(pattern).parse(text, "day"), { code: "BAD_USER_INPUT" }, text);
  });

  it("is for dates and times only", () => {
    assert.throws(() => formatOf("Y", "int4"), { code: "INVALID_PARAMS" });
  });
});
