/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { violationsOf } from "../support/axe.ts";
import { LOOKS } from "../support/looks.ts";
import { until } from "../support/until.ts";
import { follow, shoot, site, write } from "./support.ts";

const PANELS = [
  { title: "Cities", q: "select count(*) from world.cities", show: "number" },
  { title: "Countries", q: "select count(*) from world.countries", show: "number" },
  { title: "Largest countries by cities", q: "select country_code as country, count(*) from world.cities group by 1 order by 2 desc limit 8", show: "bar" }, // oxfmt-ignore
  { title: "Squares", q: "select n, n * n as square from generate_series(1, 40) n", show: "line", x: "n", y: "square", wide: true }, // oxfmt-ignore
  { title: "First cities", q: "select id, name, country_code from world.cities order by id limit 20", show: "table" },
];

const [CITIES, COUNTRIES, LARGEST, , FIRST] = PANELS;
/** Dashboards of few panels. */
const FEW = [
  [CITIES],
  [CITIES, LARGEST],
  [CITIES, COUNTRIES, LARGEST],
  [CITIES, COUNTRIES, LARGEST, FIRST],
  [CITIES, COUNTRIES, LARGEST, FIRST, FIRST],
];

/** The rows of panels that leave room at their right, or below one of them, in words. */
function gapsOf(page: Page): Promise<readonly string[]> {
  return page.locator(".panels").evaluate((all) => {
    const end = all.getBoundingClientRect().right;
    const boxes = [...all.children].map((panel) => panel.getBoundingClientRect());
    return Map.groupBy(boxes, ({ top }) => Math.round(top))
      .values()
      .flatMap((row) => {
        const right = Math.max(...row.map((box) => box.right));
        const heights = row.map(({ height }) => Math.round(height));
        return [
          ...(end - right > 1 ? [`${Math.round(end - right)} pixels at the right`] : []),
          ...(new Set(heights).size > 1 ? [`heights of ${heights.join(" and ")}`] : []),
        ];
      })
      .toArray();
  });
}

const TRIPS = `
create table world.trips (
  id int primary key, name text, city_id int references world.cities, stage text not null, leaves date, returns date,
  berth geometry(Point, 4326), check (stage in ('planned', 'under way', 'done')));
insert into world.trips
  select n, 'Trip ' || n, n, (array['planned', 'under way', 'done'])[n % 3 + 1], date '2026-10-01' + n,
    date '2026-10-03' + n, st_setsrid(st_makepoint(n, n / 2.0), 4326)
  from generate_series(1, 60) n;
select portolan.set_privilege('world.trips', 'guest', 'read');`;

describe("the console: dashboards and saved views", () => {
  const at = site({
    async prepare({ client }) {
      await client.query("select portolan.create_dashboard('port', 'The port', $1, '{guest}')", [
        JSON.stringify(PANELS),
      ]);
      await client.query(TRIPS);
    },
  });
  const test = at.scenarios("Dashboards");

  for (const width of [1280, 390])
    it(`fills ${width} pixels with its panels, however few there are`, async () => {
      const { page, done } = await at.visit("/dashboards", { width, height: 900 });
      for (const [index, panels] of FEW.entries()) {
        const name = `few-${index}-${width}`;
        await at.rows("select portolan.create_dashboard($1, null, $2)", [name, JSON.stringify(panels)]);
        await page.goto(`${at.gateway.baseUrl}/console/dashboards/${name}`);
        await page
          .locator(".panels > .panel")
          .nth(panels.length - 1)
          .waitFor();
        await page.getByText("…", { exact: true }).first().waitFor({ state: "detached" });
        await shoot(page, name);
        assert.deepEqual(await gapsOf(page), [], `${panels.length} panels`);
      }
      await at.rows("delete from portolan.dashboards where name like 'few-%'");
      await done();
    });

  test("shows numbers, charts and tables, and is changed and shared by its owner", async () => {
    const { page, done } = await at.visit("/dashboards");
    await page.getByRole("heading", { name: "Dashboards" }).waitFor();
    await follow(page.getByRole("link", { name: "The port" }));
    const number = page.getByRole("region", { name: "Cities", exact: true });
    await number.getByText(/^\d{3}$/).waitFor();
    await page.getByRole("img", { name: /^square over n: square at most 1,600/ }).waitFor();
    await page.getByRole("region", { name: "First cities" }).getByRole("cell", { name: "Abidjan" }).waitFor();
    for (const { width, height, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await shoot(page, `dashboard-${width}-${colorScheme}`);
      assert.deepEqual(await violationsOf(page, { contrast: true }), {}, `${width} pixels, ${colorScheme}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `at ${width} pixels it is ${overflow} px too wide`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Add a panel" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("Broken");
    await dialog.getByLabel("SQL").fill("select nothing_there");
    assert.deepEqual(await violationsOf(page), {});
    await dialog.getByRole("button", { name: "Save" }).click();
    const broken = page.getByRole("region", { name: "Broken" });
    await broken.getByRole("alert").getByText("nothing_there").waitFor();
    await broken.getByRole("button", { name: "Remove" }).click();
    await broken.waitFor({ state: "detached" });
    await at.rows("update portolan.dashboards set title = 'By another'");
    await page.getByRole("button", { name: "Title and sharing" }).click();
    await dialog.getByLabel("Title").fill("Mine");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").getByText("Somebody has saved it since you opened it.").waitFor();
    assert.deepEqual(await at.rows("select title from portolan.dashboards"), [{ title: "By another" }]);
    await dialog.getByRole("button", { name: "Open theirs" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "By another" }).waitFor();
    await at.rows("update portolan.dashboards set title = 'By another again'");
    const first = page.getByRole("region", { name: "Cities", exact: true });
    await first.getByRole("button", { name: "Change" }).click();
    await dialog.getByLabel("Title").fill("All cities");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("button", { name: "Save mine over it" }).click();
    await page.getByRole("region", { name: "All cities" }).waitFor();
    await page.getByRole("heading", { name: "By another again" }).waitFor();
    assert.deepEqual(await at.rows("select title, panels -> 0 ->> 'title' as panel from portolan.dashboards"), [
      { title: "By another again", panel: "All cities" },
    ]);
    await page.getByRole("button", { name: "Versions" }).click();
    await dialog.getByText("5 panels").first().waitFor();
    await dialog.getByRole("button", { name: "Compare version 1", exact: true }).click();
    const changes = dialog.getByRole("region", { name: "What version 1 would change" });
    await changes.getByText("The port").waitFor();
    await changes.getByText("By another again").waitFor();
    await changes.getByText("Panel › 1 All cities › Title").waitFor();
    for (const { width, height, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await shoot(page, `versions-${width}-${colorScheme}`);
      assert.deepEqual(await violationsOf(page, { contrast: true }), {}, `${width} pixels, ${colorScheme}`);
    }
    await dialog.getByRole("button", { name: "Restore version 1", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "The port" }).waitFor();
    assert.deepEqual(await at.rows("select title, panels -> 0 ->> 'title' as panel, shared from portolan.dashboards"), [
      { title: "The port", panel: "Cities", shared: ["guest"] },
    ]);
    await done(400, 409, 409);
  });

  test("takes a statement of SQL, and runs it as the viewer", async () => {
    const { page, done } = await at.visit("/sql", { account: "guest" });
    await write(page, "select current_user::text as who");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Add to a dashboard" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name of the dashboard").fill("mine");
    await dialog.getByLabel("Title of the panel").fill("Who");
    await dialog.getByRole("button", { name: "Add" }).click();
    await page
      .getByRole("region", { name: "Who" })
      .getByRole("cell", { name: /^guest@/ })
      .waitFor();
    assert.deepEqual(await at.rows("select owner, panels from portolan.dashboards where name = 'mine'"), [
      { owner: "guest", panels: [{ q: "select current_user::text as who", show: "table", title: "Who" }] },
    ]);
    await follow(page.getByRole("link", { name: "The port" }));
    await page
      .getByRole("region", { name: "Cities", exact: true })
      .getByText(/^\d{3}$/)
      .waitFor();
    assert.equal(await page.getByRole("button", { name: "Add a panel" }).count(), 0);
    await done();
  });

  at.scenarios("Data")(
    "shows a table as cards, a form, a calendar, a board and a map, and shares a view of it",
    async () => {
      const { page, done } = await at.visit("/data/world/trips");
      const kind = page.getByLabel("Show as");
      await kind.selectOption({ label: "Kanban board" });
      const lane = (name: string) => page.getByRole("region", { name, exact: true });
      const planned = lane("planned").getByRole("article");
      await planned.first().waitFor();
      assert.equal(await planned.count(), 20);
      assert.deepEqual(await page.locator(".lane h2").allTextContents(), ["planned 20", "under way 20", "done 20"]);
      await lane("planned").getByLabel("Move Trip 3 to", { exact: true }).selectOption("done");
      await lane("done").getByRole("button", { name: "Trip 3", exact: true }).waitFor();
      const dragged = lane("planned")
        .getByRole("article")
        .filter({ hasText: /^Trip 6(?!\d)/ });
      await dragged.dragTo(lane("under way").getByRole("heading"));
      await lane("under way").getByRole("button", { name: "Trip 6", exact: true }).waitFor();
      assert.deepEqual(await at.rows("select id, stage from world.trips where id in (3, 6) order by id"), [
        { id: 3, stage: "done" },
        { id: 6, stage: "under way" },
      ]);
      await look("board");
      await page.getByLabel("Columns by").selectOption("city_id");
      await page.getByText("city_id has more than 20 values; these are the first.").waitFor();
      await lane("Abidjan").getByRole("button", { name: "Trip 1", exact: true }).waitFor();
      await page.getByLabel("Columns by").selectOption("stage");

      await page.getByRole("button", { name: "Views" }).click();
      const views = page.getByRole("dialog", { name: "Views of trips" });
      await views.getByLabel("Title").fill("Trips by stage");
      await views.getByLabel("Shared with").fill("guest");
      await views.getByRole("button", { name: "Save" }).click();
      await views.waitFor({ state: "detached" });

      await kind.selectOption({ label: "Calendar" });
      await page.getByLabel("Month", { exact: true }).fill("2026-10");
      const day = page.getByRole("listitem", { name: /October 3, 2026/ });
      await day.getByRole("button", { name: "Trip 2", exact: true }).waitFor();
      assert.equal(await day.getByRole("button").count(), 1);
      await page.getByLabel("Last day").selectOption("returns");
      await day.getByRole("button", { name: "Trip 1", exact: true }).waitFor();
      await look("calendar");
      await day.getByRole("button", { name: "Trip 1", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Trip 1" });
      await dialog.getByLabel("name", { exact: true }).fill("First trip");
      await dialog.getByLabel("leaves", { exact: true }).fill("2026-10-03");
      await look("row");
      await dialog.getByRole("button", { name: "Save" }).click();
      await day.getByRole("button", { name: "First trip" }).waitFor();
      assert.deepEqual(await at.rows("select name, leaves::text from world.trips where id = 1"), [
        { name: "First trip", leaves: "2026-10-03" },
      ]);

      await kind.selectOption({ label: "Cards" });
      await page.getByRole("listitem").filter({ hasText: "Trip 48" }).getByText("city_id").waitFor();
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByText("49 to 60 of 60").waitFor();
      await look("cards");
      await kind.selectOption({ label: "Form" });
      const form = page.getByRole("form", { name: "First trip" });
      await form.getByLabel("stage").selectOption("done");
      assert.equal(await form.getByRole("button", { name: "Next" }).getAttribute("aria-disabled"), "true");
      await at.rows("update world.trips set city_id = 5 where id = 1 returning 1");
      await form.getByRole("button", { name: "Save" }).click();
      await form.getByRole("alert").getByText("Somebody has changed this row").waitFor();
      await look("form");
      assert.equal(await form.getByLabel("city_id", { exact: true }).inputValue(), "5", "it is shown as it is now");
      await form.getByRole("button", { name: "Save" }).click();
      await until(async () => {
        const rows = await at.rows("select from world.trips where id = 1 and stage = 'done' and city_id = 5");
        return rows.length === 1;
      });
      await form.getByRole("button", { name: "Save", disabled: true }).waitFor();
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByRole("form", { name: "Trip 2" }).waitFor();
      await kind.selectOption({ label: "Map" });
      await page.locator('[role=application][data-shapes="60"]').waitFor();
      await look("map");

      await at.rows("update portolan.views set title = 'By another' returning 1");
      await page.getByRole("button", { name: "Save the view" }).click();
      await page.getByRole("alert").getByText("Somebody has saved it since you opened it.").waitFor();
      await page.getByRole("button", { name: "Open theirs" }).click();
      await page.getByRole("group", { name: "Board by stage" }).waitFor();
      await page.getByText("By another").waitFor();
      await kind.selectOption({ label: "Cards" });
      await at.rows("update portolan.views set title = 'By another' returning 1");
      await page.getByRole("button", { name: "Save the view" }).click();
      await page.getByRole("button", { name: "Save mine over it" }).click();
      await until(async () => (await at.rows("select from portolan.views where kind = 'cards'")).length === 1);
      await page.getByRole("button", { name: "Versions" }).click();
      const versions = page.getByRole("dialog", { name: /^Versions of/ });
      await versions.getByRole("button", { name: /^Compare version/ }).last().click(); // oxfmt-ignore
      const changes = versions.getByRole("region", { name: /would change$/ });
      await changes.getByText("Show as").waitFor();
      await changes.getByText("kanban").waitFor();
      await look("versions");
      await changes.getByRole("button", { name: /^Restore version/ }).click();
      await versions.waitFor({ state: "detached" });
      await page.getByRole("group", { name: "Board by stage" }).waitFor();
      assert.deepEqual(await at.rows("select kind from portolan.views"), [{ kind: "kanban" }]);
      await at.rows("update portolan.views set title = 'By another' returning 1");
      await done(409, 409);
      const guest = await at.visit("/data/world/trips?view=trips-by-stage", { account: "guest" });
      await guest.page.getByRole("group", { name: "Board by stage" }).waitFor();
      await guest.page.getByText("By another").waitFor();
      assert.equal(await guest.page.getByRole("button", { name: "Save the view" }).count(), 0);
      await guest.done();
      assert.deepEqual(await at.rows("select kind, fields, owner, shared from portolan.views"), [
        { kind: "kanban", fields: { group: "stage" }, owner: "captain", shared: ["guest"] },
      ]);

      async function look(name: string): Promise<void> {
        for (const { width, height, colorScheme } of LOOKS) {
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await shoot(page, `view-${name}-${width}-${colorScheme}`);
          assert.deepEqual(
            await violationsOf(page, { contrast: true }),
            {},
            `${name}, ${width} pixels, ${colorScheme}`,
          );
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          assert.ok(overflow <= 0, `at ${width} pixels ${name} is ${overflow} px too wide`);
        }
        await page.setViewportSize({ width: 1440, height: 900 });
      }
    },
  );
});
