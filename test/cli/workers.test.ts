/** `WORKERS`: several processes serve on one port. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { GatewayProcess } from "../support/process.ts";
import { programEnv } from "../support/programEnv.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";
import { SocketClient } from "../support/webSocket.ts";

const CLI = join(import.meta.dirname, "../../server/setup/portolan.mjs");
const WORKERS = 2;
/** The number of clients with kept connections, and of clients with one for each request. */
const CLIENTS = 4;
/** Longer than the timeout of collecting all figures; in the large form the default. */
const HANG_MS = sized(7000, 30_000);

describe("several processes on one port", () => {
  let database: TestDatabase;
  let gateway: GatewayProcess | undefined;

  before(async () => {
    database = await testDatabase({ kind: "demo" });
  });
  after(() => database.drop());
  const stop = async (): Promise<void> => {
    await gateway?.stop();
    gateway = undefined;
  };

  async function start(env: Record<string, string> = {}): Promise<GatewayProcess> {
    gateway = await GatewayProcess.start({
      DATABASE_URL: database.gatewayUrl,
      OWNER_DATABASE_URL: database.url,
      PORT: "0",
      WORKERS: String(WORKERS),
      ...env,
    });
    return gateway;
  }
  const workersOf = ({ pid }: GatewayProcess): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  /** A request on its own connection, since processes are assigned by connection. */
  function get(
    path: string,
    token?: string,
    { body, agent = false, onBegun }: { body?: object; agent?: Agent | false; onBegun?: () => void } = {},
  ): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = {
        ...(token && { Authorization: `Bearer ${token}` }),
        "Content-Type": "application/json",
        ...(onBegun && { Expect: "100-continue" }), // RFC 9110 §10.1.1: the service says that it has it
      };
      const sent = request(`${gateway!.baseUrl}${path}`, { agent, method: body ? "POST" : "GET", headers });
      // a connection that was assigned to a killed process is never answered
      sent.setTimeout(20_000, () => sent.destroy(new Error("no answer")));
      if (onBegun) sent.once("continue", onBegun);
      sent.on("error", reject);
      sent.on("response", (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.end(body && JSON.stringify(body));
    });
  }
  const figure = async (line: RegExp): Promise<number> => Number(line.exec((await get("/metrics")).text)?.[1]);

  describe("and connections of accounts", () => {
    const TABLE = `
      create role crafty login;
      create schema craft;
      create table craft.things (id int primary key, geom geometry(point, 4326));
      insert into craft.things values (1, st_setsrid(st_makepoint(1, 1), 4326));
      alter table craft.things owner to crafty;
      alter schema craft owner to crafty;
      grant usage on schema craft to public;
      grant select on craft.things to public`;
    before(async () => {
      await database.client.query(TABLE);
      await database.client.query("select portolan.create_user('bosun', 'bosun')");
      await start({ OWN_CONNECTIONS: "3" });
    });
    after(async () => {
      await stop();
      await database.client.query("drop schema craft cascade; drop role crafty");
    });
    const open = async (): Promise<number> => {
      const { rows } = await database.client.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity a join pg_roles r on r.rolname = a.usename
        where a.datname = current_database() and r.rolname like '%@%' and r.rolname not like '.pool@%'`,
      );
      return rows[0]!.count;
    };

    it("open no more than `ownConnections` together, MapServer's included, and everybody is answered", async () => {
      const tokens = await Promise.all(
        ["captain", "bosun", "guest"].map((name) => tokenFor(database, gateway!.baseUrl, name)),
      );
      const collection = `/api/v4/ogc/database/${database.name}/collections/craft.things`;
      let most = 0;
      for (let round = 0; round < 6; round++) {
        let isDone = false;
        const asked = tokens.flatMap((token) => [
          get(`${collection}/items`, token),
          get(`${collection}/map?width=10&height=10&bbox=0,0,${2 + round},2`, token),
        ]);
        const answering = Promise.all(asked).finally(() => (isDone = true));
        await until(async () => {
          most = Math.max(most, await open());
          return isDone;
        });
        for (const { status, text } of await answering) assert.equal(status, 200, text);
      }
      assert.ok(most > 0 && most <= 3, String(most));
    });
  });

  describe("from their start to their end", () => {
    let started: GatewayProcess;
    before(async () => {
      started = await start({ POOLSIZE: "3", LOG_LEVEL: "info", WORKER_HANG_MS: String(HANG_MS) });
    });
    after(stop);

    it("share the work; one of them reads the events; /metrics counts all together", async () => {
      assert.equal(workersOf(started).length, WORKERS);
      const answers = await Promise.all(Array.from({ length: 20 }, () => get("/livez")));
      assert.ok(answers.every(({ status }) => status === 200));
      const before = await figure(/_seconds_count\{door="operation",method="GET",status="200"\} (\d+)/);
      assert.equal(before, 20);
      assert.equal(await figure(/portolan_events_reader\{database="\w+"\} (\d+)/), 1);
      const token = await tokenFor(database, started.baseUrl, "captain");
      const path = `/api/v4/ogc/database/${database.name}/collections/world.cities/map?width=10&height=10`;
      const maps = await Promise.all([get(path, token), get(path, token), get(path, token)]);
      assert.deepEqual(
        maps.map(({ status }) => status),
        [200, 200, 200],
      );
      let ready = await get("/readyz");
      await until(
        async () => (ready = await get("/readyz")).status === 200,
        undefined,
        () => ready.text,
      );
    });

    it("a killed one is replaced, and the other one serves meanwhile", async () => {
      const [victim] = workersOf(started);
      process.kill(victim!, "SIGKILL");
      await until(() => workersOf(started).length === WORKERS && !workersOf(started).includes(victim!));
      await until(() => /a serving process has ended: another one takes its place/.test(started.stderr)); // it is read as it comes
      assert.equal((await get("/livez")).status, 200);
      await until(async () => (await get("/metrics")).status === 200); // of all, when the new one serves
    });

    it("one that hangs is ended after `workerHangMs` and replaced, and its part in events goes to another", async () => {
      const token = await tokenFor(database, started.baseUrl, "captain");
      const [victim] = workersOf(started);
      process.kill(victim!, "SIGSTOP");
      // requests to the hanging process wait in vain; a request for all figures meanwhile ends no process
      const scrapes = Array.from({ length: 4 }, () => get("/metrics").catch(() => ({ status: 0 })));
      const statuses = (await Promise.all(scrapes)).map(({ status }) => status);
      assert.ok(statuses.every((status) => status === 503 || status === 0) && statuses.includes(503), statuses.join());
      await until(() => workersOf(started).length === WORKERS && !workersOf(started).includes(victim!));
      await until(() => /a serving process does not answer: it is ended/.test(started.stderr)); // it is read as it comes
      for (let n = 0; n < 6; n++) assert.equal((await get("/livez")).status, 200);
      await until(async () => (await figure(/portolan_events_reader\{database="\w+"\} (\d+)/)) === 1);
      const path = "/api/graphql/schema/world";
      const answers = [1, 2, 3].map(() => get(path, token, { body: { query: "{ count: __typename }" } }));
      assert.ok((await Promise.all(answers)).every(({ status }) => status === 200));
    });

    it("are replaced one by one upon SIGHUP: no connection is refused, no request fails", async () => {
      const token = await tokenFor(database, started.baseUrl, "captain");
      const before = workersOf(started);
      let going = true;
      let answered = 0;
      const clients = Array.from({ length: 3 }, async () => {
        while (going) {
          const { status, text } = await get("/api/graphql/schema/world", token, {
            body: { query: "{ getCities(limit: 1) { id } }" },
          });
          assert.deepEqual([status, "errors" in JSON.parse(text)], [200, false], text);
          answered++;
        }
      });
      await until(() => answered > 10);
      process.kill(started.pid, "SIGHUP");
      await Promise.race([until(() => /"msg":"replaced"/.test(started.stderr)), ...clients]);
      const after = workersOf(started);
      assert.deepEqual([after.length, after.some((pid) => before.includes(pid))], [WORKERS, false]);
      going = false;
      await Promise.all(clients);
    });

    it("end together upon SIGTERM, and answer running requests, also if systemd sends it to each of them", async () => {
      const misspelt = "POOLSIZE: there is no such variable, did you mean POOL_SIZE?";
      assert.equal(started.stderr.split(misspelt).length - 1, 1, "only the process that starts the others says it");
      const token = await tokenFor(database, started.baseUrl, "captain");
      const workers = workersOf(started);
      const slow = Promise.all(
        Array.from({ length: 4 }, () =>
          get("/api/v4/sql", token, { body: { q: "select count(*) from generate_series(1, 3000000)" } }),
        ),
      );
      await until(async () => {
        const { rows } = await database.client.query<{ n: number }>(
          "select count(*)::integer as n from pg_stat_activity where query like '%generate_series(1, 3000000)%' and state = 'active' and pid <> pg_backend_pid()",
        );
        return rows[0]!.n === 4;
      });
      for (const pid of workers) process.kill(pid, "SIGTERM");
      assert.equal(await started.stop("SIGTERM"), 0);
      assert.deepEqual(
        (await slow).map(({ status }) => status),
        [200, 200, 200, 200],
      );
      for (const pid of workers) assert.throws(() => process.kill(pid, 0), /ESRCH/);
      gateway = undefined;
    });
  });

  describe("as many as there are cores", () => {
    let started: GatewayProcess;
    before(async () => {
      started = await start({ WORKERS: "0", LOG_LEVEL: "warn" });
    });
    after(stop);

    it("are what WORKERS=0 starts; with one core that is the process itself", () => {
      assert.equal(workersOf(started).length || 1, availableParallelism());
    });

    it("under load, SIGTERM leaves no request unanswered that was begun, and cuts no answer", async () => {
      const token = await tokenFor(database, started.baseUrl, "captain");
      const agent = new Agent({ keepAlive: true });
      const outcomes: { isBegun: boolean; status: number | undefined }[] = [];
      let answered = 0;
      let refused = false;
      const clients = Array.from({ length: 2 * CLIENTS }, async (_, index) => {
        while (!refused) {
          const outcome = { isBegun: false, status: undefined as number | undefined };
          outcomes.push(outcome);
          const body = { query: "{ getCities(limit: 5) { id } }" };
          try {
            const answer = await get("/api/graphql/schema/world", token, {
              body,
              agent: index < CLIENTS && agent,
              onBegun: () => {
                outcome.isBegun = true;
              },
            });
            JSON.parse(answer.text); // it is whole
            outcome.status = answer.status;
            answered++;
          } catch (error) {
            assert.match((error as NodeJS.ErrnoException).code ?? "", /^ECONN(REFUSED|RESET)$/, String(error));
            if ((error as NodeJS.ErrnoException).code === "ECONNREFUSED") refused = true;
          }
        }
      });
      await until(() => answered > 100);
      assert.equal(await started.stop("SIGTERM"), 0);
      await Promise.all(clients);
      gateway = undefined;
      const begun = outcomes.filter(({ isBegun }) => isBegun);
      assert.ok(begun.length > 100);
      assert.ok(begun.every(({ status }) => status === 200));
      assert.doesNotMatch(started.stderr, /takes too long to end/); // a connection that a client keeps holds nobody
    });
  });

  describe("their common resources", () => {
    afterEach(stop);

    it("count requests together", async () => {
      await start({ RATE_LIMIT: "5", LOG_LEVEL: "silent" });
      const statuses: number[] = [];
      for (let n = 0; n < 9; n++) statuses.push((await get("/methods")).status);
      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429, 429, 429]);
    });

    it("count sockets together, and those of a process that was killed are free again", async () => {
      const started = await start({ MAX_SOCKETS_PER_ADDRESS: "3", LOG_LEVEL: "silent" });
      const token = await tokenFor(database, started.baseUrl, "captain");
      const url = `${started.baseUrl.replace(/^http/, "ws")}/?token=${token}`;
      const open = async (): Promise<SocketClient | undefined> => new SocketClient(url).opened().catch(() => undefined);
      const sockets = [await open(), await open(), await open()];
      assert.ok(sockets.every(Boolean));
      assert.equal(await open(), undefined);
      for (const pid of workersOf(started)) process.kill(pid, "SIGKILL");
      await Promise.all(sockets.map(async (socket) => socket?.closed));
      await until(async () => (await get("/livez").catch(() => undefined))?.status === 200);
      for (let n = 0; n < 3; n++) assert.ok(await open());
      assert.equal(await open(), undefined);
    });
  });

  it("a port in use is reported once, and nothing is left running", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const refused = await GatewayProcess.start(
      { DATABASE_URL: database.gatewayUrl, PORT: String(port), WORKERS: "2", LOG_LEVEL: "silent" },
      { wait: false },
    );
    await assert.rejects(refused.ready, /is in use: stop what listens there/);
    server.close();
  });

  it("all end when their terminal is closed, whatever their input is", async () => {
    const folder = mkdtempSync(join(tmpdir(), "portolan-terminal-"));
    const status = join(folder, "status");
    const service = `"${process.execPath}" --stack-size=3900 "${CLI}" start < /dev/null; echo $? > ${status}`;
    // the kernel signals the shell, and its end signals all processes there; the inner shell stays, to report how the
    // service ended
    const command = `sh -c 'trap "" HUP; ${service}'; true`;
    const terminal = spawn("script", ["--quiet", "--command", command, "/dev/null"], {
      env: { ...programEnv(), DATABASE_URL: database.gatewayUrl, PORT: "0", WORKERS: "2", SHELL: "/bin/sh" },
    });
    let said = "";
    terminal.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    await until(
      () => /serves at \S+[^]*\/events\r?\n/.test(said),
      undefined,
      () => said,
    );
    const { port } = new URL(/serves at (\S+)/.exec(said)![1]!);
    assert.match(said, /Console +http:\S+\/console\r?\n/);
    terminal.kill("SIGKILL");
    await until(
      () => existsSync(status) && readFileSync(status, "utf8") === "0\n",
      undefined,
      () => said,
    );
    await assert.rejects(fetch(`http://127.0.0.1:${port}/livez`));
    rmSync(folder, { recursive: true });
  });

  it("with a private cluster each serves the demo, with mails in the log, and SIGHUP ends all, as SIGTERM does", async () => {
    const parent = mkdtempSync(join(tmpdir(), "portolan-workers-"));
    chmodSync(parent, 0o755); // as root, PostgreSQL runs as another user
    const env = { PORTOLAN_DATA: join(parent, "data"), PORT: "0", WORKERS: "2", SIGN_UP: "open" };
    await using demo = await GatewayProcess.start(env);
    assert.match(demo.stdout, /captain/);
    assert.doesNotMatch(demo.stderr, /nobody can sign up/);
    assert.match(await (await fetch(`${demo.baseUrl}/account`)).text(), /href="signup/);
    assert.equal(await demo.stop("SIGHUP"), 0);
    rmSync(parent, { recursive: true });
  });
});
