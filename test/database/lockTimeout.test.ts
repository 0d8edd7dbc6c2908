/** How long statements of requests wait for locks of other sessions. */
import assert from "node:assert/strict";
import pg from "pg";
import type { Database, DatabaseOptions, Identity, RequestContext } from "../../server/kernel/database/database.ts";
import type { GatewayError } from "../../server/ground/errors.ts";
import { findAccount } from "../../server/kernel/identity/tokens.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";
import { whileLocked } from "../support/whileLocked.ts";

const READ: RequestContext = {
  service: "ogc",
  address: "192.0.2.7",
  readOnly: true,
  reach: [{ schema: "town", name: "notes", request: "select" }],
};
const LIMIT = "select pg_catalog.current_setting('lock_timeout') as limit";

describe("the longest wait for a lock", () => {
  let test: TestDatabase;
  let locker: pg.Client;

  before(async () => {
    test = await testDatabase({ kind: "portolan" });
    await test.client.query(`
select portolan.create_user('alice', null), portolan.create_user('bob', null), portolan.create_user('carol', null),
  portolan.create_user('chief', null, superuser => true);
create schema town;
create table town.notes (id int primary key, text text);
create table town.roads (id int primary key, name text);
create view town.names as select text from town.notes;
insert into town.roads values (1, 'Main');
select portolan.set_privilege(name, account, 'write')
from unnest('{town.notes,town.roads,town.names}'::text[]) name, unnest('{alice,bob,carol,chief}'::text[]) account`);
    locker = new pg.Client({ connectionString: test.url, application_name: "psql" });
    await locker.connect();
  });

  after(async () => {
    await locker?.end();
    await test?.drop();
  });

  /** Opens the database with `lock_timeout` of its own, "0" for none. */
  async function opened<T>(
    own: string,
    options: Partial<DatabaseOptions>,
    work: (database: Database, identityOf: (name: string) => Promise<Identity>) => Promise<T>,
  ): Promise<T> {
    await test.client.query(`alter database ${test.name} set lock_timeout = '${own}'`);
    const database = openAsGateway(test, { pinAfterMs: 0, ...options });
    const identityOf = async (name: string): Promise<Identity> => {
      const account = await findAccount(database, name);
      assert.ok(account);
      const { role, roleMade } = account;
      return { database: database.name, name, role, roleMade, claims: { sub: name } };
    };
    try {
      return await work(database, identityOf);
    } finally {
      await database.close();
      await test.client.query(`alter database ${test.name} reset lock_timeout`);
    }
  }

  for (const [own, lockTimeoutMs, expected] of [
    ["0", 3000, "3s"],
    ["1500ms", 3000, "1500ms"],
    ["1h", 3000, "3s"],
    ["0", 60_000, "5s"], // that of the statement
    ["700ms", undefined, "700ms"],
  ] as const)
    it(`${lockTimeoutMs ?? "no"} ms where the database allows ${own}: ${expected}, on every kind of connection`, () =>
      opened(own, { lockTimeoutMs }, async (database, identityOf) => {
        const alice = await identityOf("alice");
        const asked = { name: "limit", text: LIMIT, last: true };
        const pooled = async (context: Partial<RequestContext> = {}): Promise<string> =>
          (
            await database.withIdentity(alice, { ...READ, reach: [], ...context }, (transaction) =>
              transaction.query<{ limit: string }>(asked),
            )
          ).rows[0]!.limit;
        const written = await pooled({ readOnly: false });
        const before = database.pins.answered;
        const read = [await pooled(), await pooled(), await pooled()];
        assert.ok(database.pins.answered > before, "none was read on a pinned session");
        const patient = await pooled({ isPatient: true });
        const sql = await database.withOwnLogin(alice, { service: "sql" }, (transaction) =>
          transaction.query<{ limit: string }>({ text: LIMIT }),
        );
        const all = [written, ...read, sql.rows[0]!.limit];
        assert.deepEqual([...all, patient], [...all.map(() => expected), own]);
      }));

  it("a read on a session that is the caller's waits once, not again in a transaction", () =>
    opened("0", { lockTimeoutMs: 800 }, async (database, identityOf) => {
      const alice = await identityOf("alice");
      const read = (): Promise<unknown> =>
        database.withIdentity(alice, READ, (transaction) =>
          transaction.query({ name: "locked notes", text: "select * from town.notes", last: true }),
        );
      for (let n = 0; n < 3; n++) await read();
      await whileLocked(locker, "lock table town.notes", async () => {
        const before = database.pins.failed;
        const begunMs = performance.now();
        await assert.rejects(read, {
          code: "UNAVAILABLE",
          message: "Another session has locked town.notes: try again",
        });
        assert.ok(performance.now() - begunMs < 1500, "it waited twice");
        assert.equal(database.pins.failed, before + 1, "it was not read on a pinned session");
      });
      await read();
    }));

  it("a read of several tables waits for one lock, and answers what is not locked", () =>
    opened("0", { lockTimeoutMs: 600 }, async (database, identityOf) => {
      const alice = await identityOf("alice");
      await whileLocked(locker, "lock table town.notes", () =>
        database.withIdentity(alice, READ, async (transaction) => {
          const begunMs = performance.now();
          for (let n = 0; n < 4; n++)
            await assert.rejects(transaction.query({ text: "select * from town.notes" }), { code: "UNAVAILABLE" });
          const { rows } = await transaction.query({ text: "select name from town.roads" });
          assert.deepEqual(rows, [{ name: "Main" }]);
          assert.ok(performance.now() - begunMs < 1500, "it waited for each");
        }),
      );
    }));

  it("super users and the log are told who holds the lock, others only which table is locked", () =>
    opened("0", { lockTimeoutMs: 100 }, async (database, identityOf) => {
      const read = async (name: string, relation = "notes"): Promise<GatewayError> => {
        const reach = [{ schema: "town", name: relation, request: "select" } as const];
        return database
          .withIdentity(await identityOf(name), { ...READ, reach }, (transaction) =>
            transaction.query({ text: `select * from town.${relation}` }),
          )
          .then(
            () => assert.fail(),
            (error: unknown) => error as GatewayError,
          );
      };
      await whileLocked(locker, "alter table town.notes add column more text", async () => {
        const { rows } = await locker.query<{ pid: number }>("select pg_backend_pid() as pid");
        const held = `on town.notes is held by \\S+ \\(psql, process ${rows[0]!.pid}\\) since [-0-9: ]+ UTC, which has locked town.notes`;
        const alice = await read("alice");
        assert.equal(alice.message, "Another session has locked town.notes: try again");
        assert.match(alice.detail ?? "", new RegExp(`^The lock ${held}$`));
        const chief = await read("chief");
        assert.match(chief.message, new RegExp(`^Another session has locked town.notes: try again. The lock ${held}$`));
        // the view itself is free
        const view = await read("alice", "names");
        assert.equal(view.message, "Another session has locked what this needs, perhaps town.notes: try again");
        assert.match(view.detail ?? "", new RegExp(`^The lock ${held}$`));
        for (const error of [alice, chief, view])
          assert.deepEqual([error.status, error.headers], [503, { "Retry-After": "1" }]);
      });
    }));

  it("a write that waits for an index to be made: which table is locked", () =>
    opened("0", { lockTimeoutMs: 100 }, async (database, identityOf) => {
      const alice = await identityOf("alice");
      const reach = [{ schema: "town", name: "roads", request: "update" } as const];
      await whileLocked(locker, "create index on town.roads (name)", () =>
        assert.rejects(
          database.withIdentity(alice, { ...READ, readOnly: false, reach }, (transaction) =>
            transaction.query({ text: "update town.roads set name = 'Main Street'" }),
          ),
          { code: "UNAVAILABLE", message: "Another session has locked town.roads: try again" },
        ),
      );
    }));

  it("while others keep reading a locked table with all connections, other tables are read", () =>
    opened("0", { lockTimeoutMs: 500, poolSize: 2, connectTimeoutMs: 1500 }, async (database, identityOf) => {
      const waiting = await Promise.all(["bob", "carol", "chief"].map(identityOf));
      const alice = await identityOf("alice");
      let isOver = false;
      const read = (identity: Identity, table: string): Promise<unknown> => {
        const reach = [{ schema: "town", name: table, request: "select" } as const];
        return database.withIdentity(identity, { ...READ, reach }, (transaction) =>
          transaction.query({ name: table, text: `select * from town.${table}`, last: true }),
        );
      };
      await read(alice, "roads");
      await whileLocked(locker, "lock table town.notes", async () => {
        const waiters = waiting.map(async (identity) => {
          while (!isOver)
            await read(identity, "notes").catch((error: GatewayError) => assert.equal(error.code, "UNAVAILABLE"));
        });
        for (let n = 0; n < 6; n++) await read(alice, "roads");
        isOver = true;
        await Promise.all(waiters);
      });
    }));
});
