import assert from "node:assert/strict";
import { RequestCounts } from "../../server/fleet/requestCounts.ts";

const MINUTE_MS = 60_000;

describe("requests that hosts count together", () => {
  it("belong to one minute, however late another host hears of it", () => {
    const counts = new RequestCounts();
    counts.add("ann", 5, 30_000);
    const { requests, endsInMs } = counts.count("ann");
    assert.equal(requests, 6);
    assert.ok(endsInMs <= 30_000);
  });

  it("end with the first of two minutes that began at the same time", () => {
    const counts = new RequestCounts();
    counts.count("ann");
    counts.add("ann", 1, MINUTE_MS - 500);
    const { requests, endsInMs } = counts.count("ann");
    assert.equal(requests, 3);
    assert.ok(endsInMs <= MINUTE_MS - 500);
  });

  it("belong to the next minute if another host has begun it a moment before", () => {
    const counts = new RequestCounts();
    counts.add("ann", 600, 500);
    counts.add("ann", 5, MINUTE_MS);
    assert.equal(counts.count("ann").requests, 6);
  });

  it("do not belong to an ended minute, nor to one that is ending while another has begun here", () => {
    const counts = new RequestCounts();
    counts.add("ann", 600, 0);
    counts.count("ann");
    counts.add("ann", 600, 500);
    assert.equal(counts.count("ann").requests, 2);
  });
});
