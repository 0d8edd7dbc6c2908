import assert from "node:assert/strict";
import pg from "pg";
import type { Database } from "../../server/kernel/database/database.ts";
import { createLog } from "../../server/ground/log.ts";
import { Watcher, type WatcherOptions } from "../../server/kernel/catalogue/watcher.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";
import { until } from "../support/events.ts";

/** So long that a test would not wait for a pause of eight times as much. */
const BUSY_MS = 3000;

describe("the watcher of a catalogue", () => {
  let test: TestDatabase;
  let database: Database;
  let watcher: Watcher;
  let seen = 0;

  before(async () => {
    test = await testDatabase({ kind: "portolan" });
    await test.client.query("create schema town; create table town.notes (id int primary key)");
    database = openAsGateway(test, { connectTimeoutMs: 1000 });
    watcher = makeWatcher();
    await watcher.start();
  });

  const makeWatcher = (options: Partial<WatcherOptions> = {}): Watcher =>
    new Watcher({
      database,
      schemas: undefined,
      intervalMs: 3_600_000,
      silenceMs: 10_000,
      log: createLog("silent"),
      prepare: () => Promise.resolve(true),
      onCatalogue: () => Promise.resolve(void seen++),
      onAccounts: () => undefined,
      onSilence: () => undefined,
      subjects: new Set(),
      onSubject: () => Promise.resolve(),
      ...options,
    });

  after(async () => {
    await watcher.stop();
    await database.close();
    await test.drop();
  });

  const lacks = async (table: string): Promise<boolean> =>
    (
      await test.client.query<{ lacks: boolean }>(
        `select not has_table_privilege('owner@' || current_database(), $1, 'insert') as lacks`,
        [table],
      )
    ).rows[0]?.lacks ?? true;

  it("says once that the database cannot be reached, and once that it answers again", async () => {
    const said: string[] = [];
    const log = createLog("silent");
    log.info = log.error = (...told: unknown[]) => void said.push(String(told.at(-1)));
    const own = openAsGateway(test, { connectTimeoutMs: 1000 });
    const polling = makeWatcher({ database: own, log, intervalMs: 20 });
    await polling.start();
    const allow = (isAllowed: boolean) =>
      test.client.query(`alter role gateway ${isAllowed ? "login" : "nologin"};
        select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gateway' and datname = current_database()`);
    let looks = 0;
    const { look } = own;
    own.look = (text) => {
      looks++;
      return look(text);
    };
    try {
      await allow(false);
      await until(() => said.length > 0);
      const before = looks;
      await until(() => looks > before + 3);
      assert.deepEqual(said, ["the database cannot be watched"]);
      await allow(true);
      await until(() => said.length > 1);
      assert.deepEqual(said, ["the database cannot be watched", "the database answers again"]);
    } finally {
      await allow(true);
      await polling.stop();
      await own.close();
    }
  });

  it("notices a membership that a team grants, and compares the roles less often where there are many", async () => {
    const roles = (name: string, count: number): string[] =>
      Array.from({ length: count }, (_, n) => `watched_${name}${n}`);
    const groups = roles("group", 150);
    const members = roles("member", 200);
    const all = [...groups, ...members, "watched_late"];
    let noticed = 0;
    let looks = 0;
    let comparisons = 0;
    const own = openAsGateway(test);
    const { look } = own;
    own.look = (text) => {
      looks++;
      if (text.includes("pg_auth_members")) comparisons++;
      return look(text);
    };
    const polling = makeWatcher({ database: own, intervalMs: 20, onAccounts: () => void noticed++ });
    try {
      await test.client.query(all.map((role) => `create role ${role}`).join(";"));
      await test.client.query(`grant ${groups.join()} to ${members.join()}`); // 30,000 memberships
      await polling.start();
      await until(() => looks > 20);
      assert.ok(comparisons < looks, `${comparisons} of ${looks} looks`);
      const before = noticed;
      await test.client.query(`grant ${groups[0]} to watched_late`);
      await until(() => noticed > before, 5000);
    } finally {
      await polling.stop();
      await own.close();
      await test.client.query(`drop role if exists ${all.join()}`);
    }
  });

  it("gives super users their rights on a table in the transaction that makes it, if the owner is a superuser", async () => {
    await test.client.query("create table town.made (id int primary key)");
    assert.equal(await lacks("town.made"), false);
    await test.client.query("create table town.copied as select 1 as a; drop table town.made, town.copied");
  });

  it("sees smart comments on every kind of object that may have a comment", async () => {
    const fingerprint = async (): Promise<string> =>
      (await database.db.one<{ fingerprint: string }>("select fingerprint from portolan.catalogue('{town}')"))
        .fingerprint;
    await test.client.query(`
      create table town.commented (id int constraint positive check (id > 0));
      create function town.shout() returns int return 1;
      create type town.mood as enum ('calm'); create domain town.rank as int; create type town.pair as (a int)`);
    for (const object of [
      ...["table town.commented", "column town.commented.id", "constraint positive on town.commented"],
      ...["function town.shout()", "type town.mood", "domain town.rank", "type town.pair", "schema town"],
    ])
      for (const comment of ["'@name one'", "'@name two'", "null"]) {
        const before = await fingerprint();
        await test.client.query(`comment on ${object} is ${comment}`);
        assert.notEqual(await fingerprint(), before, `${object}: ${comment}`);
      }
    await test.client.query(
      "drop table town.commented; drop function town.shout; drop type town.mood, town.pair; drop domain town.rank",
    );
    await watcher.lookNow();
    seen = 0;
  });

  it("grants nothing during another session's DDL or GRANT, which would fail, and tries again later", async () => {
    await test.client.query("create table town.granted (id int)");
    await test.client.query(`revoke all on town.granted from "owner@${test.name}"`);
    const dba = new pg.Client({ connectionString: test.url });
    await dba.connect();
    const share = async () =>
      (
        await database.db.any<{ statement: string | null }>("select portolan.share_with_owner('{town}') as statement")
      ).map(({ statement }) => statement);
    try {
      await dba.query("begin; grant select on town.granted to public");
      const [statement, busy] = await share();
      assert.match(statement ?? "", /grant .* on table town\.granted/);
      assert.equal(busy, null);
      await dba.query("grant insert on town.granted to public; commit");
      assert.deepEqual(await share(), []);
      assert.equal(await lacks("town.granted"), false);
    } finally {
      await dba.end();
      await test.client.query("drop table town.granted");
      await watcher.lookNow();
      seen = 0;
    }
  });

  for (const [kind, object, make, right] of [
    ["table", "table town.shared", "create table town.shared (id int)", "select"],
    ["view", "table town.shared", "create view town.shared as select 1 as a", "select"],
    ["sequence", "sequence town.shared", "create sequence town.shared", "usage"],
    ["function", "function town.shared()", "create function town.shared() returns int return 1", "execute"],
    ["schema", "schema hall", "create schema hall", "usage"],
  ] as const)
    it(`makes a GRANT on a ${kind} wait while it grants itself, and not fail`, async () => {
      const grant = `grant ${right} on ${object} to watcher_guests`;
      await test.client.query(`create role watcher_guests; ${make}; revoke all on ${object} from public`);
      await test.client.query(`revoke all on ${object} from "owner@${test.name}"`);
      const [ours, dba] = await Promise.all(
        [1, 2].map(async () => {
          const client = new pg.Client({ connectionString: test.url });
          await client.connect();
          return client;
        }),
      );
      try {
        const { rows: pids } = await dba!.query<{ pid: number }>("select pg_backend_pid() as pid");
        await ours!.query("begin");
        const missing = await ours!.query("select portolan.share_with_owner('{town, hall}')");
        assert.deepEqual(missing.rows, []); // all is granted, and not committed yet
        const granted = dba!.query(grant);
        const waiting = "select from pg_locks where pid = $1 and not granted";
        await until(async () => (await test.client.query(waiting, [pids[0]!.pid])).rows.length > 0);
        await ours!.query("commit");
        await granted;
        assert.equal(
          (await test.client.query("select from portolan.missing_owner_rights('{town, hall}')")).rows.length,
          0,
        );
      } finally {
        await Promise.all([ours!.end(), dba!.end()]);
        await test.client.query(`drop ${kind === "view" ? "view town.shared" : object}; drop role watcher_guests`);
        await watcher.lookNow();
        seen = 0;
      }
    });

  it("grants rights that another session had blocked, though nothing has changed since", async () => {
    const dba = new pg.Client({ connectionString: test.url });
    await dba.connect();
    try {
      await test.client.query("create table town.waiting (id int)");
      await test.client.query(`revoke all on town.waiting from "owner@${test.name}"`);
      await dba.query("begin; lock table town.waiting in access exclusive mode");
      await watcher.lookNow();
      assert.equal(await lacks("town.waiting"), true);
      await dba.query("rollback");
      await watcher.lookNow();
      assert.equal(await lacks("town.waiting"), false);
    } finally {
      await dba.end();
      await test.client.query("drop table town.waiting");
      await watcher.lookNow();
      seen = 0;
    }
  });

  it("grants them before the end of its start, if the other session is soon done", async () => {
    const dba = new pg.Client({ connectionString: test.url });
    await dba.connect();
    const another = makeWatcher();
    try {
      await test.client.query("create table town.late (id int)");
      await test.client.query(`revoke all on town.late from "owner@${test.name}"`);
      await dba.query("begin; lock table town.late in access exclusive mode");
      const started = another.start();
      await until(async () => {
        const tried = await test.client.query(
          "select from pg_stat_activity where datname = current_database() and query ~ '^select portolan.share_with_owner' and state = 'idle'",
        );
        return tried.rows.length > 0;
      });
      await dba.query("rollback");
      await started;
      assert.equal(await lacks("town.late"), false);
    } finally {
      await another.stop();
      await dba.end();
      await test.client.query("drop table town.late");
      await watcher.lookNow();
      seen = 0;
    }
  });

  it("grants them also on objects that are made while it grants others", async () => {
    let isMade = false;
    const another = makeWatcher({
      prepare: async () => {
        if (isMade) return true;
        isMade = true;
        await test.client.query(
          `create table town.meanwhile (id int); revoke all on town.meanwhile from "owner@${test.name}"`,
        );
        return true;
      },
    });
    try {
      await another.start();
      assert.equal(await lacks("town.meanwhile"), false);
    } finally {
      await another.stop();
      await test.client.query("drop table town.meanwhile");
      await watcher.lookNow();
      seen = 0;
    }
  });

  it("does not check an unchanged database again, and adds what a changed one lacks", async () => {
    await test.client.query("create table town.asleep (id int)");
    let prepared = 0;
    let isFree = false;
    /** A gateway wakes the database. Gives the number of times that it adds missing parts. */
    async function look(settledAs = "version 1"): Promise<number> {
      prepared = 0;
      const looking = makeWatcher({ settledAs, prepare: () => (prepared++, Promise.resolve(isFree)) });
      await looking.start();
      await looking.stop();
      return prepared;
    }
    try {
      assert.equal(await look(), 1); // somebody was in the way
      isFree = true;
      assert.equal(await look(), 1);
      assert.equal(await look(), 0);
      assert.equal(await look("version 2"), 1);
      await test.client.query("alter table town.asleep add column of_others int");
      assert.equal(await look("version 2"), 1);
      assert.equal(await look("version 2"), 0);
      await test.client.query("update portolan.code set hash = hash || '!' where path = 'catalogue/is_settled.sql'");
      assert.equal(await look("version 2"), 1);
    } finally {
      await test.client.query(`
drop table town.asleep; update portolan.code set hash = rtrim(hash, '!') where path = 'catalogue/is_settled.sql'`);
      await watcher.lookNow();
      seen = 0;
    }
  });

  it("shows its present state to a caller that knows of a change, however often it was read just before", async () => {
    for (let n = 1; n <= 5; n++) {
      await test.client.query(`alter table town.notes add column c${n} int`);
      await watcher.lookNow();
      assert.equal(seen, n);
    }
  });

  it("is checked again soon, though the gateway was busy while it was read", async () => {
    const before = seen;
    await watcher.lookNow();
    await test.client.query("alter table town.notes add column soon int");
    const { db } = database;
    const one = db.one.bind(db);
    db.one = (async (text: string, values?: unknown[]) => {
      const row: unknown = await one(text, values);
      if (text.includes("portolan.catalogue(")) {
        db.one = one;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
      }
      return row;
    }) as typeof db.one;
    try {
      await watcher.lookNow();
    } finally {
      db.one = one;
    }
    assert.equal(seen, before + 1);
    await test.client.query("alter table town.notes drop column soon");
    await until(async () => {
      await watcher.lookNow(false);
      return seen === before + 2;
    });
  });

  /** Runs something before each statement of the watcher, by its number. */
  async function beforeStatements(run: (text: string, number: number) => Promise<void>, look: () => Promise<void>) {
    const { db } = database;
    const known = { one: db.one.bind(db), any: db.any.bind(db), func: db.func.bind(db) };
    let number = 0;
    for (const [name, ask] of Object.entries(known) as [keyof typeof known, (...args: unknown[]) => Promise<unknown>][])
      db[name] = (async (...args: unknown[]) => {
        await run(String(args[0]), number++);
        return ask(...args);
      }) as never;
    try {
      await look();
    } finally {
      Object.assign(db, known);
    }
    return number;
  }

  it("is not read again for what its check has written itself", async () => {
    for (let n = 1; ; n++) {
      await test.client.query(`create table town.noted${n} (id int primary key)`);
      await watcher.lookNow();
      let reads = 0;
      const count = (text: string): Promise<void> =>
        Promise.resolve(void (text.includes("portolan.catalogue(") && reads++));
      await beforeStatements(count, () => watcher.lookNow());
      if (reads === 0) return;
      assert.ok(n < 10, "the catalogue was read again each time"); // another transaction may have ended meanwhile
    }
  });

  it("shows DDL that lands before any statement of a check", async () => {
    const schemas = async (): Promise<Map<string, string>> => {
      const { rows } = await test.client.query<{ schema: string; fingerprint: string }>(
        "select schema, fingerprint from portolan.catalogue(portolan.exposed_schemas())",
      );
      return new Map(rows.map(({ schema, fingerprint }) => [schema, fingerprint]));
    };
    const made: string[] = [];
    for (let at = 0, count = 1; at <= count; at++) {
      await test.client.query(`alter table town.notes add column before${at} int`);
      const land = async (_: string, number: number): Promise<void> => {
        if (number !== at) return;
        made.push(`hall${at}`);
        await test.client.query(`create schema hall${at}; alter table town.notes add column during${at} int`);
      };
      count = Math.max(count, await beforeStatements(land, () => watcher.lookNow()));
      await watcher.lookNow();
      assert.deepEqual(new Map([...watcher.fingerprints!].sort()), new Map([...(await schemas())].sort()), `${at}`);
    }
    assert.ok(made.length > 5, `${made.length} statements`);
    await test.client.query(made.map((schema) => `drop schema ${schema}`).join(";"));
    await watcher.lookNow();
  });

  it("is read once for all waiting callers", async () => {
    const before = seen;
    await test.client.query("alter table town.notes drop column c1");
    await Promise.all(Array.from({ length: 100 }, () => watcher.lookNow()));
    assert.equal(seen, before + 1);
  });
});
