/// <reference lib="dom" />
/** The days of docs/guides/more-days.md: its headings are the names of these tests. Each day runs on its own. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { blocksOf } from "../docs/documentBlocks.ts";
import { textOf } from "../docs/documents.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";
import { follow, site, write, type Visit } from "./support.ts";

const GUIDE = textOf("docs/guides/more-days.md");
const [STATEMENT = "", DOCUMENT = "", SETTINGS = ""] = blocksOf(GUIDE).map(({ text }) => text.trim());

/** How long a page may take to list its tables before it is loaded again. */
const LISTED_MS = 10_000;

interface Screen {
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
}

/** The small form runs each day on one of two, the large one on all. */
const SCREENS: readonly Screen[] = [
  { width: 1280, height: 800, pixelRatio: 1 },
  { width: 390, height: 844, pixelRatio: 2 },
  ...sized<readonly Screen[]>(
    [],
    [
      { width: 390, height: 844, pixelRatio: 1 },
      { width: 1280, height: 800, pixelRatio: 2 },
    ],
  ),
];

interface Day {
  readonly title: string;
  /** What a super user has prepared. Each account has the password that is its name. */
  readonly prepared: string;
  readonly cleared: string;
  /** Statuses that the day is about. */
  readonly refusals?: readonly number[];
  readonly steps: Readonly<Record<string, () => Promise<void>>>;
}

describe("docs/guides/more-days.md", () => {
  const at = site();
  const visits = new Map<string, Visit>();
  let screen: Screen;
  /** What a step leaves to the next one. */
  let kept = "";

  /** The page of an account, which stays open for the day. */
  async function as(account: string): Promise<Page> {
    const visit = visits.get(account) ?? (await at.visit("", { account, ...screen }));
    visits.set(account, visit);
    return visit.page;
  }
  const open = (page: Page, area: string): Promise<void> =>
    follow(page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name: area, exact: true }));
  async function choose(page: Page, area: string, name: string): Promise<void> {
    await open(page, area);
    const link = page.getByRole("main").getByRole("link", { name, exact: true });
    await until(async () => {
      const isThere = await link.waitFor({ timeout: LISTED_MS }).then(
        () => true,
        () => false,
      );
      if (!isThere) await page.reload(); // the page read the tables before the service knew this one
      return isThere;
    });
    await follow(link);
  }
  const run = (page: Page) => page.getByRole("button", { name: "Run", exact: true }).click();
  const one = async (text: string) => (await at.rows(text))[0];
  const csv = (text: string) => ({ name: "depths.csv", mimeType: "text/csv", buffer: Buffer.from(text) });

  const DAYS: readonly Day[] = [
    {
      title: "An analyst answers a question and keeps the answer",
      prepared: "select portolan.create_user('ana', 'ana'), portolan.set_privilege('world.cities', 'ana', 'read')",
      cleared: `
delete from portolan.queries; delete from portolan.dashboards;
select portolan.set_privilege('world.cities', 'ana', 'none'), portolan.drop_user('ana')`,
      steps: {
        async Ask() {
          const page = await as("ana");
          await open(page, "SQL");
          await write(page, STATEMENT);
          await run(page);
          await page.getByRole("cell", { name: "US", exact: true }).waitFor();
        },
        async "Keep the question"() {
          const page = await as("ana");
          await page.getByRole("button", { name: "Save", exact: true }).click();
          const dialog = page.getByRole("dialog");
          await dialog.getByLabel("Name").fill("cities-per-country");
          await dialog.getByRole("button", { name: "Save" }).click();
          await dialog.waitFor({ state: "detached" });
          assert.deepEqual(await at.rows("select name, q, owner from portolan.queries"), [
            { name: "cities-per-country", q: STATEMENT, owner: "ana" },
          ]);
        },
        async "Put it on a dashboard"() {
          const page = await as("ana");
          await page.getByRole("button", { name: "Add to a dashboard" }).click();
          const dialog = page.getByRole("dialog");
          await dialog.getByLabel("Name of the dashboard").fill("numbers");
          await dialog.getByLabel("Title of the panel").fill("Cities");
          await dialog.getByRole("button", { name: "Add" }).click();
          const panel = page.getByRole("region", { name: "Cities", exact: true });
          await panel.getByRole("cell", { name: "US", exact: true }).waitFor();
          assert.equal((await one("select panels -> 0 ->> 'q' as q from portolan.dashboards")).q, STATEMENT);
        },
      },
    },
    {
      title: "An editor adds a well to the map",
      prepared: `
create table world.wells (id int generated by default as identity primary key, name text not null, geom geometry(Point, 4326));
select portolan.create_user('eve', 'eve'), portolan.set_privilege('world.wells', 'eve', 'write')`,
      cleared: "drop table world.wells; delete from portolan.maps; select portolan.drop_user('eve')",
      steps: {
        async "Open the layer"() {
          const page = await as("eve");
          await open(page, "Maps");
          await page.getByRole("button", { name: "Add a layer" }).click();
          await page.getByLabel("Find a layer").fill("wells");
          await page.getByRole("dialog").getByRole("button", { name: /wells/ }).click();
          await page.getByRole("button", { name: "Edit wells" }).click();
        },
        async "Draw the well"() {
          const page = await as("eve");
          await page.getByRole("button", { name: "Draw", exact: true }).click();
          await page.locator('[role="application"][aria-busy="false"]').click();
          await page.getByText("1 row is not saved.").waitFor();
          await page.getByLabel("name", { exact: true }).fill("North well");
          await page.getByRole("region", { name: "Edit wells" }).getByRole("button", { name: "Save" }).click();
          await page.getByText(/not saved/).waitFor({ state: "detached" });
          assert.deepEqual(await at.rows("select name, geom is not null as is_drawn from world.wells"), [
            { name: "North well", is_drawn: true },
          ]);
        },
        async "Keep the map"() {
          const page = await as("eve");
          await page.getByRole("region", { name: "Edit wells" }).getByRole("button", { name: "Close" }).click();
          await page.getByRole("button", { name: "Save …" }).click();
          await page.getByLabel("Title").fill("Wells");
          await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
          await page.getByRole("heading", { name: "Wells" }).waitFor();
          assert.deepEqual(await at.rows("select name, owner, layers -> 1 ->> 'collection' as layer from portolan.maps"), [
            { name: "wells", owner: "eve", layer: "world.wells" },
          ]); // oxfmt-ignore
        },
      },
    },
    {
      title: "A security officer finds out why somebody was refused",
      prepared: `
create table world.quays (id int primary key, depth int); insert into world.quays values (1, 8);
select portolan.create_user('sam', 'sam'), portolan.set_privilege('world.quays', 'sam', 'read')`,
      cleared: "drop table world.quays; select portolan.drop_user('sam')",
      refusals: [403],
      steps: {
        async "Sam is refused"() {
          const page = await as("sam");
          await open(page, "SQL");
          await write(page, "update world.quays set depth = 9");
          await run(page);
          const [reason] = await Promise.all([
            page.context().waitForEvent("page"),
            page.getByRole("alert").getByRole("link", { name: "Why?" }).click(),
          ]);
          await reason.getByRole("heading", { name: "A grant is missing. world.quays" }).waitFor();
          kept = reason.url();
          await reason.close();
        },
        async "Look at the reason"() {
          const page = await as("captain");
          await page.goto(kept);
          await page.getByRole("heading", { name: "A grant is missing. world.quays" }).waitFor();
          await page.getByText(/captain\.$/).waitFor();
        },
        async "Give the right"() {
          const page = await as("captain");
          await page.getByRole("button", { name: "Let sam write quays" }).click();
          await page.getByRole("button", { name: "Let sam write quays" }).waitFor({ state: "detached" });
          const may = "select has_table_privilege('sam@' || current_database(), 'world.quays', 'update') as may";
          assert.equal((await one(may)).may, true);
        },
        async "Sam tries again"() {
          const page = await as("sam");
          await run(page);
          await page.getByText(/^1 row affected/).waitFor();
          assert.deepEqual(await at.rows("select depth from world.quays"), [{ depth: 9 }]);
        },
        async "Read the audit"() {
          const page = await as("captain");
          await open(page, "Audit");
          await page.getByLabel("Event").fill("privilege");
          await page.getByLabel("Event").press("Enter");
          const entry = page.getByRole("listitem").filter({ hasText: "quays" }).filter({ hasText: "by captain" });
          await entry.first().waitFor();
        },
      },
    },
    {
      title: "A developer takes a query into a program",
      prepared: "select portolan.create_user('dev', 'dev'), portolan.set_privilege('world.countries', 'dev', 'read')",
      cleared: "select portolan.set_privilege('world.countries', 'dev', 'none'), portolan.drop_user('dev')",
      steps: {
        async "Ask by GraphQL"() {
          const page = await as("dev");
          await page.goto(`${at.gateway.baseUrl}/console/graphql/world`);
          await page.getByRole("textbox", { name: "Document" }).click();
          await page.keyboard.press("Control+a");
          await page.keyboard.press("Delete");
          await page.keyboard.insertText(DOCUMENT);
          await run(page);
          await page.getByRole("region", { name: "Answer" }).getByText('"Portugal"').waitFor();
        },
        async "Copy the call"() {
          const page = await as("dev");
          await page.getByText("Ask it from a program").click();
          await page.getByLabel("With my token, which ends soon").check();
          const code = page.getByRole("region", { name: "Language: curl" });
          await code.getByText("Bearer ey").waitFor();
          kept = await code.innerText();
        },
        async "Run what was copied"() {
          const { stdout } = await promisify(execFile)("sh", ["-c", kept]);
          assert.deepEqual(JSON.parse(stdout).data, { getCountries: [{ code: "PT", name: "Portugal" }] });
        },
      },
    },
    {
      title: "A clerk corrects many rows at once",
      prepared: `
create table world.streets (id int primary key, name text);
insert into world.streets values (1, 'Main St.'), (2, 'Hill St.'), (3, 'Main Road');
select portolan.enable_versioning('world.streets'), portolan.create_user('cleo', 'cleo'),
  portolan.set_privilege('world.streets', 'cleo', 'write')`,
      cleared: "drop table world.streets; select portolan.drop_user('cleo')",
      steps: {
        async "See what would change"() {
          const page = await as("cleo");
          await choose(page, "Data", "streets");
          await page.getByRole("button", { name: "Replace", disabled: false }).click();
          const dialog = page.getByRole("dialog");
          await dialog.getByLabel("Find").fill("St.");
          await dialog.getByLabel("Replace with").fill("Street");
          await dialog.getByRole("button", { name: "Preview" }).click();
          await dialog.getByRole("status").getByText("2 rows have this text.").waitFor();
        },
        async Replace() {
          const page = await as("cleo");
          await page.getByRole("dialog").getByRole("button", { name: "Replace in 2 rows" }).click();
          await page.getByRole("status").getByText("2 rows changed.").waitFor();
          assert.equal((await one("select count(*)::int from world.streets where name like '% Street'")).count, 2);
        },
        async "Take it back"() {
          const page = await as("cleo");
          await page.getByRole("button", { name: "Undo" }).click();
          await page.getByRole("status").getByText("2 rows as before.").waitFor();
          assert.equal((await one("select count(*)::int from world.streets where name like '% St.'")).count, 2);
        },
      },
    },
    {
      title: "A surveyor imports a file",
      prepared: `
create table world.depths (id int primary key, metres numeric check (metres > 0));
select portolan.enable_versioning('world.depths'), portolan.create_user('sue', 'sue'),
  portolan.set_privilege('world.depths', 'sue', 'all')`,
      cleared: "drop table world.depths; select portolan.drop_user('sue')",
      refusals: [400],
      steps: {
        async "Check the file"() {
          const page = await as("sue");
          await choose(page, "Data", "depths");
          await follow(page.getByRole("link", { name: "Import" }));
          await page.getByLabel("File", { exact: true }).setInputFiles(csv("id,metres\n1,12.5\n2,deep\n"));
          await page.getByRole("button", { name: "Check all rows first" }).click();
          await page.getByRole("alert").getByText("line 3: metres").waitFor();
          assert.deepEqual(await at.rows("select from world.depths"), []);
        },
        async "Import the corrected file"() {
          const page = await as("sue");
          await page.getByLabel("File", { exact: true }).setInputFiles(csv("id,metres\n1,12.5\n2,20\n"));
          await page.getByRole("button", { name: "Import", exact: true }).click();
          await page.getByText("2 rows inserted into depths.").waitFor();
          assert.equal((await one("select sum(metres)::float from world.depths")).sum, 32.5);
        },
        async "Take the import back"() {
          const page = await as("sue");
          await page.getByRole("button", { name: "Undo: delete these 2 rows" }).click();
          await page.getByText("2 rows deleted again.").waitFor();
          assert.deepEqual(await at.rows("select from world.depths"), []);
        },
      },
    },
    {
      title: "An operator takes a setting to another database",
      prepared: "",
      cleared: "delete from portolan.queries",
      steps: {
        async "Take it along"() {
          const page = await as("captain");
          await open(page, "Configuration");
          const download = page.waitForEvent("download");
          await page.getByRole("button", { name: "Export" }).click();
          assert.equal((await download).suggestedFilename(), "configuration.json");
        },
        async Compare() {
          const page = await as("captain");
          await page.getByLabel("The document, as JSON").fill(SETTINGS);
          await page.getByRole("button", { name: "Compare" }).click();
          await page.getByText("queries · harbours").waitFor();
          assert.deepEqual(await at.rows("select from portolan.queries"), []);
        },
        async Apply() {
          const page = await as("captain");
          await page.getByRole("button", { name: "Apply 1 change" }).click();
          await page.getByRole("status").getByText("1 change made.").waitFor();
          assert.deepEqual(await at.rows("select name, title from portolan.queries"), [
            { name: "harbours", title: "Harbours" },
          ]);
          await page.getByRole("button", { name: "Compare" }).click();
          await page.getByText("The database matches the document.").waitFor();
        },
      },
    },
    {
      title: "A database administrator mends a slow statement",
      prepared: `
create table world.readings (id int primary key, station_id int, value float8);
insert into world.readings select n, n % 500, n from generate_series(1, 50000) n;
analyze world.readings;
do $$ begin execute format('alter table world.readings owner to %I', 'owner@' || current_database()); end $$`,
      cleared: "drop table world.readings",
      steps: {
        async "Read the plan"() {
          const page = await as("captain");
          await open(page, "SQL");
          await write(page, "select * from world.readings where station_id = 7");
          await page.getByRole("button", { name: "Explain" }).click();
          await page.getByRole("region", { name: "Plan" }).locator(".heavy").getByText("Seq Scan").waitFor();
        },
        async "Add the index"() {
          const page = await as("captain");
          await open(page, "Schema");
          const tables = page.getByRole("navigation", { name: "Tables and enums" });
          await follow(tables.getByRole("link", { name: "readings", exact: true }));
          await page.getByRole("button", { name: "Add an index" }).click();
          const dialog = page.getByRole("dialog");
          await dialog.getByLabel("station_id").check();
          await dialog.getByText("(station_id)").waitFor();
          await dialog.getByRole("button", { name: "Create index" }).click();
          await page.getByText("readings_station_id_idx", { exact: true }).waitFor();
          assert.equal((await at.rows("select from pg_indexes where tablename = 'readings'")).length, 2);
        },
        async "Read the plan again"() {
          const page = await as("captain");
          await open(page, "SQL");
          await page.getByLabel("Statement").getByText("station_id").waitFor();
          await page.getByRole("button", { name: "Explain" }).click();
          await page
            .getByRole("region", { name: "Plan" })
            .getByText(/readings_station_id_idx/)
            .first()
            .waitFor();
        },
      },
    },
    {
      title: "An auditor finds out who changed what",
      prepared: `
create table world.permits (id int primary key, state text);
insert into world.permits values (1, 'asked for'), (2, 'asked for');
select portolan.enable_versioning('world.permits');
select portolan.create_user('pat', 'pat'), portolan.set_privilege('world.permits', 'pat', 'read'),
  portolan.set_privilege('world.permits', 'pat', 'write')`,
      cleared: "drop table world.permits; select portolan.drop_user('pat')",
      steps: {
        async "Find the change of a right"() {
          await at.rows("select pg_sleep(1.1)"); // an instant of a page is told to the second
          await at.rows("update world.permits set state = 'granted' where id = 2");
          const page = await as("captain");
          await open(page, "Audit");
          await page.getByLabel("Event").fill("privilege.");
          await page.getByRole("button", { name: "Filter" }).click();
          const entry = page.getByRole("listitem").filter({ hasText: "world.permits" }).first();
          assert.match(await entry.innerText(), /privilege\.changed[^]*pat[^]*before:[^]*read[^]*after:[^]*write/);
        },
        async "Find the change of a row"() {
          const page = await as("captain");
          await choose(page, "History", "permits");
          await page.getByText("2 rows now").waitFor();
          await page.getByRole("group", { name: "What to see" }).getByText("What changed").click();
          await page.getByText("1 changed", { exact: true }).waitFor();
          assert.match(
            await page.getByRole("list", { name: "What changed" }).getByRole("listitem").first().innerText(),
            /before:\s+asked for\s+after:\s+granted/,
          );
          assert.deepEqual(await at.rows("select state from world.permits where id = 2"), [{ state: "granted" }]);
        },
        async "See what the account sees"() {
          const page = await as("captain");
          await open(page, "Access");
          await follow(page.getByRole("link", { name: "See as", exact: true }));
          await page.getByLabel("Account", { exact: true }).selectOption("pat");
          await page.getByLabel("Table", { exact: true }).selectOption("permits");
          await page.getByRole("button", { name: "See", exact: true }).click();
          await page.getByRole("status").getByText("pat sees 2 rows").waitFor();
        },
      },
    },
    {
      title: "A planner shows a plan to everybody",
      prepared: `
create table world.zones (id int generated by default as identity primary key, name text not null, geom geometry(Polygon, 4326));
select portolan.create_user('pia', 'pia'), portolan.set_privilege('world.zones', 'pia', 'write'),
  portolan.set_privilege('world.zones', 'anonymous', 'read')`,
      cleared: "drop table world.zones; delete from portolan.maps; select portolan.drop_user('pia')",
      steps: {
        async "Draw the zone"() {
          const page = await as("pia");
          await choose(page, "Maps", "zones");
          await page.getByRole("button", { name: "Edit zones" }).click();
          await page.getByRole("button", { name: "Draw", exact: true }).click();
          const map = (await page.locator('[role="application"][aria-busy="false"]').boundingBox())!;
          for (const [x, y] of [
            [-60, -50],
            [60, -50],
            [60, 50],
            [-60, 50],
          ] as const)
            // oxfmt-ignore
            await page.mouse.click(map.x + map.width / 2 + x, map.y + map.height / 2 + y);
          await page.getByRole("button", { name: "Finish" }).click();
          await page.getByText("1 row is not saved.").waitFor();
          await page.getByLabel("name", { exact: true }).fill("Harbour quarter");
          await page.getByRole("region", { name: "Edit zones" }).getByRole("button", { name: "Save" }).click();
          await page.getByText(/not saved/).waitFor({ state: "detached" });
          assert.deepEqual(await at.rows("select name, st_npoints(geom) as points from world.zones"), [
            { name: "Harbour quarter", points: 5 },
          ]);
        },
        async "Keep the map"() {
          const page = await as("pia");
          await page.getByRole("region", { name: "Edit zones" }).getByRole("button", { name: "Close" }).click();
          await page.getByRole("button", { name: "Save …" }).click();
          await page.getByLabel("Title").fill("Plan 2027");
          await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
          await page.getByRole("heading", { name: "Plan 2027" }).waitFor();
          assert.deepEqual(await at.rows("select name, owner from portolan.maps"), [
            { name: "plan-2027", owner: "pia" },
          ]);
        },
        async "Share it"() {
          const page = await as("pia");
          await page.getByRole("button", { name: "Share", exact: true }).click();
          const dialog = page.getByRole("dialog");
          await dialog.getByLabel("Everybody, also without an account").check();
          await dialog.getByRole("button", { name: "Save" }).click();
          await dialog.getByText("Public page").waitFor();
          assert.deepEqual(await at.rows("select shared from portolan.maps"), [{ shared: ["*"] }]);
          await dialog.getByRole("button", { name: "Close" }).click();
        },
        async "Anybody looks at it"() {
          const { page } = await at.browser.open(at.gateway.baseUrl, screen);
          const { view } = (await one("select view from portolan.maps")) as {
            view: { center: number[]; zoom: number };
          };
          assert.ok(view.zoom >= 0);
          await page.goto(`${at.gateway.baseUrl}/maps/${at.gateway.database.name}/plan-2027`);
          await page.getByRole("heading", { name: "Plan 2027" }).waitFor();
          await page.locator('[role="application"][aria-busy="false"]').click();
          await page.getByText("Harbour quarter").waitFor();
          await page.context().close();
        },
      },
    },
  ];

  for (const [index, day] of DAYS.entries())
    for (const each of sized([SCREENS[index % SCREENS.length]!], SCREENS))
      describe(`${day.title}: ${each.width} pixels wide, ${each.pixelRatio} of the screen in one`, () => {
        let broken = false;
        before(async () => {
          screen = each;
          if (day.prepared !== "") await at.rows(day.prepared);
        });
        after(async () => {
          const opened = [...visits.values()];
          visits.clear();
          await at.rows(day.cleared);
          if (broken) for (const { page } of opened) await page.context().close();
          else for (const visit of opened) await visit.done(...(day.refusals ?? []));
        });
        for (const [title, step] of Object.entries(day.steps))
          it(title, async function () {
            if (broken) return this.skip(); // an earlier step failed
            broken = true;
            await step();
            for (const [account, { page }] of visits) {
              const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
              assert.ok(overflow <= 0, `the page of ${account} is ${overflow} pixels too wide`);
            }
            broken = false;
          });
      });

  it("has a heading for each of these steps, in their order", () => {
    const headings = DAYS.flatMap(({ title, steps }) => [
      `## ${title}`,
      ...Object.keys(steps).map((step) => `### ${step}`),
    ]);
    assert.deepEqual(GUIDE.match(/^##+ .+$/gm), headings);
  });
});
