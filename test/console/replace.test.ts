/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { violationsOf } from "../support/axe.ts";
import { focused, shoot, site, tabTo } from "./support.ts";

describe("the console: find and replace", () => {
  const at = site({
    prepare: ({ client, name }) =>
      client.query(`
create table world.streets (id int primary key, name text, note varchar(30), length int);
select portolan.share_with_owner('{world}');
grant select, update (name) on world.streets to "guest@${name}";
alter table world.streets enable row level security;
create policy seen on world.streets for select using (true);
create policy own on world.streets for update using (id = 1 or current_user not like 'guest@%');
select portolan.enable_versioning('world.streets');`),
  });
  const test = at.scenarios("Data");
  beforeEach(() =>
    at.rows(`
truncate world.streets;
insert into world.streets values (1, 'Main St.', 'a', 1), (2, 'Hill St.', 'St. Ann', 2), (3, 'main road', null, 3)`),
  );
  const names = async () => (await at.rows("select name from world.streets order by id")).map(({ name }) => name);
  const open = async (options: Parameters<typeof at.visit>[1] = {}, search = "") => {
    const { page, done } = await at.visit(`/data/world/streets${search}`, options);
    await page.getByRole("button", { name: /^(Replace|Ersetzen)$/, disabled: false }).click();
    return { page, done, dialog: page.getByRole("dialog") };
  };
  const told = (page: Page) => page.getByRole("dialog").getByRole("status");

  test("shows the rows before and after, replaces them at once, and takes it back", async () => {
    const { page, done, dialog } = await open();
    await dialog.getByLabel("Find").fill("St.");
    await dialog.getByLabel("Replace with").fill("Street");
    await dialog.getByRole("button", { name: "Preview" }).click();
    await told(page).getByText("2 rows have this text.").waitFor();
    assert.deepEqual(await dialog.locator("tbody tr").allInnerTexts(), [
      "1\tname\tMain St.\tMain Street",
      "2\tname\tHill St.\tHill Street",
      "2\tnote\tSt. Ann\tStreet Ann",
    ]);
    await shoot(page, "replace");
    assert.deepEqual(await violationsOf(page), {});
    assert.deepEqual(await names(), ["Main St.", "Hill St.", "main road"]);
    await dialog.getByRole("button", { name: "Replace in 2 rows" }).click();
    await page.getByRole("status").getByText("2 rows changed.").waitFor();
    assert.deepEqual(await names(), ["Main Street", "Hill Street", "main road"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("status").getByText("2 rows as before.").waitFor();
    assert.deepEqual(await names(), ["Main St.", "Hill St.", "main road"]);
    await done();
  });

  test("replaces nothing if somebody has changed a row since the preview", async () => {
    const { done, dialog } = await open();
    await dialog.getByLabel("Find").fill("St.");
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByRole("button", { name: "Replace in 2 rows" }).waitFor();
    await at.rows("update world.streets set name = 'Long St.' where id = 2");
    await dialog.getByRole("button", { name: "Replace in 2 rows" }).click();
    await dialog.getByRole("alert").getByText("Nothing is replaced.").waitFor();
    assert.deepEqual(await names(), ["Main St.", "Long St.", "main road"]);
    await done(409);
  });

  test("takes a regular expression for the rows of the filter, and explains a wrong one, with the keys alone", async () => {
    const { page, done, dialog } = await open({}, `?where=${encodeURIComponent('{"id":{"gte":2}}')}`);
    await dialog.getByText("In the rows that the filter finds.").waitFor();
    await focused(dialog.getByLabel("Find"));
    await page.keyboard.type("^(\\w+ (\\w+)");
    await tabTo(page, dialog.getByLabel("Match case"));
    await page.keyboard.press("Space");
    await tabTo(page, dialog.getByLabel("Regular expression"));
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").getByText("invalid regular expression: parentheses () not balanced").waitFor();
    await dialog.getByLabel("Find").fill("^(\\w+) (\\w+)$");
    await dialog.getByLabel("Replace with").fill("\\2: \\1");
    await page.keyboard.press("Enter");
    await tabTo(page, dialog.getByRole("button", { name: "Replace in 1 row" }));
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("1 row changed.").waitFor();
    assert.deepEqual(await names(), ["Main St.", "Hill St.", "road: main"]);
    await done(400);
  });

  test("says how many rows the account may not change, on a phone in German", async () => {
    const { page, done, dialog } = await open({ account: "guest", width: 390, locale: "de-DE" });
    assert.deepEqual(await dialog.getByLabel("Spalte").locator("option").allInnerTexts(), ["Alle Textspalten", "name"]);
    await dialog.getByLabel("Suchen").fill("St.");
    await dialog.getByLabel("Ersetzen durch").fill("Straße");
    await dialog.getByRole("button", { name: "Vorschau" }).click();
    await told(page).getByText("Davon bleiben 1, wie sie sind, weil Sie sie nicht ändern dürfen.").waitFor();
    await shoot(page, "replace-390");
    assert.deepEqual(await violationsOf(page), {});
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await dialog.getByRole("button", { name: "In 1 Zeile ersetzen" }).click();
    await page.getByRole("status").getByText("1 Zeile geändert.").waitFor();
    assert.deepEqual(await names(), ["Main Straße", "Hill St.", "main road"]);
    await done();
  });
});
