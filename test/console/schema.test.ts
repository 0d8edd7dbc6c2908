/// <reference lib="dom" />
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { violationsOf } from "../support/axe.ts";
import { until } from "../support/until.ts";
import { focused, follow, shoot, site } from "./support.ts";

/** Lines that lie within a table, by pieces of two pixels. */
function crossings(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const tables = [...document.querySelectorAll<HTMLElement>(".diagram .box")];
    return [...document.querySelectorAll<SVGPathElement>(".diagram svg > path")].flatMap((line) => {
      const length = line.getTotalLength();
      const title = line.querySelector("title")!.textContent;
      for (let at = 2; at < length - 2; at += 2) {
        const { x, y } = line.getPointAtLength(at);
        const under = tables.find(
          ({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) =>
            x > offsetLeft + 1 && x < offsetLeft + offsetWidth - 1 && y > offsetTop && y < offsetTop + offsetHeight,
        );
        if (under) return [`${title}: ${under.getAttribute("aria-label")}`];
      }
      return [];
    });
  });
}

/** The tables of the diagram that are not wholly in view. */
function outOfView(page: Page): Promise<readonly (string | null)[]> {
  return page.getByRole("region", { name: "Tables and their foreign keys" }).evaluate((region) => {
    const view = region.getBoundingClientRect();
    return [...region.querySelectorAll("article")].flatMap((table) => {
      const { left, top, right, bottom } = table.getBoundingClientRect();
      const isIn = left >= view.left && top >= view.top && right <= view.right && bottom <= view.bottom;
      return isIn ? [] : [table.ariaLabel];
    });
  });
}

describe("the console: schema", () => {
  const at = site({
    prepare: ({ client, name }) =>
      client.query(`
create table world.ports (id int primary key, name text);
insert into world.ports values (1, 'Nuuk'), (2, 'Vardø');
alter table world.ports owner to "owner@${name}";
create type public.mood as enum ('calm', 'wild');
create table world.buoys (id int primary key, geom geometry(Point, 4326), seen timestamptz, name varchar(20), temper public.mood);
insert into world.buoys values (1, 'SRID=4326;POINT(1 1)', now(), 'One', 'calm');
create table world."<b>" (id int primary key);
create table world.quays (id int primary key);
create table world.crates (id int primary key);
insert into world.crates select generate_series(1, 100001);
analyze world.crates`),
  });
  const test = at.scenarios("Schema");

  it("draws the tables and their foreign keys, and leads to each", async () => {
    const { page, done } = await at.visit("/schema");
    const cities = page.getByRole("article", { name: "cities", exact: true });
    await cities.waitFor();
    assert.ok(
      (await page.locator("svg path title").allTextContents()).some((text) => /^cities \(\w+\) refers to/.test(text)),
    );
    await shoot(page, "diagram");
    assert.deepEqual(await violationsOf(page), {});
    assert.deepEqual(
      (await cities.getByRole("listitem").allInnerTexts()).slice(0, 2).map((text) => text.replaceAll(/\s+/g, " ")),
      ["id integer", "name text"],
    );
    const titles = await page.locator("svg path title").allTextContents();
    assert.ok(titles.includes("areas (parent_id) refers to areas"), titles.join("; "));
    assert.deepEqual(await crossings(page), [], "no line runs behind a table");
    await follow(cities.getByRole("link", { name: "cities" }));
    await page.getByRole("heading", { name: "cities", level: 1 }).waitFor();
    await page.getByRole("rowheader", { name: "name", exact: true }).waitFor();
    await shoot(page, "table");
    await done();
  });

  for (const [width, height] of [
    [1440, 900],
    [900, 500],
    [390, 844],
  ] as const)
    it(`opens the diagram with all tables in view, ${width} pixels wide, and keeps them there`, async () => {
      const { page, done } = await at.visit("/schema/world", { width, height });
      await page.getByRole("article", { name: "cities", exact: true }).waitFor();
      await until(async () => (await outOfView(page)).length === 0);
      await shoot(page, `diagram-${width}`);
      await page.setViewportSize({ width: height, height: width });
      await until(async () => (await outOfView(page)).length === 0);
      const zoomIn = page.getByRole("button", { name: "Zoom in" });
      for (let times = 0; times < 8; times++) await zoomIn.click();
      assert.notDeepEqual(await outOfView(page), []);
      await page.setViewportSize({ width, height });
      assert.notDeepEqual(await outOfView(page), [], "a chosen zoom stays");
      await page.getByRole("button", { name: "Fit" }).click();
      await until(async () => (await outOfView(page)).length === 0);
      await done();
    });

  it("makes the diagram larger and smaller, moves it with the mouse, and saves it as a picture", async () => {
    const { page, done } = await at.visit("/schema/world", { width: 900, height: 500 });
    const region = page.getByRole("region", { name: "Tables and their foreign keys" });
    const table = page.getByRole("article", { name: "cities", exact: true });
    const widthOf = async () => (await table.boundingBox())!.width;
    const isNear = (one: number, other: number): boolean => Math.abs(one - other) < 0.5;
    await table.waitFor();
    await until(async () => (await outOfView(page)).length === 0);
    const width = await widthOf();
    await page.getByRole("button", { name: "Zoom in" }).click();
    assert.ok(isNear(await widthOf(), width * 1.25));
    await region.hover();
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, 100 * (await page.evaluate(() => devicePixelRatio))); // Chromium divides it by that
    await page.keyboard.up("Control");
    await until(async () => isNear(await widthOf(), width));
    for (let times = 0; times < 8; times++) await page.getByRole("button", { name: "Zoom in" }).click();
    const place = async () => (await table.boundingBox())!;
    const before = await place();
    const box = (await region.boundingBox())!;
    await page.mouse.move(box.x + box.width - 40, box.y + box.height - 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 140, box.y + box.height - 90, { steps: 5 });
    await page.mouse.up();
    const after = await place();
    assert.deepEqual([Math.round(before.x - after.x), Math.round(before.y - after.y)], [100, 50]);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as SVG" }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), "world.svg");
    const picture = readFileSync((await file.path())!, "utf8");
    assert.match(picture, /<text[^>]*>&lt;b&gt;<\/text>/, "names are text");
    const drawn = await page.evaluate((text) => {
      const svg = new DOMParser().parseFromString(text, "image/svg+xml");
      return [svg.querySelectorAll("parsererror").length, svg.querySelectorAll("title").length > 4];
    }, picture);
    assert.deepEqual(drawn, [0, true]);
    await done();
  });

  it("has the same short names of types in its diagram, in a table, and above its rows", async () => {
    const { page, done } = await at.visit("/schema/world");
    const types = ["geometry(Point,4326)", "timestamptz", "varchar(20)", "mood"];
    const buoys = page.locator("article", { hasText: "buoys" });
    for (const type of types) await buoys.getByText(type, { exact: true }).waitFor();
    await page.goto(`${at.gateway.baseUrl}/console/schema/world/buoys`);
    const columns = page.getByRole("region", { name: "Columns" });
    for (const type of types) await columns.getByText(type, { exact: true }).waitFor();
    await shoot(page, "types-schema");
    await page.goto(`${at.gateway.baseUrl}/console/data/world/buoys`);
    for (const type of types) await page.getByRole("columnheader").getByText(type, { exact: true }).first().waitFor();
    await shoot(page, "types-data");
    await done();
  });

  test("makes a table by form, with its SQL shown before it runs", async () => {
    const { page, done } = await at.visit("/schema/world");
    await page.getByRole("button", { name: "New table" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("ships");
    await dialog.getByRole("button", { name: "Add column" }).click();
    const second = dialog.getByRole("group", { name: "Column 2" });
    await second.getByLabel("Column", { exact: true }).fill("name");
    await second.getByLabel("not null").check();
    await second.getByLabel("unique").check();
    await second.getByLabel("Default").selectOption("a value");
    await second.getByLabel("Value").fill("no name");
    await dialog.getByRole("button", { name: "Add column" }).click();
    const third = dialog.getByRole("group", { name: "Column 3" });
    await third.getByLabel("Column", { exact: true }).fill("home");
    await third.getByLabel("Refers to").selectOption("refers to countries (code)");
    assert.equal(await third.getByLabel("Type").inputValue(), "text", "as the key that it refers to");
    await dialog.getByLabel("Comment").fill("What sails");
    await dialog.getByText("name text default 'no name' not null").waitFor();
    await dialog.getByText("foreign key (home) references world.countries (code)").waitFor();
    await shoot(page, "new-table");
    assert.deepEqual(await violationsOf(page), {});
    assert.deepEqual(await at.rows("select to_regclass('world.ships') as it"), [{ it: null }]);
    await dialog.getByRole("button", { name: "Create table" }).click();
    await page.getByRole("heading", { name: "ships", level: 1 }).waitFor();
    assert.deepEqual(
      await at.rows(
        "select attname, attnotnull, attidentity from pg_attribute where attrelid = 'world.ships'::regclass and attnum > 0",
      ),
      [
        { attname: "id", attnotnull: true, attidentity: "d" },
        { attname: "name", attnotnull: true, attidentity: "" },
        { attname: "home", attnotnull: false, attidentity: "" },
      ],
    );
    assert.deepEqual(
      await at.rows(
        "select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = 'world.ships'::regclass and contype in ('u', 'f') order by 1",
      ),
      [{ text: "FOREIGN KEY (home) REFERENCES world.countries(code)" }, { text: "UNIQUE (name)" }],
    );
    const row = (name: string) =>
      page.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
    await row("name").getByText("NOT NULL, DEFAULT 'no name'::text").waitFor();
    await row("id").getByText("PRIMARY KEY, GENERATED BY DEFAULT AS IDENTITY").waitFor();
    await done();
  });

  test("adds, changes and drops columns, and edits comments in place", async () => {
    const { page } = await at.visit("/schema/world/ports");
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add a column" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("depth");
    await dialog.getByLabel("Type", { exact: true }).fill("nonsense");
    await dialog.getByText("there is no type 'nonsense'").waitFor();
    await dialog.getByLabel("Type", { exact: true }).fill("numeric(5,1)");
    await dialog.getByLabel("Default").selectOption("a value");
    await dialog.getByLabel("Value").fill("7.5");
    await dialog.getByText("default '7.5'").waitFor();
    await dialog.getByRole("button", { name: "Add column" }).click();
    await page.getByRole("rowheader", { name: "depth" }).waitFor();
    assert.deepEqual(await at.rows("select depth from world.ports"), [{ depth: "7.5" }, { depth: "7.5" }]);
    await page.getByRole("button", { name: "Change name" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("title");
    await dialog.getByRole("button", { name: "Change column" }).click();
    await page.getByRole("rowheader", { name: "title" }).waitFor();
    await page.getByRole("button", { name: "Comment of title: none" }).click();
    await page.getByLabel("Comment of title").fill("Its name <b>now</b>");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Its name <b>now</b>").waitFor();
    await page.getByRole("button", { name: "Drop depth" }).click();
    await page.getByRole("heading", { name: "Drop the column depth with all its values?" }).waitFor();
    await focused(dialog.getByRole("button", { name: "Cancel" }));
    await dialog.getByRole("button", { name: "Drop", exact: true }).click();
    await page.getByRole("rowheader", { name: "depth" }).waitFor({ state: "detached" });
    assert.deepEqual(
      await at.rows(
        "select attname, col_description(attrelid, attnum) as comment from pg_attribute where attrelid = 'world.ports'::regclass and attnum > 0 and not attisdropped",
      ),
      [
        { attname: "id", comment: null },
        { attname: "title", comment: "Its name <b>now</b>" },
      ],
    );
    await page.context().close();
  });

  test("adds constraints and indexes, and names the rule that existing rows violate", async () => {
    const { page } = await at.visit("/schema/world/ports");
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add a column" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("twin");
    await dialog.getByLabel("Type", { exact: true }).fill("integer");
    await dialog.getByRole("button", { name: "Add column" }).click();
    await page.getByRole("rowheader", { name: "twin" }).waitFor();
    await page.getByRole("button", { name: "Add a column" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("place");
    await dialog.getByLabel("Type", { exact: true }).fill("geometry(Point,4326)");
    await dialog.getByText("create index on world.ports using gist (place)").waitFor();
    await dialog.getByRole("button", { name: "Add column" }).click();
    await page.getByRole("rowheader", { name: "place" }).waitFor();
    await page.getByRole("button", { name: "Add a constraint" }).click();
    await dialog.getByLabel("twin").check();
    await dialog.getByLabel("Table", { exact: true }).selectOption("ports");
    await dialog.getByLabel("When the other row is deleted").selectOption("set null");
    await dialog.getByText("references world.ports (id) on delete set null").waitFor();
    await dialog.getByRole("button", { name: "Add constraint" }).click();
    await page.getByText("ports_twin_fkey").waitFor();
    await page.getByRole("button", { name: "Add a constraint" }).click();
    await dialog.getByLabel("Kind").selectOption("Check");
    await dialog.getByLabel("id", { exact: true }).check();
    await dialog.getByLabel("Value").fill("1");
    await dialog.getByRole("button", { name: "Add constraint" }).click();
    await dialog.getByRole("alert").getByText("is violated by some row").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Add an index" }).click();
    await dialog.getByLabel("place", { exact: true }).check();
    assert.equal(await dialog.getByLabel("For").inputValue(), "gist");
    await dialog.getByText("using gist (place)").waitFor();
    await dialog.getByLabel("place", { exact: true }).uncheck();
    await dialog.getByLabel("title").check();
    assert.equal(await dialog.getByLabel("For").inputValue(), "btree");
    await dialog.getByRole("button", { name: "Create index" }).click();
    await page.getByText("ports_title_idx", { exact: true }).waitFor();
    await page.getByText("ports_place_idx", { exact: true }).waitFor(); // made with the column
    await page.getByRole("button", { name: "Drop ports_title_idx" }).click();
    await dialog.getByRole("button", { name: "Drop", exact: true }).click();
    await page.getByText("ports_title_idx", { exact: true }).waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select indexname from pg_indexes where tablename = 'ports' order by 1"), [
      { indexname: "ports_pkey" },
      { indexname: "ports_place_idx" },
    ]);
    await page.context().close();
  });

  test("makes an enum and adds a label between others", async () => {
    const { page, done } = await at.visit("/schema/world");
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "New enum" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("rig");
    await dialog.getByLabel("Labels").fill("sloop\nbrig");
    await dialog.getByRole("button", { name: "Create enum" }).click();
    await page.getByRole("button", { name: "rig", exact: true }).click();
    await dialog.getByLabel("New label").fill("cutter");
    await dialog.getByText("add value 'cutter' after 'sloop'").waitFor();
    await dialog.getByRole("button", { name: "Add the label" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select enum_range(null::world.rig)::text as it"), [{ it: "{sloop,cutter,brig}" }]);
    await done();
  });

  it("offers those who may not alter a table to look at it, and nothing else", async () => {
    const { page, done } = await at.visit("/schema/world/cities", { account: "guest" });
    await page.getByRole("rowheader", { name: "zone" }).waitFor();
    await page.getByText("cities_pkey").waitFor();
    assert.deepEqual(await page.getByRole("button", { name: /new|drop|rename|add|change|comment/i }).all(), []);
    assert.equal(await page.getByRole("link", { name: "New table from a file" }).count(), 0);
    await shoot(page, "table-guest");
    await done();
  });

  test("shows the SQL to copy if somebody else owns a table, and the number of rows before it drops a table", async () => {
    const { page } = await at.visit("/schema/world/%3Cb%3E");
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Comment of <b>: none" }).click();
    await page.getByLabel("Comment of <b>").fill("ours");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("must be owner").waitFor();
    await page.getByText(`comment on table world."<b>" is 'ours';`).waitFor();
    await page.goto(`${at.gateway.baseUrl}/console/schema/world/ports`);
    await page.getByRole("button", { name: "Drop", exact: true }).click();
    await dialog.getByText("It is dropped with 2 rows that you see").waitFor();
    await dialog.getByRole("button", { name: "Drop ports" }).click();
    await page.getByRole("article", { name: "cities", exact: true }).waitFor();
    assert.deepEqual(await at.rows("select to_regclass('world.ports') as it"), [{ it: null }]);
    await page.context().close();
  });

  test("switches history, events and workflow of a table on, gives roles in it, and opens it to everybody", async () => {
    const { page, done } = await at.visit("/schema/world/quays");
    const settings = page.getByRole("region", { name: "Settings" });
    for (const name of ["Events", "Workflow", "Open", "History"]) {
      const box = settings.getByRole("checkbox", { name });
      await box.and(page.locator('[aria-disabled="false"]')).focus();
      await page.keyboard.press("Space");
      if (name === "Workflow") {
        await page.getByRole("dialog").getByText("The table gets the columns portolan_status").waitFor();
        assert.deepEqual(await at.rows("select from portolan.workflow_tables"), []);
        await page.getByRole("button", { name: "Switch on the workflow" }).click();
      }
      await box.and(page.locator('[aria-disabled="false"]:checked:focus')).waitFor();
    }
    await settings.getByLabel("guest").selectOption("reviewer");
    await until(
      async () => (await at.rows("select from portolan.workflow_roles where user_name = 'guest'")).length > 0,
    );
    assert.deepEqual(await violationsOf(page), {});
    const [stored] = await at.rows(`
select portolan.is_versioned(t) as history, portolan.events_of(t) as events, portolan.authentication_of(t) as level,
  portolan.workflow_of(t) as workflow
from (select 'world.quays'::regclass as t) of_table`);
    assert.deepEqual(stored, {
      history: true,
      events: true,
      level: "Write",
      workflow: { enabled: true, roles: [{ subuser: "guest", role: "reviewer" }] },
    });
    await done();
  });

  test("shows the progress of the history of a large table, stops it and continues it", async () => {
    const { page, done } = await at.visit("/schema/world/crates");
    const settings = page.getByRole("region", { name: "Settings" });
    await at.rows("begin; lock table world.crates in exclusive mode"); // nothing of it can be done meanwhile
    await settings.getByRole("checkbox", { name: "History" }).and(page.locator('[aria-disabled="false"]')).check();
    await settings.getByRole("progressbar").waitFor();
    await settings.getByRole("button", { name: "Stop the history of world.crates" }).click();
    await settings.getByText(/^stopped/).waitFor();
    assert.deepEqual(await at.rows("select state from portolan.jobs"), [{ state: "stopped" }]);
    await at.rows("rollback");
    await page.goto(`${at.gateway.baseUrl}/console`);
    await page.getByRole("button", { name: "Continue the history of world.crates" }).click();
    await page.getByRole("list", { name: "Jobs" }).getByText(/^done/).waitFor();
    assert.deepEqual(await at.rows("select portolan.is_versioned('world.crates') as it"), [{ it: true }]);
    await done();
  });

  test("has functions, views, triggers and policies to read, with the SQL to copy", async () => {
    await at.rows(`
create function world."odd <b>"(n int) returns int language sql as 'select n + 1';
create function world.stamps() returns trigger language plpgsql as 'begin return new; end';
create table world.guarded (id int primary key, owner text);
create trigger stamp before insert on world.guarded for each row execute function world.stamps();
create policy own on world.guarded for select to public using (owner = current_user);
create view world.guarded_names as select owner from world.guarded;`);
    const { page, done } = await at.visit("/schema/world");
    await page.getByRole("button", { name: "odd <b>(n integer)" }).click();
    const dialog = page.getByRole("dialog");
    const sql = await dialog.getByRole("region").innerText();
    await dialog.getByRole("button", { name: "Close" }).click();
    await at.rows(`drop function world."odd <b>"(int)`);
    await at.rows(sql);
    assert.deepEqual(await at.rows(`select world."odd <b>"(2) as three`), [{ three: 3 }]);
    for (const [table, name, what] of [
      ["guarded", "own", "policy own on world.guarded"],
      ["guarded", "stamp", "trigger stamp on world.guarded"],
      ["guarded_names", "guarded_names", "view world.guarded_names"],
    ] as const) {
      await page.goto(`${at.gateway.baseUrl}/console/schema/world/${table}`);
      const parts = page.getByRole("list", { name: /triggers and policies/i });
      await parts.locator("summary", { hasText: name }).click();
      const definition = await parts.getByRole("region", { name: `SQL of ${name}` }).innerText();
      assert.deepEqual(await violationsOf(page), {});
      await at.rows(`drop ${what}`);
      await at.rows(definition); // it is whole
    }
    await page.goto(`${at.gateway.baseUrl}/console/access/rules`);
    const policies = page.getByRole("list", { name: "Policies of tables" });
    await policies.locator("summary", { hasText: "policy of guarded" }).click();
    await policies.getByText("using ((owner = CURRENT_USER))").waitFor();
    await done();
  });
});
