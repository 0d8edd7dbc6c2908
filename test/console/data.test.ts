/// <reference lib="dom" />
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import type { Locator, Route } from "playwright-core";
import { violationsOf } from "../support/axe.ts";
import { compile } from "../support/compile.ts";
import { until } from "../support/until.ts";
import { cell, endSessions, expireToken, focused, follow, shoot, site, tabTo } from "./support.ts";

const run = promisify(execFile);

describe("the console: data", () => {
  const at = site({
    prepare: ({ client, name }) =>
      client.query(`
create type world.mood as enum ('calm', 'rough');
create table world.dropped (id int primary key, name text);
insert into world.dropped values (1, 'a');
create table world.passing (id int primary key, name text, more text);
insert into world.passing values (1, 'a', 'b');
create table world.ships (
  id int primary key, name text not null, motto text, mood world.mood, afloat boolean, crew int check (crew > 0),
  log jsonb);
insert into world.ships values
  (1, 'Fram', null, 'calm', true, 16, '{"a": 1}'), (2, 'Belgica', '', null, false, 19, null),
  (3, '<img src=x onerror=alert(1)>', '</script>', 'rough', null, 1, null);
insert into world.ships select n, 'Ship ' || n, null, null, null, null, null from generate_series(4, 1000) n;
create table world."<b>odd & 'long' 表" (id int primary key, "<i>a" text, "b c" text);
insert into world."<b>odd & 'long' 表" values (1, '"><svg onload=alert(2)>', repeat('x', 5000000));
create table world.spots (id int primary key, geom geometry(Point, 4326));
insert into world.spots select n, st_setsrid(st_makepoint(case when n <= 200 then n / 100.0 else 100 + n / 100.0 end, 10), 4326)
from generate_series(1, 500) n;
create table world.keyless (a int, b text);
insert into world.keyless select n, 'row ' || n from generate_series(1, 500) n;
do $$ begin
  execute 'create table world.wide (id int primary key, '
    || (select string_agg(format('c%s int', n), ', ') from generate_series(1, 400) n) || ')';
end $$;
insert into world.wide (id, c400) values (1, 77);
create type world.place as (deck text, number int);
create type world.berth as (dock text, place world.place);
create schema kept; -- its types stand in tables of world, and nobody may name them
create type kept.crate as (label text, weight int);
create type kept.state as enum ('full', 'empty');
create table world.stores (id int primary key, crate kept.crate, state kept.state);
insert into world.stores values (1, ('tea', 5), 'full');
create table world.moorings (id int primary key, berth world.berth, earlier world.berth[]);
insert into world.moorings values (1, ('East', ('upper', 7)), array[('West', null)]::world.berth[]), (2, null, null);
create view world.berths as select berth from world.moorings;
create view world.crews as select s as ship from world.ships s where id < 3;
create table world.friends (id int primary key, ship_id int references world.ships on delete restrict);
insert into world.friends values (1, 5);
create table world.calls (
  id int generated always as identity primary key, ship_id int references world.ships, mood world.mood default 'calm',
  afloat boolean, at date, note text default 'none', secret text);
insert into world.calls (ship_id) values (1);
create table world.fleet (id int primary key, name text not null, mood world.mood);
insert into world.fleet select n, 'Ship ' || n, 'calm' from generate_series(1, 40) n;
select portolan.enable_versioning('world.fleet');
grant select on world.ships to public;
create role dockers;
grant dockers to "guest@${name}";
grant select (id, ship_id, mood, note), update (note), insert (ship_id, note) on world.calls to dockers`),
  });
  const test = at.scenarios("Data");

  it("finds a table, filters by clicks, and shows the same again from its address", async () => {
    const { page, done } = await at.visit("/data");
    await page.getByLabel("Find a table").fill("shi");
    await follow(page.getByRole("link", { name: "Ships" }));
    await page.getByText("1,000 rows").waitFor();
    await shoot(page, "data");
    await page.getByLabel("Column").selectOption("crew");
    await page.getByLabel("Operator").selectOption("≥");
    await page.getByLabel("Value").fill("16");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("2 rows").waitFor();
    await page.getByLabel("Column").selectOption("name");
    await page.getByLabel("Operator").selectOption("begins with");
    await page.getByLabel("Value").fill("B");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("1 row", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("1 row", { exact: true }).waitFor();
    assert.equal(await cell(page, "2", 2).innerText(), "Belgica");
    const address = () => new URL(page.url()).searchParams.get("where");
    assert.equal(address(), '{"and":[{"crew":{"gte":16}},{"name":{"ilike":"B%"}}]}', "as it is, escaped once");
    await page.getByRole("button", { name: "and, after crew ≥ 16: make it or" }).click();
    await page.getByText("2 rows").waitFor();
    assert.equal(address(), '{"or":[{"crew":{"gte":16}},{"name":{"ilike":"B%"}}]}');
    await page.getByRole("group", { name: "crew ≥ 16 or name begins with B" }).waitFor();
    await shoot(page, "filter-or");
    assert.deepEqual(await violationsOf(page), {});
    await page.getByRole("button", { name: "or, after crew ≥ 16: make it and" }).click();
    await page.getByText("1 row", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Without name begins with B" }).click();
    await page.getByText("2 rows").waitFor();
    await page.getByRole("button", { name: "as JSON" }).click();
    await page.getByLabel("Filter as JSON").fill('{"crew": ');
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("This is not a JSON object.").waitFor();
    await page.getByLabel("Filter as JSON").fill('{"crw": 1}');
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("alert").getByText("crw").waitFor();
    await done();
  });

  it("orders by a column and takes a filter as JSON with the keys alone, and the focus is not lost", async () => {
    const { page, done } = await at.visit("/data/world/Countries");
    await cell(page, "AE", 1).waitFor();
    const title = page.getByRole("columnheader", { name: "name" }).getByRole("button");
    await tabTo(page, title);
    await page.keyboard.press("Enter");
    await page.waitForURL(/sort=/);
    await page.getByRole("columnheader", { name: "name" }).and(page.locator('[aria-sort="ascending"]')).waitFor();
    await page.getByRole("gridcell").first().waitFor();
    await focused(title);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Delete 1", exact: true }).waitFor();
    await tabTo(page, page.getByRole("button", { name: "as JSON" }));
    await page.keyboard.press("Enter");
    await focused(page.getByLabel("Filter as JSON"));
    await done();
  });

  it("orders by a column, and reads on to the last row as one scrolls", async () => {
    const { page, done } = await at.visit("/data/world/Ships");
    await page.getByRole("button", { name: "id", exact: true }).click();
    await page.getByRole("columnheader", { name: "id ↑" }).waitFor();
    await page.getByRole("button", { name: "id ↑" }).click();
    await cell(page, "1000", 1).waitFor();
    await page.getByRole("button", { name: "id ↓" }).click();
    await page.getByRole("columnheader", { name: "id", exact: true }).waitFor();
    for (let step = 0; step < 8; step++) {
      await page.getByRole("grid").evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
      await page.waitForFunction(
        (rows) => Number(document.querySelector("[role=grid]")!.getAttribute("aria-rowcount")) > rows,
        Math.min(200 * (step + 1), 1000),
      );
    }
    await page.getByRole("grid").evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
    await cell(page, "1000", 1).waitFor();
    assert.ok((await page.getByRole("row").count()) < 100, "only what is in sight is drawn");
    await page.getByRole("grid").evaluate((grid) => grid.scrollTo(0, 0));
    await cell(page, "1", 1).waitFor(); // it is read again where it is not there any more
    await done();
  });

  test("writes a cell by keyboard alone, and tells null from the empty text", async () => {
    const { page, done } = await at.visit("/data/world/Ships");
    await cell(page, "1", 1).click();
    for (const key of ["ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
    assert.equal(await page.getByRole("group", { name: "Change motto" }).getByRole("checkbox").isChecked(), true);
    await page.keyboard.type("Forward");
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Change motto" }).waitFor({ state: "detached" });
    await cell(page, "1", 3).getByText("Forward", { exact: true }).waitFor();
    assert.deepEqual(await at.rows("select motto from world.ships where id = 1"), [{ motto: "Forward" }]);
    await page.keyboard.press("Enter");
    await page.getByLabel("motto", { exact: true }).fill("");
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Change motto" }).waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select motto from world.ships where id = 1"), [{ motto: "" }]);
    await page.keyboard.press("Enter");
    await page.getByRole("checkbox", { name: "null" }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("group", { name: "Change motto" }).waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select motto from world.ships where id = 1"), [{ motto: null }]);
    await page.keyboard.press("Enter");
    await page.keyboard.type("never");
    await page.keyboard.press("Escape");
    assert.deepEqual(await at.rows("select motto from world.ships where id = 1"), [{ motto: null }]);
    await done();
  });

  test("keeps the input if PostgreSQL refuses it, and if somebody else was faster", async () => {
    const { page, done } = await at.visit("/data/world/Ships");
    await cell(page, "1", 6).dblclick();
    await page.getByLabel("crew", { exact: true }).fill("many");
    await page.keyboard.press("Enter");
    await page.getByText("This is not a number.").waitFor();
    await page.getByLabel("crew", { exact: true }).fill("-5");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("ships_crew_check").waitFor();
    assert.equal(await page.getByLabel("crew", { exact: true }).inputValue(), "-5");
    await at.rows("update world.ships set crew = 17 where id = 1");
    await page.getByLabel("crew", { exact: true }).fill("18");
    await page.keyboard.press("Enter");
    await page.getByText("Somebody has changed this row meanwhile; here is now 17.").waitFor();
    assert.equal(await page.getByRole("alert").count(), 1);
    assert.deepEqual(await at.rows("select crew from world.ships where id = 1"), [{ crew: 17 }]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Reload" }).click();
    await cell(page, "1", 6).getByText("17", { exact: true }).waitFor();
    await cell(page, "1", 6).dblclick();
    await page.getByLabel("crew", { exact: true }).fill("18");
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Change crew" }).waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select crew from world.ships where id = 1"), [{ crew: 18 }]);
    await done();
  });

  test("writes the values of an enum, true and false, and documents as JSON", async () => {
    const { page, done } = await at.visit("/data/world/Ships");
    await cell(page, "2", 4).dblclick();
    await page.getByLabel("mood", { exact: true }).selectOption("rough");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("group", { name: "Change mood" }).waitFor({ state: "detached" });
    await cell(page, "2", 5).dblclick();
    await page.getByLabel("afloat", { exact: true }).selectOption("true");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("group", { name: "Change afloat" }).waitFor({ state: "detached" });
    await cell(page, "2", 7).dblclick();
    await page.getByLabel("log", { exact: true }).fill('{"ports": ["Antwerp"]}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("group", { name: "Change log" }).waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select mood, afloat, log from world.ships where id = 2"), [
      { mood: "rough", afloat: true, log: { ports: ["Antwerp"] } },
    ]);
    await done();
  });

  test("adds a row, whose other columns take their defaults, and names the missing values", async () => {
    const { page, done } = await at.visit("/data/world/Ships");
    await page.getByRole("button", { name: "Add a row" }).click();
    await page.getByRole("dialog").getByLabel("id", { exact: true }).fill("2000");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("dialog").getByRole("alert").getByText("name").waitFor();
    await page.getByRole("dialog").getByLabel("name", { exact: true }).fill("Gjøa");
    await shoot(page, "insert");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("1,001 rows").waitFor();
    assert.deepEqual(await at.rows("delete from world.ships where id = 2000 returning name, motto"), [
      { name: "Gjøa", motto: null },
    ]);
    await done();
  });

  test("deletes the chosen rows, all or none, and first shows their number", async () => {
    const { page, done } = await at.visit("/data/world/Ships");
    const choose = (key: string) => page.getByRole("checkbox", { name: `Choose row ${key}`, exact: true }).check();
    for (const key of ["4", "5"]) await choose(key);
    await page.getByRole("button", { name: "Delete 2" }).click();
    await page.getByRole("heading", { name: "Delete 2 rows of Ships?" }).waitFor();
    await focused(page.getByRole("button", { name: "Keep" }));
    await page.getByRole("button", { name: "Delete 2 rows" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    assert.deepEqual(await at.rows("select id from world.ships where id in (4, 5) order by 1"), [{ id: 4 }, { id: 5 }]);
    await page.getByRole("button", { name: "Keep" }).click();
    await page.getByRole("checkbox", { name: "Choose row 5", exact: true }).uncheck();
    await page.getByRole("button", { name: "Delete 1" }).click();
    await page.getByRole("button", { name: "Delete the row 4" }).click();
    await page.getByText("999 rows").waitFor();
    assert.deepEqual(await at.rows("select id from world.ships where id in (4, 5)"), [{ id: 5 }]);
    await done();
  });

  test("writes one value into all matching rows after it has counted them, and undoes it", async () => {
    const { page, done } = await at.visit(`/data/world/Fleet?where=${encodeURIComponent('{"id":{"gt":10}}')}`);
    const moods = () => at.rows("select mood, count(*)::int from world.fleet group by 1 order by 1");
    await page.getByText("30 rows").waitFor();
    await page.getByRole("button", { name: "Change all" }).click();
    await page.getByRole("heading", { name: "Change 30 rows of Fleet?" }).waitFor();
    await page.getByRole("dialog").getByLabel("Column").selectOption("mood");
    await page.getByRole("dialog").getByLabel("mood", { exact: true }).selectOption("rough");
    await shoot(page, "bulk");
    await page.getByRole("button", { name: "Change 30 rows" }).click();
    await page.getByRole("status").getByText("30 rows changed.").waitFor();
    assert.deepEqual(await moods(), [
      { mood: "calm", count: 10 },
      { mood: "rough", count: 30 },
    ]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("status").getByText("30 rows as before.").waitFor();
    assert.deepEqual(await moods(), [{ mood: "calm", count: 40 }]);
    await done();
  });

  test("deletes all matching rows and restores them, but never over a later change of somebody else", async () => {
    const { page, done } = await at.visit(`/data/world/Fleet?where=${encodeURIComponent('{"id":{"lte":20}}')}`);
    const count = async () => (await at.rows("select count(*)::int from world.fleet"))[0].count;
    await page.getByText("20 rows").waitFor();
    await page.getByRole("button", { name: "Delete all that match" }).click();
    await page.getByRole("button", { name: "Delete 20 rows" }).click();
    await page.getByRole("status").getByText("20 rows deleted.").waitFor();
    assert.equal(await count(), 20);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("status").getByText("20 rows as before.").waitFor();
    assert.equal(await count(), 40);
    for (const key of ["3", "4"]) await page.getByLabel(`Choose row ${key}`, { exact: true }).check();
    await page.getByRole("button", { name: "Delete 2" }).click();
    await page.getByRole("button", { name: "Delete 2 rows" }).click();
    await page.getByRole("status").getByText("2 rows deleted.").waitFor();
    await at.rows("insert into world.fleet values (3, 'somebody else')");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("alert").getByText("Somebody has changed 1 of them since.").waitFor();
    assert.deepEqual(await at.rows("select id, name from world.fleet where id in (3, 4)"), [
      { id: 3, name: "somebody else" },
    ]);
    await done();
  });

  it("shows an account what it may see, and offers no writing where it may only read", async () => {
    const { page, done } = await at.visit("/data/world/Ships", { account: "guest" });
    await page.getByText("You may read it and not write it.").waitFor();
    await cell(page, "8", 2).dblclick();
    await page.keyboard.press("Enter");
    assert.equal(await page.getByRole("group", { name: "Change name" }).count(), 0);
    for (const name of [/^Add a row/, /^Delete/]) assert.equal(await page.getByRole("button", { name }).count(), 0);
    assert.equal(await page.getByRole("link", { name: "Wide" }).count(), 0);
    await page.goto(`${at.gateway.baseUrl}/console/data/world/Wide`);
    await page.getByText("There is no Wide, or you may not see it.").waitFor();
    await done();
  });

  test("follows the rights to single columns: those that it may read, write and set in a new row", async () => {
    const { page, done } = await at.visit("/data/world/Calls", { account: "guest" });
    await cell(page, "1", 4).dblclick();
    await page.getByLabel("note", { exact: true }).fill("ahoy");
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Change note" }).waitFor({ state: "detached" });
    await cell(page, "1", 3).dblclick();
    assert.equal(await page.getByRole("group", { name: "Change mood" }).count(), 0);
    assert.deepEqual(
      (await page.getByRole("columnheader").allInnerTexts())
        .map((text) => text.split("\n")[0]!.trim()) // its type is beneath it
        .filter((text) => text !== "Chosen"),
      ["id", "ship_id", "mood", "note"],
    );
    await page.getByRole("button", { name: "Add a row" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("note", { exact: true }).waitFor();
    assert.deepEqual(await dialog.locator(".field .tools > span").allInnerTexts(), ["ship_id integer", "note text"]);
    await dialog.getByLabel("Find in Ships").fill("belg");
    await dialog.getByLabel("Rows of Ships").selectOption({ label: "Belgica · 2" });
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select id, ship_id, mood, note from world.calls order by id"), [
      { id: 1, ship_id: 1, mood: "calm", note: "ahoy" },
      { id: 2, ship_id: 2, mood: "calm", note: "none" },
    ]);
    await done();
  });

  test("takes the labels of an enum, yes and no, dates and rows of another table from pickers, and tells null from a default", async () => {
    const { page, done } = await at.visit("/data/world/Calls");
    await page.getByRole("button", { name: "Add a row" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("note", { exact: true }).waitFor();
    assert.equal(await dialog.getByLabel("id", { exact: true }).count(), 0, "PostgreSQL alone gives it");
    await dialog.getByLabel("Rows of Ships").locator("option:not([hidden])").first().click(); // one that was not chosen before
    assert.match(await dialog.getByLabel("ship_id", { exact: true }).inputValue(), /^\d+$/);
    await dialog.getByLabel("Find in Ships").fill("7");
    await dialog.getByLabel("Rows of Ships").selectOption("7");
    await dialog.getByLabel("mood", { exact: true }).selectOption("rough");
    await dialog.getByLabel("afloat", { exact: true }).selectOption("false");
    await dialog.getByLabel("at", { exact: true }).fill("2026-01-31");
    await dialog.getByRole("button", { name: "Null for note" }).click();
    await dialog.getByLabel("secret", { exact: true }).fill("x");
    await dialog.getByLabel("secret", { exact: true }).fill("");
    await shoot(page, "insert");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(
      await at.rows("select ship_id, mood, afloat, at::text, note, secret from world.calls where mood = 'rough'"),
      [{ ship_id: 7, mood: "rough", afloat: false, at: "2026-01-31", note: null, secret: "" }],
    );
    await done();
  });

  test("adds a row once, if the answer is lost and it is sent again", async () => {
    const { page } = await at.visit("/data/world/Calls");
    let sent = 0;
    await page.route("**/graphql/**", async (route) => {
      if (!route.request().postData()?.startsWith(`{"query":"mutation`) || ++sent > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.getByRole("button", { name: "Add a row" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("note", { exact: true }).fill("lost");
    await dialog.getByLabel("Rows of Ships").selectOption({ index: 1 });
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByRole("alert").filter({ hasText: "does not answer" }).waitFor();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select count(*)::int as n from world.calls where note = 'lost'"), [{ n: 1 }]);
    assert.equal(sent, 2);
    await at.rows("delete from world.calls where note = 'lost' returning 1");
    await page.context().close();
  });

  it("draws hostile names and values as text, a value of 5 MB and 400 columns", async () => {
    const { page, done } = await at.visit("/data/world/Ships");
    assert.equal(await cell(page, "3", 2).innerText(), "<img src=x onerror=alert(1)>");
    const odd = page.getByRole("navigation", { name: "Relations" }).getByRole("link").filter({ hasText: /odd/i });
    await follow(odd);
    assert.match(await cell(page, "1", 2).innerText(), /svg onload/);
    assert.ok((await cell(page, "1", 3).innerText()).length < 1000);
    await follow(page.getByRole("link", { name: "Wide" }));
    await cell(page, "1", 1).click();
    await page.keyboard.press("End");
    await cell(page, "1", 401).getByText("77").waitFor();
    assert.ok((await page.getByRole("columnheader").count()) < 40, "only the columns in sight are drawn");
    await done();
  });

  test("shows composite values, also of a view that has no other columns, and writes one as JSON", async () => {
    const { page, done } = await at.visit("/data/world/Moorings");
    await page.getByText("2 rows").waitFor();
    assert.equal(await cell(page, "1", 2).innerText(), '{"dock":"East","place":{"deck":"upper","number":7}}');
    assert.equal(await cell(page, "1", 3).innerText(), '[{"dock":"West","place":null}]');
    await cell(page, "2", 2).dblclick();
    await page.getByLabel("berth", { exact: true }).fill('{"dock": "North", "place": {"deck": "lower", "number": 2}}');
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Change berth" }).waitFor({ state: "detached" });
    const [second] = await at.rows("select (berth).dock, ((berth).place).number from world.moorings where id = 2");
    assert.deepEqual(second, { dock: "North", number: 2 });
    await page.goto(`${at.gateway.baseUrl}/console/data/world/Stores`);
    await cell(page, "1", 2).dblclick();
    await page.getByLabel("crate", { exact: true }).fill('{"label": "salt", "weight": 7}');
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Change crate" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Add a row" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("id", { exact: true }).fill("2");
    await dialog.getByLabel("crate", { exact: true }).fill('{"label": "rum", "weight": null}');
    await dialog.getByLabel("state", { exact: true }).selectOption("empty");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select (crate).label, state from world.stores order by id"), [
      { label: "salt", state: "full" },
      { label: "rum", state: "empty" },
    ]);
    await page.goto(`${at.gateway.baseUrl}/console/data/world/Berths`);
    await page.getByText('{"dock":"East","place":{"deck":"upper","number":7}}').waitFor();
    await page.goto(`${at.gateway.baseUrl}/console/data/world/Crews`);
    await page.getByText(/"name":"Belgica"/).waitFor();
    await done();
  });

  it("reads a table without a key by number, and offers nothing that needs one", async () => {
    const { page, done } = await at.visit("/data/world/Keyless");
    await page.getByText("500 rows").waitFor();
    await page.getByRole("grid").evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
    await page.waitForFunction(() => document.querySelector("[role=grid]")!.getAttribute("aria-rowcount") === "401");
    assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 0);
    assert.equal(await page.getByRole("button", { name: "Add a row" }).count(), 1);
    await done();
  });

  test("continues with a renewed token in the middle of an edit", async () => {
    const { page, done } = await at.visit("/data/world/Ships", { bySignIn: true });
    await cell(page, "6", 3).dblclick();
    await page.getByLabel("motto", { exact: true }).fill("still here");
    let isRefused = false;
    await page.route("**/console/session/token*", (route) => {
      if (isRefused) return route.continue();
      isRefused = true; // the token is good for another minute
      return route.fulfill({ status: 503, json: { detail: "Too many requests wait for the database at the moment" } });
    });
    await expireToken(page);
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Change motto" }).waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select motto from world.ships where id = 6"), [{ motto: "still here" }]);
    assert.ok(isRefused);
    const renewed = page.waitForResponse("**/console/session/token*");
    await cell(page, "6", 3).dblclick();
    await page.getByLabel("motto", { exact: true }).fill("still there");
    await page.keyboard.press("Enter");
    assert.equal((await renewed).status(), 200);
    await page.getByRole("group", { name: "Change motto" }).waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select motto from world.ships where id = 6"), [{ motto: "still there" }]);
    await done(503);
  });

  test("keeps an edit and a new row when the session ends, and shows them again after the next sign-in", async () => {
    const { page, done } = await at.visit("/data/world/Ships", { bySignIn: true });
    const endSignIn = async () => {
      await endSessions(at);
      await expireToken(page);
    };
    /** The page beneath a dialog says that the sign-in has ended too, and its button cannot be reached. */
    const signInAgain = async (where: Locator) => {
      await where.getByRole("button", { name: "Sign in again" }).first().click();
      await page.getByLabel("User name").fill("captain");
      await page.getByLabel("Password").fill("captain");
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await cell(page, "8", 3).dblclick();
    await page.getByLabel("motto", { exact: true }).fill("not lost");
    await endSignIn();
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Change motto" }).getByText("Your sign-in has ended.").waitFor();
    await cell(page, "9", 1).waitFor(); // the rows are still there to look at
    await signInAgain(page.locator("body"));
    const unsaved = page.getByRole("group", { name: "Unsaved edit" });
    await unsaved.getByText("You were changing motto of the row 8 to not lost, and it is not saved.").waitFor();
    assert.deepEqual(await violationsOf(page), {});
    await unsaved.getByRole("button", { name: "Save it" }).click();
    await unsaved.waitFor({ state: "detached" });
    await cell(page, "8", 3).getByText("not lost").waitFor();
    assert.deepEqual(await at.rows("select motto from world.ships where id = 8"), [{ motto: "not lost" }]);
    await page.getByRole("button", { name: "Add a row" }).click();
    await page.getByRole("dialog").getByLabel("id", { exact: true }).fill("3000");
    await page.getByRole("dialog").getByLabel("name", { exact: true }).fill("Roald");
    await endSignIn();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await signInAgain(page.getByRole("dialog"));
    await page.getByRole("button", { name: "Add a row" }).click();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("delete from world.ships where id = 3000 returning name"), [{ name: "Roald" }]);
    await done(400);
  });

  test("does not write a kept edit over a change of somebody else, and discards it on request", async () => {
    const { page, done } = await at.visit("/data/world/Ships");
    await cell(page, "9", 3).dblclick();
    await page.getByLabel("motto", { exact: true }).fill("mine");
    await page.reload();
    const unsaved = page.getByRole("group", { name: "Unsaved edit" });
    await unsaved.getByText("to mine").waitFor();
    await at.rows("update world.ships set motto = 'theirs' where id = 9");
    await unsaved.getByRole("button", { name: "Save it" }).click();
    await unsaved.getByRole("alert").getByText("Somebody has changed this row").waitFor();
    assert.deepEqual(await at.rows("select motto from world.ships where id = 9"), [{ motto: "theirs" }]);
    await unsaved.getByRole("button", { name: "Discard" }).click();
    await page.reload();
    await cell(page, "9", 3).getByText("theirs").waitFor();
    assert.equal(await unsaved.count(), 0);
    await done();
  });

  it("does not show what one was typing to who signs in to the same window next", async () => {
    const { page, done } = await at.visit("/data/world/Ships");
    await cell(page, "9", 3).dblclick();
    await page.getByLabel("motto", { exact: true }).fill("a secret of the captain's");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.goto(`${at.gateway.baseUrl}/console/data/world/Ships`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("User name").fill("guest");
    await page.getByLabel("Password").fill("guest");
    await page.getByRole("button", { name: "Sign in" }).click();
    await cell(page, "9", 3).waitFor();
    assert.equal(await page.getByRole("group", { name: "Unsaved edit" }).count(), 0);
    await done();
  });

  test("keeps an edit while the service does not answer, and saves it when it answers again", async () => {
    const { page } = await at.visit("/data/world/Ships");
    await cell(page, "7", 3).dblclick();
    await page.getByLabel("motto", { exact: true }).fill("patience");
    await page.context().setOffline(true);
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("does not answer").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("group", { name: "Change motto" }).waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select motto from world.ships where id = 7"), [{ motto: "patience" }]);
    await page.context().close();
  });

  for (const { what, table, column, drop, after } of [
    {
      what: "table",
      table: "dropped",
      column: { name: "name", at: 2 },
      drop: "drop table world.dropped",
      after: { text: "select to_regclass('world.dropped') as gone", rows: [{ gone: null }] },
    },
    {
      what: "column",
      table: "passing",
      column: { name: "more", at: 3 },
      drop: "alter table world.passing drop column more",
      after: { text: "select name from world.passing", rows: [{ name: "a" }] },
    },
  ])
    test(`keeps what is written in a cell if the ${what} is dropped meanwhile, and says so`, async () => {
      const { page } = await at.visit(`/data/world/${table}`);
      await cell(page, "1", column.at).dblclick();
      await page.getByLabel(column.name, { exact: true }).fill("kept");
      await at.rows(drop);
      await page.keyboard.press("Enter");
      const group = page.getByRole("group", { name: `Change ${column.name}` });
      await group.getByRole("alert").getByText("The table was altered or dropped since you opened it.").waitFor();
      assert.equal(await page.getByLabel(column.name, { exact: true }).inputValue(), "kept");
      assert.deepEqual(await at.rows(after.text), after.rows);
      await page.context().close();
    });

  it("shows the rows in view on the map view, whichever were read first", async () => {
    const { page, done } = await at.visit("/data/world/spots?as=map");
    const map = page.getByRole("application");
    await map.and(page.locator('[data-shapes="200"]')).waitFor();
    await map.focus();
    await until(async () => {
      await page.keyboard.press("-");
      await page.waitForLoadState("networkidle");
      return (await map.getAttribute("data-shapes")) === "500";
    }, 60_000);
    await shoot(page, "data-map-view");
    assert.deepEqual(await violationsOf(page), {});
    await done();
  });

  at.scenarios("API")("shows programs how to read a table: code that runs, and the type of its rows", async () => {
    const { page, done } = await at.visit("/data/world/Ships");
    await follow(page.getByRole("link", { name: "API", exact: true }));
    await page.getByLabel("With my token").first().check();
    const code = async (language: string): Promise<string> => {
      await page.getByLabel("Language", { exact: true }).selectOption(language);
      const shown = page.getByRole("region", { name: `Language: ${language}` });
      await shown.getByText("Bearer ey").waitFor();
      return shown.innerText();
    };
    await shoot(page, "api");
    for (const [name, found] of [
      ["REST", /"name": ?"Ship 5"/],
      ["SQL", /"name": ?"Ship 5"/],
    ] as const) {
      await page.getByRole("group", { name: "Interface" }).getByRole("button", { name }).click();
      await page.getByLabel("With my token").first().check();
      assert.match((await run("sh", ["-c", await code("curl")])).stdout, found);
      const [python, script] = [await code("Python"), await code("TypeScript")];
      assert.match((await run("python3", ["-c", python])).stdout, /'name': 'Ship 5'/);
      assert.equal(compile({ "read.mts": script }), "");
    }
    await page.getByRole("group", { name: "Interface" }).getByRole("button", { name: "GraphQL" }).click();
    await page.getByLabel("With my token").first().check();
    const answer = JSON.parse((await run("sh", ["-c", await code("curl")])).stdout) as {
      data: { getShips: object[] };
    };
    assert.equal(answer.data.getShips.length, 10);
    const [first] = await at.rows("select name from world.ships where id = 1");
    assert.ok((await run("python3", ["-c", await code("Python")])).stdout.includes(`'name': '${first?.["name"]}'`));
    const typescript = await code("TypeScript");
    assert.equal(compile({ "ships.mts": typescript }), "");
    const script = ["--input-type=module-typescript", "--no-warnings", "-e", typescript];
    assert.match((await run(process.execPath, script)).stdout, /name: 'Ship 5'/);
    await page.getByLabel("Language, Insert a row", { exact: true }).selectOption("TypeScript");
    const written = page.getByRole("region", { name: "Language, Insert a row: TypeScript" });
    assert.equal(compile({ "insert.mts": await written.innerText() }), "");
    assert.match(await written.innerText(), /insertShips\(data: \$data\)/);
    await page.getByLabel("Language, Update rows", { exact: true }).waitFor();
    await page.getByLabel("Language, Delete rows", { exact: true }).waitFor();
    await page.getByLabel("Language, Insert a row", { exact: true }).selectOption("SQL");
    await at.rows(`explain ${await page.getByRole("region", { name: "Language, Insert a row: SQL" }).innerText()}`);
    const typed = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download Ships.py" }).click();
    const module = readFileSync(await (await typed).path(), "utf8");
    assert.match(
      module,
      /Ships = TypedDict\("Ships", \{[^}]* {4}"mood": Literal\["calm", "rough"\] \| None,\n {4}"afloat": bool \| None,/,
    );
    await run("python3", ["-c", module]);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download Ships.ts" }).click();
    const text = readFileSync(await (await download).path(), "utf8");
    assert.match(
      text,
      /export interface Ships \{[^}]* {2}mood: "calm" \| "rough" \| null;\n {2}afloat: boolean \| null;/,
    );
    assert.equal(await page.getByRole("list", { name: "Addresses" }).count(), 0, "it has no geometry");
    await page.goto(`${at.gateway.baseUrl}/console/data/world/Moorings/api`);
    const berth = "{ dock: string | null; place: { deck: string | null; number: number | null } | null }";
    await page.getByText(`berth: ${berth} | null;`).first().waitFor();
    await page.getByText(`earlier: (${berth} | null)[] | null;`).first().waitFor();
    await page.goto(`${at.gateway.baseUrl}/console/data/world/Cities/api`);
    await page.getByText("geom: Geometry | null;").or(page.getByText("geom: Geometry;")).first().waitFor();
    const address = page.getByRole("list", { name: "Addresses" }).getByText("/items?");
    const token = await at.gateway.token("captain");
    const items = await fetch(await address.innerText(), { headers: { Authorization: `Bearer ${token}` } });
    assert.equal(((await items.json()) as { type: string }).type, "FeatureCollection");
    for (const [name, root] of [
      ["WMS", "WMS_Capabilities"],
      ["WMTS", "Capabilities"],
      ["WFS", "WFS_Capabilities"],
    ] as const) {
      const classic = page.getByRole("listitem").filter({ hasText: `${name}, for QGIS` });
      await classic.getByRole("button", { name: `Copy: ${name}, for QGIS, ArcGIS and others` }).waitFor();
      const place = await classic.locator("code").innerText();
      assert.equal(new URL(place).pathname, `/ows/${at.gateway.database.name}/world`);
      const capabilities = await fetch(place);
      assert.match(await capabilities.text(), new RegExp(`<(wfs:)?${root} `), name);
    }
    await done();
  });

  const csv = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

  at.scenarios("Import")(
    "imports a file with reassigned columns, names the line of a fault, and undoes the import by the history",
    async () => {
      const { page, done } = await at.visit("/data/world/Fleet");
      await follow(page.getByRole("link", { name: "Import" }));
      await page
        .getByLabel("File", { exact: true })
        .setInputFiles(csv("more.csv", "number;Name;mood\n101;Gj\u00f8a;calm\n102;Maud;stormy\n"));
      await page.getByText("Gj\u00f8a · Maud").waitFor();
      await page.getByLabel("Where number goes").selectOption("id");
      await shoot(page, "import");
      await page.getByRole("button", { name: "Check all rows first" }).click();
      await page.getByRole("alert").getByText("line 3: mood: invalid input value for enum").waitFor();
      await page.getByRole("heading", { name: "Import into fleet" }).evaluate((heading) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["number;Name;mood\n101;Gj\u00f8a;calm\n102;Maud;rough\n"], "mended.csv"));
        for (const type of ["dragenter", "dragover", "drop"])
          heading.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
      });
      await page.getByText("calm · rough").waitFor();
      assert.match(await page.getByLabel("File", { exact: true }).inputValue(), /mended\.csv$/);
      await page.getByLabel("Where number goes").selectOption("id");
      await page.getByRole("button", { name: "Check all rows first" }).click();
      await page.getByText("2 rows can be inserted.").waitFor();
      const fleet = () => at.rows("select id, name, mood from world.fleet where id > 100 order by id");
      assert.deepEqual(await fleet(), []);
      await page.getByRole("button", { name: "Import", exact: true }).click();
      await page.getByText("2 rows inserted into fleet.").waitFor();
      assert.deepEqual(await fleet(), [
        { id: 101, name: "Gj\u00f8a", mood: "calm" },
        { id: 102, name: "Maud", mood: "rough" },
      ]);
      await page.getByRole("button", { name: "Undo: delete these 2 rows" }).click();
      await page.getByText("2 rows deleted again.").waitFor();
      assert.deepEqual(await fleet(), []);
      await done(400);
    },
  );

  at.scenarios("Import")("imports a file and undoes it with the keys alone, and never loses the focus", async () => {
    const { page, done } = await at.visit("/import/world/fleet");
    const area = page.getByRole("region", { name: "Import", exact: true });
    const press = async (name: string) => {
      await tabTo(page, page.getByRole("button", { name, exact: true }));
      await page.keyboard.press("Enter");
    };
    const choosing = page.waitForEvent("filechooser"); // before the way there, since the browser learns of it in its own time
    await tabTo(page, page.getByLabel("File", { exact: true }));
    await page.keyboard.press("Enter");
    const chooser = await choosing;
    await chooser.setFiles({ ...csv("keys.tab", "number\tName\n103\tBelgica\n"), mimeType: "text/plain" });
    await tabTo(page, page.getByLabel("Delimiter"));
    await tabTo(page, page.getByLabel("Where number goes"));
    await page.keyboard.type("id");
    await press("Check all rows first");
    await page.getByText("1 row can be inserted.").waitFor();
    await focused(area);
    await press("Import");
    await page.getByText("1 row inserted into fleet.").waitFor();
    await focused(area);
    const fleet = () => at.rows("select id, name from world.fleet where id = 103");
    assert.deepEqual(await fleet(), [{ id: 103, name: "Belgica" }]);
    await shoot(page, "import-keys");
    await press("Undo: delete this row");
    await page.getByText("1 row deleted again.").waitFor();
    await focused(area);
    assert.deepEqual(await fleet(), []);
    await done();
  });

  at.scenarios("Import")("names every wrong row, and a check uses up no numbers of a sequence", async () => {
    await at.rows(
      `create table world.tides (id int generated always as identity primary key, at timestamptz not null, cm int)`,
    );
    const { page, done } = await at.visit("/import/world/tides");
    const choose = (text: string) => page.getByLabel("File", { exact: true }).setInputFiles(csv("tides.csv", text));
    const good = Array.from({ length: 120 }, (_, n) => `2026-01-31T12:00:00Z,${n}`);
    const bad = ["at,cm", ...good.with(3, ",1").with(50, "noon,1").with(99, "2026-01-31,high")].join("\n");
    await choose(bad);
    const refusedBy = async (press: string): Promise<void> => {
      await page.getByRole("button", { name: press, exact: true }).click();
      const alert = page.getByRole("alert");
      await alert.getByText("3 rows are wrong, so nothing is imported.").waitFor();
      assert.deepEqual(
        (await alert.getByRole("listitem").allInnerTexts()).map((text) => text.replace(/ (for|of) .*/, "")),
        [
          'line 5: null value in column "at"',
          "line 52: at: invalid input syntax",
          "line 101: cm: invalid input syntax",
        ],
      );
    };
    await refusedBy("Check all rows first");
    await shoot(page, "import-faults");
    assert.deepEqual(await violationsOf(page), {});
    await choose(`at,cm\n${good.join("\n")}\n`);
    await page.getByRole("button", { name: "Check all rows first" }).click();
    await page.getByText("120 rows can be inserted.").waitFor();
    assert.deepEqual(await at.rows("select last_value from pg_sequences where sequencename = 'tides_id_seq'"), [
      { last_value: null },
    ]);
    await choose(bad);
    await refusedBy("Import");
    await done(400);
  });

  at.scenarios("Import")("undoes an import of thousands of rows, unless one of them was changed", async () => {
    const { page, done } = await at.visit("/import/world/fleet");
    const names = Array.from({ length: 5000 }, (_, n) => `${10_000 + n},tug ${n}\n`);
    const importAll = async () => {
      await page.getByLabel("File", { exact: true }).setInputFiles(csv("tugs.csv", `id,name\n${names.join("")}`));
      await page.getByRole("button", { name: "Import", exact: true }).click();
      await page.getByText("5,000 rows inserted into fleet.").waitFor();
    };
    const tugs = async () => (await at.rows("select count(*)::int as n from world.fleet where id >= 10000"))[0].n;
    const undo = page.getByRole("button", { name: "Undo: delete these 5,000 rows" });
    await importAll();
    await undo.click();
    await page.getByText("5,000 rows deleted again.").waitFor();
    assert.equal(await tugs(), 0);
    await importAll();
    await at.rows("update world.fleet set name = 'tender' where id = 12345");
    await undo.click();
    await page.getByRole("alert").getByText("only 4999 are unchanged: nothing is deleted").waitFor();
    assert.equal(await tugs(), 5000);
    await at.rows("delete from world.fleet where id >= 10000");
    await done(409);
  });

  at.scenarios("Import")(
    "follows the latest choice of the file and its settings, and shows all of it on a phone",
    async () => {
      const { page, done } = await at.visit("/import/world/fleet", { width: 390, height: 800 });
      const file = page.getByLabel("File", { exact: true });
      const label = "a name that is longer than a phone is wide, ".repeat(3);
      const previews: Route[] = [];
      await page.route("**/import/preview?*", (route) => void previews.push(route));
      await file.setInputFiles(csv("first.csv", "id\n99\n"));
      await page.getByRole("status").getByText("Reading its beginning").waitFor();
      await file.setInputFiles(csv("second.csv", `id|label;1|mood\n104|${label}|calm\n`));
      await page.getByLabel("Delimiter").selectOption("bar");
      await until(() => previews.length === 3);
      for (const late of previews.toReversed()) {
        const answer = page.waitForResponse((response) => response.request() === late.request());
        await late.continue();
        await (await answer).finished(); // the answers come the other way round
      }
      await page.getByLabel("Where label;1 goes").selectOption("name");
      assert.equal(await page.getByLabel("Where mood goes").inputValue(), "mood");
      const table = page.getByRole("region", { name: "Columns of the file and its first rows" });
      assert.deepEqual(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
      await shoot(page, "import-phone");
      assert.deepEqual(await violationsOf(page), {});
      await page.getByRole("button", { name: "Import", exact: true }).click();
      await page.getByText("1 row inserted into fleet.").waitFor();
      assert.deepEqual(await at.rows("delete from world.fleet where id = 104 returning name, mood"), [
        { name: label, mood: "calm" },
      ]);
      await done();
    },
  );

  at.scenarios("Import")(
    "makes a table of a file with its points, and no table if the rows cannot be imported",
    async () => {
      const { page, done } = await at.visit("/import/world");
      const choose = async (text: string) => {
        await page.getByLabel("File", { exact: true }).setInputFiles(csv("My Buoys.csv", text));
        await page.getByLabel("Type of lights").waitFor();
        const chosen = ["Longitude", "Latitude"].map((name) => page.getByLabel(name).inputValue());
        assert.deepEqual(await Promise.all(chosen), ["lon", "lat"], "by their names");
      };
      const make = page.getByRole("button", { name: "Make the table and import" });
      const rows = Array.from({ length: 150 }, (_, n) => `Buoy ${n},${n / 10},50,${n === 149 ? "many" : n}`);
      await choose(`name,lon,lat,lights\n${rows.join("\n")}\n`);
      assert.equal(await page.getByLabel("Type of lights").inputValue(), "text", "as the last row wants it");
      await page.getByLabel("Type of lights").fill("integer");
      await make.click();
      await page
        .getByRole("alert")
        .getByText('line 151: lights: invalid input syntax for type integer: "many"')
        .waitFor();
      assert.deepEqual(await at.rows("select to_regclass('world.my_buoys') as is"), [{ is: null }]);
      await page.getByLabel("Type of lights").fill("text");
      await page.getByLabel("Name of lat in the table").fill("");
      await make.click();
      await page.getByText("150 rows inserted into my_buoys.").waitFor();
      assert.deepEqual(
        await at.rows(
          "select id::int, name, lon, lights, st_asewkt(geom) as geom from world.my_buoys where lights = 'many'",
        ),
        [{ id: 150, name: "Buoy 149", lon: "14.9", lights: "many", geom: "SRID=4326;POINT(14.9 50)" }],
      );
      await follow(page.getByRole("link", { name: "See them" }));
      await page.getByText("150 rows").waitFor();
      await done(400);
    },
  );

  at.scenarios("Import")("imports into the table that has the name of the file already, if asked to", async () => {
    const { page, done } = await at.visit("/import/world");
    await page.getByLabel("File", { exact: true }).setInputFiles(csv("fleet.csv", "id,name\n106,Maud\n"));
    await page.getByText("There is a table fleet already.").waitFor();
    await page.getByRole("button", { name: "Import into it" }).click();
    await page.getByRole("heading", { name: "Import into fleet" }).waitFor();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("1 row inserted into fleet.").waitFor();
    assert.deepEqual(await at.rows("delete from world.fleet where id = 106 returning name"), [{ name: "Maud" }]);
    await done();
  });

  at.scenarios("Import")("makes a table of GeoJSON, and names the feature that cannot be imported", async () => {
    const { page, done } = await at.visit("/import/world");
    const feature = (name: string, coordinates: unknown): string =>
      `{"type": "Feature", "properties": {"name": "${name}", "depth": 4.5}, "geometry": {"type": "LineString", "coordinates": ${JSON.stringify(coordinates)}}}`;
    const line = [
      [10, 54],
      [11, 55],
    ];
    const choose = (name: string, ...features: readonly string[]) =>
      page.getByLabel("File", { exact: true }).setInputFiles({
        name,
        mimeType: "application/geo+json",
        buffer: Buffer.from(
          name.endsWith(".geojson")
            ? `{"type": "FeatureCollection", "features": [${features.join(",\n")}]}`
            : features.map((each) => `\u001e${each}\n`).join(""),
        ),
      });
    const make = page.getByRole("button", { name: "Make the table and import" });
    await choose("Fairways.geojson", feature("Kiel", line), feature("nowhere", [[1]]));
    await make.click();
    await page.getByRole("alert").getByText("feature 2:").waitFor();
    assert.deepEqual(await at.rows("select to_regclass('world.fairways') as is"), [{ is: null }]);
    await choose("Fairways.geojsons", feature("Kiel", line), feature("Sund", line.toReversed()));
    await make.click();
    await page.getByText("2 rows inserted into fairways.").waitFor();
    assert.deepEqual(
      await at.rows("select name, depth::float8, st_asewkt(geom) as geom from world.fairways order by 1"),
      [
        { name: "Kiel", depth: 4.5, geom: "SRID=4326;LINESTRING(10 54,11 55)" },
        { name: "Sund", depth: 4.5, geom: "SRID=4326;LINESTRING(11 55,10 54)" },
      ],
    );
    await done(400);
  });

  it("who may not insert is told so, and a file that is none of those is refused", async () => {
    const guest = await at.visit("/import/world/cities", { account: "guest" });
    await guest.page.getByText("you may not insert into it").waitFor();
    await guest.done();
    const { page, done } = await at.visit("/import/world/fleet");
    const file = page.getByLabel("File", { exact: true });
    await file.setInputFiles({ name: "photo.jpg", mimeType: "image/jpeg", buffer: Buffer.from("x") });
    await page.getByRole("alert").getByText("must end in one of").waitFor();
    await file.setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from("name\nM\xfc\n", "latin1") });
    await page.getByRole("alert").getByText("line 2: is not utf-8").waitFor();
    await page.getByLabel("Encoding").selectOption("windows-1252");
    await page.getByText("M\u00fc", { exact: true }).waitFor();
    assert.deepEqual(await violationsOf(page), {});
    await done(400);
  });
});
