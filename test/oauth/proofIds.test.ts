/** The ids of proofs: each counts once, of all gateways of a database, also of one that answers from its memory. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { IDatabase } from "pg-promise";
import { ProofIds } from "../../server/kernel/identity/proofIds.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";

const makeId = () => randomBytes(16).toString("hex");

describe("the ids of proofs", function () {
  this.timeout(sized(20_000, 300_000));
  let database: TestDatabase;
  let db: IDatabase<object>;
  let close: () => Promise<void>;
  const stores: ProofIds[] = [];

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    const opened = openAsGateway(database);
    db = opened.db;
    close = () => opened.close();
  });
  beforeEach(forgetStores);
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
  });
  after(async () => {
    await close();
    await database.drop();
  });

  /** As in a database that had no store for a minute. */
  async function forgetStores(): Promise<void> {
    await database.client.query(
      "update portolan.id_keeper set keeper = null, others_at = null, alone_until = null, lost_at = null",
    );
  }

  function open(through = db, maxLive?: number): ProofIds {
    const store = new ProofIds(through, maxLive);
    stores.push(store);
    return store;
  }

  /** Counts the statements of a store, and refuses them after `stop`. */
  function watched(): { db: IDatabase<object>; statements: () => number; stop: () => void } {
    let statements = 0;
    let isStopped = false;
    const counting = new Proxy(db, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        if (name !== "one" && name !== "any") return member;
        return (...given: unknown[]): unknown => {
          statements++;
          return isStopped
            ? Promise.reject(new Error("the connection is gone"))
            : (member as (...all: unknown[]) => unknown).apply(target, given);
        };
      },
    });
    return { db: counting, statements: () => statements, stop: () => void (isStopped = true) };
  }

  /** Uses ids one after the other until the store answers without asking. */
  async function untilAlone(store: ProofIds): Promise<string> {
    const used: string[] = [];
    await until(() => {
      const id = makeId();
      const answer = store.use(id);
      used.unshift(id);
      return Promise.resolve(answer).then(() => !(answer instanceof Promise));
    });
    return used[0]!;
  }

  const isFirst = async (store: ProofIds, id: string): Promise<boolean> => (await store.use(id)).isFirst;

  it("a gateway alone answers hundreds from its memory, by a few statements, and tells them to the next one", async () => {
    const { db: counted, statements } = watched();
    const [first, second] = [open(counted), open()];
    const shared = makeId();
    assert.equal(await isFirst(second, shared), true);
    await second.close();
    await forgetStores();
    await untilAlone(first);
    assert.equal(await isFirst(first, shared), false, "what another one had written");
    const before = statements();
    const ids = Array.from({ length: 500 }, makeId);
    for (const id of ids) assert.equal(await isFirst(first, id), true);
    assert.ok(statements() - before < 20, `${statements() - before} statements`);
    for (const id of ids.slice(-50)) assert.equal(await isFirst(first, id), false);
    for (const id of ids.slice(-50)) assert.equal(await isFirst(second, id), false);
    const next = makeId();
    assert.equal(await isFirst(second, next), true);
    assert.equal(await isFirst(first, next), false);
    const { lostAt } = await second.use(makeId());
    assert.equal(lostAt, -Infinity);
  });

  it("of several that get the same at the same time, one takes it", async () => {
    const all = [open(), open(), open()];
    await untilAlone(all[0]!);
    const ids = Array.from({ length: 200 }, makeId);
    const taken = await Promise.all(
      ids.map(async (id, n) => {
        const answers = await Promise.all([all[n % 3]!, all[(n + 1) % 3]!].map((store) => isFirst(store, id)));
        return answers.filter(Boolean).length;
      }),
    );
    assert.deepEqual([...new Set(taken)], [1]);
  });

  it("after a crash of one that was alone, the next one says since when nothing is lost; a clean end loses nothing", async () => {
    const { db: dying, stop } = watched();
    const first = open(dying);
    await untilAlone(first);
    stop();
    const forgotten = makeId();
    assert.equal(await isFirst(first, forgotten), true);
    const usedAt = Date.now() / 1000;
    const { isFirst: again, lostAt } = await open().use(forgotten);
    assert.ok(again && lostAt >= usedAt, "it cannot know, and says so");
    assert.ok(lostAt <= Date.now() / 1000);

    await forgetStores();
    const third = open();
    const last = await untilAlone(third);
    await third.close();
    const { isFirst: known, lostAt: nothing } = await open().use(last);
    assert.deepEqual([known, nothing], [false, -Infinity]);
  });

  it("a flood fills neither the memory nor the table: what is over the limit is refused, and what came before still counts once", async () => {
    const LIMIT = sized(300, 200_000);
    const countOf = async (): Promise<number> =>
      (await database.client.query("select count(*)::integer as count from portolan.used_ids")).rows[0].count;
    for (const isAlone of [false, true]) {
      await forgetStores();
      await database.client.query("truncate portolan.used_ids");
      const store = open(db, LIMIT);
      const ids = isAlone ? [await untilAlone(store)] : [];
      let refused = 0;
      while (refused < 100) {
        const batch = Array.from({ length: 100 }, makeId);
        const uses = batch.map(async (id) => store.use(id));
        for (const [n, { status }] of (await Promise.allSettled(uses)).entries())
          if (status === "fulfilled") ids.push(batch[n]!);
          else refused++;
      }
      assert.ok(ids.length <= LIMIT, `${ids.length} were taken`);
      await assert.rejects(async () => store.use(makeId()), /Too many proofs; try again later/);
      for (const id of [ids[0]!, ids.at(-1)!]) assert.equal(await isFirst(store, id), false);
      await store.close();
      assert.ok((await countOf()) <= LIMIT);
    }
  });

  it("where PostgreSQL does not answer, none counts, and the next try may", async () => {
    const { db: dying, stop } = watched();
    stop();
    const store = open(dying);
    const id = makeId();
    await assert.rejects(async () => store.use(id), /the connection is gone/);
    await assert.rejects(async () => store.use(id), /the connection is gone/);
  });
});
