/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { violationsOf } from "../support/axe.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";
import { coloured, focused, follow, placeOf, shoot, site, tabTo } from "./support.ts";

for (const pixelRatio of sized([1, 2], [1, 1.25, 2, 3]))
  describe(`the console: maps, with ${pixelRatio} pixels of the screen in one of the page`, () => {
    const at = site({
      prepare: async ({ client, name }) => {
        await client.query(`
create table world.parks (id int primary key, name text, geom geometry(Polygon, 4326));
insert into world.parks values
  (1, 'Large', st_makeenvelope(0, 0, 10, 10, 4326)), (2, 'Small', st_makeenvelope(0, 0, 1, 1, 4326)),
  (3, 'Far', st_makeenvelope(9, 9, 10, 10, 4326));
grant select on world.parks to "guest@${name}";
create table world.trees (id int primary key, geom geometry(Point, 4326));
insert into world.trees values (1, 'SRID=4326;POINT(0 0)'), (2, 'SRID=4326;POINT(10 10)');
comment on table world.trees is '@events on';
grant select on world.trees to "guest@${name}";
select portolan.set_style('world.trees', '[
  {"name": "New", "where": {"id": {"gt": 2}}, "styles": [{"symbol": "circle", "size": 60, "color": "#00ff00"}]},
  {"name": "Old", "styles": [{"symbol": "circle", "size": 10, "color": "#00ff00"}]}]');
select portolan.set_style('world.parks', '[{"name": "All", "styles": [{"color": "#ff0000"}]}]');
select portolan.enable_versioning('world.parks');
select pg_sleep(1.1);`); // an instant of a page is told to the second
        await client.query("delete from world.parks where id = 1");
      },
    });
    const test = at.scenarios("Maps");

    const visit = (path: string, options: { account?: string } = {}) => at.visit(path, { ...options, pixelRatio });

    const stored = async (table: string) =>
      (await at.rows("select portolan.style_of($1::regclass) as style", [table]))[0].style;

    const waitFor = (page: Page, colour: string, isThere: (pixels: number) => boolean): Promise<void> =>
      until(async () => isThere(await coloured(page, colour)));

    test("are divided into classes, drawn while they are changed, undone, and kept when they are saved", async () => {
      const { page, done } = await visit("/maps");
      await page.waitForURL((url) => url.pathname === "/console/workspace"); // the address of earlier links leads there
      await follow(page.getByRole("link", { name: "catchments" }));
      await page.locator('[role="application"][aria-busy="false"]').waitFor();
      assert.equal(await stored("world.catchments"), null);
      await page.getByLabel("By column").selectOption("area_km2");
      await page.getByLabel("Number of classes").fill("3");
      await page.getByLabel("Colours").selectOption("Oranges");
      await page.getByRole("button", { name: "Classify" }).click();
      await waitFor(page, "#a63603", (pixels) => pixels > 100);
      await shoot(page, "map-divided");
      await page.locator(".class summary").last().click();
      await page.getByLabel("Colour", { exact: true }).last().fill("#ff00ff");
      await waitFor(page, "#ff00ff", (pixels) => pixels > 100);
      assert.equal(await stored("world.catchments"), null, "nobody else sees it yet");
      await page.getByRole("button", { name: "Undo" }).click();
      await waitFor(page, "#ff00ff", (pixels) => pixels === 0);
      await waitFor(page, "#a63603", (pixels) => pixels > 100);
      await page.getByText("To copy").click();
      const sql = await page.getByRole("region", { name: "Format: SQL" }).innerText();
      await page.getByRole("button", { name: "Save the style" }).click();
      await page.getByRole("button", { name: "Save the style", disabled: true }).waitFor();
      const style = await stored("world.catchments");
      assert.equal(style.length, 3);
      assert.deepEqual(
        style.map(({ styles }: { styles: { color: string }[] }) => styles[0]?.color),
        ["#feedde", "#d29271", "#a63603"],
      );
      await at.gateway.database.client.query("select portolan.set_style('world.catchments', null)");
      await at.gateway.database.client.query(sql);
      assert.deepEqual(await stored("world.catchments"), style, "the SQL to copy sets the same");
      await done();
    });

    test("import a style from another program's file, list the parts that are left out, and choose the default style", async () => {
      const { page, done } = await visit("/maps/world/catchments");
      const files = page.getByRole("region", { name: "Styles by name" });
      const fill = `<PolygonSymbolizer><Fill><CssParameter name="fill">#a63603</CssParameter></Fill></PolygonSymbolizer>`;
      const sld = `<FeatureTypeStyle><Rule><Name>All</Name>${fill}<TextSymbolizer/></Rule></FeatureTypeStyle>`;
      const choose = (name: string) => files.getByLabel(/^File/).setInputFiles({ name, mimeType: "text/xml", buffer: Buffer.from(sld) }); // oxfmt-ignore
      await choose("land.sld");
      await files.getByText("no Label").waitFor();
      await waitFor(page, "#a63603", (pixels) => pixels > 100);
      assert.equal((await stored("world.catchments")).length, 1);
      await files.getByLabel("Name").fill("night");
      await choose("night.sld");
      await files.getByRole("button", { name: "Make night the default" }).click();
      await files.getByRole("button", { name: "Make default the default" }).waitFor();
      assert.deepEqual(await violationsOf(page), {});
      const { rows } = await at.gateway.database.client.query("select name from portolan.list_styles('world.catchments') where is_default"); // oxfmt-ignore
      assert.deepEqual(rows, [{ name: "night" }]);
      await at.rows("select portolan.set_style('world.catchments', null, 'night'), portolan.set_style('world.catchments', null)"); // oxfmt-ignore
      await done();
    });

    test("draw with a class the rows of a filter that is made by clicks and shown in words", async () => {
      const { page, done } = await visit("/maps/world/graticule");
      await page.getByRole("button", { name: "Add a class" }).click();
      await page.locator(".class summary").click();
      const only = page.getByRole("search", { name: "Only where: All" });
      await page.getByText("every row").waitFor();
      await only.getByLabel("Column").selectOption("kind");
      await only.getByLabel("Operator").selectOption("begins");
      await only.getByLabel("Value").fill("mer");
      await only.getByRole("button", { name: "Filter" }).click();
      await only.getByText("kind begins with mer").waitFor();
      await only.getByLabel("Operator").selectOption("filled");
      await only.getByRole("button", { name: "Filter" }).click();
      await only.getByRole("button", { name: /^and, after kind begins with mer/ }).click();
      assert.deepEqual(await violationsOf(page), {});
      await page.getByRole("button", { name: "Save the style" }).click();
      await page.getByRole("button", { name: "Save the style", disabled: true }).waitFor();
      assert.deepEqual(
        (await stored("world.graticule")).map(({ where }: { where: unknown }) => where),
        [{ or: [{ kind: { ilike: "mer%" } }, { not: { kind: null } }] }],
      );
      await page.reload();
      await page.locator(".class summary").click();
      await page.getByRole("button", { name: "Without kind begins with mer" }).click();
      await page.getByText("kind is not null").waitFor();
      await at.rows("select portolan.set_style('world.graticule', null)");
      await done();
    });

    it("are drawn as they were at an instant, alone and beside the rows of then", async () => {
      const { page, done } = await visit("/maps/world/parks", { account: "guest" });
      const first = async () => {
        await page.getByRole("slider", { name: /^As it was/ }).focus();
        await page.keyboard.press("Home");
      };
      await waitFor(page, "#ff0000", (pixels) => pixels > 0);
      await page.locator('[role="application"][aria-busy="false"]').waitFor();
      const left = await coloured(page, "#ff0000");
      await first();
      await waitFor(page, "#ff0000", (pixels) => pixels > 5 * left);
      assert.match(page.url(), /[?&]at=/);
      await shoot(page, "map-then");
      await page.getByRole("button", { name: "Now" }).click();
      await waitFor(page, "#ff0000", (pixels) => pixels < 2 * left);
      await page.goto(`${at.gateway.baseUrl}/console/history/world/Parks`);
      await page.getByText("2 rows now").waitFor();
      await page.getByRole("button", { name: "Map" }).click();
      await page.locator('[role="application"][aria-busy="false"]').waitFor();
      await waitFor(page, "#ff0000", (pixels) => pixels > 0);
      const now = await coloured(page, "#ff0000");
      await first();
      await page.getByText("3 rows then").waitFor();
      await waitFor(page, "#ff0000", (pixels) => pixels > 5 * now);
      await shoot(page, "history-map");
      assert.deepEqual(await violationsOf(page), {});
      await done();
    });

    test("explain a wrong style, and do not save it", async () => {
      const { page } = await visit("/maps/world/cities");
      await page.getByRole("button", { name: "Add a class" }).click();
      await page.locator(".class summary").click();
      await page.getByRole("button", { name: "as JSON" }).click();
      await page.getByLabel("Filter as JSON").fill('{"nothing": 1}');
      await page.getByRole("button", { name: "Filter" }).click();
      await page.getByRole("alert").getByText("style[0].where").waitFor();
      await page.getByRole("button", { name: "Save the style" }).click();
      await page.getByRole("alert").getByText("style[0].where").first().waitFor();
      assert.equal(await stored("world.cities"), null);
      await page.context().close();
    });

    it("are drawn again when somebody writes to the table, without being asked", async () => {
      const following = async () =>
        /^portolan_events_subscriptions.* [1-9]/m.test((await at.gateway.http.get("/metrics").expect(200)).text);
      await until(async () => !(await following())); // the maps of other tests are closed
      const { page, done } = await visit("/maps/world/trees", { account: "guest" });
      await waitFor(page, "#00ff00", (pixels) => pixels > 0 && pixels < 1000);
      await until(following);
      await at.rows(
        "insert into world.trees values (3, 'SRID=4326;POINT(5 5)'); update world.trees set id = 4 where id = 3",
      );
      await waitFor(page, "#00ff00", (pixels) => pixels > 1000);
      await at.rows("delete from world.trees where id = 4");
      await waitFor(page, "#00ff00", (pixels) => pixels < 1000);
      await done();
    });

    it("are seen by who may see the table, on land that is dimmed where the page is dark, and styled by super users", async () => {
      const { page, done } = await visit("/maps/world/cities", { account: "guest" });
      await page.locator('[role="application"][aria-busy="false"]').waitFor();
      for (const [colorScheme, land] of [
        ["light", "#e6dfcd"],
        ["dark", "#bdb6a5"],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await waitFor(page, land, (pixels) => pixels > 10_000);
      }
      assert.equal(await page.getByRole("button", { name: "Save the style" }).count(), 0);
      await done();
    });

    test("are divided into classes and saved with the keys alone", async () => {
      const { page, done } = await visit("/maps/world/catchments");
      await tabTo(page, page.getByLabel("By column"));
      await page.keyboard.type("area");
      await tabTo(page, page.getByRole("button", { name: "Classify" }));
      await page.keyboard.press("Enter");
      await page.locator(".class summary").first().waitFor();
      const classes = page.getByRole("list", { name: "Legend of world.catchments" }).getByRole("listitem");
      await until(async () => (await classes.count()) === 5); // before they are saved
      await tabTo(page, page.getByRole("button", { name: "Save the style" }));
      await page.keyboard.press("Enter");
      await focused(page.getByRole("button", { name: "Save the style", disabled: true }));
      assert.equal((await stored("world.catchments")).length, 5);
      await done();
    });
  });

describe("the console: a map", () => {
  const at = site({
    prepare: async ({ client, name }) => {
      await client.query(`
create table world.signs (id int primary key, geom geometry);
insert into world.signs values
  (1, st_makeenvelope(0, 0, 2, 10, 4326)), (2, st_makeenvelope(0, 0, 10, 2, 4326)), (3, 'SRID=4326;LINESTRING(9 9, 4 4)');
grant select on world.signs to "guest@${name}";
select portolan.set_style('world.signs', '[
  {"name": "Line", "where": {"id": {"eq": 3}}, "styles": [{"width": 24, "color": "#0000ff"}]},
  {"name": "Areas", "styles": [{"color": "#ff0000"}]}]');`);
    },
  });
  const [areas, line] = ["#ff0000", "#0000ff"];

  /** What it shows, once it is drawn: where the areas are, and how much the line covers. */
  async function shown(page: Page): Promise<readonly number[]> {
    await until(async () => (await coloured(page, areas)) > 500 && (await coloured(page, line)) > 100);
    await page.locator('[role="application"][aria-busy="false"]').waitFor();
    return [...(await placeOf(page, areas)), Math.sqrt(await coloured(page, line))];
  }

  function assertSame(found: readonly number[], wanted: readonly number[], message: string): void {
    // what a coarse screen blends at the ends of a line is left out
    const isNear = found.every((number, index) => Math.abs(number - wanted[index]!) <= 12);
    assert.ok(isNear, `${message}: ${found.join(", ")}; it should be ${wanted.join(", ")}`);
  }

  it("shows the same place at the same size on every screen, and after the page is zoomed", async () => {
    const looks = { account: "guest", width: 1600, height: 500 };
    const first = await at.visit("/maps/world/signs", looks);
    const wanted = await shown(first.page);
    await first.done();
    for (const pixelRatio of [0.5, 1.25, 1.5, 2, 3, 4]) {
      const { page, done } = await at.visit("/maps/world/signs", { ...looks, pixelRatio });
      assertSame(await shown(page), wanted, `${pixelRatio} pixels`);
      await shoot(page, `map-pixels-${pixelRatio}`);
      await done();
    }
    const { page, done } = await at.visit("/maps/world/signs", looks);
    await shown(page);
    const devtools = await page.context().newCDPSession(page);
    const screen = { width: 1600, height: 500, mobile: false };
    await devtools.send("Emulation.setDeviceMetricsOverride", { ...screen, deviceScaleFactor: 2 });
    assertSame(await shown(page), wanted, "zoomed");
    await page.getByRole("application").focus();
    await page.keyboard.press("ArrowLeft");
    const step = 128;
    const moved = wanted.map((number, index) => ([0, 2].includes(index) ? number + step : number));
    await until(async () => Math.abs((await placeOf(page, areas))[2]! - moved[2]!) < 3); // all is drawn anew
    assertSame(await shown(page), moved, "zoomed and moved");
    await done();
  });
});
