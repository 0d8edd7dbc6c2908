import assert from "node:assert/strict";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ShortLived } from "../../server/ground/shortLived.ts";

type Collect = (options: { readonly type: "minor" | "major" }) => void;

describe("short-lived members", () => {
  it("are there from when they come until they leave", () => {
    const members = new ShortLived<string>();
    const [leaveA, leaveB, leaveC] = ["a", "b", "c"].map((name) => members.add(name)) as [
      () => void,
      () => void,
      () => void,
    ];
    leaveA();
    assert.deepEqual([...members].sort(), ["b", "c"]);
    leaveA();
    assert.equal(members.size, 2);
    leaveC();
    assert.deepEqual([...members], ["b"]);
    const leaveD = members.add("d");
    leaveB();
    leaveB();
    assert.deepEqual([...members], ["d"]);
    leaveD();
    assert.equal(members.size, 0);
  });

  it("may be the same object twice", () => {
    const members = new ShortLived<object>();
    const one = {};
    const leave = members.add(one);
    members.add(one);
    leave();
    assert.deepEqual([...members], [one]);
  });

  it("leave no memory behind after a full collection", () => {
    const members = new ShortLived<object>();
    const grown = grownBytes((member) => members.add(member));
    assert.ok(grown < 1_000_000, `the old generation has grown by ${grown} bytes`);
  });
});

/** By how much the old generation grows while 20 MB of objects come and go, eight at a time, after a full collection. */
function grownBytes(add: (member: object) => () => void): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as Collect;
  setFlagsFromString("--no-expose-gc");
  const leaves = Array.from({ length: 8 }, () => add({}));
  collect({ type: "major" });
  const before = oldBytes();
  for (let n = 0; n < 20_000; n++) {
    leaves[n % 8]!();
    leaves[n % 8] = add(Array.from({ length: 125 }, () => n));
    if (n % 1000 === 0) collect({ type: "minor" });
  }
  return oldBytes() - before;
}

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === "old_space")!.space_used_size;
}
