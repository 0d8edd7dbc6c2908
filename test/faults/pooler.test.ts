import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import supertest from "supertest";
import { makeConfig } from "../../server/kernel/config.ts";
import { diagnose } from "../../server/operate/doctor/doctor.ts";
import { startLocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { createLog } from "../../server/ground/log.ts";
import { startGateway, type Gateway } from "../../server/main.ts";
import { migrate } from "../../server/operate/migrate.ts";
import { findPgbouncer, findPostgres } from "../../server/setup/programs.mjs";
import { freePort } from "../support/freePort.ts";
import { GATEWAY_LOGIN, testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { until } from "../support/until.ts";

const PGBOUNCER = findPgbouncer();
const silent = createLog("silent");

describe(`behind PgBouncer${PGBOUNCER ? "" : " (not run: pgbouncer is not installed)"}`, () => {
  if (PGBOUNCER === undefined) return it.skip("the package pgbouncer brings it");
  const program = PGBOUNCER;
  let database: TestDatabase;
  let folder: string;
  let running: ChildProcess | undefined;

  before(async () => {
    database = await testDatabase({ kind: "demo" });
    folder = mkdtempSync(join(tmpdir(), "portolan-pooler-"));
    chmodSync(folder, 0o777); // as root, PgBouncer runs as another user
  });

  afterEach(async () => {
    if (running === undefined) return;
    running.kill("SIGKILL");
    await once(running, "exit");
    running = undefined;
  });

  after(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  /** Starts it, and gives the address of the database through it. */
  async function pooler(settings: string, port?: number): Promise<string> {
    port ??= await freePort();
    const { host, port: serverPort, user, password } = new pg.Client(database.gatewayUrl);
    writeFileSync(join(folder, "users"), `"${user}" "${password}"\n`);
    writeFileSync(
      join(folder, "ini"),
      `[databases]
${database.name} = host=${host} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, "users")}
${process.getuid?.() === 0 ? "user = postgres" : ""}
${settings}
`,
    );
    running = spawn(program, [join(folder, "ini")], { stdio: "ignore" });
    await until(() => isOpen(port));
    return `postgres://${user}:${password}@127.0.0.1:${port}/${database.name}`;
  }

  const config = (url: string) =>
    makeConfig({ databases: { [database.name]: { url, ownerUrl: database.url } }, port: 0 });

  for (const [title, settings, why] of [
    ["that refuses start-up options", "pool_mode = transaction", /refuses start-up options/],
    [
      "in transaction mode that ignores start-up options",
      "pool_mode = transaction\nignore_startup_parameters = options",
      /drops the start-up options/,
    ],
    [
      "in session mode that ignores start-up options",
      "pool_mode = session\nignore_startup_parameters = options",
      /drops the start-up options/,
    ],
  ] as const)
    it(`${title}: the gateway does not start, and start and doctor say why and what to do`, async () => {
      const url = await pooler(settings);
      await assert.rejects(startGateway(config(url), silent), (error: Error) => {
        assert.match(error.message, why);
        assert.match(error.message, /Connect to PostgreSQL directly/);
        return true;
      });
      const found = (await diagnose({ name: database.name, url, ownerUrl: database.url }, undefined)).find(
        ({ ok, text }) => !ok && why.test(text),
      );
      assert.match(found?.remedy.join("\n") ?? "", /Connect to PostgreSQL directly/);
    });

  describe("in transaction mode, said by POOLER", () => {
    const MODE = "pool_mode = transaction\ndefault_pool_size = 2";
    const pooled = (url: string, more: object = {}) =>
      makeConfig({
        databases: { [database.name]: { url, directUrl: database.gatewayUrl, ownerUrl: database.url } },
        pooler: "transaction",
        port: 0,
        connectTimeoutMs: 2000,
        ...more,
      });
    let gateway: Gateway | undefined;
    afterEach(async () => {
      await gateway?.close();
      gateway = undefined;
    });

    const ask = async (account: string, path: string, body?: object) => {
      const token = await tokenFor(database, gateway!.baseUrl, account);
      const http = supertest(gateway!.baseUrl);
      const request = body ? http.post(path).send(body) : http.get(path);
      return request.set("Authorization", `Bearer ${token}`);
    };
    const graphql = (account: string, query: string) => ask(account, "/api/graphql/schema/world", { query });

    before(async () => {
      await database.client.query(`
create table world.notes (id int primary key, owner text not null default (portolan.request_context()).name, text text);
alter table world.notes enable row level security;
create policy own on world.notes using (owner = current_setting('request.jwt.claims')::json->>'uid');
grant usage on schema world to "guest@${database.name}";
grant select, insert, update on world.notes to "guest@${database.name}", "captain@${database.name}";
select portolan.enable_events('world.notes')`);
      // settings that the gateway otherwise makes at the start of a session must be made in each transaction here
      await database.client.query(`alter database ${database.name} set standard_conforming_strings = off`);
    });

    it("every door serves, more clients than backends, and nobody's settings reach another", async () => {
      gateway = await startGateway(pooled(await pooler(MODE)), silent);
      await until(async () => (await supertest(gateway!.baseUrl).get("/readyz")).status === 200);
      const rounds = Array.from({ length: 40 }, (_, id) => id);
      const written = await Promise.all(
        rounds.map((id) =>
          graphql(
            id % 2 ? "captain" : "guest",
            `mutation { insertNotes(data: {id: ${id}, text: "a\\\\b'c"}) { id owner } }`,
          ),
        ),
      );
      assert.deepEqual(
        written.map(({ body }) => body.errors ?? body.data.insertNotes.map((row: { owner: string }) => row.owner)),
        rounds.map((id) => [id % 2 ? "captain" : "guest"]),
      );
      const seen = await Promise.all(
        rounds.map((id) =>
          graphql(
            id % 2 ? "captain" : "guest",
            `
              {
                getNotes(where: { text: { eq: "a\\\\b'c" } }) {
                  owner
                }
              }
            `,
          ),
        ),
      );
      for (const [id, { body }] of seen.entries()) {
        const owners = body.data.getNotes.map((row: { owner: string }) => row.owner);
        assert.deepEqual(owners, new Array(20).fill(id % 2 ? "captain" : "guest"));
      }
      const base = `/api/v4/ogc/database/${database.name}/collections`;
      assert.equal((await ask("captain", "/api/v4/sql", { q: "select 1 as a" })).status, 200);
      assert.equal((await ask("captain", `${base}/world.cities/items?limit=1000`)).status, 200);
      assert.equal((await ask("captain", `${base}/world.cities/map?width=20&height=20`)).status, 200);
      const sql = await ask("guest", "/api/v4/sql", { q: "select distinct owner from world.notes" });
      assert.deepEqual(sql.body.data, [{ owner: "guest" }]);
      // no session stays a caller's, where each transaction may have another backend
      for (let n = 0; n < 4; n++) await ask("guest", `${base}/world.cities/items/1`);
      const { text } = await supertest(gateway.baseUrl).get("/metrics");
      assert.doesNotMatch(text, /^portolan_pinned_reads_total\{.*\} [1-9]/m);
    });

    it("a schema that a function names is refused to an account without it, after another one has called the function", async () => {
      await database.client.query(`
create schema vault;
create function vault.secret() returns int language sql stable security definer as 'select 42';
create function world.open() returns int language plpgsql stable as 'begin return vault.secret(); end';
grant usage on schema vault to "captain@${database.name}"`);
      gateway = await startGateway(pooled(await pooler("pool_mode = transaction\ndefault_pool_size = 1")), silent);
      const opened = async (account: string): Promise<string> =>
        JSON.stringify((await graphql(account, "{ open }")).body);
      for (let n = 0; n < 3; n++) {
        for (let times = 0; times < 4; times++) assert.equal(await opened("captain"), '{"data":{"open":42}}');
        assert.match(await opened("guest"), /permission denied for schema vault/);
      }
    });

    it("the pooler is restarted under load, and its backends are ended: 503 in between, and no mutation takes effect twice", async () => {
      const url = await pooler(MODE);
      gateway = await startGateway(pooled(url), silent);
      const codes = new Map<string, number>();
      await graphql(
        "captain",
        `
          mutation {
            insertNotes(data: { id: 100, text: "" }) {
              id
            }
          }
        `,
      );
      let going = true;
      let added = 0;
      const writers = Array.from({ length: 4 }, async () => {
        while (going) {
          const { body } = await graphql("captain", `mutation { insertNotes(data: {id: ${1000 + added++}}) { id } }`);
          const code: string = body.errors?.[0].extensions.code ?? "ok";
          codes.set(code, (codes.get(code) ?? 0) + 1);
        }
      });
      await until(() => (codes.get("ok") ?? 0) > 20);
      running!.kill("SIGKILL");
      await once(running!, "exit");
      await until(() => (codes.get("UNAVAILABLE") ?? 0) > 5);
      const before = codes.get("ok") ?? 0;
      await pooler(MODE, Number(new URL(url).port));
      await until(() => (codes.get("ok") ?? 0) > before + 20);
      for (let round = 0; round < 20; round++) {
        await database.client.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'portolan requests' and datname = current_database()",
        );
        const ok = codes.get("ok") ?? 0;
        await until(() => (codes.get("ok") ?? 0) > ok + 3);
      }
      going = false;
      await Promise.all(writers);
      // a repeated insert would be a CONFLICT
      assert.deepEqual([...codes.keys()].toSorted(), ["UNAVAILABLE", "ok"]);
    });

    it("start and doctor warn of a pooler in session mode that is configured as one in transaction mode", async () => {
      const url = await pooler("pool_mode = session");
      const warned: unknown[] = [];
      const log = createLog("silent");
      log.warn = (...said: unknown[]) => void warned.push(said[1]);
      gateway = await startGateway(pooled(url), log);
      assert.ok(warned.some((text) => /gives each session a backend of its own/.test(String(text))));
      const [config] = pooled(url).databases;
      const found = (await diagnose(config!, undefined)).find(({ text }) => /backend of its own/.test(text));
      assert.deepEqual([found?.ok, found?.remedy], [false, ["set pool_mode = transaction, or leave POOLER out"]]);
    });

    it("a pooler that leads elsewhere, or nowhere, is refused at start", async () => {
      const other = await testDatabase({ kind: "portolan" });
      try {
        const url = await pooler(MODE);
        await assert.rejects(
          startGateway(
            makeConfig({
              databases: { [other.name]: { url, directUrl: other.gatewayUrl, ownerUrl: other.url } },
              pooler: "transaction",
              port: 0,
            }),
            silent,
          ),
          /cannot be served\. Its pooler leads to another database/,
        );
        await assert.rejects(startGateway(pooled(url.replace(/:\d+\//, ":1/")), silent), /Its pooler does not answer/);
      } finally {
        await other.drop();
      }
    });
  });

  it("put before a gateway that runs: /readyz says that the database is down", async () => {
    // the gateway's connections go through a port that leads to PostgreSQL at first, and then to the pooler
    const { host, port: serverPort, user, password } = new pg.Client(database.gatewayUrl);
    const pooled = new URL(await pooler("pool_mode = transaction\nignore_startup_parameters = options"));
    let target: { port: number; host: string } | { path: string } = host?.startsWith("/")
      ? { path: `${host}/.s.PGSQL.${serverPort}` }
      : { port: serverPort, host: host ?? "" };
    const sockets = new Set<Socket>();
    const forwarder = createServer((socket) => {
      const upstream = connect(target);
      for (const each of [socket, upstream]) sockets.add(each.on("error", () => undefined));
      socket.pipe(upstream).pipe(socket);
    }).listen(0, "127.0.0.1");
    await once(forwarder, "listening");
    const { port } = forwarder.address() as AddressInfo;
    const gateway = await startGateway(
      config(`postgres://${user}:${password}@127.0.0.1:${port}/${database.name}`),
      silent,
    );
    try {
      const ready = () => supertest(gateway.baseUrl).get("/readyz");
      await until(async () => (await ready()).status === 200);
      target = { port: Number(pooled.port), host: "127.0.0.1" };
      for (const socket of sockets) socket.destroy();
      await until(async () => (await ready()).body.checks.database === "down");
    } finally {
      await gateway.close();
      for (const socket of sockets) socket.destroy();
      forwarder.close();
    }
  });
});

describe("on a standby", () => {
  it("start, migrate and doctor say that it cannot be served yet", async () => {
    const folder = mkdtempSync(join(tmpdir(), "portolan-standby-"));
    chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user
    const directory = join(folder, "cluster");
    const cluster = await startLocalCluster({ directory });
    let stop = (): unknown => cluster.stop();
    try {
      const run = async (name: string, text: string): Promise<string> => {
        const client = new pg.Client({ connectionString: cluster.url(name) });
        await client.connect();
        const { rows } = await client.query<Record<string, string>>(text);
        await client.end();
        return Object.values(rows[0] ?? {})[0] ?? "";
      };
      await run("postgres", `create role ${GATEWAY_LOGIN} login noinherit password 'gateway'`);
      await run("postgres", "create database town");
      await migrate({ ownerUrl: cluster.url("town"), gatewayLogin: GATEWAY_LOGIN });
      const data = await run("town", "show data_directory");
      await cluster.stop();
      // a cluster with standby.signal and nobody to follow stays in recovery for ever, as a standby does
      writeFileSync(join(data, "standby.signal"), "");
      const { uid, gid } = statSync(data);
      chownSync(join(data, "standby.signal"), uid, gid);
      const sockets = join(folder, "s");
      mkdirSync(sockets);
      chmodSync(sockets, 0o777);
      const options = `-p 5999 -k ${sockets} -c listen_addresses= -c max_connections=1000`;
      execFileSync(
        join(findPostgres()?.bin ?? "", "pg_ctl"),
        ["-D", data, "-w", "-o", options, "-l", join(sockets, "log"), "start"],
        {
          ...as(uid, gid),
          cwd: sockets,
          stdio: "ignore",
        },
      );
      stop = () =>
        execFileSync(join(findPostgres()?.bin ?? "", "pg_ctl"), ["-D", data, "-w", "-m", "immediate", "stop"], {
          ...as(uid, gid),
          cwd: sockets,
          stdio: "ignore",
        });
      const at = (user: string, password: string): string =>
        `postgres://${user}:${password}@${encodeURIComponent(sockets)}:5999/town`;
      const url = at(GATEWAY_LOGIN, "gateway");
      const owner = new pg.Client(cluster.url("town"));
      const ownerUrl = at(owner.user ?? "", owner.password ?? "");
      const said = /It is a standby, which takes no writes\. Name the primary/;
      await assert.rejects(startGateway(makeConfig({ databases: { town: { url, ownerUrl } }, port: 0 }), silent), said);
      await assert.rejects(migrate({ ownerUrl, gatewayLogin: GATEWAY_LOGIN }), said);
      const found = await diagnose({ name: "town", url, ownerUrl }, undefined);
      assert.ok(found.some(({ ok, text }) => !ok && /It is a standby/.test(text)));
    } finally {
      await stop();
      rmSync(folder, { recursive: true });
    }
  });
});

function as(uid: number, gid: number): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid, gid } : {};
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
