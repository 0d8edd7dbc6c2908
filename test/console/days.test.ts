/// <reference lib="dom" />
/** The days of docs/guides/days.md: its headings are the names of these tests. PICTURES=folder makes its pictures. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { blocksOf } from "../docs/documentBlocks.ts";
import { ROOT, textOf } from "../docs/documents.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";
import { cell, coloured, follow, picture, site, write, type Visit } from "./support.ts";

const GUIDE = textOf("docs/guides/days.md");
const [SETTINGS = "", STATEMENT = ""] = blocksOf(GUIDE).map(({ text }) => text.trim());

interface Screen {
  readonly width: number;
  readonly height: number;
  readonly pixelRatio?: number;
}

/** The pictures are of the first, which alone is in the small form. */
const SCREENS: readonly Screen[] = [
  { width: 1180, height: 740 },
  ...sized<readonly Screen[]>([], [{ width: 390, height: 844, pixelRatio: 2 }]),
];

const days = (screen: Screen) => (): void => {
  const at = site();
  let captain: Visit;
  let ann: Visit;
  let guest: Visit;
  let broken = false;

  /** A step of the guide, which stands on those before it. */
  const step = (title: string, run: () => Promise<void>): void => {
    it(title, async function () {
      if (broken) return this.skip(); // an earlier step failed
      broken = true;
      await run();
      broken = false;
    });
  };
  const open = (page: Page, area: string): Promise<void> =>
    follow(page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name: area, exact: true }));
  const visit = (account: string, password = account): Promise<Visit> => at.visit("", { account, password, ...screen });
  const decided = () =>
    at.rows(
      "select account, details ->> 'relation' as relation from portolan.audit where event = 'access.explained' order by at",
    );

  after(async () => {
    for (const each of [captain, ann, guest]) await each?.done();
  });

  describe("A database administrator sets up a team", () => {
    step("Sign in", async () => {
      captain = await visit("captain");
      await captain.page.getByText("checks passed").waitFor();
      await captain.page.getByRole("img", { name: /^Milliseconds/ }).waitFor();
      await picture(captain.page, "home");
      assert.deepEqual(
        await at.rows("select user_name from portolan.token_families where client_id = 'portolan-console'"),
        [{ user_name: "captain" }],
      );
    });

    step("Make a group and two accounts", async () => {
      const { page } = captain;
      await open(page, "Access");
      for (const [name, country] of [["crew"], ["ann", "PT"], ["ben", "FI"]] as const) {
        await page.getByRole("button", { name: "Add an account" }).click();
        await page.getByLabel("Name", { exact: true }).fill(name);
        if (country) {
          await page.getByLabel("crew", { exact: true }).check();
          await page.getByLabel("Properties").fill(JSON.stringify({ country }));
        }
        await page.getByRole("button", { name: "Add", exact: true }).click();
        await page.getByRole("rowheader", { name, exact: true }).waitFor();
      }
      assert.deepEqual(
        await at.rows("select name, properties from portolan.users where user_group = 'crew' order by name"),
        [
          { name: "ann", properties: { country: "PT" } },
          { name: "ben", properties: { country: "FI" } },
        ],
      );
    });

    step("Invite one by a link", async () => {
      const { page } = captain;
      await page.getByRole("button", { name: "Make a link for ann" }).click();
      const link = await page.getByLabel("Link", { exact: true }).inputValue();
      await page.getByRole("button", { name: "Close" }).click();
      const hers = await at.browser.open(at.gateway.baseUrl);
      await hers.page.goto(link);
      for (const label of ["New password", "Repeat the password"]) await hers.page.getByLabel(label).fill("fair wind");
      await hers.page.getByRole("button", { name: "Set password" }).click();
      await until(
        async () => (await at.rows("select password is not null as has from portolan.users where name = 'ann'"))[0].has,
      );
      assert.deepEqual(hers.errors, []);
      await hers.page.context().close();
    });

    step("Give the group its table", async () => {
      const { page } = captain;
      await follow(page.getByRole("link", { name: "Privileges" }));
      await page.getByLabel("crew on cities", { exact: true }).selectOption("read");
      await page.getByText("crew: read on cities").waitFor();
      await picture(page, "privileges");
      assert.deepEqual(
        await at.rows(`
select name, has_table_privilege(role, 'world.cities', 'select') as reads, has_table_privilege(role, 'world.cities', 'update') as writes
from portolan.users where user_group = 'crew' order by name`),
        ["ann", "ben"].map((name) => ({ name, reads: true, writes: false })),
      );
    });

    step("Try a rule, then save it", async () => {
      const { page } = captain;
      const rules = () => at.rows(`select username, access, "table", filter from portolan.rules`);
      await follow(page.getByRole("link", { name: "Rules" }));
      await page.getByRole("button", { name: "Add a rule" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Access", { exact: true }).selectOption("limit");
      await dialog.getByLabel("Filter").fill("country_code = {{country}}");
      await dialog.getByLabel("Account", { exact: true }).fill("crew");
      await dialog.getByLabel("Table", { exact: true }).fill("cities");
      await dialog.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByLabel("Account", { exact: true }).selectOption("ben");
      await page.getByLabel("Table", { exact: true }).selectOption("cities");
      await page.getByRole("button", { name: "Try" }).click();
      await page
        .getByRole("status")
        .getByText(/^It sees \d{3} rows; with these rules it would see 1 row\.$/)
        .waitFor();
      await picture(page, "rules");
      assert.deepEqual(await rules(), [], "nothing holds before it is saved");
      await page.getByRole("button", { name: "Save the rules" }).click();
      await page.getByRole("button", { name: "Save the rules" }).waitFor({ state: "detached" });
      assert.deepEqual(await rules(), [
        { username: "crew", access: "limit", table: "cities", filter: "country_code = {{country}}" },
      ]);
    });

    step("See as each of them", async () => {
      const { page } = captain;
      await follow(page.getByRole("link", { name: "See as" }));
      const before = (await decided()).length;
      for (const [account, country] of [
        ["ann", "PT"],
        ["ben", "FI"],
      ] as const) {
        const [{ count }] = await at.rows("select count(*)::int from world.cities where country_code = $1", [country]);
        await page.getByLabel("Account", { exact: true }).selectOption(account);
        await page.getByLabel("Table", { exact: true }).selectOption("cities");
        await page.getByRole("button", { name: "See", exact: true }).click();
        await page
          .getByRole("status")
          .getByText(new RegExp(`^${account} sees ${count} rows? with id, name`))
          .waitFor();
        await page.getByText(/^select limit by rule \d+$/).waitFor();
      }
      await picture(page, "see");
      assert.deepEqual(
        (await decided()).slice(before).map(({ account }) => account),
        ["ann", "ben"],
        "each question is in the audit",
      );
    });

    step("Look as one of them", async () => {
      ann = await visit("ann", "fair wind");
      const { page } = ann;
      await open(page, "Data");
      await follow(page.getByRole("link", { name: "cities", exact: true }));
      await page.getByText("3 rows", { exact: true }).waitFor();
      await page.getByText("You may read it and not write it.").waitFor();
      for (const { id, name } of await at.rows("select id, name from world.cities where country_code = 'PT'"))
        assert.equal(await cell(page, String(id), 2).innerText(), name);
    });

    step("Read what was done", async () => {
      const { page } = captain;
      await open(page, "Audit");
      await page.getByLabel("Event").fill("rule");
      await page.getByLabel("Event").press("Enter");
      const entry = page.getByRole("listitem").filter({ hasText: "country_code = {{country}}" });
      await entry
        .getByText(/by captain/)
        .first()
        .waitFor();
      const [{ count }] = await at.rows("select count(*)::int from portolan.audit where event like 'rule%'");
      assert.equal(await page.getByRole("list", { name: "What was done" }).getByRole("listitem").count(), count);
    });
  });

  describe("An editor drafts, a reviewer publishes", () => {
    const states = async () =>
      (await at.rows("select portolan_status as state from world.sights")).map(({ state }) => state);

    step("Make a table", async () => {
      const { page } = captain;
      await open(page, "Schema");
      await page.getByRole("button", { name: "New table" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name", { exact: true }).fill("sights");
      for (const [number, name, type] of [
        [2, "name", "text"],
        [3, "geom", "geometry(Point,4326)"],
      ] as const) {
        await dialog.getByRole("button", { name: "Add column" }).click();
        const column = dialog.getByRole("group", { name: `Column ${number}` });
        await column.getByLabel("Column", { exact: true }).fill(name);
        await column.getByLabel("Type", { exact: true }).fill(type);
      }
      await dialog.getByText("create table world.sights").waitFor();
      await picture(page, "table");
      await dialog.getByRole("button", { name: "Create table" }).click();
      await page.getByRole("heading", { name: "sights", level: 1 }).waitFor();
      assert.deepEqual(
        await at.rows(
          "select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = 'world.sights'::regclass and attnum > 0 order by attnum",
        ),
        [
          { name: "id", type: "bigint" },
          { name: "name", type: "text" },
          { name: "geom", type: "geometry(Point,4326)" },
        ],
      );
    });

    step("Say who drafts, who publishes and who looks on", async () => {
      const { page } = captain;
      await open(page, "SQL");
      await write(page, SETTINGS);
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText(/^1 row, /).waitFor();
      assert.deepEqual(
        await at.rows(
          "select user_name, level from portolan.workflow_roles where relation = 'world.sights'::regclass order by level",
        ),
        [
          { user_name: "eve", level: 1 },
          { user_name: "rea", level: 3 },
        ],
      );
    });

    step("Style the map", async () => {
      const { page } = captain;
      await open(page, "Maps");
      await follow(page.getByRole("link", { name: "sights", exact: true }));
      await page.getByRole("button", { name: "Add a class" }).click();
      await page.locator(".class summary").click();
      await page.getByLabel("Colour", { exact: true }).fill("#c0392b");
      await page.getByLabel("Size", { exact: true }).fill("18");
      await page.getByLabel("Label", { exact: true }).selectOption("name");
      await page.getByRole("button", { name: "Save the style" }).click();
      await page.getByRole("button", { name: "Save the style", disabled: true }).waitFor();
      const [{ style }] = await at.rows("select portolan.style_of('world.sights') as style");
      assert.deepEqual(
        [style[0].styles[0].color, style[0].styles[0].size, style[0].labels[0].text],
        ["#c0392b", 18, "name"],
      );
    });

    step("Draft a row", async () => {
      const { page, done } = await visit("eve", "an editor");
      await open(page, "Data");
      await follow(page.getByRole("link", { name: "sights", exact: true }));
      await page.getByRole("button", { name: "Add a row" }).click();
      await page.getByLabel("name", { exact: true }).fill("Torre de Belém");
      await page.getByLabel("geom", { exact: true }).fill('{"type": "Point", "coordinates": [-9.22, 38.69]}');
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByText("1 row", { exact: true }).waitFor();
      await open(page, "Workflow");
      await page.getByRole("link", { name: "sights 1 of yours" }).waitFor();
      assert.deepEqual(await states(), [1]);
      await done();
    });

    step("Nobody else sees it yet", async () => {
      guest = await visit("guest");
      await open(guest.page, "Maps");
      await follow(guest.page.getByRole("link", { name: "sights", exact: true }));
      await guest.page.locator('[role="application"][aria-busy="false"]').waitFor();
      assert.equal(await coloured(guest.page, "#c0392b"), 0);
      const asked = await at.gateway.graphql("guest", "world", "{ countSights }");
      assert.deepEqual(asked.body, { data: { countSights: 0 } });
    });

    step("Publish it", async () => {
      const { page, done } = await visit("rea", "a reviewer");
      await open(page, "Workflow");
      await follow(page.getByRole("link", { name: "sights 1 to publish" }));
      await page.getByText("Torre de Belém").waitFor();
      await page.getByRole("button", { name: "Choose all 1 shown" }).click();
      await page.getByRole("button", { name: "Publish 1" }).click();
      await picture(page, "publish");
      await page.getByRole("button", { name: "Publish 1 row" }).click();
      await page.getByRole("status").getByText("1 row: published.").waitFor();
      assert.deepEqual(await states(), [3]);
      await done();
    });

    step("The map changes while it is open", async () => {
      const { page } = guest;
      await until(async () => (await coloured(page, "#c0392b")) > 50);
      await picture(page, "map");
      const asked = await at.gateway.graphql("guest", "world", "{ countSights }");
      assert.deepEqual(asked.body, { data: { countSights: 1 } });
    });

    step("See what came of it", async () => {
      const { page } = captain;
      await open(page, "Data");
      await follow(page.getByRole("link", { name: "sights", exact: true }));
      await page.getByRole("checkbox", { name: "Choose row 1", exact: true }).check();
      await follow(page.locator("a.button", { hasText: "History" }));
      const life = page.getByRole("dialog");
      await life.getByText("by rea").waitFor();
      await life.getByText("by eve").waitFor();
      await picture(page, "life");
      await life.getByRole("button", { name: "Close" }).click();
      assert.equal(
        (
          await at.rows(
            "select count(*)::int from portolan.audit where event = 'workflow.published' and account = 'rea'",
          )
        )[0].count,
        1,
      );
    });
  });

  describe("A developer writes a method, and calls it from a program", () => {
    const stored = async () =>
      (await at.rows("select q, published from portolan.methods where method = 'citiesLike'"))[0];
    let program = "";

    step("Write the statement", async () => {
      const { page } = ann;
      await open(page, "Methods");
      await page.getByRole("button", { name: "Write a method" }).click();
      await page.getByLabel("Name").fill("citiesLike");
      await page.getByRole("button", { name: "Create method" }).click();
      await page.getByRole("heading", { name: "citiesLike" }).waitFor();
      await write(page, STATEMENT.replace("zone", "zon"));
      await page.locator(".cm-lintRange-error", { hasText: "zon" }).waitFor();
      await page.keyboard.press("Escape"); // the list of names lies over the statement
      await picture(page, "error");
      await write(page, STATEMENT);
      await page.getByText("Gives name: string, zone: string").waitFor();
    });

    step("Try it before it is saved", async () => {
      const { page } = ann;
      await page.getByLabel("beginning", { exact: true }).fill("M");
      await page.getByRole("button", { name: "Dry run" }).click();
      await page.getByRole("cell", { name: "Madeira", exact: true }).waitFor();
      assert.equal((await stored()).q, "select 1 as one");
    });

    step("Save it, and run it", async () => {
      const { page } = ann;
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: "Save", disabled: true }).waitFor();
      assert.deepEqual(await stored(), { q: STATEMENT, published: false });
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText(/^1 row, \d+ ms$/).waitFor();
      await picture(page, "method");
    });

    step("Have it published", async () => {
      const { page } = captain;
      await open(page, "Methods");
      await follow(page.getByRole("link", { name: "citiesLike" }));
      await page.getByRole("button", { name: "Publish" }).click();
      await page.getByRole("status").getByText("Published: others may call it, of ann").waitFor();
      assert.equal((await stored()).published, true);
    });

    step("Copy the client", async () => {
      const { page } = ann;
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByText("Call it from a program").click();
      await page.getByLabel("Language", { exact: true }).selectOption("TypeScript");
      await page.getByLabel("With my token").check();
      await page.getByRole("region", { name: "Language: TypeScript" }).getByText('token: "ey').waitFor();
      await page.getByRole("button", { name: "Copy TypeScript" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      program = await page.evaluate(() => navigator.clipboard.readText());
    });

    step("Run what was copied", async () => {
      const folder = mkdtempSync(join(tmpdir(), "portolan-days-"));
      try {
        mkdirSync(join(folder, "node_modules"));
        symlinkSync(ROOT, join(folder, "node_modules/portolan"));
        writeFileSync(join(folder, "package.json"), '{"type": "module"}');
        writeFileSync(join(folder, "cities.ts"), program);
        const { stdout } = await promisify(execFile)(process.execPath, ["cities.ts"], { cwd: folder });
        const [city] = await at.rows(
          "select name, zone from world.cities where country_code = 'PT' and name like 'M%'",
        );
        assert.equal(stdout, `[ { name: '${city.name}', zone: '${city.zone}' } ]\n`);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });

  it("has a heading for each of these steps, in their order", function () {
    const days = this.test!.parent!.suites.map(({ title, tests }) => [
      `## ${title}`,
      ...tests.map((test) => `### ${test.title}`),
    ]);
    assert.deepEqual(GUIDE.match(/^##+ .+$/gm), days.flat());
  });
};

for (const screen of SCREENS) describe(`docs/guides/days.md: ${screen.width} pixels wide`, days(screen));
