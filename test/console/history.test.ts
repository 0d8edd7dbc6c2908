/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { until } from "../support/until.ts";
import { cell, focused, follow, shoot, site, tabTo } from "./support.ts";

describe("the console: history", () => {
  const at = site({
    prepare: ({ client, name }) =>
      client.query(`
create table world.ships (id int primary key, name text, crew int);
insert into world.ships values (1, 'Fram', 16), (2, 'Belgica', 19), (3, '<img src=x onerror=alert(1)>', 1);
create table world.crews (id int primary key);
select portolan.share_with_owner('{world}');
grant select on world.ships to "guest@${name}";
select portolan.enable_versioning('world.ships');
select pg_sleep(1.1);`), // an instant of a page is told to the second
  });
  const test = at.scenarios("History");
  /** Between the beginning of the history and the first change. */
  let start: string;

  const names = () => at.rows("select id, name from world.ships order by id");
  const open = (search: Record<string, string>, account = "captain") =>
    at.visit(`/history/world/Ships?${new URLSearchParams(search)}`, { account });
  const entry = (page: Page, list: string, text: RegExp) =>
    page.getByRole("list", { name: list }).getByRole("listitem").filter({ hasText: text });

  before(async () => {
    [{ start }] = await at.rows("select to_json(date_trunc('second', clock_timestamp())) #>> '{}' as start");
    await at.rows("update world.ships set name = 'Forward', crew = 17 where id = 1");
    await at.rows("delete from world.ships where id = 2");
    await at.rows("insert into world.ships values (4, 'Gjøa', 7)");
  });

  it("lists the tables whose history is kept, and shows one at an instant that a slider chooses", async () => {
    const { page, done } = await at.visit("/history");
    await page.getByRole("link", { name: "Ships" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Crews" }).count(), 0);
    await follow(page.getByRole("link", { name: "Ships" }));
    await page.getByText("3 rows now").waitFor();
    assert.equal(await cell(page, "1", 2).innerText(), "Forward");
    await page.getByRole("slider").focus();
    await page.keyboard.press("Home");
    await cell(page, "2", 2).getByText("Belgica").waitFor();
    assert.equal(await cell(page, "1", 2).innerText(), "Fram");
    assert.equal(await cell(page, "3", 2).innerText(), "<img src=x onerror=alert(1)>");
    await page.getByText("3 rows then").waitFor();
    await shoot(page, "history");
    await page.reload();
    await cell(page, "2", 2).getByText("Belgica").waitFor();
    await page.getByRole("button", { name: "Now" }).click();
    await cell(page, "4", 2).getByText("Gjøa").waitFor();
    await done();
  });

  it("tells what changed between two instants, and one row's life", async () => {
    const { page, done } = await open({ from: start });
    await page.getByText("1 added, 1 changed, 1 deleted").waitFor();
    assert.match(await entry(page, "What changed", /Fram/).innerText(), /before:\s+Fram\s+after:\s+Forward/);
    assert.match(await entry(page, "What changed", /Belgica/).innerText(), /deleted/);
    await shoot(page, "differences");
    await page.getByRole("button", { name: "Life of 2" }).click();
    const life = page.getByRole("dialog").getByRole("listitem");
    assert.match(await life.nth(0).innerText(), /deleted by postgres/);
    assert.match(await life.nth(1).innerText(), /Belgica/);
    await shoot(page, "life");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await done();
  });

  it("shows who may only read what was, and offers no restoring", async () => {
    const { page, done } = await open({ from: start }, "guest");
    await page.getByText("1 added, 1 changed, 1 deleted").waitFor();
    assert.equal(await page.getByRole("button", { name: /^Restore/ }).count(), 0);
    await page.getByRole("button", { name: "Life of 1" }).click();
    await page.getByRole("dialog").getByText("Fram").first().waitFor();
    assert.equal(await page.getByRole("button", { name: /^Restore/ }).count(), 0);
    await done();
  });

  test("restores deleted and changed rows after it has shown their number", async () => {
    const { page, done } = await open({ from: start });
    for (const key of ["1", "2"]) await page.getByLabel(`Choose ${key}`, { exact: true }).check();
    assert.equal(await page.getByLabel("Choose 4", { exact: true }).isDisabled(), true);
    await page.getByRole("button", { name: "Restore 2 as before" }).click();
    await page.getByRole("heading", { name: "Restore 2 rows of Ships?" }).waitFor();
    assert.equal((await names()).length, 3, "nothing is done before it was named");
    await page.getByRole("button", { name: "Restore 2 rows" }).click();
    await page.getByRole("status").getByText("2 rows are as at").waitFor();
    await page.getByText("1 added", { exact: true }).waitFor();
    assert.deepEqual((await names()).slice(0, 2), [
      { id: 1, name: "Fram" },
      { id: 2, name: "Belgica" },
    ]);
    await done();
  });

  test("restores one version of a row from its life, and one row from the past table", async () => {
    const { page, done } = await open({ key: "1" });
    await page
      .getByRole("dialog")
      .getByRole("listitem")
      .filter({ hasText: /after:\s+Forward/ })
      .getByRole("button", { name: /^Restore/ })
      .click();
    await page.getByRole("button", { name: "Restore the row 1" }).click();
    await page.getByRole("status").getByText("The row 1 is as at").waitFor();
    assert.deepEqual(await at.rows("select name, crew from world.ships where id = 1"), [{ name: "Forward", crew: 17 }]);
    await page.getByRole("heading", { name: "The life of 1 in Ships" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("slider").focus();
    await page.keyboard.press("Home");
    await cell(page, "1", 2).getByText("Fram").waitFor();
    await page.getByLabel("Choose row 1", { exact: true }).check();
    await page.getByRole("button", { name: "Restore 1" }).click();
    await page.getByRole("button", { name: "Restore the row 1" }).click();
    // what the page said of the first may still stand there
    await until(async () => {
      const [row] = await at.rows("select name, crew from world.ships where id = 1");
      return row.name === "Fram" && row.crew === 16;
    });
    await done();
  });

  it("leads from a row in Data to its life", async () => {
    const { page, done } = await at.visit("/data/world/Ships");
    await page.getByLabel("Choose row 4", { exact: true }).check();
    await follow(page.getByRole("link", { name: "History", exact: true }).last());
    await page.getByRole("heading", { name: "The life of 4 in Ships" }).waitFor();
    await done();
  });

  test("brings a deleted row back with the keys alone", async () => {
    await at.rows("delete from world.ships where id = 3");
    const { page, done } = await open({ from: start });
    await tabTo(page, page.getByRole("button", { name: "Life of 3" }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "The life of 3 in Ships" }).waitFor();
    await page.keyboard.press("Escape");
    await focused(page.getByRole("button", { name: "Life of 3" }));
    await tabTo(page, page.getByLabel("Choose 3", { exact: true }));
    await page.keyboard.press("Space");
    await tabTo(page, page.getByRole("button", { name: "Restore 1 as before" }));
    await page.keyboard.press("Enter");
    await focused(page.getByRole("dialog").getByRole("button", { name: /^Restore/ }));
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("The row 3 is as at").waitFor();
    assert.equal((await at.rows("select from world.ships where id = 3")).length, 1);
    await done();
  });
});
