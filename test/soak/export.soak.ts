/** Many rows are exported in every format in constant memory, and no temporary file stays. Prints its figures. */
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ROW_FORMAT_NAMES } from "../../server/formats/names.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { freePort } from "../support/freePort.ts";
import { cpuSecondsOf, GatewayProcess, megabytesOf } from "../support/process.ts";
import { until } from "../support/until.ts";

const ROWS = Number(process.env["SOAK_EXPORT_ROWS"] ?? 1_000_000);
const MOST_GROWTH_MB = 300; // garbage that V8 leaves, whatever the size of the table

/** Formats that compress their content. */
const COMPRESSED: ReadonlySet<string> = new Set(["excel", "parquet"]);

describe(`an export of ${ROWS} rows`, function () {
  this.timeout(3_600_000);
  let database: TestDatabase;
  let gateway: GatewayProcess;
  let token: string;

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await database.client.query(`
create schema town;
create table town.spots (
  id bigint primary key, name text not null, size numeric(8, 2), at timestamptz, geom geometry(Polygon, 3857));
insert into town.spots
select n, 'Spot ' || n || ', near the "shore"', n % 100000 + 0.25, '2020-01-01'::timestamptz + n * interval '1 minute',
  st_setsrid(st_makeenvelope(n % 1000, n % 777, n % 1000 + 1, n % 777 + 1), 3857)
from generate_series(1, ${ROWS}) n;
analyze town.spots;
select portolan.create_user('ann', null);
select portolan.set_privilege('town.spots', 'ann', 'read')`);
    gateway = await GatewayProcess.start({
      DATABASE_URL: database.gatewayUrl,
      OWNER_DATABASE_URL: database.url,
      PORT: String(await freePort()),
      LOG_LEVEL: "warn",
    });
    token = await tokenFor(database, gateway.baseUrl, "ann");
  });
  after(async () => {
    await gateway?.stop();
    await database.drop();
  });

  const ask = (query: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response> =>
    fetch(`${gateway.baseUrl}/api/v4/schemas/town/tables/spots/rows?${new URLSearchParams(query)}`, {
      headers: { Authorization: `Bearer ${token}` },
      ...(signal && { signal }),
    });

  async function lengthOf(response: Response): Promise<number> {
    let bytes = 0;
    for await (const piece of response.body!) bytes += (piece as Uint8Array).length;
    return bytes;
  }

  const folders = (): string[] =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`portolan-export-${gateway.pid}-`));

  for (const format of ROW_FORMAT_NAMES)
    it(`as ${format} takes no more memory than a few`, async () => {
      assert.ok((await lengthOf(await ask({ format, limit: "5000" }))) > 0);
      const before = megabytesOf(gateway.pid);
      const cpuBefore = cpuSecondsOf(gateway.pid);
      let peak = 0;
      const timer = setInterval(() => (peak = Math.max(peak, megabytesOf(gateway.pid))), 200);
      const begun = performance.now();
      const response = await ask({ format });
      assert.equal(response.status, 200);
      const bytes = await lengthOf(response).finally(() => clearInterval(timer));
      const seconds = (performance.now() - begun) / 1000;
      console.log(
        `    ${format}: ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s, ${(cpuSecondsOf(gateway.pid) - cpuBefore).toFixed(1)} s of processor; ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most`,
      );
      assert.ok(bytes > 50 * ROWS * (COMPRESSED.has(format) ? 0.2 : 1), `${bytes} bytes`);
      assert.ok(peak - before < MOST_GROWTH_MB, `${peak - before} MB more`);
      await until(() => folders().length === 0);
    });

  it("leaves no temporary file where a client leaves while it is sent", async () => {
    const leave = new AbortController();
    const response = await ask({ format: "geopackage" }, leave.signal);
    const reader = response.body!.getReader();
    await reader.read();
    const [folder] = folders();
    assert.ok(statSync(join(tmpdir(), folder!, "file.gpkg")).size > 50 * ROWS);
    leave.abort();
    await until(() => folders().length === 0);
  });

  it("lets others be answered while it goes on", async () => {
    const whole = ask({ format: "geopackage" }).then(lengthOf);
    let worst = 0;
    let asked = 0;
    let isDone = false;
    void whole.finally(() => (isDone = true));
    while (!isDone) {
      const begun = performance.now();
      await lengthOf(await ask({ limit: "1" }));
      worst = Math.max(worst, performance.now() - begun);
      asked++;
      await pause(20);
    }
    console.log(`    beside a GeoPackage: ${asked} answers, the slowest in ${worst.toFixed(0)} ms`);
    assert.ok(worst < 2000, `${worst} ms`);
  });
});
