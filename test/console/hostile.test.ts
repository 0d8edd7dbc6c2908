/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { sized } from "../support/size.ts";
import { cell, follow, lead, shoot, site, write } from "./support.ts";

/** With the key: as many as PostgreSQL allows. */
const COLUMNS = 1600;
const TABLES = sized(20, 500);
const SCRIPT = "<img src=x onerror=document.title=1>";
const QUOTED = `"${SCRIPT}"`;
const OTHER = "Портулан 航海図 بحر 🧭";

describe("the console: hostile data", () => {
  const at = site({
    prepare: ({ client }) =>
      client.query(`
create table world.${QUOTED} (id int primary key, ${QUOTED} text, "${OTHER}" text);
comment on table world.${QUOTED} is '</script>${SCRIPT}';
insert into world.${QUOTED} select n, '${SCRIPT}', '${OTHER}' from generate_series(1, 3) n;
create table world."${OTHER}" (id int primary key, "${OTHER}" text, "имя" text);
insert into world."${OTHER}" values (1, '${OTHER}', 'ж');
do $$ begin
  execute 'create table world.widest (id int primary key, '
    || (select string_agg(format('c%s int', n), ', ') from generate_series(1, ${COLUMNS - 1}) n) || ')';
  for n in 1..${TABLES} loop execute format('create table world.many_%s (id int primary key, name text)', n); end loop;
end $$;
insert into world.widest (id, c${COLUMNS - 1}) values (1, 77);
create table world.huge (id int primary key, value text);
insert into world.huge values (1, repeat('x', 5000000));
select portolan.enable_versioning('world.${QUOTED}');
select portolan.enable_workflow('world."${OTHER}"');
select portolan.create_user('nobody', 'nobody');`),
  });
  const test = at.scenarios("Data");

  /** Nothing of the data was run: the pages would have another title, and the browser would have told of a breach. */
  async function isWhole(page: Page): Promise<void> {
    assert.match(await page.title(), / · Portolan$/);
    assert.equal(await page.locator("img[src='x']").count(), 0);
  }

  it("shows names, values and comments that are scripts as texts, in every area", async () => {
    const { page, done } = await at.visit("/data");
    const relation = page.getByRole("navigation", { name: "Relations" }).getByRole("link").filter({ hasText: /img/i });
    await follow(relation);
    assert.equal(await cell(page, "1", 2).innerText(), SCRIPT);
    assert.equal(await cell(page, "2", 3).innerText(), OTHER);
    await page.getByText(`</script>${SCRIPT}`).waitFor();
    await shoot(page, "hostile-data");
    for (const [path, isThere] of [
      ["/schema/world", page.getByRole("article", { name: SCRIPT, exact: true })],
      [`/schema/world/${encodeURIComponent(SCRIPT)}`, page.getByRole("rowheader", { name: OTHER, exact: true })],
      ["/access/privileges", page.getByLabel(`nobody on ${SCRIPT}`)],
      ["/events", page.getByRole("link", { name: SCRIPT })],
      [`/events/world/${encodeURIComponent(OTHER)}`, page.getByRole("heading", { name: OTHER })],
      ["/history", page.getByRole("link").filter({ hasText: /img/i })],
      ["/workflow", page.getByRole("link", { name: OTHER })],
      [`/workflow/world/${encodeURIComponent(OTHER)}?state=drafted`, page.getByRole("heading", { name: OTHER })],
      ["/graphql/world", page.getByRole("button", { name: "getCities", exact: true })],
      ["/maps", page.getByRole("heading", { name: "Layers" })],
      ["/requests?console=shown", page.getByRole("cell", { name: "200" }).first()],
      ["", page.getByRole("heading", { name: "Sizes" })],
    ] as const) {
      await lead(page, path);
      await isThere.waitFor();
      await isWhole(page);
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search everything" }).fill("<img");
    await page.getByRole("option", { name: `${SCRIPT} table in world`, exact: true }).waitFor();
    await isWhole(page);
    await done();
  });

  it("keeps the words after a title that turns the direction of text in their order", async () => {
    await at.rows(
      `select portolan.create_map('turned', 'Map \u202Egnp.exe', layers => '[{"land": true}]', shared => '{guest}')`,
    );
    const { page, done } = await at.visit("/workspace", { account: "guest" });
    await page.getByRole("link", { name: "gnp.exe" }).waitFor();
    const [first = 0, last = 0] = await page.getByText("of the operator").evaluate(({ firstChild }) => {
      const text = firstChild!.nextSibling ?? firstChild!;
      const leftOf = (at: number): number => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      };
      return [leftOf(0), leftOf(text.textContent!.length - 1)];
    });
    assert.ok(last > first, `it begins at ${first} and ends at ${last}`);
    await isWhole(page);
    await done();
  });

  it("keeps a title of one long word within the page, in the workspace, on a dashboard and on their public pages", async () => {
    const title = "W".repeat(200);
    await at.rows(
      `select portolan.create_map('long', $1, layers => '[{"land": true}]', shared => '{*}'),
        portolan.create_dashboard('long', $1, shared => '{*}')`,
      [title],
    );
    const { page, done } = await at.visit("/workspace/long");
    const { baseUrl, database } = at.gateway;
    for (const path of [
      "/console/workspace/long",
      "/console/dashboards/long",
      `/maps/${database.name}/long`,
      `/dashboards/${database.name}/long`,
    ])
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await page.goto(`${baseUrl}${path}`);
        await page.getByRole("heading", { name: title }).first().waitFor();
        for (const shown of await page.getByText(title).filter({ visible: true }).all()) {
          const { clipped, right } = await shown.evaluate((element) => ({
            clipped: element.scrollWidth - element.clientWidth,
            right: element.getBoundingClientRect().right,
          }));
          assert.ok(right <= width, `${path}: it ends at ${right} of ${width}`);
          assert.ok(clipped <= 0 || (await shown.evaluate((e) => getComputedStyle(e).display)) === "inline", path);
        }
      }
    await done();
  });

  it("says that a field is full where a longer text was pasted", async () => {
    const { page, done } = await at.visit("/dashboards");
    await page.getByRole("button", { name: "New dashboard" }).click();
    await page.getByLabel("Title", { exact: true }).focus();
    const full = page.getByText("Full: at most 200 characters");
    await page.keyboard.insertText("W".repeat(199));
    assert.equal(await full.count(), 0);
    await page.keyboard.insertText("WWW");
    await full.waitFor();
    assert.equal(await page.getByLabel("Title", { exact: true }).inputValue(), "W".repeat(200));
    await done();
  });

  test("writes a value into a column whose name is a script, in a table of another alphabet", async () => {
    const { page, done } = await at.visit("/data");
    const text = `${OTHER} ${SCRIPT} '; drop table world.cities; --`;
    await follow(page.getByRole("navigation", { name: "Relations" }).getByRole("link").filter({ hasText: /img/i }));
    await cell(page, "1", 2).dblclick();
    await page.locator(".editor textarea").fill(text);
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".editor").waitFor({ state: "detached" });
    assert.deepEqual(await at.rows(`select ${QUOTED} as value from world.${QUOTED} where id = 1`), [{ value: text }]);
    await isWhole(page);
    await done();
  });

  test("reads, describes and draws a table of 1,600 columns, and a value of 5 MB, without slowing down the page", async () => {
    const { page, done } = await at.visit("/data/world/Widest");
    await cell(page, "1", 1).click();
    await page.keyboard.press("End");
    await cell(page, "1", COLUMNS).getByText("77").waitFor();
    assert.ok((await page.getByRole("columnheader").count()) < 40, "only the columns in sight are drawn");
    await cell(page, "1", COLUMNS).dblclick();
    await page.locator(".editor textarea").fill("78");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".editor").waitFor({ state: "detached" });
    assert.deepEqual(await at.rows(`select c${COLUMNS - 1} as value from world.widest`), [{ value: 78 }]);
    await page.goto(`${at.gateway.baseUrl}/console/schema/world`);
    await page.getByRole("article", { name: "widest", exact: true }).waitFor();
    await page.goto(`${at.gateway.baseUrl}/console/schema/world/widest`);
    await page.getByRole("rowheader", { name: `c${COLUMNS - 1}`, exact: true }).waitFor();
    await page.goto(`${at.gateway.baseUrl}/console/sql`);
    await write(page, "select w.* from world.widest w, generate_series(1, 1000)");
    await page.keyboard.press("Control+Enter");
    await page.getByText(/^1,000 rows, the first \d\d shown/).waitFor();
    const result = page.getByRole("region", { name: "Result" });
    assert.ok((await result.locator("td").count()) <= 30_000, "no more cells than a page can bear");
    await write(page, "select value from world.huge");
    await page.keyboard.press("Control+Enter");
    await result.getByRole("cell", { name: /^x+/ }).waitFor();
    assert.ok((await result.innerText()).length < 10_000, "what nobody can read is not drawn");
    await done();
  });

  it("says to an account that may do nothing what it may not, in every area, and nothing breaks", async () => {
    const { page, done } = await at.visit("/data", { account: "nobody", bySignIn: true });
    for (const [path, isThere] of [
      ["/data", page.getByRole("heading", { name: "world" })],
      ["/schema/world", page.getByText(/./).first()],
      ["/access", page.getByText("This is for super users, and nobody is not one.")],
      ["/audit", page.getByText("This is for super users, and nobody is not one.")],
      ["/history", page.getByRole("heading", { name: "world" })],
      ["/events", page.getByRole("navigation")],
      ["/workflow", page.getByRole("navigation")],
      ["/methods", page.getByRole("navigation", { name: "Methods" })],
      ["/maps", page.getByRole("heading", { name: "Layers" })],
      ["/graphql/world", page.getByRole("textbox", { name: "Document" })],
      ["/account", page.getByText("(this window)")],
      ["/data/world/Huge", page.getByText("There is no Huge, or you may not see it.")],
    ] as const) {
      await lead(page, path);
      await isThere.first().waitFor();
      assert.equal(await page.getByText("Something went wrong").count(), 0, path);
      assert.equal(await page.getByRole("alert").count(), 0, path);
    }
    await done();
  });
});
