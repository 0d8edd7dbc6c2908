/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { violationsOf } from "../support/axe.ts";
import { until } from "../support/until.ts";
import { cell, focused, follow, shoot, site, tabTo } from "./support.ts";

interface Said {
  readonly sentence: string;
  readonly legend: readonly string[];
}

const ENGLISH: Readonly<Record<string, Said>> = {
  1: { sentence: "The point is moved by 29.9 km.", legend: ["before, as published", "after the change"] },
  2: {
    sentence: "Polygon of 50,001 points becomes LineString of 50,001 points. New points: 1, points that are gone: 1.",
    legend: ["before, as published", "after the change"],
  },
  3: { sentence: "The geometry after is empty, so no map can draw it.", legend: ["before, as published"] },
  4: { sentence: "The geometry is removed: Polygon of 4 points.", legend: ["before, as published"] },
  5: { sentence: "The geometry stays as it is: LineString of 2 points.", legend: ["before and after"] },
  6: { sentence: "Arcs are drawn as lines.", legend: ["new"] },
  7: { sentence: "It has no reference system (SRID 0)", legend: ["new"] },
};
const GERMAN: Readonly<Record<string, Said>> = {
  1: { sentence: "Der Punkt wird um 29,9 km verschoben.", legend: ["vorher, wie veröffentlicht", "nach der Änderung"] },
  3: { sentence: "Die Geometrie nachher ist leer", legend: ["vorher, wie veröffentlicht"] },
};

describe("the console: workflow", () => {
  const at = site({
    prepare: ({ client }) =>
      client.query(`
create table world.notes (id int primary key, body text);
insert into world.notes values (1, 'old');
select portolan.share_with_owner('{world}');
select portolan.create_user('ada', 'ada'), portolan.create_user('rea', 'rea');
select portolan.set_privilege('world.notes', u, 'write') from unnest('{ada,rea,guest}'::text[]) u;
select portolan.enable_versioning('world.notes');
select portolan.enable_workflow('world.notes');
select portolan.set_workflow_role('world.notes', 'ada', 'author');
select portolan.set_workflow_role('world.notes', 'rea', 'reviewer');`),
  });
  before(async () => {
    await at.rows(`
create table world.places (id int primary key, name text, g geometry);
insert into world.places values
  (1, 'moved', 'SRID=3035;POINT(4321000 3210000)'),
  (2, 'one point of 50,001', st_setsrid(st_buffer('POINT(10 50)', 1, 12500), 4326)),
  (3, 'emptied', 'SRID=4326;POLYGON((0 0, 4 0, 4 4, 0 0))'),
  (4, 'removed', 'SRID=4326;POLYGON((0 0, 4 0, 4 4, 0 0))'),
  (5, 'renamed', 'SRID=4326;LINESTRING(0 0, 4 4)');
select portolan.share_with_owner('{world}');
select portolan.set_privilege('world.places', 'rea', 'write');
select portolan.enable_versioning('world.places');
select portolan.enable_workflow('world.places');
select portolan.set_workflow_role('world.places', 'rea', 'reviewer');`);
    await at.rows(`
update world.places set g = 'SRID=3035;POINT(4351000 3210000)', portolan_status = -1 where id = 1;
update world.places set g = st_setpoint(st_exteriorring(g), 100, st_setsrid(st_makepoint(11.02, 50), 4326)), portolan_status = -1
where id = 2;
update world.places set g = 'SRID=4326;POLYGON EMPTY', portolan_status = -1 where id = 3;
update world.places set g = null, portolan_status = -1 where id = 4;
update world.places set name = 'other', portolan_status = -1 where id = 5;
insert into world.places (id, name, g, portolan_status) values
  (6, 'arcs', 'SRID=4326;CURVEPOLYGON(CIRCULARSTRING(0 0, 1 1, 2 0, 1 -1, 0 0))', -1),
  (7, 'nowhere', 'LINESTRING(1000 1000, 1100 1050)', -1),
  (8, 'none', null, -1)`);
  });
  const test = at.scenarios("Workflow");
  const states = async () =>
    (await at.rows("select portolan_status as state from world.notes order by id")).map(({ state }) => state);

  before(async () => {
    const written = await at.gateway.graphql(
      "ada",
      "world",
      `mutation { insertNotes(objects: [{id: 2, body: "<b>two</b>"}, {id: 3, body: "three"}, {id: 4, body: "four"}]) { id } }`,
    );
    assert.equal(written.body.errors, undefined);
  });

  it("shows an author its drafts, and nothing to move them with", async () => {
    const { page, done } = await at.visit("/workflow", { account: "ada" });
    await follow(page.getByRole("link", { name: "notes 3 of yours" }));
    await page.getByText("<b>two</b>").waitFor();
    assert.equal(await page.getByRole("checkbox").count(), 0);
    await done();
  });

  test("a reviewer passes many rows on at once, but none if one was changed since it was shown", async () => {
    const { page } = await at.visit("/workflow", { account: "rea" });
    await follow(page.getByRole("link", { name: "notes 3 to review" }));
    await page.getByRole("button", { name: "Choose all 3 shown" }).click();
    await at.rows("update world.notes set body = 'drei', portolan_status = -1 where id = 3");
    await page.getByRole("button", { name: "Pass on 3" }).click();
    await page.getByRole("heading", { name: "Pass on 3 rows of notes?" }).waitFor();
    await page.getByRole("button", { name: "Pass on 3 rows" }).click();
    await page.getByRole("dialog").getByRole("alert").getByText("1 of 3 rows").waitFor();
    assert.deepEqual(await states(), [3, 1, 1, 1]);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByText("drei").waitFor();
    await page.getByRole("button", { name: "Choose all 3 shown" }).click();
    await page.getByLabel("Choose 4", { exact: true }).uncheck();
    await page.getByRole("button", { name: "Pass on 2" }).click();
    await page.getByRole("button", { name: "Pass on 2 rows" }).click();
    await page.getByRole("status").getByText("2 rows: reviewed.").waitFor();
    assert.deepEqual(await states(), [3, 2, 2, 1]);
    await page.context().close();
  });

  test("a publisher publishes and sends back; then the row shows what it would change", async () => {
    const { page, done } = await at.visit("/workflow/world/notes");
    await page.getByRole("button", { name: "Choose all 2 shown" }).click();
    await page.getByRole("button", { name: "Publish 2" }).click();
    await shoot(page, "publish");
    await page.getByRole("button", { name: "Publish 2 rows" }).click();
    await page.getByRole("status").getByText("2 rows: published.").waitFor();
    assert.deepEqual(await states(), [3, 3, 3, 1]);
    await at.rows("update world.notes set portolan_status = -1 where id = 2");
    const changed = await at.gateway.graphql(
      "ada",
      "world",
      `mutation { updateNotes(id: "2", data: {body: "zwei"}) { id } }`,
    );
    assert.equal(changed.body.errors, undefined);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("button", { name: "drafted 2" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "zwei" });
    assert.match(await row.innerText(), /changed\s+2\s+by ada[^]*before:\s+<b>two<\/b>\s+after:\s+zwei/);
    await page.getByLabel("Choose 2", { exact: true }).check();
    await page.getByRole("button", { name: "Pass on 1" }).click();
    await page.getByRole("button", { name: "Pass on 1 row" }).click();
    await page.getByRole("button", { name: "reviewed 1" }).click();
    await page.getByRole("button", { name: "reviewed 1", pressed: true }).waitFor(); // both lists have the row for a moment
    await page.getByLabel("Choose 2", { exact: true }).check();
    await shoot(page, "workflow");
    await page.getByRole("button", { name: "Send back 1" }).click();
    await page.getByRole("button", { name: "Send back 1 row" }).click();
    await page.getByText("Nothing waits here that is reviewed.").waitFor();
    assert.deepEqual(await states(), [3, 1, 3, 1]);
    await done();
  });

  it("shows how a geometry changes on a map, in words too, and why there is no map", async () => {
    for (const [width, locale] of [
      [1440, "en-US"],
      [390, "de-DE"],
    ] as const) {
      const { page, done } = await at.visit("/workflow/world/places", { account: "rea", width, locale });
      const shape = (key: string) =>
        page.getByRole("figure", { name: `g ${locale === "de-DE" ? "von" : "of"} ${key}`, exact: true });
      const said = locale === "en-US" ? ENGLISH : GERMAN;
      for (const [key, { sentence, legend }] of Object.entries(said)) {
        await page
          .getByLabel(locale === "de-DE" ? `${key} auswählen` : `Choose ${key}`, { exact: true })
          .scrollIntoViewIfNeeded();
        await shape(key).getByText(sentence).waitFor();
        assert.deepEqual(await shape(key).getByRole("listitem").allInnerTexts(), legend);
        await comesInSight(shape(key), shape(key).getByRole("application"));
        await shoot(page, `workflow-shape-${key}-${width}`);
      }
      assert.equal(await shape("8").count(), 0);
      assert.deepEqual(await violationsOf(page), {});
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      await done();
    }
  });

  it("zooms to one point of 50,001 that is changed, by keys", async () => {
    const { page, done } = await at.visit("/workflow/world/places", { account: "rea" });
    const shape = page.getByRole("figure", { name: "g of 2", exact: true });
    await page.getByLabel("Choose 2", { exact: true }).scrollIntoViewIfNeeded();
    const map = shape.getByRole("application", { name: "Map of g of 2, before and after" });
    await comesInSight(shape, map);
    const scale = () => shape.locator(".ol-scale-line").innerText();
    await until(async () => (await scale()) !== "");
    const before = await scale();
    await tabTo(page, shape.getByRole("button", { name: "Zoom to the change" }));
    await page.keyboard.press("Enter");
    await focused(map);
    await until(async () => (await scale()) !== before);
    assert.match(await scale(), / m$|\bkm$/);
    await shoot(page, "workflow-shape-zoomed");
    await page.keyboard.press("Minus");
    await done();
  });

  it("readers see what is published, and take no part", async () => {
    const { page, done } = await at.visit("/workflow", { account: "guest" });
    await page.getByText("You take part in no workflow.").waitFor();
    await page.goto(`${at.gateway.baseUrl}/console/data/world/Notes`);
    await page.getByText("2 rows").waitFor();
    assert.equal(await cell(page, "3", 2).innerText(), "drei");
    await done();
  });

  test("publishes a row with the keys alone", async () => {
    const { page, done } = await at.visit("/workflow/world/notes?state=drafted");
    await tabTo(page, page.getByLabel("Choose 4", { exact: true }));
    await page.keyboard.press("Space");
    await tabTo(page, page.getByRole("button", { name: "Publish 1" }));
    await page.keyboard.press("Enter");
    await focused(page.getByRole("dialog").getByRole("button", { name: "Publish 1 row" }));
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("1 row: published.").waitFor();
    await focused(page.getByRole("button", { name: "Publish", disabled: true }));
    assert.deepEqual(await at.rows("select portolan_status as state from world.notes where id = 4"), [{ state: 3 }]);
    await done();
  });
});

/** A part that has its map in sight alone: what comes above may move it away again. */
async function comesInSight(part: Locator, map: Locator): Promise<void> {
  await until(async () => {
    await part.scrollIntoViewIfNeeded();
    return map.isVisible();
  });
}
