import assert from "node:assert/strict";
import { setImmediate, setTimeout } from "node:timers/promises";
import { ConnectionRoom } from "../../server/fleet/connectionRoom.ts";
import { until } from "../support/until.ts";

const WAIT_MS = 300;

describe("room for connections", () => {
  it("is waited for as long as databases fall asleep, and no longer", async () => {
    let [free, asleep] = [0, 0];
    const room = new ConnectionRoom({
      free: async () => free,
      async makeRoom() {
        await setTimeout(WAIT_MS / 2);
        if (asleep === 4) return 0;
        asleep++;
        free++;
        return 1;
      },
      waitMs: WAIT_MS,
    });
    let seen = -1;
    await room.with(4, async () => void (seen = free));
    assert.equal(seen, 4);
    await room.with(8, async () => void (seen = free));
    assert.equal(seen, 4); // nothing more falls asleep: it is tried without room
  });

  it("is given in the order of the requests, so that one for many connections is not overtaken for ever", async () => {
    let [free, looks] = [0, 0];
    const order: string[] = [];
    const room = new ConnectionRoom({
      async free() {
        looks++;
        return free;
      },
      makeRoom: async () => 0,
      waitMs: 60_000,
    });
    /** Holds the connections until they are given back. */
    const hold = (name: string, connections: number): Promise<void> =>
      room.with(connections, async () => {
        order.push(name);
        free -= connections;
        await setImmediate();
        free += connections;
      });
    const all = [hold("many", 4), hold("one", 1), hold("another", 1)];
    for (let n = 0; n < 4; n++) {
      free++;
      const seen = looks + 3; // by all three, if all look
      if (n < 3) await until(() => looks >= seen);
    }
    await Promise.all(all);
    assert.deepEqual(order, ["many", "one", "another"]);
  });

  it("is found by the next one if a question to PostgreSQL fails", async () => {
    let asked = 0;
    const room = new ConnectionRoom({
      async free() {
        if (++asked === 1) throw new Error("PostgreSQL is restarting");
        return 10;
      },
      makeRoom: async () => 0,
    });
    assert.deepEqual(await Promise.all([room.with(1, async () => "a"), room.with(1, async () => "b")]), ["a", "b"]);
  });
});
