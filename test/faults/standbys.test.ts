/** Reads from streaming standbys. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startLocalCluster, type LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { diagnose } from "../../server/operate/doctor/doctor.ts";
import { GATEWAY_LOGIN } from "../support/databases.ts";
import { freePort } from "../support/freePort.ts";
import { tokenFor } from "../support/gateway.ts";
import { ownCluster, type OwnCluster } from "../support/ownCluster.ts";
import { GatewayProcess } from "../support/process.ts";
import { startStandby, type Standby } from "../support/standby.ts";
import { until } from "../support/until.ts";
import { SocketClient } from "../support/webSocket.ts";

const SCHEMA = `
create schema port;
create table port.ships (id int primary key, name text, geom public.geometry(Point, 4326) default 'SRID=4326;POINT(1 1)');
insert into port.ships select n, 'ship ' || n from generate_series(1, 20) n;
create table port.lights (id int primary key, geom public.geometry(Point, 4326) default 'SRID=4326;POINT(1 1)');
insert into port.lights select generate_series(1, 20);
create table port.secrets (id int primary key);
insert into port.secrets values (1);
select portolan.create_user('ann', null), portolan.create_user('bob', null);
select portolan.set_privilege(t, u, 'write') from unnest('{port.ships,port.lights,port.secrets}'::text[]) t, unnest('{ann,bob}'::text[]) u`;

/** Nothing listens on port 1. */
const NOBODY = "postgres://nobody@127.0.0.1:1/town";

describe("reads from standbys", () => {
  let own: OwnCluster;
  let standbys: Standby[];
  let gateway: GatewayProcess;
  const tokens: Record<string, string> = {};

  before(async () => {
    own = await ownCluster();
    await own.database.client.query(SCHEMA);
    // a rule that depends on the account, the interface and the address
    await own.database.client.query("select portolan.create_rule($1)", [
      JSON.stringify({
        schema: "port",
        table: "ships",
        username: "bob",
        access: "limit",
        filter: "id < 1000",
        iprange: "127.0.0.0/8",
      }),
    ]);
    standbys = [await startStandby(own.cluster), await startStandby(own.cluster)];
    for (const standby of standbys) await standby.caughtUp();
    gateway = await start();
  });

  after(async () => {
    await gateway.stop();
    for (const standby of standbys) await standby.stop();
    await own.stop();
  });

  const loginUrl = (cluster: LocalCluster): string => cluster.url("town", GATEWAY_LOGIN, "gateway");
  const environment = (...replicas: readonly LocalCluster[]): Record<string, string> => ({
    DATABASE_URL: loginUrl(own.cluster),
    OWNER_DATABASE_URL: own.cluster.url("town"),
    REPLICA_URLS: replicas.map(loginUrl).join(","),
    PORT: "0",
  });

  async function start(): Promise<GatewayProcess> {
    const started = await GatewayProcess.start(environment(...standbys.map(({ cluster }) => cluster)));
    for (const name of ["ann", "bob"]) tokens[name] = await tokenFor(own.database, started.baseUrl, name);
    return started;
  }

  async function on(cluster: LocalCluster, text: string): Promise<void> {
    const client = new pg.Client({ connectionString: cluster.url("postgres") });
    await client.connect();
    await client.query(text);
    await client.end();
  }

  const ask = (
    path: string,
    { body, as = "ann", at = gateway.baseUrl, ...headers }: Record<string, unknown> = {},
  ): Promise<Response> =>
    fetch(`${String(at)}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        Authorization: `Bearer ${tokens[String(as)]}`,
        "Content-Type": "application/json",
        ...(headers as Record<string, string>),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const graphql = (query: string, more: Record<string, unknown> = {}): Promise<Response> =>
    ask("/api/graphql/schema/port", { body: { query }, ...more });
  const items = (query = "", table = "ships"): Promise<Response> =>
    ask(`/api/v4/ogc/database/town/collections/port.${table}/items${query}`);
  const nameOf = async (id: number, more: Record<string, unknown> = {}): Promise<string | undefined> => {
    const answer = await graphql(`{ getShips(where: {id: ${id}}) { name } }`, more);
    const { data, errors } = (await answer.json()) as { data?: { getShips: { name: string }[] }; errors?: unknown };
    assert.equal(errors, undefined, JSON.stringify(errors));
    return data?.getShips[0]?.name;
  };
  const rename = async (id: number, name: string, as = "ann"): Promise<string> => {
    const answer = await graphql(`mutation { updateShips(id: ${id}, data: {name: "${name}"}) { id } }`, {
      as,
    });
    assert.equal(((await answer.json()) as { errors?: unknown }).errors, undefined);
    return answer.headers.get("Portolan-LSN") ?? "none";
  };
  /** The value and the label of each line of a metric about servers. A server is recognised by its folder. */
  async function figures(metric: string, server: string): Promise<{ value: number; line: string }[]> {
    const text = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
    const lines = text
      .split("\n")
      .filter((line) => line.startsWith(`${metric}{`) && line.includes(`server="${server}`));
    return lines.map((line) => ({ line, value: Number(line.split("} ")[1]) }));
  }
  const servers = (): string[] => [...standbys.map(({ cluster }) => cluster.directory), "primary"];
  /** The number of reads of each server, the primary last. */
  const reads = (): Promise<number[]> =>
    Promise.all(servers().map(async (server) => (await figures("portolan_reads_total", server))[0]?.value ?? 0));
  const readsOfStandbys = async (): Promise<number> => {
    const [first = 0, second = 0] = await reads();
    return first + second;
  };
  const statesOf = (): Promise<string[]> =>
    Promise.all(
      standbys.map(async ({ cluster }) => {
        const [{ line } = { line: "" }] = await figures("portolan_standby_state", cluster.directory);
        return /state="(.*?)"/.exec(line)?.[1] ?? "none";
      }),
    );
  const areUsed = (): Promise<void> => until(async () => (await statesOf()).every((state) => state === "ok"));

  it("are distributed, and the primary gets almost none of them", async () => {
    await areUsed();
    await nameOf(1);
    const before = await reads();
    for (let n = 0; n < 100; n++) {
      assert.equal(await nameOf(1 + (n % 20), { as: n % 2 ? "bob" : "ann" }), `ship ${1 + (n % 20)}`);
      const { features } = (await (await items("?limit=5")).json()) as { features: unknown[] };
      assert.equal(features.length, 5);
      // as if somebody signs out, which changes nobody's rights
      if (n % 10 === 0)
        await own.database.client.query(
          "update portolan.generations set generation = generation + 1 where subject = 'tokens'",
        );
    }
    const [first = 0, second = 0, primary = 0] = (await reads()).map((count, at) => count - (before[at] ?? 0));
    assert.ok(first + second + primary >= 200, `${first} + ${second} + ${primary}`);
    assert.ok(Math.abs(first - second) <= 0.1 * Math.max(first, second), `${first} : ${second}`);
    assert.ok(primary < 0.05 * (first + second + primary), `${primary} of the primary`);
  });

  it("see the caller's writes, also if the standbys do not replay them", async () => {
    await areUsed();
    for (const { cluster } of standbys) await on(cluster, "select pg_wal_replay_pause()");
    try {
      const written = await rename(1, "first");
      assert.match(written, /^1:[0-9A-F]+\/[0-9A-F]+$/);
      assert.equal(await nameOf(1), "first"); // without the header: this gateway knows the position
      assert.equal(await nameOf(1, { as: "bob", "Portolan-LSN": written }), "first");
      // without a known position a read may be as old as the allowed lag, and no older
      await until(async () => (await nameOf(1, { as: "bob" })) === "first", 2000);
      await until(async () => (await statesOf()).length === 2 && (await nameOf(1, { as: "bob" })) === "first");
      const before = await reads();
      for (let n = 0; n < 10; n++) assert.equal(await nameOf(1, { as: "bob" }), "first");
      assert.deepEqual(
        (await reads()).map((count, at) => count - (before[at] ?? 0)),
        [0, 0, 10],
      );
    } finally {
      for (const { cluster } of standbys) await on(cluster, "select pg_wal_replay_resume()");
    }
    await until(async () => {
      const before = await reads();
      await nameOf(1);
      return (await reads())[2] === before[2];
    });
    assert.equal(await nameOf(1), "first");
  });

  it("count what they show, whatever is being written meanwhile", async () => {
    await areUsed();
    const [older, newer] = [new pg.Client(own.database.url), new pg.Client(own.database.url)];
    await Promise.all([older.connect(), newer.connect()]);
    const matched = async (): Promise<number> =>
      ((await (await items("?limit=1", "lights")).json()) as { numberMatched: number }).numberMatched;
    try {
      const before = await matched();
      // numbered in this order, so that the text of a standby's snapshot is the same before and after the commit
      await older.query("begin; select pg_current_xact_id()");
      await newer.query("begin; insert into port.lights values (501)");
      await own.database.client.query("insert into port.lights values (502)");
      await until(async () => (await matched()) === before + 1);
      await newer.query("commit");
      await until(async () => (await matched()) === before + 2, 3000);
    } finally {
      await Promise.all([older.end(), newer.end()]);
    }
  });

  it("see the caller's writes if PostgreSQL answers a COMMIT before it is in the log", async () => {
    const { cluster } = own;
    for (const setting of ["synchronous_commit = off", "wal_writer_delay = '2s'"])
      await on(cluster, `alter system set ${setting}`);
    await on(cluster, "select pg_reload_conf()");
    try {
      await areUsed();
      for (let n = 0; n < 10; n++) {
        const written = await rename(5, `name ${n}`);
        assert.equal(await nameOf(5), `name ${n}`);
        assert.equal(await nameOf(5, { as: "bob", "Portolan-LSN": written }), `name ${n}`);
      }
    } finally {
      for (const setting of ["synchronous_commit", "wal_writer_delay"])
        await on(cluster, `alter system reset ${setting}`);
      await on(cluster, "select pg_reload_conf()");
    }
  });

  it("get the position of every write: features, methods, SQL, REST", async () => {
    const position = /^1:[0-9A-F]+\/[0-9A-F]+$/;
    const sql = await ask("/api/v4/sql", { body: { q: "update port.ships set name = 'x' where id = 2" } });
    assert.match(sql.headers.get("Portolan-LSN") ?? "", position);
    assert.equal(await nameOf(2, { "Portolan-LSN": sql.headers.get("Portolan-LSN") }), "x");
    const read = await graphql("{ getShips(limit: 1) { id } }");
    assert.equal(read.headers.get("Portolan-LSN"), null);
    assert.ok((read.headers.get("access-control-expose-headers") ?? "").includes("Portolan-LSN"));
  });

  it("over sockets get the position of every write too, and see the position that a request names", async () => {
    await areUsed();
    const url = `${gateway.baseUrl.replace(/^http/, "ws")}/`;
    const socket = await new SocketClient(`${url}?token=${tokens["ann"]}`).opened();
    const standard = await new SocketClient(`${url}api/graphql/schema/port?token=${tokens["bob"]}`, [
      "graphql-transport-ws",
    ]).opened();
    standard.send({ type: "connection_init" });
    await standard.take("connection_ack");
    const named = (name: string) => ({ getShips: [{ name }] });
    const query = "{ getShips(where: {id: 7}) { name } }";
    const rename = (name: string) => `mutation { updateShips(id: 7, data: {name: "${name}"}) { id } }`;
    for (const { cluster } of standbys) await on(cluster, "select pg_wal_replay_pause()");
    try {
      const written = await socket.ask({ type: "subscribe", id: "w", schema: "port", query: rename("socket") });
      assert.match(String(written["lsn"]), /^1:[0-9A-F]+\/[0-9A-F]+$/);
      const { lsn } = written;
      const read = await socket.ask({ type: "subscribe", id: "r", schema: "port", query, lsn });
      assert.deepEqual([read["data"], read["lsn"]], [named("socket"), undefined]);
      standard.send({ type: "subscribe", id: "s", payload: { query, extensions: { lsn } } });
      assert.deepEqual((await standard.take("next"))["payload"], { data: named("socket") });
      standard.send({ type: "subscribe", id: "t", payload: { query: rename("standard") } });
      const { payload } = (await standard.take("next")) as { payload?: { extensions: { lsn: string } } };
      assert.equal(await nameOf(7, { "Portolan-LSN": payload?.extensions.lsn }), "standard");
      socket.send({ q: "update port.ships set name = 'sql' where id = 7" });
      const told = await socket.take("lsn");
      assert.equal(await nameOf(7, { as: "bob", "Portolan-LSN": told["lsn"] }), "sql");
    } finally {
      for (const { cluster } of standbys) await on(cluster, "select pg_wal_replay_resume()");
    }
    socket.send({ type: "subscribe", id: "b", schema: "port", query, lsn: "1:0" });
    assert.equal((await socket.take({ type: "error", id: "b" }))["error"], "INVALID_MESSAGE");
    standard.send({ type: "subscribe", id: "c", payload: { query, extensions: { lsn: 1 } } });
    assert.match(
      JSON.stringify(await standard.take("error")),
      /extensions\.lsn must be a position that Portolan returned/,
    );
    const onStandbys = async (): Promise<number> => (await reads()).slice(0, 2).reduce((all, count) => all + count, 0);
    const before = await onStandbys();
    let asked = 0;
    // from the moment at which they are known to have the account's write
    await until(async () => {
      const { data } = await socket.ask({ type: "subscribe", id: `q${asked++}`, schema: "port", query });
      assert.deepEqual(data, named("sql"));
      return (await onStandbys()) > before;
    });
    socket.close();
    standard.close();
  });

  it("a position of another timeline counts as not replayed, and a text that is not a position is 400", async () => {
    await areUsed();
    const before = await reads();
    assert.equal(await nameOf(3, { "Portolan-LSN": "9:0/1" }), "ship 3");
    assert.equal((await reads())[2], (before[2] ?? 0) + 1);
    for (const bad of ["0/1", "1:0", "x", "1:0/1; drop", "0:0/1", "99999999999:0/1", "1:123456789/0", "1:0/1, 1:0/2"]) {
      const answer = await graphql("{ getShips { id } }", { "Portolan-LSN": bad });
      assert.equal(answer.status, 400, bad);
      assert.match(await answer.text(), /Portolan-LSN must be a position that Portolan returned/);
    }
  });

  it("a revoked right is gone there too, and a new table is there at once", async () => {
    await areUsed();
    const secrets = async (): Promise<string | undefined> => {
      const answer = await graphql("{ getSecrets { id } }", { as: "bob" });
      const { errors } = (await answer.json()) as { errors?: { extensions: { code: string } }[] };
      return errors?.[0]?.extensions.code;
    };
    assert.equal(await secrets(), undefined);
    const { client } = own.database;
    await client.query("select portolan.set_privilege('port.secrets', 'bob', 'none')");
    await until(async () => (await secrets()) !== undefined, 5000);
    for (const { cluster } of standbys) await on(cluster, "select pg_wal_replay_pause()");
    try {
      await client.query("create table port.piers (id int primary key); insert into port.piers values (7)");
      await client.query("select portolan.set_privilege('port.piers', 'ann', 'read')");
      await until(async () => {
        const answer = await graphql("{ getPiers { id } }");
        return (await answer.text()) === '{"data":{"getPiers":[{"id":"7"}]}}';
      }, 5000);
    } finally {
      for (const { cluster } of standbys) await on(cluster, "select pg_wal_replay_resume()");
    }
  });

  it("a revoked right is gone within 5 s even if standbys may lag for longer, and do", async () => {
    const port = await freePort();
    await using _lax = await GatewayProcess.start({
      ...environment(...standbys.map(({ cluster }) => cluster)),
      MAX_REPLICA_LAG_MS: "60000",
      BASE_URL: gateway.baseUrl,
      PORT: String(port),
    });
    const at = `http://127.0.0.1:${port}`;
    const { client } = own.database;
    await client.query(`
create table port.masts as table port.lights; alter table port.masts add primary key (id);
create table port.buoys as table port.lights; alter table port.buoys add primary key (id);
create table port.docks as select id from port.lights; alter table port.docks add primary key (id);
insert into port.secrets values (3);
select portolan.set_privilege(t, 'bob', 'read') from unnest('{port.secrets,port.masts,port.buoys,port.docks}'::text[]) t`);
    const asked = {
      revoked: { body: { query: "{ getSecrets { id } }" } },
      "revoked, of features": { collection: "masts" },
      "a policy": { body: { query: "{ getDocks { id } }" } },
      "a policy, of features": { collection: "buoys" },
      "a rule": { body: { query: "{ getLights(where: {id: 3}) { id } }" } },
    };
    const isShown = async ({ body, collection }: { body?: object; collection?: string }): Promise<boolean> => {
      const path = body ? "graphql/schema/port" : `v4/ogc/database/town/collections/port.${collection}/items`;
      return /"id": ?"?3/.test(await (await ask(`/api/${path}`, { as: "bob", body, at })).text());
    };
    for (const standby of standbys) await standby.caughtUp();
    for (const one of Object.values(asked)) await until(() => isShown(one));
    for (const { cluster } of standbys) await on(cluster, "select pg_wal_replay_pause()");
    try {
      await client.query("insert into port.docks values (1000)"); // from now on they lag
      for (const one of Object.values(asked)) assert.ok(await isShown(one));
      const metrics = await (await fetch(`${at}/metrics`)).text();
      assert.doesNotMatch(metrics, /^portolan_reads_total\{.*server="(?!primary).*\} 0$/m, "each is read from");
      await client.query(`
select portolan.set_privilege(t, 'bob', 'none') from unnest('{port.secrets,port.masts}'::text[]) t;
alter table port.docks enable row level security; alter table port.buoys enable row level security`);
      const rule = { schema: "port", table: "lights", username: "bob", access: "limit", filter: "id > 10" };
      await client.query("select portolan.create_rule($1)", [JSON.stringify(rule)]);
      const takenAtMs = performance.now();
      for (const [what, one] of Object.entries(asked))
        await until(
          async () => !(await isShown(one)),
          5000 - (performance.now() - takenAtMs),
          () => what,
        );
    } finally {
      for (const { cluster } of standbys) await on(cluster, "select pg_wal_replay_resume()");
    }
  });

  it("a read that a standby cancels for its replay is run on the primary", async () => {
    await areUsed();
    const { client } = own.database;
    for (const { cluster } of standbys) {
      await on(cluster, "alter system set max_standby_streaming_delay = 0");
      await on(cluster, "select pg_reload_conf()");
    }
    const before = await readsOfStandbys();
    for (let round = 0; round < 10 && (await readsOfStandbys()) === before; round++) {
      const reading = Array.from({ length: 40 }, async (_, n) => {
        const answer = await graphql(`{ getShips(where: {id: {gte: ${n % 3}}}) { id name } }`);
        const { errors } = (await answer.json()) as { errors?: unknown };
        assert.equal(errors, undefined, JSON.stringify(errors));
      });
      for (let n = 0; n < 5; n++) {
        await client.query("begin; lock table port.ships in access exclusive mode; commit");
        await client.query("update port.ships set name = name where id > 10");
        await client.query("vacuum (freeze) port.ships");
      }
      await Promise.all(reading);
    }
    assert.ok((await readsOfStandbys()) > before);
  });

  it("start and doctor name a standby of another cluster, or a server that is not a standby", async () => {
    const folder = mkdtempSync(join(tmpdir(), "portolan-other-"));
    chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user
    const other = await startLocalCluster({ directory: join(folder, "cluster"), durable: false });
    try {
      await on(other, `create role ${GATEWAY_LOGIN} login noinherit password 'gateway'`);
      await on(other, "create database town");
      const refused = await GatewayProcess.start(environment(other), { wait: false });
      await assert.rejects(
        refused.ready,
        /The database town cannot be served\. Its standby .* is of another cluster .* pg_basebackup/,
      );
      const findings = await diagnose(
        {
          name: "town",
          url: own.database.gatewayUrl,
          ownerUrl: own.database.url,
          replicaUrls: [
            loginUrl(other),
            own.database.gatewayUrl,
            loginUrl(standbys[0]!.cluster),
            NOBODY,
            standbys[0]!.cluster.url("town", GATEWAY_LOGIN, "wrong"),
          ],
        },
        undefined,
      );
      const said = findings
        .filter(({ text }) => text.startsWith("the standby "))
        .map(({ ok, text, remedy }) => `${ok} ${text}: ${remedy.join()}`);
      assert.match(said[0]!, /^false .* is of another cluster .*: take it out of REPLICA_URLS, or make it again/);
      assert.match(said[1]!, /^false .* is not a standby.*: take it out/);
      assert.match(said[2]!, /^true .* answers, and may be read from/);
      assert.match(said[3]!, /^false .*127\.0\.0\.1:1 does not answer.*: start it/);
      assert.match(said[4]!, /^false .* refuses the login.*: use the login and the password/);
    } finally {
      await other.stop();
      rmSync(folder, { recursive: true });
    }
    const refused = await GatewayProcess.start({ ...environment(), REPLICA_URLS: "http://x" }, { wait: false });
    await assert.rejects(refused.ready, /REPLICA_URLS\.0: must be a postgres:\/\/ connection string/);
  });

  it("a hanging standby keeps nobody waiting, and is used again when it continues", async () => {
    await areUsed();
    const [, { cluster }] = standbys as [Standby, Standby];
    const signal = (name: NodeJS.Signals): void => {
      const children = readFileSync(`/proc/${cluster.pid}/task/${cluster.pid}/children`, "utf8");
      for (const pid of [cluster.pid, ...children.split(" ").filter(Boolean).map(Number)]) process.kill(pid, name);
    };
    let isReading = true;
    const answered: number[] = Array.from({ length: 8 }, () => 0);
    const reading = answered.map(async (_, reader) => {
      for (; isReading; answered[reader]!++) assert.equal(await nameOf(4), "ship 4");
    });
    await until(() => answered.every((count) => count > 0));
    const isThere = async (): Promise<boolean> => (await statesOf())[1] === "ok";
    signal("SIGSTOP");
    try {
      const before = [...answered];
      await until(async () => !(await isThere()));
      await Promise.race([until(() => answered.every((count, reader) => count > before[reader]! + 5)), ...reading]);
    } finally {
      signal("SIGCONT");
    }
    await until(isThere);
    isReading = false;
    await Promise.all(reading);
  });

  it("a standby that dies or is promoted is no longer used, and no request fails", async () => {
    await areUsed();
    const [first, second] = standbys as [Standby, Standby];
    let isReading = true;
    const failures: string[] = [];
    const reading = (async () => {
      while (isReading) {
        const answer = await graphql("{ getShips(where: {id: 4}) { name } }");
        const text = await answer.text();
        if (text !== '{"data":{"getShips":[{"name":"ship 4"}]}}') failures.push(text);
      }
    })();
    process.kill(first.cluster.pid, "SIGQUIT");
    await first.cluster.exited;
    await until(async () => (await statesOf())[0] === "gone");
    await second.promote();
    await until(async () => (await statesOf())[1] === "promoted");
    // a split brain: writes to the promoted server are not seen
    await on(
      { ...second.cluster, url: () => second.cluster.url("town") },
      "update port.ships set name = 'split' where id = 4",
    );
    const before = await reads();
    await until(async () => (await reads())[2]! > before[2]! + 20);
    isReading = false;
    await reading;
    assert.deepEqual([...new Set(failures)], []);
  });
});
