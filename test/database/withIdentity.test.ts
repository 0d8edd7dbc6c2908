import assert from "node:assert/strict";
import type { Database, RequestContext } from "../../server/kernel/database/database.ts";
import { type GatewayError, isMeant, toGatewayError } from "../../server/ground/errors.ts";
import type { Identity } from "../../server/kernel/database/database.ts";
import { findAccount } from "../../server/kernel/identity/tokens.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";
import { until } from "../support/events.ts";

const READ: RequestContext = { service: "graphql", address: "192.0.2.7", readOnly: true };
const WRITE: RequestContext = { service: "graphql", address: "192.0.2.7" };

describe("one way into the database", () => {
  let test: TestDatabase;
  let database: Database;
  let alice: Identity;

  async function identityOf(name: string): Promise<Identity> {
    const account = await findAccount(database, name);
    assert.ok(account);
    return {
      database: database.name,
      name,
      role: account.role,
      roleMade: account.roleMade,
      claims: { sub: name, uid: name, properties: account.properties },
    };
  }

  const one = (identity: Identity, context: RequestContext, text: string, values?: unknown[]) =>
    database.withIdentity(
      identity,
      context,
      async (transaction) => (await transaction.query({ text, values })).rows[0],
    );
  /** Waits until every connection is back in the pool: a read returns its own right after the answer. */
  async function allIdle(): Promise<void> {
    const { pool } = database;
    await until(() => pool.idleCount === pool.totalCount && pool.waitingCount === 0);
  }
  /** Waits until this number of such statements run. */
  async function running(count: number, text: string): Promise<void> {
    await until(async () => {
      const { rows } = await test.client.query(
        "select from pg_stat_activity where query = $1 and state = 'active' and datname = current_database()",
        [text],
      );
      return rows.length === count;
    });
  }

  before(async () => {
    test = await testDatabase({ kind: "portolan" });
    await test.client.query(`
select portolan.create_user('alice', 'x', properties => '{"town": "O''Hara \\\\ \\"x\\"", "odd-key": 1, "n": 5}');
select portolan.create_user('friends', null);
create schema town;
create table town.notes (id int primary key, text text, constraint unique_text unique (text) deferrable initially deferred);
select portolan.set_privilege('town.notes', 'alice', 'write');`);
    database = openAsGateway(test, { poolSize: 3, connectTimeoutMs: 500 });
    alice = await identityOf("alice");
  });

  after(async () => {
    await database.close();
    await test.drop();
  });

  it("the gateway's statements run without JIT; SQL of an account follows the database's setting", async () => {
    const show = "select current_setting('jit') as jit";
    await test.client.query(`alter database ${test.name} set jit = on`);
    assert.deepEqual(await database.db.one(show), { jit: "off" });
    assert.deepEqual(await one(alice, { service: "graphql" }, show), { jit: "off" });
    const own = await database.withOwnLogin(alice, { service: "sql" }, (transaction) =>
      transaction.query({ text: show }),
    );
    assert.deepEqual(own.rows, [{ jit: "on" }]);
  });

  it("a statement runs as the account's role, with claims and context", async () => {
    const row = await one(
      alice,
      READ,
      `select current_user as role, current_setting('request.jwt.claims')::json ->> 'sub' as sub,
        current_setting('jwt.claims.uid') as uid, current_setting('jwt.claims.town') as town, current_setting('jwt.claims.n') as n,
        (portolan.request_context()).service as service, host((portolan.request_context()).ip) as ip`,
    );
    assert.deepEqual(row, {
      role: alice.role,
      sub: "alice",
      uid: "alice",
      town: `O'Hara \\ "x"`,
      n: "5",
      service: "graphql",
      ip: "192.0.2.7",
    });
  });

  it("nothing of a request stays on the connection", async () => {
    await one(alice, READ, "select 1");
    await allIdle();
    const { rows } = await database.pool.query<{ role: string; claims: string | null; ip: string | null }>(
      "select current_user as role, current_setting('request.jwt.claims', true) as claims, current_setting('portolan.ip', true) as ip",
    );
    assert.deepEqual(rows, [{ role: `.pool@${test.name}`, claims: "", ip: "" }]);
  });

  it("the gateway's login has no right of an account by itself", async () => {
    await assert.rejects(database.db.any("select * from town.notes"), { code: "42501" });
    await assert.rejects(database.db.any("select private_jwk from portolan.signing_keys"), { code: "42501" });
  });

  it("claims and names are values, whatever they contain", async () => {
    const hostile = { ...alice, claims: { sub: "'; reset role; --", "x'); drop": "1", properties: { q: "\0\\'" } } };
    const row = await one(
      hostile,
      READ,
      "select current_user as role, current_setting('request.jwt.claims')::json ->> 'sub' as sub",
    );
    assert.deepEqual(row, { role: alice.role, sub: "'; reset role; --" });
  });

  it("claims are set, however many there are", async () => {
    const properties = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`p${n}`, n]));
    const row = await one(
      { ...alice, claims: { ...alice.claims, properties } },
      READ,
      "select current_setting('jwt.claims.p0') as first, current_setting('jwt.claims.p249') as last",
    );
    assert.deepEqual(row, { first: "0", last: "249" });
  });

  it("a read-only request cannot write", async () => {
    await assert.rejects(one(alice, READ, "insert into town.notes values (1, 'a')"), { code: "25006" });
  });

  it("a request takes effect completely or not at all", async () => {
    await assert.rejects(
      database.withIdentity(alice, WRITE, async (transaction) => {
        await transaction.query({ text: "insert into town.notes values (2, 'b')" });
        await transaction.query({ text: "insert into town.notes values (2, 'c')" });
      }),
      { code: "23505" },
    );
    await database.withIdentity(alice, WRITE, async (transaction) => {
      await transaction.query({ text: "insert into town.notes values (3, 'd')" });
      transaction.rollbackOnly();
    });
    assert.deepEqual(await one(alice, READ, "select count(*)::int as n from town.notes"), { n: 0 });
    await one(alice, WRITE, "insert into town.notes values (4, 'e')");
    assert.deepEqual(await one(alice, READ, "select count(*)::int as n from town.notes"), { n: 1 });
  });

  it("a constraint that fails at COMMIT fails the request, and the connection is intact", async () => {
    await assert.rejects(one(alice, WRITE, "insert into town.notes values (5, 'e')"), { code: "23505" });
    await allIdle();
    assert.deepEqual(await one(alice, READ, "select 1 as n"), { n: 1 });
  });

  it("after a failed statement of a read the next one is answered, under the same role", async () => {
    await database.withIdentity(alice, READ, async (transaction) => {
      await assert.rejects(transaction.query({ text: "select 1 / 0" }), { code: "22012" });
      const { rows } = await transaction.query({ text: "select current_user as role" });
      assert.deepEqual(rows, [{ role: alice.role }]);
    });
  });

  it("the announced last statement may fail, and others may follow it", async () => {
    await database.withIdentity(alice, READ, async (transaction) => {
      await assert.rejects(transaction.query({ text: "select 1 / 0", last: true }), { code: "22012" });
      assert.deepEqual((await transaction.query({ text: "select current_user as role", last: true })).rows, [
        { role: alice.role },
      ]);
      assert.deepEqual((await transaction.query({ text: "select current_user as role" })).rows, [{ role: alice.role }]);
    });
    await allIdle();
    const { rows } = await test.client.query(
      "select from pg_stat_activity where state like 'idle in transaction%' and usename = '.pool@' || current_database()",
    );
    assert.equal(rows.length, 0);
    await assert.rejects(
      database.withIdentity(alice, WRITE, async (transaction) => {
        await transaction.query({ text: "insert into town.notes values (90, 'last')", last: true });
        throw new Error("no");
      }),
    );
    assert.deepEqual(await one(alice, READ, "select count(*)::int as n from town.notes where id = 90"), { n: 0 });
  });

  it("simultaneous statements run one after the other", async () => {
    const rows = await database.withIdentity(alice, READ, (transaction) =>
      Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          transaction.query({ text: "select $1::int as n", values: [n], name: "same" }),
        ),
      ),
    );
    assert.deepEqual(
      rows.map(({ rows: [row] }) => row),
      Array.from({ length: 20 }, (_, n) => ({ n })),
    );
  });

  it("more prepared statements than a connection keeps are no failure", async () => {
    await database.withIdentity(alice, READ, async (transaction) => {
      for (let n = 0; n < 450; n++)
        assert.deepEqual((await transaction.query({ text: `select ${n % 225} as n`, name: `n${n % 225}` })).rows, [
          { n: n % 225 },
        ]);
    });
    const row = await one(alice, READ, "select count(*)::int as n from pg_prepared_statements");
    assert.ok((row as { n: number }).n <= 201);
  });

  it("a prepared statement whose result DDL has changed is prepared again the next time", async () => {
    const { client } = test;
    await client.query(
      "create table town.shape (a int); insert into town.shape values (1); select portolan.set_privilege('town.shape', 'alice', 'read')",
    );
    const ask = () =>
      database.withIdentity(
        alice,
        READ,
        async (transaction) => (await transaction.query({ text: "select * from town.shape", name: "shape" })).rows,
      );
    for (let n = 0; n < 6; n++) assert.deepEqual(await ask(), [{ a: 1 }]);
    await client.query("alter table town.shape alter a type text");
    const outcomes: string[] = [];
    for (let n = 0; n < 12; n++)
      outcomes.push(
        await ask().then(
          (rows) => JSON.stringify(rows),
          (error: { code: string }) => error.code,
        ),
      );
    assert.ok(outcomes.filter((outcome) => outcome === "0A000").length <= 3, outcomes.join());
    assert.equal(outcomes.at(-1), '[{"a":"1"}]');
  });

  it("a statement beyond its time limit is cancelled", async () => {
    await assert.rejects(
      one(alice, { ...READ, timeoutMs: 50 }, "select pg_sleep(5)"),
      (error) => toGatewayError(error).code === "TIMEOUT",
    );
  });

  it("a caller that leaves cancels its statement", async () => {
    const controller = new AbortController();
    const text = "select pg_sleep(60)";
    const left = assert.rejects(
      one(alice, { ...READ, timeoutMs: 60_000, signal: controller.signal }, text),
      (error) => (error as GatewayError).code === "CLIENT_GONE",
    );
    await running(1, text);
    controller.abort();
    await left;
    await running(0, text);
    await allIdle();
  });

  it("a role that is gone is 401, not another role's rights", async () => {
    await assert.rejects(
      one({ ...alice, role: "nobody@here" }, READ, "select * from town.notes"),
      (error) => (error as GatewayError).code === "UNAUTHENTICATED",
    );
    await allIdle();
  });

  it("connections that the server ends are replaced, none is lost", async () => {
    const text = "select pg_sleep(50)";
    const slow = Promise.allSettled(Array.from({ length: 2 }, () => one(alice, { ...READ, timeoutMs: 60_000 }, text)));
    await running(2, text);
    await test.client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where usename in ('gateway', '.pool@' || current_database()) and datname = current_database()",
    );
    for (const result of await slow) {
      assert.equal(result.status, "rejected");
      assert.equal(toGatewayError((result as PromiseRejectedResult).reason).code, "UNAVAILABLE");
    }
    const answers = await Promise.all(Array.from({ length: 6 }, () => one(alice, READ, "select 1 as n")));
    assert.equal(answers.length, 6);
    await allIdle();
  });

  it("a request that gets no connection is 503", async () => {
    const [text, leave] = ["select pg_sleep(40)", new AbortController()];
    const context = { ...READ, timeoutMs: 60_000, signal: leave.signal };
    const friends = await identityOf("friends");
    const slow = Promise.allSettled([alice, alice, friends].map((identity) => one(identity, context, text)));
    await running(3, text);
    await assert.rejects(one(await identityOf("anonymous"), READ, "select 1"), (error: GatewayError) => {
      assert.deepEqual([error.code, error.headers], ["UNAVAILABLE", { "Retry-After": "1" }]);
      assert.match(error.message, /^Too many requests wait/);
      return isMeant(error); // a line without a stack: there may be many
    });
    leave.abort();
    await slow;
  });

  describe("for SQL that someone wrote", () => {
    const own = (
      identity: Identity,
      text: string,
      context: RequestContext = { service: "sql", address: "198.51.100.9" },
      values?: unknown[],
    ) =>
      database.withOwnLogin(identity, context, async (transaction) => (await transaction.query({ text, values })).rows);

    it("the connection is logged in as the account, and has the caller's address", async () => {
      const [row] = await own(
        alice,
        "select session_user, current_user as role, (portolan.request_context()).name, (portolan.request_context()).service, host((portolan.request_context()).ip) as ip",
      );
      assert.deepEqual(row, {
        session_user: alice.role,
        role: alice.role,
        name: "alice",
        service: "sql",
        ip: "198.51.100.9",
      });
      const [other] = await own(alice, "select host((portolan.request_context()).ip) as ip", {
        service: "sql",
        address: "203.0.113.1",
      });
      assert.deepEqual(other, { ip: "203.0.113.1" });
    });

    it("cannot become another role, also through functions that execute text", async () => {
      for (const role of ["postgres", "gateway", `owner@${test.name}`, `friends@${test.name}`]) {
        await assert.rejects(own(alice, "select set_config('role', $1, true)", undefined, [role]), { code: "42501" });
        await assert.rejects(
          own(alice, `select query_to_xml($$select set_config('role', '${role}', true)$$, true, true, '')`),
          { code: "42501" },
        );
      }
      await assert.rejects(
        own(
          alice,
          "select set_config('role', 'postgres', true), query_to_xml('select * from portolan.users', true, true, '')",
        ),
        { code: "42501" },
      );
    });

    it("cannot forge the context", async () => {
      const [row] = await own(
        alice,
        `select set_config('portolan.service', 'ogc', true), set_config('portolan.user', 'friends', true),
          set_config('portolan.ip', '10.0.0.1', true), (portolan.request_context()).name, (portolan.request_context()).service,
          host((portolan.request_context()).ip) as ip`,
      );
      assert.deepEqual([row!["name"], row!["service"], row!["ip"]], ["alice", "sql", "198.51.100.9"]);
    });

    it("takes one statement only", async () => {
      await assert.rejects(own(alice, "select 1; select 2"), { code: "42601" });
    });

    it("leaves nothing behind for the next request", async () => {
      await own(alice, "select set_config('my.secret', 'x', false)");
      const [row] = await own(alice, "select current_setting('my.secret', true) as secret");
      assert.ok(!row!["secret"]);
    });

    it("cannot lift its own timeout", async () => {
      const started = performance.now();
      await assert.rejects(
        own(alice, "select set_config('statement_timeout', '0', false), pg_sleep(8)", {
          service: "sql",
          timeoutMs: 300,
        }),
        (error) => toGatewayError(error).code === "TIMEOUT",
      );
      assert.ok(performance.now() - started < 4000);
    });

    it("is refused for a role that Portolan did not make", async () => {
      await test.client.query("create role team_role_own nologin; select portolan.adopt_role('team', 'team_role_own')");
      const team = await identityOf("team");
      await assert.rejects(own(team, "select 1"), (error) => (error as GatewayError).code === "FORBIDDEN");
      assert.deepEqual(await one(team, READ, "select current_user as role"), { role: "team_role_own" });
      await test.client.query("select portolan.drop_user('team'); drop role team_role_own");
    });

    it("closes its connections when they are idle or the gateway ends", async () => {
      const second = openAsGateway(test, { connectTimeoutMs: 500, ownIdleMs: 2000 });
      /** The PostgreSQL process that serves one of alice's own connections. */
      const connect = (): Promise<number> =>
        second.withOwnLogin(alice, { service: "sql" }, async (transaction) => {
          const { rows } = await transaction.query<{ pid: number }>({ text: "select pg_backend_pid() as pid" });
          return rows[0]!.pid;
        });
      const areThere = async (...pids: number[]): Promise<number> => {
        const text = "select from pg_stat_activity where pid = any ($1) and usename = $2";
        return (await test.client.query(text, [pids, alice.role])).rows.length;
      };
      const idle = await connect();
      assert.equal(await connect(), idle); // it is kept for the next request
      assert.equal(await areThere(idle), 1);
      await until(async () => (await areThere(idle)) === 0);
      const pids = await Promise.all(Array.from({ length: 3 }, connect));
      assert.equal(await areThere(...pids), 3);
      await second.close();
      await until(async () => (await areThere(...pids)) === 0, 5000);
    });
  });
});
