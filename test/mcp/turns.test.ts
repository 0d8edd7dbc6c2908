import assert from "node:assert/strict";
import { Strain } from "../../server/mcp/strain.ts";
import { Turns, type Others } from "../../server/mcp/turns.ts";
import { until } from "../support/until.ts";

const NOBODY: Others = { waiting: 0, quietMs: Infinity };

describe("turns of agents", () => {
  const { signal } = new AbortController();

  /** Starts calls that go on until `end`. */
  function calls(turns: Turns) {
    const running = new Set<string>();
    const ends = new Map<string, () => void>();
    let most = 0;
    const ended: Promise<void>[] = [];
    const call = (caller: string): void => {
      ended.push(
        turns.with(caller, signal, async () => {
          running.add(caller);
          most = Math.max(most, running.size);
          await new Promise<void>((resolve) => ends.set(caller, resolve));
          running.delete(caller);
        }),
      );
    };
    return {
      running,
      call,
      end: (caller: string) => ends.get(caller)?.(),
      most: () => most,
      ended: () => Promise.all(ended),
    };
  }

  it("are several where nobody else waits", async () => {
    const all = calls(new Turns({ calls: 2, others: () => NOBODY }));
    for (const caller of ["ann", "bob", "eve"]) all.call(caller);
    await until(() => all.running.size === 2);
    all.end("ann");
    await until(() => all.running.has("eve"));
    for (const caller of ["bob", "eve"]) all.end(caller);
    await all.ended();
    assert.equal(all.most(), 2);
  });

  it("are one at a time while people use the service, with a rest after each", async () => {
    let others: Others = { waiting: 0, quietMs: 0 };
    const all = calls(new Turns({ calls: 3, others: () => others }));
    for (const caller of ["ann", "bob", "eve"]) all.call(caller);
    await until(() => all.running.has("ann"));
    const startedMs = performance.now();
    await until(() => performance.now() - startedMs > 20);
    const tookMs = performance.now() - startedMs;
    const endedMs = performance.now();
    all.end("ann");
    await until(() => all.running.has("bob"));
    assert.ok(performance.now() - endedMs >= 3 * tookMs, "they rest after a call");
    assert.equal(all.most(), 1);
    others = NOBODY;
    await until(() => all.running.size === 2);
    for (const caller of ["bob", "eve"]) all.end(caller);
    await all.ended();
  });

  it("begin when nobody waits, and after a moment although somebody does", async () => {
    let looks = 0;
    const others = (): Others => ({ waiting: ++looks < 4 ? 1 : 0, quietMs: 0 });
    const turns = new Turns({ calls: 1, others });
    await turns.with("ann", signal, async () => assert.equal(looks, 4));
    const steady = new Turns({ calls: 1, others: () => ({ waiting: 5, quietMs: 0 }) });
    const cameMs = performance.now();
    await steady.with("ann", signal, async () => assert.ok(performance.now() - cameMs >= 100));
  });

  it("come less often where people wait longer beside a call", async () => {
    const people: Others = { waiting: 0, quietMs: 0 };
    const turns = new Turns({ calls: 1, others: () => people });
    const all = calls(turns);
    for (let n = 0; n < 100; n++) turns.noteOther(5);
    all.call("ann");
    await until(() => all.running.has("ann"));
    for (let n = 0; n < 100; n++) turns.noteOther(10);
    const startedMs = performance.now();
    await until(() => performance.now() - startedMs > 20);
    const tookMs = performance.now() - startedMs;
    const endedMs = performance.now();
    all.end("ann");
    all.call("bob");
    await until(() => all.running.has("bob"));
    const restedMs = performance.now() - endedMs;
    // a machine that is slow makes the call so long that the bound of the rest counts
    assert.ok(restedMs >= Math.min(8 * tookMs, 1900), "people wait twice as long: agents have a tenth of the time");
    all.end("bob");
    await all.ended();
  });

  it("are given up by a client that leaves", async () => {
    const turns = new Turns({ calls: 1, others: () => NOBODY });
    const all = calls(turns);
    all.call("ann");
    await until(() => all.running.has("ann"));
    const leaving = new AbortController();
    const left = assert.rejects(
      turns.with("bob", leaving.signal, async () => undefined),
      { code: "CLIENT_GONE" },
    );
    leaving.abort();
    await left;
    all.end("ann");
    await all.ended();
  });
});

describe("the rest of agents after a call", () => {
  const after = (alone: readonly number[], beside: readonly number[]): Strain => {
    const strain = new Strain();
    for (let n = 0; n < 400; n++) {
      strain.note(alone[n % alone.length]!, false);
      strain.note(beside[n % beside.length]!, true);
    }
    return strain;
  };

  it("is three times the call where people do not feel it, or nothing is known of them", () => {
    assert.equal(new Strain().restMs(10), 30);
    assert.equal(after([5], [5]).restMs(10), 30);
    assert.equal(after([5, 300], [300, 5]).restMs(10), 30); // short and long ones, of which there are as many beside calls
    assert.equal(after([9], [5]).restMs(10), 30);
  });

  it("is longer the more people feel it, and shorter again when they no longer do", () => {
    const strain = after([10], [14]);
    assert.ok(Math.abs(strain.restMs(10) - 70) < 1, String(strain.restMs(10)));
    for (let n = 0; n < 1000; n++) strain.note(10, true);
    assert.equal(strain.restMs(10), 30);
  });

  it("has bounds, so that agents go on in any case", () => {
    const strain = after([1], [1000]);
    assert.equal(strain.restMs(10), 90);
    assert.equal(strain.restMs(500), 2000);
    assert.equal(strain.restMs(1000), 3000);
  });

  it("does not depend on streams, which go on for hours", () => {
    const strain = after([10], [10]);
    for (let n = 0; n < 100; n++) strain.note(3_600_000, true);
    assert.equal(strain.restMs(10), 30);
  });
});
