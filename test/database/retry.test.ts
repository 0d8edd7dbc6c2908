import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import {
  makeClient,
  type Basis,
  type Database,
  type Identity,
  type RequestContext,
} from "../../server/kernel/database/database.ts";
import { GatewayError, toGatewayError } from "../../server/ground/errors.ts";
import { findAccount } from "../../server/kernel/identity/tokens.ts";
import { Changed, isTransient, whyAgain, withRetries, type Reason } from "../../server/ground/retry.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";
import { until } from "../support/events.ts";

const READ: RequestContext = { service: "graphql", readOnly: true };
const WRITE: RequestContext = { service: "graphql" };

describe("running a request again", () => {
  let test: TestDatabase;
  let database: Database;
  let ann: Identity;

  before(async () => {
    test = await testDatabase({ kind: "portolan" });
    await test.client.query(`
select portolan.create_user('ann', null);
create schema town;
create table town.notes (id int);
select portolan.set_privilege('town.notes', 'ann', 'write');`);
    database = openAsGateway(test, { poolSize: 1 });
    const account = await findAccount(database, "ann");
    assert.ok(account);
    ann = { database: database.name, name: "ann", role: account.role, roleMade: account.roleMade, claims: {} };
  });
  after(async () => {
    await database.close();
    await test.drop();
  });

  const run = (context: RequestContext, text: string, name?: string) =>
    database.withIdentity(ann, context, async (transaction) => (await transaction.query({ text, name })).rows);
  const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => undefined,
      (error) => error,
    );

  it("helps after errors of PostgreSQL about DDL, plans, lost statements and writes, also as the cause of another error", async () => {
    const reasons = async (promise: Promise<unknown>): Promise<(Reason | undefined)[]> => {
      const error = await failureOf(promise);
      assert.ok(error instanceof Error);
      return [whyAgain(error), whyAgain(new GatewayError("INTERNAL", undefined, { cause: error }))];
    };
    assert.deepEqual(await reasons(run(READ, "select * from town.gone")), ["ddl", "ddl"]);
    assert.deepEqual(await reasons(run(READ, "select gone from town.notes")), ["ddl", "ddl"]);
    assert.deepEqual(await reasons(run(READ, "insert into town.notes values (1)")), ["writes", "writes"]);
    assert.deepEqual(await reasons(run(READ, "select * from portolan.users")), ["rights", "rights"]);
    const prepare = async (text: string, name: string): Promise<void> => {
      for (let n = 0; n < 2; n++) await run(READ, text, name);
    };
    await prepare("select * from town.notes", "all notes");
    await test.client.query("alter table town.notes add column text text");
    assert.deepEqual(await reasons(run(READ, "select * from town.notes", "all notes")), ["plan", "plan"]);
    await prepare("select 1 as one", "one");
    await run(WRITE, "do $$ begin execute 'deallocate all'; end $$");
    assert.deepEqual(await reasons(run(READ, "select 1 as one", "one")), ["connection", "connection"]);
    assert.equal(whyAgain(new GatewayError("COLLECTION_NOT_FOUND")), "ddl");
  });

  it("helps where a definition was changed at the same moment; else the answer is 503 with a remedy", async () => {
    for (const text of ["select array_in('{1}', 4711, -1)", "select gin_clean_pending_list(4711)"]) {
      const error = await failureOf(run(WRITE, text));
      const { code, message, headers } = toGatewayError(error);
      assert.deepEqual(
        [code, message, headers["Retry-After"], isTransient(error)],
        ["UNAVAILABLE", "Another session is changing what this needs: try again", "1", true],
        text,
      );
      assert.ok(["ddl", "plan"].includes(whyAgain(error)!), text);
    }
  });

  it("does not help if the change may have been made, or would fail in the same way", async () => {
    const sleeping = failureOf(run(READ, "select pg_sleep(20)"));
    await until(async () => {
      const { rows } = await test.client.query<{ ended: boolean }>(
        "select pg_terminate_backend(pid) as ended from pg_stat_activity where query = 'select pg_sleep(20)' and state = 'active' and pid <> pg_backend_pid()",
      );
      return rows.length > 0;
    });
    const broken = await sleeping;
    assert.equal(whyAgain(broken), undefined);
    assert.ok(isTransient(broken));
    for (const text of ["select 1 / 0", "selec", "insert into town.notes values ('x')"]) {
      const error = await failureOf(run(WRITE, text));
      assert.ok(error instanceof Error);
      assert.deepEqual([whyAgain(error), isTransient(error)], [undefined, false], text);
    }
    assert.equal(whyAgain(new GatewayError("FORBIDDEN")), undefined);
    assert.equal(whyAgain("text"), undefined);
  });

  it("happens once for a write, three times for DDL and changing state, and ends with the last answer", async () => {
    const outdated = (): Error => Object.assign(new Error("cached plan"), { severity: "ERROR", code: "0A000" });
    const gone = (): Error => Object.assign(new Error("gone"), { severity: "ERROR", code: "42P01" });
    const readOnly = (): Error => Object.assign(new Error("read-only"), { severity: "ERROR", code: "25006" });
    for (const [error, most] of [
      [new Changed(), 4],
      [outdated(), 4],
      [gone(), 4],
      [readOnly(), 2],
    ] as const) {
      let attempts = 0;
      const fails = withRetries(
        (number) => {
          assert.equal(number, ++attempts);
          return Promise.reject(error);
        },
        { changed: () => undefined, plan: () => undefined, ddl: () => true, writes: () => true },
      );
      assert.equal(await failureOf(fails), error);
      assert.equal(attempts, most);
    }
  });

  it("needs a remedy that helps, and an answer that has not begun", async () => {
    const attempts = async (remedies: object, options: object = {}): Promise<number> => {
      let count = 0;
      await failureOf(withRetries(() => Promise.reject(new Changed(String(++count))), remedies, options));
      return count;
    };
    assert.equal(await attempts({}), 1);
    assert.equal(await attempts({ ddl: () => true }), 1);
    assert.equal(await attempts({ changed: () => Promise.resolve(false) }), 1);
    assert.equal(await attempts({ changed: () => true }, { hasBegun: () => true }), 1);
    assert.equal(await attempts({ changed: () => true }), 4);
  });

  it("follows the errors in an answer; a change counts before an absence", async () => {
    const told: string[] = [];
    const answers = [[new GatewayError("COLLECTION_NOT_FOUND"), new Changed()], [new Error("else")], []];
    const given = await withRetries(
      (number) => Promise.resolve(answers[number - 1]!),
      { ddl: () => void told.push("ddl"), changed: () => void told.push("changed") },
      { errorsOf: (errors) => errors },
    );
    assert.deepEqual(told, ["changed"]);
    assert.equal(given, answers[1]);
  });

  describe("of a request whose state has changed", () => {
    const basis = (expected: string): Basis => ({
      sql: "(select r.generation::text from portolan.rule_generation r)",
      check(value) {
        if (value !== expected) throw new Changed(value);
      },
    });

    it("no statement is answered, no other reason is given, and nothing takes effect", async () => {
      const count = async () => (await test.client.query("select from town.notes")).rows.length;
      const before = await count();
      const seen: unknown[] = [];
      await database.withIdentity(ann, { ...WRITE, basis: basis("-1") }, async (transaction) => {
        for (const text of ["insert into town.notes values (1)", "select 1 / 0"])
          seen.push(await failureOf(transaction.query({ text })));
      });
      assert.ok(seen[0] instanceof Changed);
      assert.equal(await count(), before);
      const wrong = database.withIdentity(ann, { ...READ, basis: basis("-1") }, (transaction) =>
        transaction.query({ text: "select 1 / 0" }),
      );
      assert.ok((await failureOf(wrong)) instanceof Changed);
    });

    it("an explicit check before any statement reports it too, and costs nothing if the state is unchanged", async () => {
      const { rows: known } = await test.client.query<{ now: string }>(`select ${basis("").sql} as now`);
      const { now } = known[0]!;
      const confirm = (expected: string): Promise<unknown> =>
        failureOf(
          database.withOwnLogin(ann, { service: "sql", readOnly: true, basis: basis(expected) }, (transaction) =>
            transaction.confirm(),
          ),
        );
      assert.ok((await confirm("-1")) instanceof Changed);
      assert.equal(await confirm(now), undefined);
      const { rows } = await database.withIdentity(ann, { ...READ, basis: basis(now) }, (transaction) =>
        transaction.query({ text: "select 1 as n" }),
      );
      assert.deepEqual(rows, [{ n: 1 }]);
    });
  });

  it("takes a server that does not answer in time as one that is away, also on a connection without a pool", async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const client = makeClient({
      connectionString: `postgresql://a:b@127.0.0.1:${port}/c`,
      connectionTimeoutMillis: 50,
    });
    const { code } = toGatewayError(await failureOf(client.connect()));
    assert.equal(code, "UNAVAILABLE");
    silent.close();
    await once(silent, "close");
  });

  it("takes a database that was closed meanwhile, or whose socket is full, as one that is away", async () => {
    const closed = openAsGateway(test);
    await closed.close();
    const full = Object.assign(new Error("connect EAGAIN /tmp/.s.PGSQL.5432"), { code: "EAGAIN" });
    for (const error of [await failureOf(closed.db.any("select 1")), await failureOf(closed.pool.connect()), full])
      assert.equal(toGatewayError(error).code, "UNAVAILABLE", String(error));
  });
});
