import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pino } from "pino";
import { until } from "../support/events.ts";
import { mountsTmpfs, onlyIf } from "../support/onlyIf.ts";
import { HAS_SECURITY_INVOKER, SECURITY_INVOKER } from "../support/postgres.ts";
import { mapGateway, type MapGateway, type MapGatewayOptions } from "./fixture.ts";

const isRoot = process.getuid?.() === 0;
const RED = "#ff0000ff";
const BOX = "bbox=10,50,12,52&width=20&height=20";
const STYLED = { red: { of: "squares", style: [{ name: "All", styles: [{ color: "#ff0000" }] }] } };
const RED_MAP = `/collections/gis.red/map?${BOX}`;
/** A slow view. */
const SLOW = `
create function gis.slowly() returns boolean language sql volatile as 'select pg_sleep(0.7) is not null';
create view gis.slow as select id, geom from gis.red where id = 1 and gis.slowly();
select portolan.set_style('gis.slow', '[{"name": "All", "styles": [{"color": "#ff0000"}]}]');`;

/** Workers of this process: those whose program is mapserv. */
function workers(): number[] {
  const children = readdirSync("/proc/self/task").flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean),
  );
  return children.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "mapserv";
    } catch {
      return false;
    }
  });
}

describe("maps and faults", () => {
  let gateway: MapGateway | undefined;
  let directory: string;
  const log = new PassThrough();
  let logged = "";
  log.on("data", (chunk: Buffer) => (logged += chunk.toString()));

  async function start(options: MapGatewayOptions = {}): Promise<MapGateway> {
    logged = "";
    gateway = await mapGateway({
      styled: STYLED,
      log: pino({ level: "warn" }, log),
      ...options,
      config: { mapDirectory: directory, mapWorkers: 1, ...options.config },
    });
    return gateway;
  }
  const redness = async (path = RED_MAP): Promise<string | undefined> => (await gateway?.map(path))?.at(5, 15);
  async function failure(path = RED_MAP): Promise<Record<string, unknown>> {
    const response = await gateway!.ask(path, "captain");
    const text = await response.text();
    assert.equal(response.status, 502, text);
    assert.equal(response.headers.get("content-type"), "application/problem+json; charset=utf-8");
    const { title, status, detail, code, message, type, ...rest } = JSON.parse(text);
    assert.deepEqual(
      { title, status, code, type, detail, message, rest },
      {
        title: "Bad Gateway",
        status: 502,
        code: "MAP_BACKEND_ERROR",
        type: "about:blank",
        detail: "The map rendering backend failed",
        message: "The map rendering backend failed",
        rest: {},
      },
    );
    return { title };
  }
  const mapfiles = (): string[] =>
    readdirSync(directory)
      .filter((name) => name.startsWith("portolan-maps-"))
      .flatMap((name) => readdirSync(join(directory, name)).map((file) => join(directory, name, file)))
      .filter((file) => /\.(map|new)$/.test(file));

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "portolan-faults-"));
    chmodSync(directory, 0o755);
  });
  afterEach(async () => {
    await gateway?.close();
    gateway = undefined;
    await until(() => workers().length === 0);
    rmSync(directory, { recursive: true, force: true });
  });

  it("a worker that is killed while idle is replaced", async () => {
    await start();
    assert.equal(await redness(), RED);
    const [worker = 0] = workers();
    process.kill(worker, "SIGKILL");
    await until(() => workers().length === 0);
    assert.equal(await redness(), RED);
    assert.notEqual(workers()[0], worker);
    const { body } = await gateway!.http.get("/readyz").expect(200);
    assert.equal(body.checks.mapserver, "ok");
  });

  it("a map whose worker is killed in the middle is drawn again", async () => {
    await start({ prepare: ({ client }) => client.query(SLOW) });
    assert.equal(await redness(), RED);
    const slow = redness(`/collections/gis.slow/map?${BOX}`);
    await until(
      async () =>
        (
          await gateway!.client.query(
            "select from pg_stat_activity where application_name = 'portolan maps' and state = 'active'",
          )
        ).rowCount === 1,
    );
    process.kill(workers()[0]!, "SIGKILL");
    assert.equal(await slow, RED);
    assert.match((await gateway!.http.get("/metrics")).text, /portolan_map_retries_total 1\n/);
  });

  it("a worker that hangs is killed when the time is up: 502, and the next map is drawn", async () => {
    await start({ config: { mapTimeoutMs: 1000 } });
    assert.equal(await redness(), RED);
    const [worker = 0] = workers();
    process.kill(worker, "SIGSTOP");
    await failure();
    assert.match(logged, /no answer within 1000 ms/);
    assert.equal(await redness(), RED);
    assert.ok(!workers().includes(worker));
  });

  it("a map is drawn again when PostgreSQL ends its connection, idle or in the middle", async () => {
    await start({ prepare: ({ client }) => client.query(SLOW) });
    const terminate = async (state: string): Promise<boolean> =>
      (
        await gateway!.client.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'portolan maps' and state = $1",
          [state],
        )
      ).rowCount === 1;
    assert.equal(await redness(), RED);
    assert.ok(await terminate("idle"));
    assert.equal(await redness(), RED);
    const slow = redness(`/collections/gis.slow/map?${BOX}`);
    await until(() => terminate("active"));
    assert.equal(await slow, RED);
  });

  onlyIf(HAS_SECURITY_INVOKER, "PostgreSQL 15")(
    "a statement that PostgreSQL refuses costs no worker: 502, or 403 for the want of a right beneath a view",
    async () => {
      await start({
        prepare: async ({ client }) => {
          await client.query(`
create view gis.broken as
  select id, st_translate(geom, 1 / (id - id), 0)::geometry(Polygon, 4326) as geom from gis.squares;
create table gis.hidden (like gis.squares including all);
create view gis.asking ${SECURITY_INVOKER} as select id, geom from gis.hidden;
select portolan.set_privilege('gis.asking', 'guest', 'read');
select portolan.set_privilege('gis.red', 'guest', 'read');`);
        },
      });
      const status = async (path: string): Promise<number> => (await gateway!.ask(`${path}?${BOX}`, "guest")).status;
      assert.equal(await redness(), RED);
      const before = workers();
      for (let n = 0; n < 3; n++) {
        await failure(`/collections/gis.broken/map?${BOX}`);
        assert.equal(await status("/collections/gis.asking/map"), 403);
        assert.equal((await gateway!.ask(`/map?collections=gis.red,gis.asking&${BOX}`, "guest")).status, 403);
      }
      assert.match(logged, /division by zero/);
      for (let n = 0; n < 3; n++) {
        assert.equal(await status("/collections/gis.red/map"), 200);
        await gateway!.client.query("select portolan.set_privilege('gis.red', 'guest', 'none')");
        assert.equal(await status("/collections/gis.red/map"), 403);
        await gateway!.client.query("select portolan.set_privilege('gis.red', 'guest', 'read')");
      }
      assert.deepEqual(workers(), before);
      assert.equal(await metric("portolan_map_retries_total"), "0");
    },
  );

  it("a bad mapfile is 502, the reason stays in the log, and the file is made again", async () => {
    await start();
    assert.equal(await redness(), RED);
    const [file = ""] = mapfiles();
    const text = readFileSync(file, "utf8");
    writeFileSync(file, "MAP\n  NONSENSE\nEND\n");
    await failure();
    assert.match(logged, /loadMapInternal|Unknown identifier|Parsing error/);
    assert.equal(await redness(), RED);
    assert.equal(readFileSync(file, "utf8"), text);
    rmSync(file);
    await failure();
    assert.equal(await redness(), RED);
  });

  it("neither log nor answer contains MapServer's connection", async () => {
    await start();
    assert.equal(await redness(), RED);
    const [file = ""] = mapfiles();
    const password = /password=([^&']+)/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
    assert.ok(password.length > 20);
    writeFileSync(file, readFileSync(file, "utf8").replace("dbname=", "dbname=not_there_"));
    await failure();
    assert.match(logged, /not_there_|does not exist|connection/i);
    assert.doesNotMatch(logged, /password=|postgresql:\/\/\?/);
    assert.ok(!logged.includes(password));
  });

  it("mapfiles are in a folder that others may not look into", async () => {
    await start();
    assert.equal(await redness(), RED);
    const [folder = ""] = readdirSync(directory);
    assert.equal(statSync(join(directory, folder)).mode & 0o027, 0);
    assert.equal(mapfiles().length, 1);
  });

  onlyIf(isRoot, "root")("a mapfile is readable by the workers' user and by nobody else", async () => {
    await start();
    assert.equal(await redness(), RED);
    const [folder = ""] = readdirSync(directory);
    assert.throws(() =>
      execFileSync("setpriv", ["--reuid=12345", "--clear-groups", "--regid=12345", "ls", join(directory, folder)], {
        stdio: "pipe",
      }),
    );
    const [worker = 0] = workers();
    const status = readFileSync(`/proc/${worker}/status`, "utf8");
    assert.match(status, /^Uid:\t65534\t65534\t65534\t65534$/m);
    assert.match(status, /^Groups:\s*$/m);
    assert.match(status, /^NoNewPrivs:\t1$/m);
    assert.match(readFileSync(`/proc/${worker}/limits`, "utf8"), /^Max address space\s+4000000000/m);
  });

  onlyIf(isRoot && mountsTmpfs(), "the right to mount")(
    "a full disk is 502, leaves no half file, and is forgotten when there is room",
    async () => {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", directory], { stdio: "pipe" });
      try {
        await start();
        assert.throws(() => writeFileSync(join(directory, "filler"), Buffer.alloc(2_000_000)), /ENOSPC/);
        await failure();
        assert.deepEqual(mapfiles(), []);
        rmSync(join(directory, "filler"));
        assert.equal(await redness(), RED);
        await gateway?.close();
        gateway = undefined;
      } finally {
        execFileSync("umount", [directory]);
      }
    },
  );

  it("folders of gateways that were killed are removed by the next", async () => {
    const left = mkdtempSync(join(directory, "portolan-maps-999999999-"));
    await start();
    assert.ok(!readdirSync(directory).includes(left.slice(directory.length + 1)));
    assert.equal(readdirSync(directory).length, 1);
    await gateway?.close();
    gateway = undefined;
    assert.deepEqual(readdirSync(directory), []);
  });

  it("a worker makes room for a new one when it has drawn its share", async () => {
    await start({ config: { mapRequestsPerWorker: 3 } });
    const seen = new Set<number>();
    for (let n = 0; n < 7; n++) {
      assert.equal(await redness(), RED);
      for (const pid of workers()) seen.add(pid);
    }
    assert.ok(seen.size >= 2, `${seen.size} workers`);
  });

  it("maps over the budget of pixels are 400, and wait for their turn below it", async () => {
    await start({ config: { mapPixelBudget: 10_000, mapWorkers: 2 } });
    const response = await gateway!.ask("/collections/gis.red/map?width=101&height=100", "captain");
    assert.equal(response.status, 400);
    assert.equal((await response.json()).code, "INVALID_PARAMETER");
    const { name } = gateway!.database;
    await gateway!.http
      .head(`/api/v4/ogc/database/${name}/collections/gis.red/map?width=101&height=100`)
      .auth("captain", "captain")
      .expect(400);
    const all = await Promise.all(
      Array.from({ length: 40 }, () => gateway!.map("/collections/gis.red/map?bbox=10,50,12,52&width=100&height=100")),
    );
    for (const map of all) assert.equal(map.at(25, 75), RED);
  });

  const metric = async (name: string): Promise<string | undefined> =>
    new RegExp(`^${name.replace(/[{}]/g, "\\$&")} (.*)$`, "m").exec((await gateway!.http.get("/metrics")).text)?.[1];

  it("a map that waits too long is 503 with Retry-After", async () => {
    await start({ prepare: ({ client }) => client.query(SLOW), config: { mapQueueTimeoutMs: 300 } });
    assert.equal(await redness(), RED);
    const slow = gateway!.ask(`/collections/gis.slow/map?${BOX}`, "captain");
    await until(async () => (await metric('portolan_map_workers{state="busy"}')) === "1");
    const late = await gateway!.ask(RED_MAP, "captain");
    assert.equal(late.status, 503);
    assert.equal(late.headers.get("retry-after"), "2");
    assert.equal((await late.json()).code, "ACCOUNT_BUSY"); // the one worker draws for the same account
    assert.equal((await slow).status, 200);
    await (await slow).arrayBuffer();
    // a warning in one line: it is expected, and there may be many
    const { level, msg, code, detail, err } = JSON.parse(logged);
    assert.deepEqual(
      { level, msg, code, detail, err },
      {
        level: 40,
        msg: "refused",
        code: "ACCOUNT_BUSY",
        detail: "Other requests of the same account or address use its whole share: try again later",
        err: undefined,
      },
    );
    assert.equal(await metric("portolan_map_account_busy_total"), "1");
  });

  it("a map for whose pixels others leave no room is told so", async () => {
    const config = { mapQueueTimeoutMs: 300, mapWorkers: 2, mapPixelBudget: 500 };
    await start({
      prepare: ({ client }) => client.query(`${SLOW}; select portolan.create_user('eve', 'eve')`),
      config,
    });
    const slow = gateway!.ask(`/collections/gis.slow/map?${BOX}`, "captain");
    await until(async () => (await metric('portolan_map_workers{state="busy"}')) === "1");
    const late = await gateway!.ask(RED_MAP, "captain");
    assert.deepEqual([late.status, late.headers.get("retry-after")], [503, "10"]);
    assert.match(await late.text(), /Other large maps are being drawn/);
    assert.equal((await slow).status, 200);
    await (await slow).arrayBuffer();
  });

  it("slow maps of one account leave a worker for the others, and each is drawn in its turn", async () => {
    await start({
      prepare: ({ client }) => client.query(`${SLOW}; select portolan.create_user('eve', 'eve')`),
      config: { mapWorkers: 2, mapQueueTimeoutMs: 20_000 },
    });
    await gateway!.database.client.query("select portolan.set_privilege('gis.red', 'eve', 'read')");
    assert.equal((await gateway!.ask(RED_MAP, "eve")).status, 200);
    let drawn = 0;
    const slow = Array.from({ length: 4 }, async () => {
      const answer = await gateway!.ask(`/collections/gis.slow/map?${BOX}`, "captain");
      await answer.arrayBuffer();
      drawn++;
      return answer.status;
    });
    await until(async () => (await metric("portolan_map_queue")) === "3");
    assert.equal(await metric('portolan_map_workers{state="busy"}'), "1");
    assert.equal((await gateway!.ask(RED_MAP, "eve")).status, 200);
    assert.ok(drawn < 4, "it did not wait for those before it");
    assert.deepEqual(await Promise.all(slow), [200, 200, 200, 200]);
  });

  it("a slow client gets its own map, whatever is drawn meanwhile", async () => {
    await start({
      prepare: ({ client }) =>
        client.query(`
create table gis.dots as
  select n as id, format('#%s', left(md5(n::text), 6)) as tint,
    st_setsrid(st_makepoint(10 + (n % 200) * 0.01, 50 + n / 200 * 0.01), 4326)::geometry(Point, 4326) as geom
  from generate_series(0, 39999) n;
alter table gis.dots add primary key (id);
select portolan.set_style('gis.dots', '[{"name": "All", "styles": [{"color": "tint", "symbol": "circle", "size": 40}]}]')`),
    });
    const dots = (west: number): Promise<Response> =>
      gateway!.ask(`/collections/gis.dots/map?bbox=${west},50,12,52&width=4000&height=4000&f=tiff`, "captain");
    const whole = Buffer.from(await (await dots(10)).arrayBuffer());
    assert.ok(whole.length > 8_000_000, String(whole.length)); // more than the buffers of the sockets hold
    const slow = await dots(10); // its body waits in the gateway
    for (const west of [9, 9.5]) assert.ok((await (await dots(west)).arrayBuffer()).byteLength > 4_000_000);
    assert.ok(Buffer.from(await slow.arrayBuffer()).equals(whole));
  });

  it("a map whose client has left is not drawn", async () => {
    await start({ prepare: ({ client }) => client.query(SLOW.replace("0.7", "3")) });
    assert.equal(await redness(), RED);
    const leaving = new AbortController();
    const token = await gateway!.token("captain");
    const url = (path: string): string => `${gateway!.baseUrl}/api/v4/ogc/database/${gateway!.database.name}${path}`;
    const ask = (path: string) =>
      fetch(url(path), { headers: { Authorization: `Bearer ${token}` }, signal: leaving.signal }).catch(
        () => undefined,
      );
    const slow = ask(`/collections/gis.slow/map?${BOX}`);
    await until(async () => (await metric('portolan_map_workers{state="busy"}')) === "1");
    const gone = [slow, ...Array.from({ length: 20 }, () => ask(RED_MAP))];
    await until(async () => (await metric("portolan_map_queue")) === "20");
    leaving.abort();
    await Promise.all(gone);
    await until(async () => (await metric("portolan_map_queue")) === "0");
    await until(async () => (await metric("portolan_map_pixels")) === "0");
    assert.equal(await redness(), RED);
  });
});
