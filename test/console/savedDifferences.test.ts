import assert from "node:assert/strict";
import { lineDifferences, savedDifferences } from "../../console/src/service/savedDifferences.ts";

describe("the console: what restoring a version would change", () => {
  const cities = { title: "Cities", q: "select 1", show: "number" };
  const ports = { title: "Ports", q: "select 2", show: "bar" };
  for (const [what, now, then, differences] of [
    ["nothing", { title: "A", panels: [cities] }, { panels: [{ ...cities, x: null }], title: "A" }, []],
    ["a member", { title: "B" }, { title: "A" }, [["title", "B", "A"]]],
    ["a member that was missing", { title: "B" }, { title: null }, [["title", "B", undefined]]],
    ["a member of a view", { view: { zoom: 3 } }, { view: { zoom: 5 } }, [["view zoom", 3, 5]]],
    ["columns", { columns: ["a", "b"] }, { columns: ["a"] }, [["columns", ["a", "b"], ["a"]]]],
    [
      "a panel that is known by its title, though it stood elsewhere",
      { panels: [ports, cities] },
      { panels: [{ ...cities, show: "table" }] },
      [
        ["panels 1 Ports", ports, undefined],
        ["panels 2 Cities show", "number", "table"],
      ],
    ],
    [
      "a panel that is known by its place",
      { panels: [{ ...cities, title: "New" }] },
      { panels: [cities] },
      [["panels 1 New title", "New", "Cities"]],
    ],
    ["a layer that comes", { layers: [] }, { layers: [{ collection: "a.b" }] }, [["layers 1 a.b", undefined, { collection: "a.b" }]]], // oxfmt-ignore
    [
      "the order",
      { panels: [ports, cities] },
      { panels: [cities, ports] },
      [["panels", ["Ports", "Cities"], ["Cities", "Ports"]]],
    ],
  ] as const)
    it(`says ${what}`, () =>
      assert.deepEqual(
        savedDifferences(now, then).map(({ path, ...difference }) => [path.join(" "), difference.now, difference.then]),
        differences,
      ));

  const told = (now: string, then: string): string =>
    lineDifferences(now, then)
      .map((line) => `${{ now: "-", then: "+", both: " " }[line.in]}${line.text}`)
      .join("\n");

  it("compares statements line by line", () => {
    assert.equal(told("select a\nfrom t\nwhere b", "select a\nfrom t"), " select a\n from t\n-where b");
    assert.equal(told("a\nb\nc\nd", "a\nx\nc\ny\nd"), " a\n-b\n+x\n c\n+y\n d");
    assert.equal(told("one", "two"), "-one\n+two");
  });

  it("compares texts of many lines at once where it would take long", () => {
    const lines = (word: string) => Array.from({ length: 5_000 }, (_, n) => `${word} ${n}`).join("\n");
    const found = lineDifferences(lines("a"), lines("b"));
    assert.deepEqual([found.length, found[0]?.in, found.at(-1)?.in], [10_000, "now", "then"]);
  });
});
