/** A whole cluster is served: `postgres://…/*`. */
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { constants, PerformanceObserver } from "node:perf_hooks";
import pg from "pg";
import supertest from "supertest";
import { makeConfig, loadConfig } from "../../server/kernel/config.ts";
import { createLog } from "../../server/ground/log.ts";
import { startGateway, type Gateway } from "../../server/main.ts";
import { command, commandBeside } from "../support/commands.ts";
import { GATEWAY_LOGIN, testCluster, testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { SocketClient } from "../support/webSocket.ts";

const TABLE = `
create schema town;
create table town.parks (id int primary key);
insert into town.parks values (1);
select portolan.create_user('ann', null), portolan.set_privilege('town.parks', 'ann', 'write'), portolan.enable_events('town.parks')`;

const { NODE_PERFORMANCE_GC_FLAGS_FORCED } = constants;

describe("databases of a pattern", () => {
  let admin: pg.Client;
  let one: TestDatabase;
  let other: TestDatabase;
  let gateway: Gateway;
  const warned: string[] = [];
  let url: string;
  let ownerUrl: string;

  before(async () => {
    const cluster = await testCluster();
    admin = new pg.Client({ connectionString: cluster.url("postgres") });
    await admin.connect();
    [one, other] = [
      await testDatabase({ kind: "portolan", keepsOwner: false }),
      await testDatabase({ kind: "portolan", keepsOwner: false }),
    ];
    for (const { client } of [one, other]) await client.query(TABLE);
    url = cluster.url("x", GATEWAY_LOGIN, "gateway").replace(/x$/, "*");
    ownerUrl = cluster.url("x").replace(/x$/, "*");
    await admin.query("create database foreign_one; ");
    await admin.query("create database unmigrated; ");
    await admin.query('create role "anonymous@unmigrated"');
    gateway = await start();
  });

  after(async () => {
    await gateway.close();
    for (const name of ["foreign_one", "unmigrated"]) await admin.query(`drop database ${name}`);
    await admin.query('drop role "anonymous@unmigrated"');
    await admin.query("drop schema if exists portolan_fleet cascade");
    await admin.end();
    for (const database of [one, other]) await database.drop();
  });

  const start = (idleDatabaseMs = 1500): Promise<Gateway> => {
    const log = createLog(process.env["TEST_LOG_LEVEL"] ?? "silent");
    log.warn = (...said: unknown[]) => void warned.push(...said.map(String));
    return startGateway(makeConfig({ databases: { "*": { url, ownerUrl } }, port: 0, idleDatabaseMs }), log);
  };
  /** Connections of the gateway to a database, without those of requests. */
  async function connections(name: string): Promise<{ own: number; requests: number }> {
    const { rows } = await admin.query<{ own: number; requests: number }>(
      `
select count(*) filter (where application_name <> 'portolan requests')::integer as own,
  count(*) filter (where application_name = 'portolan requests')::integer as requests
from pg_stat_activity
where datname = $1 and application_name like 'portolan%'`,
      [name],
    );
    return rows[0]!;
  }
  const asleep = async (name: string): Promise<boolean> => {
    const { own, requests } = await connections(name);
    return own + requests === 0;
  };
  async function ask(
    database: TestDatabase,
    query = "{ getParks { id } }",
    { baseUrl = gateway.baseUrl, account = "ann" } = {},
  ): Promise<supertest.Response> {
    const token = await tokenFor(database, baseUrl, account);
    return askWith(token, query, baseUrl);
  }
  const askWith = (token: string, query: string, baseUrl: string): supertest.Test =>
    supertest(baseUrl).post("/api/graphql/schema/town").set("Authorization", `Bearer ${token}`).send({ query });
  const items = (name: string) => supertest(gateway.baseUrl).get(`/api/v4/ogc/database/${name}/collections`);

  it("sleep until the first request, and again without requests: then there is no connection", async () => {
    assert.ok(gateway.sleepers >= 2);
    assert.ok(await asleep(one.name));
    assert.deepEqual((await ask(one)).body.data, { getParks: [{ id: "1" }] });
    assert.ok(await asleep(other.name));
    const { own } = await connections(one.name);
    assert.ok(own > 0 && own <= 3, `${own} connections beside those of requests`);
    await until(() => asleep(one.name));
    assert.deepEqual((await ask(one)).body.data, { getParks: [{ id: "1" }] });
    assert.equal((await items(other.name)).status, 200);
    await Promise.all([until(() => asleep(one.name)), until(() => asleep(other.name))]);
  });

  it("release their memory once they sleep", async () => {
    let collections = 0;
    const observer = new PerformanceObserver((list) => {
      const entries = list.getEntries() as unknown as readonly { readonly detail: { readonly flags: number } }[];
      collections += entries.filter(({ detail }) => detail.flags === NODE_PERFORMANCE_GC_FLAGS_FORCED).length;
    });
    observer.observe({ entryTypes: ["gc"] });
    try {
      await Promise.all([ask(one), ask(other)]);
      await Promise.all([until(() => asleep(one.name)), until(() => asleep(other.name))]);
      await until(() => collections > 0);
    } finally {
      observer.disconnect();
    }
  });

  it("all answer simultaneous requests, even if PostgreSQL has connections for one of them", async () => {
    const third = await testDatabase({ kind: "portolan", keepsOwner: false });
    await third.client.query(TABLE);
    const several = await start(60_000);
    try {
      await admin.query(`alter role ${GATEWAY_LOGIN} connection limit 11`); // of those, two look for databases
      for (const _round of [1, 2]) {
        const answers = await Promise.all(
          [one, other, third].map((database) => ask(database, "{ getParks { id } }", several)),
        );
        for (const { body } of answers) assert.deepEqual(body, { data: { getParks: [{ id: "1" }] } });
      }
    } finally {
      await admin.query(`alter role ${GATEWAY_LOGIN} connection limit -1`);
      await several.close();
      await third.drop();
    }
  });

  it("stay awake until a request is answered, however long it takes", async () => {
    const hasty = await start(20);
    try {
      const { status, body } = await ask(one, "{ getParks { id } }", hasty);
      assert.deepEqual([status, body.data], [200, { getParks: [{ id: "1" }] }]);
    } finally {
      await hasty.close();
    }
    await until(() => asleep(one.name));
  });

  it("are not checked while nobody asks, whatever others do; a later request sees the present state", async () => {
    const made = await testDatabase({ kind: "portolan", keepsOwner: false });
    await made.client.query(`${TABLE}, portolan.create_user('ben', null, user_group => 'ann')`);
    const lasting = await start(60_000);
    try {
      const ben = await tokenFor(made, lasting.baseUrl, "ben");
      const askAsBen = () => askWith(ben, "{ getParks { id } }", lasting.baseUrl);
      await until(async () => (await askAsBen()).status === 200);
      // time itself is the subject: it was checked twice a second, and its catalogue after each transaction of others
      await until(async () => {
        await other.client.query("select pg_current_xact_id()");
        const { rows } = await admin.query<{ rests: boolean }>(
          `
select bool_and(query_start < clock_timestamp() - interval '2 s') as rests
from pg_stat_activity
where datname = $1 and query ~ 'portolan.(generations|catalogue)'`,
          [made.name],
        );
        return rows[0]!.rests;
      });
      await made.client.query("alter table town.parks add kind text; select portolan.drop_user('ben')");
      const [removed, { body }] = await Promise.all([askAsBen(), ask(made, "{ getParks { id kind } }", lasting)]);
      assert.equal(removed.status, 401);
      assert.deepEqual(body, { data: { getParks: [{ id: "1", kind: null }] } });
    } finally {
      await lasting.close();
      await made.drop();
    }
  });

  it("stay awake while a socket is open, and deliver their events", async () => {
    const token = await tokenFor(one, gateway.baseUrl, "ann");
    const socket = await new SocketClient(`${gateway.baseUrl.replace(/^http/, "ws")}/?token=${token}`).opened();
    socket.send({ type: "subscribe", id: "s", schema: "town", query: "subscription { ParksMessageAdded { id } }" });
    await socket.take("subscribe_ack");
    // another database falls asleep, and is awake for a shorter time
    assert.equal((await items(other.name)).status, 200);
    await until(() => asleep(other.name));
    await one.client.query("insert into town.parks values (2)");
    await socket.take("subscription");
    assert.ok((await connections(one.name)).own <= 3);
    socket.close();
    await until(() => asleep(one.name));
  });

  it("exclude other databases of the cluster: nothing is made there, and they are not shown", async () => {
    assert.equal((await items("foreign_one")).status, 404);
    assert.equal((await items("postgres")).status, 404);
    const { status, body } = await items("unmigrated");
    assert.deepEqual([status, body.code], [404, "NOT_FOUND"]);
    await until(() => asleep("unmigrated"));
    const client = new pg.Client({ connectionString: ownerUrl.replace(/\*$/, "unmigrated") });
    await client.connect();
    const { rows } = await client.query("select to_regnamespace('portolan') as schema");
    await client.end();
    assert.deepEqual(rows, [{ schema: null }]);
    const landing = await supertest(gateway.baseUrl).get("/");
    const signIn = await supertest(gateway.baseUrl).get("/signin?return_to=/");
    for (const { text } of [landing, signIn]) assert.ok(!text.includes(one.name));
    await until(async () => (await supertest(gateway.baseUrl).get("/readyz")).status === 200);
  });

  it("are served once they are made, and no longer once they are dropped", async () => {
    const made = await testDatabase({ kind: "portolan", keepsOwner: false });
    await made.client.query(TABLE);
    await until(async () => (await ask(made)).status === 200);
    await made.drop(); // with (force)
    await until(async () => (await items(made.name)).status === 404);
  });

  it("are gone at once if they are dropped while asleep, however often they are requested", async () => {
    const made = await testDatabase({ kind: "portolan", keepsOwner: false });
    await made.client.query(TABLE);
    await until(async () => (await ask(made)).status === 200);
    await until(() => asleep(made.name));
    await made.drop();
    const answers = await Promise.all(Array.from({ length: 5 }, async () => items(made.name)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]));
    assert.equal((await items(made.name)).status, 404);
  });

  it("wake together on simultaneous requests, and each answers with its own rows", async () => {
    const many: TestDatabase[] = [];
    for (let n = 0; n < 8; n++) {
      const database = await testDatabase({ kind: "portolan", keepsOwner: false });
      await database.client.query(TABLE);
      await database.client.query(`insert into town.parks values (${100 + n})`);
      many.push(database);
    }
    await until(async () => (await ask(many.at(-1)!)).status === 200);
    await until(() => asleep(many.at(-1)!.name));
    const answers = await Promise.all(many.flatMap((database) => [ask(database), ask(database)]));
    assert.deepEqual(
      answers.map(({ body }) => body.data?.getParks.map(({ id }: { id: string }) => id)),
      many.flatMap((_, n) => [
        ["1", String(100 + n)],
        ["1", String(100 + n)],
      ]),
    );
    for (const database of many) await database.drop();
  });

  describe("portolan", () => {
    const portolan = (...args: string[]) =>
      commandBeside(args, { env: { DATABASE_URL: url, OWNER_DATABASE_URL: ownerUrl } });

    it("doctor says how many databases are served, and how many left alone, as start does", async () => {
      const { stdout } = await portolan("doctor");
      const told = /Portolan serves ([1-9]\d*) databases of the cluster, and leaves [1-9]\d* others alone/;
      assert.match(stdout, new RegExp(`^ok {3}\\*: ${told.source}`, "m"));
      assert.ok(warned.some((text) => told.test(text)));
    });

    it("database freeze: 503 with Retry-After and no connection, until it is lifted; sockets are closed with 1001", async () => {
      const token = await tokenFor(one, gateway.baseUrl, "ann");
      const socket = await new SocketClient(`${gateway.baseUrl.replace(/^http/, "ws")}/?token=${token}`).opened();
      socket.send({ type: "subscribe", id: "s", schema: "town", query: "subscription { ParksMessageAdded { id } }" });
      await socket.take("subscribe_ack");
      const { status, stdout } = await portolan("database", "freeze", one.name);
      assert.deepEqual([status, stdout], [0, `${one.name} is frozen: gateways leave it within 5 s\n`]);
      assert.equal((await socket.closed).code, 1001);
      await until(() => asleep(one.name));
      const refused = await ask(one);
      assert.deepEqual([refused.status, refused.headers["retry-after"]], [503, "1"]);
      assert.equal((await items(one.name)).status, 503);
      await until(() => asleep(one.name)); // what looks after what there is may have come by
      assert.equal((await portolan("database", "freeze", one.name, "--off")).status, 0);
      await until(async () => (await ask(one)).status === 200);
    });

    it("database add makes a copy with accounts of its own, list shows it, remove drops it with its roles", async () => {
      await one.client.end(); // a template has no other connections
      assert.equal((await ask(one)).status, 200); // the gateway leaves it for the copy
      const { status, stderr } = await portolan("database", "add", "copied", "--template", one.name);
      assert.equal(status, 0, stderr);
      const copied = { ...one, name: "copied", url: ownerUrl.replace(/\*$/, "copied") };
      let told = "";
      const isServed = async (): Promise<boolean> => {
        const { status, text } = await ask(copied);
        told = `${status} ${text}`;
        return status === 200;
      };
      await until(isServed, undefined, () => told);
      const roles = async (): Promise<string[]> =>
        (
          await admin.query<{ rolname: string }>(
            "select rolname from pg_roles where rolname like '%@copied' order by 1",
          )
        ).rows.map(({ rolname }) => rolname);
      assert.deepEqual(
        (await roles()).filter((name) => /^(ann|anonymous|owner)/.test(name)),
        ["ann@copied", "anonymous@copied", "owner@copied"],
      );
      const rows = JSON.parse((await portolan("database", "list", "--json")).stdout) as {
        name: string;
        frozen: boolean;
      }[];
      assert.equal(rows.find(({ name }) => name === "copied")?.frozen, false);
      assert.equal(rows.find(({ name }) => name === one.name)?.frozen, false);
      assert.match((await portolan("database", "remove", "copied")).stderr, /confirm with --yes/);
      const removed = await portolan("database", "remove", "copied", "--yes");
      assert.equal(removed.status, 0, removed.stderr);
      assert.deepEqual(await roles(), []);
      await until(async () => (await items("copied")).status === 404);
      await until(async () => (await ask(one)).status === 200);
    });

    it("a copy has nothing of the roles of its original, which can be removed", async () => {
      const roles = async (name: string): Promise<string[]> =>
        (
          await admin.query<{ rolname: string }>(
            "select rolname from pg_roles where rolname like '%@' || $1 order by 1",
            [name],
          )
        ).rows.map(({ rolname }) => rolname);
      assert.equal((await portolan("database", "add", "original")).status, 0);
      const original = new pg.Client({ connectionString: ownerUrl.replace(/\*$/, "original") });
      await original.connect();
      await original.query(`
create schema town;
create table town.trees (id int primary key, who text);
insert into town.trees values (1, 'ann');
select portolan.create_user('ann', 'ann');
select portolan.set_privilege('town.trees', 'ann', 'read');
alter table town.trees owner to "owner@original", enable row level security;
create policy own on town.trees to "ann@original" using (who = 'ann');
grant connect on database original to "ann@original"`);
      await original.end();
      const added = await portolan("database", "add", "copy", "--template", "original");
      assert.equal(added.status, 0, added.stderr);
      const connects = "select has_database_privilege('ann@original', 'original', 'connect') as may";
      assert.deepEqual((await admin.query(connects)).rows, [{ may: true }]);
      const removed = await portolan("database", "remove", "original", "--yes");
      assert.deepEqual([removed.stdout, removed.stderr], ["original was removed\n", ""]);
      assert.deepEqual(await roles("original"), []);
      const copy = new pg.Client({ connectionString: ownerUrl.replace(/\*$/, "copy") });
      await copy.connect();
      assert.deepEqual((await copy.query("select tableowner from pg_tables where tablename = 'trees'")).rows, [
        { tableowner: "owner@copy" },
      ]);
      await copy.query('set role "ann@copy"');
      assert.deepEqual((await copy.query("select who from town.trees")).rows, [{ who: "ann" }]);
      await copy.end();
      assert.equal((await portolan("database", "remove", "copy", "--yes")).status, 0);
      assert.deepEqual(await roles("copy"), []);
      const frozen = await admin.query("select name from portolan_fleet.frozen where name in ('original', 'copy')");
      assert.deepEqual(frozen.rows, []);
    });

    it("the audit of a database names who made, froze and removed it, and some of it survives its removal", async () => {
      const entries = async (name: string): Promise<unknown[]> => {
        const { stdout } = await portolan("audit", "--database", name, "--event", "database.", "--json");
        return (JSON.parse(stdout) as { event: string; details: Record<string, unknown> }[]).map(
          ({ event, details: { database, by, before, after } }) => [event, database, by, before, after],
        );
      };
      for (const args of [
        ["add", "noted"],
        ["freeze", "noted"],
        ["freeze", "noted"],
        ["freeze", "noted", "--off"],
      ])
        assert.equal((await portolan("database", ...args)).status, 0);
      assert.deepEqual(await entries("noted"), [
        ["database.changed", "noted", "postgres", { frozen: true }, { frozen: false }],
        ["database.changed", "noted", "postgres", { frozen: false }, { frozen: true }],
        ["database.created", "noted", "postgres", null, { template: "template1" }],
      ]);
      assert.equal((await portolan("database", "remove", "noted", "--yes")).status, 0);
      const [[event, database, by, before, after] = []] = (await entries("noted")) as unknown[][];
      assert.deepEqual([event, database, by, after], ["database.removed", "noted", "postgres", null]);
      assert.deepEqual((before as { roles: string[] }).roles.sort(), [".pool@noted", "anonymous@noted", "owner@noted"]);
    });

    it("an interrupted removal is finished by the next one, and allows a new database of that name", async () => {
      assert.equal((await portolan("database", "add", "halved")).status, 0);
      assert.equal((await portolan("database", "freeze", "halved")).status, 0);
      await until(() => asleep("halved"));
      await admin.query("drop database halved");
      const { status, stdout, stderr } = await portolan("database", "remove", "halved", "--yes");
      assert.deepEqual([status, stdout, stderr], [0, "halved was removed\n", ""]);
      assert.deepEqual((await admin.query("select from pg_roles where rolname like '%@halved'")).rows, []);
      assert.deepEqual((await admin.query("select from portolan_fleet.frozen where name = 'halved'")).rows, []);
      assert.match((await portolan("database", "remove", "halved", "--yes")).stderr, /there is no database halved/);
    });

    it("a half-made database is made again or removed, and gateways leave it alone meanwhile", async () => {
      const half = async (name: string, statement: string): Promise<void> => {
        await admin.query(`insert into portolan_fleet.frozen (name) values ('${name}')`);
        await admin.query(statement);
      };
      await half("broken_off", "create database broken_off");
      assert.equal((await portolan("database", "add", "broken_off")).status, 0);
      assert.deepEqual((await admin.query("select from portolan_fleet.frozen where name = 'broken_off'")).rows, []);
      assert.equal((await portolan("database", "remove", "broken_off", "--yes")).status, 0);
      await half("half_copy", "create database half_copy");
      const rolesBefore = (await admin.query("select rolname from pg_roles order by 1")).rows;
      assert.equal((await portolan("database", "remove", "half_copy", "--yes")).status, 0);
      assert.deepEqual((await admin.query("select rolname from pg_roles order by 1")).rows, rolesBefore);
      assert.match(
        (await portolan("database", "add", "foreign_one")).stderr,
        /there is a database foreign_one already/,
      );
    });

    it("a role that another database needs stays when its own is removed, and is named", async () => {
      assert.equal((await portolan("database", "add", "brief")).status, 0);
      await admin.query('create schema beside; grant usage on schema beside to "owner@brief"');
      const { status, stdout } = await portolan("database", "remove", "brief", "--yes");
      assert.equal(status, 0);
      assert.match(
        stdout,
        /^the role owner@brief stays, since something depends on it: .*beside\nbrief was removed\n$/,
      );
      await admin.query('drop schema beside; drop role "owner@brief"');
      assert.deepEqual((await admin.query("select from portolan_fleet.frozen where name = 'brief'")).rows, []);
    });

    it("a database that another command makes or removes at the moment is left alone, with a message", async () => {
      const lock = "hashtextextended('portolan database contested', 0)"; // as the other command holds it
      await admin.query(`select pg_advisory_lock(${lock})`);
      try {
        for (const words of [["add"], ["remove", "--yes"]]) {
          const { status, stderr } = await portolan("database", words[0]!, "contested", ...words.slice(1));
          assert.equal(status, 1);
          assert.match(stderr, /another command is making, moving or removing contested: try again later/);
        }
        assert.deepEqual((await admin.query("select from pg_database where datname = 'contested'")).rows, []);
      } finally {
        await admin.query(`select pg_advisory_unlock(${lock})`);
      }
    });

    it("says what is wrong: a name that is too long, a database that is not there, no pattern", async () => {
      assert.match((await portolan("database", "add", "x".repeat(54))).stderr, /at most 53/);
      assert.match((await portolan("database", "freeze", "nowhere")).stderr, /there is no database nowhere/);
      assert.match(
        (await portolan("database", "remove", "foreign_one", "--yes")).stderr,
        /there is no database foreign_one/,
      );
      const { stderr: said } = command(["database", "list"], { env: { DATABASE_URL: one.gatewayUrl } });
      assert.match(said, /DATABASE_URL must end with \/\*/);
    });
  });

  it("are named by connection strings that all end with /*, or none", async () => {
    const config = await loadConfig({ env: { DATABASE_URL: url }, directory: tmpdir() });
    assert.deepEqual([config.databases, config.patterns.map((one) => one.url)], [[], [url]]);
    for (const env of [
      { DATABASE_URL: url, OWNER_DATABASE_URL: one.url },
      { DATABASE_URL: one.gatewayUrl, OWNER_DATABASE_URL: ownerUrl },
    ])
      await assert.rejects(loadConfig({ env, directory: tmpdir() }), /all or none may end with \/\*/);
    assert.throws(() => makeConfig({ databases: { city: url } }), /all or none may end with \/\*/);
    assert.throws(() => makeConfig({ databases: { "*": one.url } }), /all or none may end with \/\*/);
  });
});
