/** Sessions that stay a caller's between its requests. */
import assert from "node:assert/strict";
import type {
  Basis,
  Database,
  DatabaseOptions,
  Identity,
  RequestContext,
  Statement,
} from "../../server/kernel/database/database.ts";
import { toGatewayError, type GatewayError } from "../../server/ground/errors.ts";
import { findAccount } from "../../server/kernel/identity/tokens.ts";
import { Changed } from "../../server/ground/retry.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";
import { until } from "../support/events.ts";
import { sized } from "../support/size.ts";

const READ: RequestContext = { service: "ogc", address: "192.0.2.7", readOnly: true, reach: [] };
/** The identity of the session, as policies can read it. */
const WHO = {
  name: "who",
  text: `
select pg_backend_pid() as pid, current_user as role, session_user as login, current_setting('portolan.user') as name,
  current_setting('portolan.service') as service, current_setting('portolan.ip') as ip,
  current_setting('statement_timeout') as timeout, coalesce(current_setting('jwt.claims.town', true), '') as town,
  coalesce(current_setting('jwt.claims.n', true), '') as n, coalesce(current_setting('jwt.claims.jti', true), '') as jti,
  current_setting('request.jwt.claims')::json ->> 'sub' as sub, current_setting('intervalstyle') as intervals,
  current_setting('transaction_read_only') as readonly, (select m.name from portolan.me m) as me,
  coalesce(current_setting('portolan.pin', true), '') <> '' as pinned`,
};

interface Who {
  readonly pid: number;
  readonly pinned: boolean;
  readonly [setting: string]: unknown;
}

/** The place and the interface are not part of the identity. */
function person({ pid: _pid, pinned: _pinned, ...rest }: Who): object {
  return rest;
}

/** Those of a cluster's coordinator compare the session in a statement of their own, which needs no Citus. */
for (const isCluster of [false, true])
  describe(isCluster ? "sessions that stay a caller's, of a cluster" : "sessions that stay a caller's", () =>
    sessions(isCluster),
  );

function sessions(isCluster: boolean): void {
  let test: TestDatabase;
  let database: Database;
  let alice: Identity;
  let bob: Identity;

  async function identityOf(name: string, claims: object = {}): Promise<Identity> {
    const account = await findAccount(database, name);
    assert.ok(account);
    const { role, roleMade, properties } = account;
    return { database: database.name, name, role, roleMade, claims: { sub: name, uid: name, properties, ...claims } };
  }

  async function read<Row>(identity: Identity, statement: Statement, more: Partial<RequestContext> = {}): Promise<Row> {
    const { rows } = await database.withIdentity(identity, { ...READ, ...more }, (transaction) =>
      transaction.query<Row>({ last: true, ...statement }),
    );
    return rows[0]!;
  }
  const who = (identity: Identity, more?: Partial<RequestContext>): Promise<Who> => read<Who>(identity, WHO, more);

  /** Without a name, it is never the only message. */
  const inTransaction = (identity: Identity): Promise<Who> => read<Who>(identity, { text: WHO.text });

  /** Reads until the connection is the caller's. */
  async function pin(identity: Identity, more?: Partial<RequestContext>): Promise<Who> {
    await who(identity, more);
    const seen = await who(identity, more);
    assert.equal(seen.pinned, true);
    return seen;
  }

  const write = (identity: Identity, text: string): Promise<unknown> =>
    database.withIdentity(identity, { ...READ, readOnly: false }, (transaction) => transaction.query({ text }));

  async function reopen(options: Partial<DatabaseOptions> = {}): Promise<void> {
    await database?.close();
    database = openAsGateway(test, { pinAfterMs: 0, ...options });
    database.isCluster = isCluster;
  }

  /**
   * Changes the session as an administrator or planted code might: on the one connection of the pool, past the gateway.
   */
  const meddle = (text: string): Promise<unknown> => database.pool.query(text);

  before(async () => {
    test = await testDatabase({ kind: "portolan" });
    await test.client.query(`
select portolan.create_user('alice', 'x', properties => '{"town": "Aarhus", "n": 5}');
select portolan.create_user('bob', 'x', properties => '{"town": "Bergen"}');
create schema town;
create table town.notes (id int primary key, owner text, text text);
insert into town.notes values (1, 'alice', 'of alice'), (2, 'bob', 'of bob');
select portolan.set_privilege('town.notes', 'alice', 'write'), portolan.set_privilege('town.notes', 'bob', 'read')`);
    await reopen();
    alice = await identityOf("alice");
    bob = await identityOf("bob");
  });

  beforeEach(() => reopen());

  after(async () => {
    await database.close();
    await test.drop();
  });

  it("change hands in a long row of reads, and not in a short burst or between writes", async () => {
    await reopen({ pinAfterMs: 3_600_000 });
    for (let n = 0; n < 4; n++)
      assert.deepEqual([(await who(alice)).pinned, (await who(bob)).pinned], [false, false], String(n));
    for (let n = 0; n < 4; n++) for (const each of [alice, bob]) assert.equal((await who(each)).name, each.name);
    assert.deepEqual([(await who(alice)).pinned, (await who(bob)).pinned], [true, true]);
    for (let n = 0; n < 8; n++) {
      await write(alice, "update town.notes set text = text where id = 1");
      assert.deepEqual([(await who(alice)).pinned, (await who(bob)).pinned], [false, false], String(n));
    }
  });

  it("are for callers that stay, also between writes", async () => {
    await reopen({ pinAfterMs: 1 });
    await until(async () => {
      await write(alice, "update town.notes set text = text where id = 1");
      return (await who(alice)).pinned;
    });
  });

  it("prefer, for each caller, the connection that it had, where several are free", async () => {
    await reopen({ poolSize: 3, pinAfterMs: 3_600_000 });
    await Promise.all([alice, alice, bob].map((each) => write(each, "select pg_sleep(0.2)")));
    await until(() => database.pool.idleCount === 3);
    for (let n = 0; n < 8; n++) for (const each of [alice, bob]) await who(each); // a long row
    const people = Array.from({ length: 12 }, (_, n) => ({ ...alice, claims: { ...alice.claims, jti: `${n}` } }));
    const places = new Map<string, Set<unknown>>();
    for (let round = 0; round < 3; round++)
      for (const { claims } of people)
        for (const identity of [
          { ...alice, claims },
          { ...bob, claims },
        ]) {
          const { pid } = await who(identity);
          const seen = places.get(identity.role) ?? new Set();
          places.set(identity.role, seen.add(pid));
        }
    assert.deepEqual(
      [...places.values()].map(({ size }) => size),
      [1, 1],
    );
  });

  it("answer as a transaction would", async () => {
    const ordinary = await inTransaction(alice);
    assert.equal(ordinary.pinned, false);
    assert.deepEqual(person(await pin(alice)), person(ordinary));
    assert.equal(ordinary["readonly"], "on");
    assert.equal(database.pins.failed, 0);
  });

  it("differ by every setting", async () => {
    await reopen({ poolSize: 2 });
    const others: readonly [Identity, Partial<RequestContext>, object][] = [
      [bob, {}, { role: bob.role, name: "bob", me: "bob", town: "Bergen", n: "", sub: "bob" }],
      [await identityOf("alice", { jti: "second" }), {}, { jti: "second" }],
      [alice, { service: "graphql" }, { service: "graphql" }],
      [alice, { address: "198.51.100.9" }, { ip: "198.51.100.9" }],
      [alice, { timeoutMs: 1234 }, { timeout: "1234ms" }],
      [alice, { isoIntervals: true }, { intervals: "iso_8601" }],
      [{ ...alice, claims: { ...alice.claims, properties: { town: "Cadiz" } } }, {}, { town: "Cadiz", n: "" }],
      [
        await identityOf("anonymous"),
        {},
        { role: `anonymous@${test.name}`, name: "anonymous", me: "anonymous", town: "", n: "", sub: "anonymous" },
      ],
    ];
    const own = person(await pin(alice));
    for (const [identity, more, differs] of others)
      for (let n = 0; n < 5; n++) {
        assert.deepEqual(person(await who(identity, more)), { ...own, ...differs });
        assert.deepEqual(person(await who(alice)), own);
      }
    assert.ok(database.pins.answered > 40);
    assert.equal(database.pins.failed, 0);
  });

  it("wait for locks as long as each request allows", async () => {
    await reopen({ lockTimeoutMs: 4000 });
    const limit = { name: "limit", text: "select current_setting('lock_timeout') as limit" };
    await pin(alice);
    for (let n = 0; n < 3; n++)
      for (const each of [alice, bob])
        for (const timeoutMs of [1000, 30_000, 2000])
          assert.deepEqual(await read(each, limit, { timeoutMs }), {
            limit: timeoutMs > 4000 ? "4s" : `${timeoutMs / 1000}s`,
          });
  });

  it("leave nothing to another caller's transaction", async () => {
    await pin(alice, { isoIntervals: true });
    const seen = await inTransaction(bob);
    assert.deepEqual([seen.pinned, seen["n"], seen["intervals"], seen["town"]], [false, "", "postgres", "Bergen"]);
    await pin(alice);
    const { rows } = await database.withIdentity(bob, { ...READ, readOnly: false }, async (transaction) =>
      transaction.query(WHO),
    );
    assert.deepEqual([rows[0]!["readonly"], rows[0]!["n"], rows[0]!["pinned"]], ["off", "", false]);
  });

  it("let their caller write", async () => {
    await pin(alice);
    await write(alice, "update town.notes set text = 'written' where id = 1");
    assert.deepEqual(await read(alice, { name: "text", text: "select text from town.notes where id = 1" }), {
      text: "written",
    });
    await pin(alice);
    await assert.rejects(write(bob, "update town.notes set text = 'of bob'"), { code: "42501" });
  });

  it("are nobody's after a read that failed while it changed hands", async () => {
    const fails = { name: "fails", text: "select 1 / (n - 1) as n from generate_series(1, 1) n" };
    await pin(alice);
    await pin(bob);
    for (let n = 0; n < 3; n++) {
      await assert.rejects(read(alice, fails), { code: "22012" });
      for (const each of [bob, alice, bob]) assert.deepEqual([(await who(each))["me"], n], [each.name, n]);
    }
  });

  it("are nobody's after a caller left a read that changed hands", async () => {
    const text = "select 1 as n from pg_sleep(case when $1::int = 1 then 60 else 0 end)";
    const sleep = (n: number): Statement => ({ name: "slow for some", text, values: [n] });
    const cadiz = { ...alice, claims: { ...alice.claims, properties: { town: "Cadiz" } } };
    for (const each of [alice, bob]) {
      await pin(each);
      for (let n = 0; n < 2; n++) await read(each, sleep(0)); // so that it is prepared
    }
    const ordinary = person(await inTransaction(cadiz));
    for (let n = 0; n < 2; n++) {
      for (const each of [alice, bob, cadiz, bob, alice]) assert.equal((await who(each)).pinned, true);
      const controller = new AbortController();
      const left = assert.rejects(
        read(bob, sleep(1), { signal: controller.signal }),
        (error) => (error as GatewayError).code === "CLIENT_GONE",
      );
      await sleeping(1);
      controller.abort();
      await left;
      assert.deepEqual(person(await who(cadiz)), ordinary);
    }
  });

  it("wait for locks as long as each caller may, whoever had them before", async () => {
    await reopen({ lockTimeoutMs: 5000 });
    const anew = await identityOf("alice");
    const limit = { name: "limit", text: "select current_setting('lock_timeout') as limit" };
    const seen = async (timeoutMs: number): Promise<unknown> => {
      await pin(anew, { timeoutMs });
      return (await read<{ limit: string }>(anew, limit, { timeoutMs })).limit;
    };
    for (let n = 0; n < 2; n++) assert.deepEqual([await seen(1234), await seen(60_000)], ["1234ms", "5s"]);
  });

  it("have the claims of their caller, where names differ in their case alone", async () => {
    const of = (properties: object): Identity => ({ ...alice, claims: { ...alice.claims, properties } });
    const people = [
      of({ town: "Aarhus" }),
      of({ Town: "Bergen" }),
      of({ Town: "Cadiz", town: "Delft" }),
      of({ Town: "Ede", town: "Delft" }),
    ];
    await pin(alice);
    for (let n = 0; n < 2; n++)
      for (const [at, town] of ["Aarhus", "Bergen", "Delft", "Delft"].entries()) {
        assert.equal((await who(people[at]!)).pinned, true);
        assert.equal((await who(people[at]!))["town"], town);
      }
    const named = { name: "named", text: "select current_setting('jwt.claims.sub') as sub" };
    assert.deepEqual(await read(of({ SUB: "bob" }), named), { sub: "alice" });
    assert.equal(database.pins.failed, 0);
  });

  it("need one statement for each set of claims, whose were before", async () => {
    const kinds = Array.from({ length: 15 }, (_, n) => ({
      ...alice,
      claims: { ...alice.claims, properties: { [`p${n}`]: n } },
    }));
    await pin(alice);
    for (const one of kinds)
      for (const other of kinds) for (const each of [one, other]) assert.equal((await who(each)).pinned, true);
    const { kept } = await read<{ kept: number }>(alice, {
      text: "select count(*)::int as kept from pg_prepared_statements",
    });
    assert.ok(kept < 60, String(kept));
  });

  it("cannot write", async () => {
    await pin(alice);
    const statement = { name: "writes", text: "select nextval('town.numbers') as n" };
    await test.client.query(
      "create sequence town.numbers; do $$ begin execute format('grant usage on sequence town.numbers to %I', 'alice@' || current_database()); end $$",
    );
    await assert.rejects(read(alice, statement), { code: "25006" });
    await pin(bob);
    await assert.rejects(read(alice, statement), { code: "25006" });
    await test.client.query("drop sequence town.numbers");
  });

  it("are not trusted if somebody has changed them", async () => {
    const meddling = [
      "reset all",
      "discard all",
      "reset role",
      "set session authorization default",
      `set role "bob@${test.name}"`,
      "set portolan.pin = 'mine'",
      `set role "bob@${test.name}"; set jwt.claims.town = 'Bergen'`,
      "deallocate all",
    ];
    const own = person(await pin(alice));
    for (const text of meddling) {
      const { failed } = database.pins;
      await meddle(text);
      assert.deepEqual(person(await who(alice)), own, text);
      assert.equal(database.pins.failed, failed + 1, text);
      assert.deepEqual(person(await pin(alice)), own, text);
    }
  });

  it("run nothing of a read if somebody has changed them", async () => {
    const heard: unknown[] = [];
    test.client.on("notification", ({ payload }) => heard.push(payload));
    await test.client.query("listen ran");
    const tells = {
      name: "tells",
      text: `
select current_user as role, case when coalesce(current_setting('portolan.pin', true), '') <> '' then pg_notify('ran', 'pinned')::text end as told`,
    };
    const told = async (): Promise<readonly unknown[]> => {
      await test.client.query("notify ran, 'end'");
      await until(() => heard.includes("end"));
      return heard.splice(0);
    };
    await read(alice, tells);
    for (const change of [`set role "bob@${test.name}"`, "set portolan.pin = 'mine'"]) {
      await pin(alice);
      assert.deepEqual(await read(alice, tells), { role: alice.role, told: "" });
      assert.deepEqual(await told(), ["pinned", "end"]);
      await meddle(change);
      assert.deepEqual(await read(alice, tells), { role: alice.role, told: null });
      assert.deepEqual(await told(), ["end"], change);
    }
    await test.client.query("unlisten ran");
  });

  it("are replaced if they are killed, also during a read", async () => {
    await read(alice, SLOW_IF_PINNED);
    const own = await pin(alice);
    await test.client.query("select pg_terminate_backend($1)", [own.pid]);
    await until(() => database.pool.totalCount === 0);
    const again = await who(alice);
    assert.deepEqual(person(again), person(own));
    await pin(alice, { timeoutMs: 100_000 });
    const reading = read(alice, SLOW_IF_PINNED, { timeoutMs: 100_000 });
    const [pid] = await sleeping(1);
    await test.client.query("select pg_terminate_backend($1)", [pid]);
    assert.deepEqual(await reading, { n: 1 });
    await pin(alice);
    await test.client.query("select pg_terminate_backend(pid) from pg_stat_activity where usename ~ '^.pool@'");
    assert.deepEqual(person(await who(alice)), person(own));
  });

  /**
   * Sleeps for a minute, but where no pin shows: on a new connection, or in another transaction. A role's first run of a
   * statement is in a transaction.
   */
  const SLOW_IF_PINNED = {
    name: "slow if pinned",
    text: `select 1 as n from pg_sleep(case when coalesce(current_setting('portolan.pin', true), '') <> '' then 60 else 0 end)`,
  };

  /** Waits for this number of processes that run such a statement, and returns them. */
  async function sleeping(count: number): Promise<readonly number[]> {
    let pids: readonly number[] = [];
    await until(async () => {
      const { rows } = await test.client.query<{ pid: number }>(
        "select pid from pg_stat_activity where query ~ 'pg_sleep.case' and state = 'active' and pid <> pg_backend_pid()",
      );
      pids = rows.map(({ pid }) => pid);
      return pids.length === count;
    });
    return pids;
  }

  it("report a timeout once, and cancel the statement if the caller leaves", async () => {
    const sleep = { name: "sleep", text: "select 1 as n from pg_sleep($1)" };
    await read(alice, { ...sleep, values: [0] });
    await read(alice, SLOW_IF_PINNED);
    await pin(alice, { timeoutMs: 1500 });
    const startedMs = performance.now();
    await assert.rejects(
      read(alice, { ...sleep, values: [60] }, { timeoutMs: 1500 }),
      (error) => toGatewayError(error).code === "TIMEOUT",
    );
    assert.equal(database.pins.failed, 1);
    assert.ok(performance.now() - startedMs < 30_000);
    const controller = new AbortController();
    await pin(alice, { timeoutMs: 100_000 });
    const left = assert.rejects(
      read(alice, SLOW_IF_PINNED, { timeoutMs: 100_000, signal: controller.signal }),
      (error) => (error as GatewayError).code === "CLIENT_GONE",
    );
    await sleeping(1);
    controller.abort();
    await left;
    await sleeping(0);
    assert.equal((await who(alice))["name"], "alice");
  });

  it("repeat in a transaction a read that an administrator has cancelled", async () => {
    await read(alice, SLOW_IF_PINNED);
    await pin(alice, { timeoutMs: 100_000 });
    const reading = read(alice, SLOW_IF_PINNED, { timeoutMs: 100_000 });
    const [pid] = await sleeping(1);
    await test.client.query("select pg_cancel_backend($1)", [pid]);
    assert.deepEqual(await reading, { n: 1 });
  });

  it("end with rights: a grant at once, a role within seconds", async () => {
    const notes = { name: "notes", text: "select count(*)::int as n from town.notes" };
    await pin(alice);
    assert.deepEqual(await read(alice, notes), { n: 2 });
    await test.client.query(`revoke all on town.notes from "alice@${test.name}"`);
    await assert.rejects(read(alice, notes), { code: "42501" });
    await test.client.query("select portolan.set_privilege('town.notes', 'alice', 'write')");
    assert.deepEqual(await read(alice, notes), { n: 2 });
    await pin(alice);
    await test.client.query(`revoke "alice@${test.name}" from ".pool@${test.name}"`);
    const isRefused = (): Promise<boolean> =>
      who(alice).then(
        () => false,
        (error: unknown) => (error as GatewayError).code === "UNAUTHENTICATED",
      );
    await until(isRefused, 8000);
    await test.client.query(`grant "alice@${test.name}" to ".pool@${test.name}"`);
    assert.equal((await who(alice))["name"], "alice");
  });

  it("are set up again after any known change", async () => {
    await pin(alice);
    await meddle("set jwt.claims.town = 'Bergen'"); // as code of a trusted role may that was not there a moment ago
    assert.equal((await who(alice))["town"], "Bergen");
    database.memory.forget();
    assert.equal((await who(alice))["town"], "Aarhus");
    assert.equal((await pin(alice))["town"], "Aarhus");
  });

  it("are not used after code of a trusted role, whatever that leaves behind", async () => {
    await test.client.query(`
create function town.leave() returns text language plpgsql stable as $$
begin
  return set_config('jwt.claims.town', 'Bergen', false);
end $$`);
    database.memory.forget();
    const reach = [{ schema: "town", name: "leave", request: "call" }] as const;
    const leave = {
      name: "leave",
      text: "select town.leave() as left, coalesce(current_setting('portolan.pin', true), '') as pin",
    };
    await test.client.query(`grant usage on schema town to "alice@${test.name}"`);
    const own = person(await pin(alice));
    for (let n = 0; n < 3; n++) assert.deepEqual(await read(alice, leave, { reach }), { left: "Bergen", pin: "" });
    const after = await who(alice);
    assert.deepEqual([after.pinned, person(after)], [true, own]);
    await test.client.query("drop function town.leave()");
  });

  describe("the state that a request was made for", () => {
    const generation = (expected: string): Basis => ({
      sql: "(select t.text from town.made_of t where t.id = $1::int)",
      values: ["7"],
      expected,
      check(value) {
        if (value !== expected) throw new Changed("made of something else");
      },
    });
    const one = {
      name: "one",
      text: "select $1::int as n, current_setting('portolan.pin', true) <> '' as pinned",
      values: [5],
    };

    before(() =>
      test.client.query(
        "create table town.made_of (id int, text text); insert into town.made_of values (7, 'first'); grant select on town.made_of to public",
      ),
    );

    it("is checked in the same statement, and reported in a transaction if it differs", async () => {
      await pin(alice);
      assert.deepEqual(await read(alice, one, { basis: generation("first") }), { n: 5, pinned: true });
      await test.client.query("update town.made_of set text = 'second'");
      await assert.rejects(read(alice, one, { basis: generation("first") }), Changed);
      assert.deepEqual(await read(alice, one, { basis: generation("second") }), { n: 5, pinned: true });
      await test.client.query("truncate town.made_of");
      await assert.rejects(read(alice, one, { basis: generation("second") }), Changed);
    });

    it("is checked in a transaction if the request does not name it", async () => {
      await pin(alice);
      const { answered } = database.pins;
      let told: string | undefined = "";
      const basis = { sql: "current_user::text", check: (value: string | undefined) => void (told = value) };
      assert.equal((await read<{ n: number }>(alice, one, { basis })).n, 5);
      assert.deepEqual([told, database.pins.answered], [alice.role, answered]);
    });
  });

  it("give each row once, whatever was given before a failure", async () => {
    const text = `
select n, n / case when n = 3 and coalesce(current_setting('portolan.pin', true), '') <> '' then 0 else 1 end from generate_series(1, 5) n`;
    let rows: (string | null)[] = [];
    let again = 0;
    const readRows = (): Promise<void> =>
      database.withIdentity(alice, { ...READ, snapshot: true }, async (transaction) => {
        const onAgain = (): void => {
          again++;
          rows = [];
        };
        await transaction.read({ name: "rows", text, last: true, onAgain }, (row) => void rows.push(row.text(0)));
      });
    await readRows();
    assert.equal(again, 0);
    await pin(alice);
    rows = [];
    await readRows();
    assert.deepEqual([rows, again], [["1", "2", "3", "4", "5"], 1]);
  });

  // on a cluster commits on shards do not change it
  if (!isCluster)
    it("give the snapshot of the statement, as a transaction does", async () => {
      await pin(alice);
      const seen = async (basis?: Basis): Promise<readonly [string | undefined, number]> => {
        let columns = 0;
        return database.withIdentity(alice, { ...READ, snapshot: true, basis }, async (transaction) => {
          const statement = { name: "two", text: "select n, n from generate_series(1, 3) n", last: true };
          await transaction.read({ ...statement, onAgain: () => undefined }, (row) => (columns += row.size));
          return [transaction.snapshot, columns];
        });
      };
      const basis = { sql: "(select 'me' || $1)", values: ["x"], expected: "mex", check: () => undefined };
      await seen();
      const { answered } = database.pins;
      const commits = {
        nothing: "select",
        "the log": "select portolan.join_log_run()",
        rows: "insert into town.notes values (1000, 'nobody', 'for the snapshot')",
      };
      const told: string[] = [];
      for (const commit of Object.values(commits)) {
        await test.client.query(commit);
        const [first, again, third] = [await seen(), await seen(), await seen(basis)];
        const { rows } = await test.client.query<{ text: string }>("select portolan.data_snapshot() as text");
        told.push(rows[0]!.text);
        for (const each of [first, again, third]) assert.deepEqual(each, [rows[0]!.text, 6], commit);
      }
      assert.equal(database.pins.answered, answered + 9);
      assert.equal(told[1], told[0]);
      assert.notEqual(told[2], told[1]);
      await reopen({ pooledUrl: test.gatewayUrl });
      assert.deepEqual(await seen(), [told[2], 6]);
      assert.equal(database.pins.answered, 0);
    });

  it("are never used through a pooler, nor for SQL that somebody wrote and that may set something", async () => {
    await reopen({ pooledUrl: test.gatewayUrl });
    for (let n = 0; n < 4; n++) assert.equal((await who(alice)).pinned, false);
    await reopen();
    await pin(alice);
    for (let n = 0; n < 4; n++) {
      const { rows } = await database.withOwnLogin(alice, { ...READ, service: "sql" }, (transaction) =>
        transaction.query<Who>({ text: "select coalesce(current_setting('portolan.pin', true), '') <> '' as pinned" }),
      );
      assert.deepEqual(rows, [{ pinned: false }]);
    }
  });

  // on a cluster the statement goes out as it is
  if (!isCluster)
    it("raise before anything is read, for statements of any shape", async () => {
      const { pinnedRead } = await import("../../server/kernel/database/pins.ts");
      const basis = {
        sql: "(select r.generation::text from portolan.rule_generation r)",
        expected: "0",
        check: () => undefined,
      };
      const shapes = {
        row: "select id from town.notes where id = 1",
        "rows of a method":
          "select pg_catalog.row_to_json(r) from (select c0 as id from (\nselect id from town.notes -- all\n) as q (c0)) as r",
        count: "select count(*) from town.notes",
        union: "select id from town.notes union all select 2",
        "three arms": "select id from town.notes union all select id from town.notes where id = 2 union all values (7)",
        distinct: "select distinct owner from town.notes",
        order: "select * from town.notes order by text, id limit 10 offset 2",
        cte: "with few as materialized (select * from town.notes limit 1001) select *, (select count(*) from few) from few order by id",
        lateral: "select n.id, p.* from town.notes n cross join lateral (select n.owner, n.text) p",
        join: "select * from town.notes a left join town.notes b on a.id = b.id",
        json: "select coalesce(json_agg(t), '[]')::text from (select * from town.notes order by id limit 50) t",
        window: "select row_number() over (order by id) from town.notes",
        nothing: "select 1",
        values: "values (1), (2)",
        function: "select * from generate_series(1, 10)",
        "same names": "select id, id from town.notes",
      };
      for (const [shape, text] of Object.entries(shapes))
        for (const wire of [undefined, { snapshot: undefined }]) {
          const read = pinnedRead({ text, name: `shape ${shape}` }, { role: "me", digest: "x" }, basis, wire);
          const given = read.text.replace("$1", "'me'").replace("$2", "'x'").replace("$3", "'0'").replace("$4", "''");
          const all = await test.client.query<{ "QUERY PLAN": object[] }>(`explain (format json) ${given}`);
          const [{ Plan: plan }] = all.rows[0]!["QUERY PLAN"] as [{ Plan: Record<string, unknown> }];
          assert.deepEqual([plan["Node Type"], typeof plan["One-Time Filter"]], ["Result", "string"], shape);
          const { rows, ...error } = await test.client
            .query(read.text, [...read.values])
            .catch((raised: Error & { code: string }) => ({ rows: [], code: raised.code, text: raised.message }));
          assert.deepEqual([rows, "code" in error && error.code], [[], "42704"], shape);
        }
    });

  it("serve thousands of callers in turn over few connections, each as itself", async function () {
    this.timeout(sized(60_000, 600_000));
    const callers = sized(1500, 10_000);
    const connections = sized(4, 10);
    await reopen({ poolSize: connections });
    const identities = Array.from({ length: callers }, (_, n) => {
      const of = n % 3 === 0 ? bob : alice;
      return { ...of, claims: { ...of.claims, properties: { town: `town ${n}`, [`p${n % 7}`]: n } } };
    });
    const ask = async (n: number): Promise<void> => {
      const seen = await who(identities[n]!, { address: `192.0.2.${n % 250}` });
      const { name, role } = identities[n]!;
      assert.deepEqual(
        [seen["town"], seen["name"], seen["role"], seen["ip"]],
        [`town ${n}`, name, role, `192.0.2.${n % 250}`],
      );
    };
    const workers = Array.from({ length: 8 }, async (_, worker) => {
      for (let n = worker; n < callers; n += 8) {
        await ask(n);
        if (n % 5 === 0) await ask(n); // some come again at once
      }
    });
    await Promise.all(workers);
    assert.ok(database.pool.totalCount <= connections);
    assert.ok(database.pins.answered > 0);
    assert.equal(database.pins.failed, 0);
    for (let n = 0; n < 4; n++) {
      const { kept } = await read<{ kept: number }>(alice, {
        text: "select count(*)::int as kept from pg_prepared_statements",
      });
      assert.ok(kept <= 201, String(kept));
    }
  });
}
