import assert from "node:assert/strict";
import { Turns } from "../../server/mcp/turns.ts";
import { until } from "../support/until.ts";

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
    const all = calls(new Turns({ calls: 2, othersWaiting: () => 0 }));
    for (const caller of ["ann", "bob", "eve"]) all.call(caller);
    await until(() => all.running.size === 2);
    all.end("ann");
    await until(() => all.running.has("eve"));
    for (const caller of ["bob", "eve"]) all.end(caller);
    await all.ended();
    assert.equal(all.most(), 2);
  });

  it("are one at a time while requests of people wait", async () => {
    let waiting = 1;
    const all = calls(new Turns({ calls: 3, othersWaiting: () => waiting }));
    for (const caller of ["ann", "bob", "eve"]) all.call(caller);
    await until(() => all.running.has("ann"));
    const startedMs = performance.now();
    await until(() => performance.now() - startedMs > 20);
    const tookMs = performance.now() - startedMs;
    const endedMs = performance.now();
    all.end("ann");
    await until(() => all.running.size === 1 && !all.running.has("ann"));
    assert.ok(performance.now() - endedMs >= tookMs, "they rest after a call");
    assert.equal(all.most(), 1);
    waiting = 0;
    await until(() => all.running.size === 2);
    for (const caller of ["bob", "eve"]) all.end(caller);
    await all.ended();
  });

  it("are given up by a client that leaves", async () => {
    const turns = new Turns({ calls: 1, othersWaiting: () => 0 });
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
