import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import supertest from "supertest";
import { makeConfig } from "../../server/kernel/config.ts";
import { diagnose } from "../../server/cli/doctor.ts";
import { startLocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { createLog } from "../../server/kernel/log.ts";
import { startGateway } from "../../server/main.ts";
import { migrate } from "../../server/kernel/migrate.ts";
import { findPostgres } from "../../server/setup/programs.mjs";
import { GATEWAY_LOGIN, testDatabase, type TestDatabase } from "../support/databases.ts";
import { until } from "../support/events.ts";

const PGBOUNCER = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((path) => existsSync(path));
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
  async function pooler(settings: string): Promise<string> {
    const port = await freePort();
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
      const said = /It is a standby, where nothing can be written: .*Name the primary/;
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
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
