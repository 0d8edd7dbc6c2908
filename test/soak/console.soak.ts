/// <reference lib="dom" />
/** The console on a database of many tables, and a large file that fails in the middle. Prints its figures. */
import assert from "node:assert/strict";
import { createWriteStream, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Page } from "playwright-core";
import { answeredWhile, cell, follow, shoot, site, write } from "../console/support.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";

const TABLES = Number(process.env["SOAK_TABLES"] ?? 500);
const MEGABYTES = Number(process.env["SOAK_FILE_MEGABYTES"] ?? 1000);
/** A folder of GeoJSON files. */
const LAYERS = process.env["SOAK_LAYERS"];

/** The rounds of use, and the least seconds of one. By default an hour. */
const ROUNDS = Number(process.env["SOAK_ROUNDS"] ?? 60);
const ROUND_SECONDS = Number(process.env["SOAK_ROUND_SECONDS"] ?? 60);

/** The most that a step may take. The machine may have much else to do for a while; this is not about speed. */
const MOST_MS = 300_000;

const tell = (what: string, figure: string): void => console.log(`    ${what}: ${figure}`);

describe("the console over much", function () {
  this.timeout(7_200_000); // the hour of use alone takes more than one
  const at = site({
    prepare: ({ client }) =>
      client.query(`
create schema yards;
do $$ begin
  for n in 1..${TABLES} loop
    execute format('create table yards.yard_%s (id int primary key, name text, size numeric, place geometry(Point, 4326), yard_id int references yards.yard_%s)', n, greatest(1, n - 1));
    execute format('insert into yards.yard_%s select i, ''yard '' || i, i, st_point(i, i %% 80, 4326), case when %s = 1 then null else i end from generate_series(1, 100) i', n, n);
  end loop;
end $$;
create table yards.loads (id bigint primary key, name text not null, size numeric(8, 2));`),
  });

  /** The time from `act` until something appears. */
  async function timed(what: string, act: () => Promise<unknown>, isThere: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    await act();
    await isThere();
    tell(what, `${(performance.now() - began).toFixed(0)} ms`);
  }

  it(`keeps its heap below 1.5 times that of the first round, after ${ROUNDS} rounds of use`, async () => {
    await at.rows(`
select portolan.create_map('walked', 'Walked', '{"center": [10, 50], "zoom": 4}', '[{"land": true}, {"collection": "world.cities"}]', '{*}'),
  portolan.create_dashboard('walked', 'Walked', '[{"q": "select country_code, count(*) from world.cities group by 1", "show": "bar"}]', '{*}')`);
    const { page, done } = await at.visit("");
    page.setDefaultTimeout(MOST_MS);
    const session = await page.context().newCDPSession(page);
    const heapNow = async (): Promise<number> => {
      for (let round = 0; round < 3; round++) await session.send("HeapProfiler.collectGarbage");
      return (await session.send("Runtime.getHeapUsage")).usedSize / 1e6;
    };
    /** Of a page at rest, the least of several moments: an answer that is just being read takes some MB. */
    const heap = async (): Promise<number> => {
      const seen: number[] = [];
      for (let moment = 0; moment < 4; moment++) {
        if (moment > 0) await new Promise((resolve) => setTimeout(resolve, 500)); // the subject is what is left in time
        seen.push(await heapNow());
      }
      return Math.min(...seen);
    };
    const area = (name: string) => follow(page.locator(".rail").getByRole("link", { name, exact: true }));
    const use = async (): Promise<void> => {
      await area("Data");
      await follow(page.getByRole("link", { name: "cities", exact: true }));
      await page.getByRole("gridcell").first().waitFor();
      await page.mouse.move(900, 600);
      await page.mouse.wheel(0, 3000);
      await page.getByRole("button", { name: "Add a row" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await area("Maps");
      await follow(page.getByRole("link", { name: "Walked" }));
      await page.getByRole("application").waitFor();
      await page.mouse.wheel(0, -400);
      await area("SQL");
      await write(page, `select n, n * n as square from generate_series(1, 500) n`);
      await page.keyboard.press("Control+Enter"); // a list of completions may lie over the button
      await page.getByText(/^500 rows/).waitFor();
      await page.getByRole("group", { name: "Show as" }).getByRole("button", { name: "Chart" }).click();
      await page.getByRole("img", { name: /^square over n/ }).waitFor();
      await area("Dashboards");
      await follow(page.getByRole("link", { name: "Walked" }));
      await page.getByRole("region", { name: /^Bars of/ }).waitFor();
      for (const name of ["Schema", "GraphQL", "REST", "Events", "Access", "Audit", "History"]) await area(name);
      await follow(page.getByRole("link", { name: "Portolan" }));
    };
    await use(); // loads everything
    let first = 0;
    let last = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      const end = Date.now() + ROUND_SECONDS * 1000;
      await use();
      last = await heap();
      first ||= last;
      const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
      if (round === 1 || round % 10 === 0)
        tell(`after ${round} rounds`, `${last.toFixed(1)} MB, ${nodes} nodes, ${jsEventListeners} listeners`);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, end - Date.now()))); // the pace of a person
    }
    assert.ok(last <= 1.5 * first, `${first.toFixed(1)} MB became ${last.toFixed(1)} MB`);
    await done();
  });

  it(`of ${TABLES} tables is opened, searched, drawn and read`, async () => {
    const { page, done } = await at.visit("");
    const go = (path: string) => () => page.goto(`${at.gateway.baseUrl}/console${path}`);
    const loaded = await answeredWhile(page, () =>
      timed("Data, until its tables are there", go("/data"), () =>
        page.getByRole("link", { name: `yard_${TABLES}`, exact: true }).waitFor(),
      ),
    );
    const sizes = await Promise.all(loaded.map((request) => request.sizes()));
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    tell("what came for that, as it comes", `${(bytes / 1000).toFixed(0)} kB in ${loaded.length} answers`);
    const asked = loaded.filter((request) => request.url().includes("/api/graphql/"));
    assert.ok(asked.length > 0);
    const answers = await Promise.all(asked.map(async (request) => (await (await request.response())!.body()).length));
    const graphql = answers.reduce((sum, length) => sum + length, 0);
    tell("of GraphQL, unpacked", `${(graphql / 1000).toFixed(0)} kB`);
    assert.ok(graphql < 100_000 + 2000 * TABLES, "the tables' own types, and not all that are made of them");
    await shoot(page, "many-data");
    await timed("a table of them", go(`/data/yards/yard_${TABLES}`), () => cell(page, "1", 1).waitFor());
    await timed("the schema, as much of it as is drawn", go("/schema/yards"), () =>
      page.getByRole("article").first().waitFor(),
    );
    await shoot(page, "many-schema");
    await timed("privileges", go("/access/privileges"), () => page.getByLabel("Find a table").waitFor());
    await timed(
      "the search, which finds one of them",
      () => search(page, `yard_${TABLES}`),
      () => page.getByRole("option", { name: `yard_${TABLES} table in yards`, exact: true }).waitFor(),
    );
    await shoot(page, "many-search");
    await done();
  });

  it(`a file of ${MEGABYTES} MB that fails in the middle leaves nothing, says where, and comes whole when it is mended`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "portolan-file-"));
    try {
      const line = (id: number): string => `${id},a load with a name of some length ${"x".repeat(60)},${id % 1000}\n`;
      const count = Math.ceil((MEGABYTES * 1_000_000) / line(1_000_000).length);
      const wrong = Math.ceil(count / 2);
      const file = async (name: string, isWrong: boolean): Promise<string> => {
        const path = join(folder, name);
        await pipeline(
          Readable.from(lines(count, (id) => (isWrong && id === wrong ? `${id},,none\n` : line(id)))),
          createWriteStream(path),
        );
        return path;
      };
      const { page, done } = await at.visit("/import/yards/loads");
      const loads = async () => (await at.rows("select count(*)::int from yards.loads"))[0].count;
      const input = page.getByLabel("File", { exact: true });
      await input.setInputFiles(await file("wrong.csv", true));
      await timed(
        "until the fault in the middle is told",
        () => importIt(page),
        () =>
          page
            .getByRole("alert")
            .getByText(`line ${wrong + 1}:`)
            .waitFor({ timeout: 1_800_000 }),
      );
      assert.equal(await loads(), 0);
      await shoot(page, "large-file");
      await input.setInputFiles(await file("mended.csv", false));
      await timed(
        "the mended file",
        () => importIt(page),
        () => page.getByText(/rows inserted into loads\./).waitFor({ timeout: 1_800_000 }),
      );
      assert.equal(await loads(), count);
      await done(400);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  describeOnlyIf(LAYERS !== undefined, "SOAK_LAYERS, a folder of GeoJSON files")("layers of others", () => {
    it("become tables at the first try, with all of their features, and are drawn", async () => {
      const { page, done } = await at.visit("");
      for (const name of readdirSync(LAYERS!).filter((each) => each.endsWith(".geojson"))) {
        await page.goto(`${at.gateway.baseUrl}/console/import/yards`);
        await page.getByLabel("File", { exact: true }).setInputFiles(join(LAYERS!, name));
        const table = basename(name, ".geojson");
        await page.getByLabel("Name of the table").fill(table);
        const told = page.getByRole("alert").or(page.getByText(/rows inserted into /));
        await timed(
          name,
          () => importIt(page),
          () => told.waitFor({ timeout: 600_000 }),
        );
        assert.match(await told.innerText(), /rows inserted into /);
        const [{ count }] = await at.rows(`select count(*)::int from yards.${table}`);
        await page.getByText(`${count.toLocaleString("en")} rows inserted`).waitFor();
        assert.ok(count > 0, name);
        await page.goto(`${at.gateway.baseUrl}/console/maps/yards/${table}`);
        await page.locator('[role="application"][aria-busy="false"]').waitFor();
        await shoot(page, `layer-${table}`);
      }
      await done(400);
    });
  });
});

function* lines(count: number, line: (id: number) => string): Generator<string> {
  yield "id,name,size\n";
  for (let id = 1; id <= count; id += 1000)
    yield Array.from({ length: Math.min(1000, count - id + 1) }, (_, n) => line(id + n)).join("");
}

function importIt(page: Page): Promise<void> {
  return page.getByRole("button", { name: /^(Import|Make the table and import)$/ }).click();
}

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search everything" }).fill(text);
}
