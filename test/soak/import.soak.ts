/** A large file is imported in constant memory; a truncated one leaves nothing. Prints its figures. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { freePort } from "../support/freePort.ts";
import { GatewayProcess, megabytesOf } from "../support/process.ts";
import { until } from "../support/until.ts";

const MEGABYTES = Number(process.env["SOAK_IMPORT_MEGABYTES"] ?? 1000);
const LINES_OF_CHUNK = 1000;
const MOST_GROWTH_MB = 300; // garbage that V8 leaves, whatever the size of the file

describe(`an import of ${MEGABYTES} MB`, function () {
  this.timeout(3_600_000);
  let database: TestDatabase;
  let gateway: GatewayProcess;
  let token: string;
  const tell = (what: string, figure: string): void => console.log(`    ${what}: ${figure}`);
  const rows = async (text: string) => (await database.client.query(text)).rows;

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await database.client.query(`
create schema town;
create table town.spots (id bigint primary key, name text not null, size numeric(8, 2), geom geometry(Point, 4326));
select portolan.create_user('ann', null);
select portolan.set_privilege('town.spots', 'ann', 'write')`);
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

  let sent = 0;
  /** Its line in the file. */
  let fault = 0;
  /** The fault of a file: `cut`: the client leaves at its end; `fault`: a line in its middle has no name. */
  type Wrong = "cut" | "fault";
  /** Lines up to this number of megabytes. */
  async function* file(megabytes: number, wrong: Wrong | undefined): AsyncGenerator<Buffer> {
    yield Buffer.from("id,name,size,geom\n");
    sent = 0;
    let isFaulty = false;
    for (let id = 0, bytes = 0; bytes < megabytes * 1e6;) {
      let text = "";
      if (wrong === "fault" && !isFaulty && bytes > megabytes * 0.5e6) {
        isFaulty = true;
        fault = id + 2; // without the line of names
        text = `${id++},,1,POINT(0 0)\n`;
      }
      for (let line = 0; line < LINES_OF_CHUNK; line++, id++)
        text += `${id},"Spot ${id}, near the ""shore""",${id % 100_000}.25,POINT(${(id % 360) - 180} ${(id % 180) - 90})\n`;
      bytes += text.length;
      sent = id;
      yield Buffer.from(text);
    }
    if (wrong === "cut") throw new Error("cut");
  }

  async function post(
    megabytes: number,
    wrong?: Wrong,
  ): Promise<{ status: number; body: { rows: number; detail?: string } }> {
    return new Promise((resolve, reject) => {
      const sending = request(`${gateway.baseUrl}/api/v4/schemas/town/tables/spots/import`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "text/csv" },
      });
      sending.once("error", reject);
      sending.once("response", (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.once("end", () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
      });
      pipeline(Readable.from(file(megabytes, wrong)), sending).catch(reject);
    });
  }

  /** The most memory of the process while `work` ran. */
  async function peakOf(work: Promise<unknown>): Promise<number> {
    let peak = 0;
    const timer = setInterval(() => (peak = Math.max(peak, megabytesOf(gateway.pid))), 200);
    await work.finally(() => clearInterval(timer));
    return peak;
  }

  it("takes no more memory than a small one, and its rows are those of the file", async () => {
    assert.equal((await post(2)).status, 200);
    await rows("truncate town.spots");
    const before = megabytesOf(gateway.pid);
    const begun = Date.now();
    const work = post(MEGABYTES);
    const peak = await peakOf(work);
    const { status, body } = await work;
    const seconds = (Date.now() - begun) / 1000;
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.rows, sent);
    tell("rows", `${body.rows}, ${Math.round(body.rows / seconds)}/s, ${(MEGABYTES / seconds).toFixed(1)} MB/s`);
    tell("memory", `${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most`);
    assert.ok(peak - before < MOST_GROWTH_MB, `${peak - before} MB more`);
    assert.deepEqual(await rows("select count(*)::int as n, count(distinct id)::int as ids from town.spots"), [
      { n: sent, ids: sent },
    ]);
  });

  it("tells the line of a fault in the middle, and leaves nothing, in no more memory", async () => {
    await rows("truncate town.spots");
    assert.equal((await post(2)).status, 200);
    await rows("truncate town.spots");
    const before = megabytesOf(gateway.pid);
    const work = post(MEGABYTES, "fault");
    const peak = await peakOf(work);
    const { status, body } = await work;
    tell("a fault in the middle", `${body.detail}; ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most`);
    assert.equal(status, 400);
    assert.match(body.detail ?? "", new RegExp(`^line ${fault}: `));
    assert.ok(peak - before < MOST_GROWTH_MB, `${peak - before} MB more`);
    assert.deepEqual(await rows("select count(*)::int as n from town.spots"), [{ n: 0 }]);
  });

  it("leaves nothing where the client is gone in the middle", async () => {
    await rows("truncate town.spots");
    await assert.rejects(post(MEGABYTES / 2, "cut"));
    await until(async () => (await rows("select from portolan.jobs where state = 'running'")).length === 0, 60_000);
    assert.deepEqual(await rows("select count(*)::int as n from town.spots"), [{ n: 0 }]);
    const [job] = await rows("select state, done::int as done from portolan.jobs order by id desc limit 1");
    assert.equal(job.state, "failed");
    assert.ok(job.done > 0);
    assert.equal((await post(1)).status, 200, "and the next one comes");
  });
});
