/// <reference lib="dom" />
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PALETTE } from "../../console/src/ui/map/layers/palette.ts";
import { violationsOf } from "../support/axe.ts";
import { screenOf } from "../support/seen.ts";
import { until } from "../support/until.ts";
import { coloured, follow, placeOf, shoot, site, tabTo } from "./support.ts";

const RED = "#ff0000";
const GREEN = "#00aa00";
const BLUE = "#0000ff";

const KINDS = [
  { name: "Oak", where: { kind: "oak" }, styles: [{ symbol: "circle", size: 20, color: GREEN }] },
  { name: "Other", styles: [{ symbol: "circle", size: 20, color: RED }] },
];

const MODULES = join(import.meta.dirname, "../../node_modules");

/** A page of somebody else that has the code for OpenLayers. */
function pageOf(code: string): string {
  const names = ["rbush", "quickselect", "pbf"].map((name) => [name, `/pasted/${name}/index.js`]);
  const imports = { "ol/": "/pasted/ol/", ...Object.fromEntries(names) };
  return `<!doctype html><title>Pasted</title><style>body { margin: 0 } #map { height: 100vh }</style><div id="map"></div>
<script type="importmap">${JSON.stringify({ imports })}</script><script type="module">${code}</script>`;
}

/** The commonest opaque colour of a picture, without white. */
function mainColour(element: Element): string {
  const { width, height } = element as HTMLCanvasElement;
  const { data } = (element as HTMLCanvasElement).getContext("2d")!.getImageData(0, 0, width, height);
  const counts = new Map<string, number>();
  for (let at = 0; at < data.length; at += 4) {
    const hex = [...data.slice(at, at + 3)].map((part) => part.toString(16).padStart(2, "0")).join("");
    if (data[at + 3] === 255 && hex !== "ffffff") counts.set(hex, (counts.get(hex) ?? 0) + 1);
  }
  return `#${[...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0]}`;
}

describe("the console: the workspace", () => {
  const at = site({
    prepare: async ({ client, name }) => {
      await client.query(`
create table world.parks (id int primary key, kind text, name text not null, geom geometry(Polygon, 4326));
insert into world.parks values
  (1, 'park', 'Large', st_makeenvelope(0, 0, 20, 20, 4326)), (2, 'park', 'Far', st_makeenvelope(30, 10, 40, 20, 4326));
create table world.trees (id int primary key, kind text, geom geometry(Point, 4326));
insert into world.trees values (1, 'oak', 'SRID=4326;POINT(10 10)'), (2, 'elm', 'SRID=4326;POINT(35 15)');
create table world.wells (id int primary key, geom geometry(Point, 4326));
insert into world.wells values (1, 'SRID=4326;POINT(0 0)');
create table world.swarm (id int primary key, geom geometry(Point, 4326));
insert into world.swarm select n, 'SRID=4326;POINT(10 10)' from generate_series(1, 100000) n;
create index on world.swarm using gist (geom);
create table world.marks (id int primary key, geom geometry(Point, 4326));
insert into world.marks values (1, 'SRID=4326;POINT(10 10)');
create table world.peaks (id int primary key, geom geometry(Point, 4326));
insert into world.peaks values (1, 'SRID=4326;POINT(10 10)');
select portolan.set_style('world.peaks', '[{"name": "Far", "minScale": 10000000, "styles": [{"symbol": "circle", "size": 30, "color": "${GREEN}"}]}]');
create table world.stones (id int primary key, kind text, geom geometry(Point, 4326));
insert into world.stones values (1, 'slate', 'SRID=4326;POINT(10 10)');
select portolan.set_style('world.stones', '[{"name": "Granite", "where": {"kind": "granite"}, "styles": [{"color": "${GREEN}"}]}]');
create table world.seedlings (id int primary key, geom geometry(Point, 4326));
select portolan.set_style('world.seedlings', '[{"name": "Young", "styles": [{"symbol": "circle", "size": 30, "color": "${GREEN}"}]}]');
select portolan.enable_versioning('world.seedlings');
create table world.lights (id int primary key, name text, size int, geom geometry(Point, 4326));
insert into world.lights select n, 'Light ' || n, 10 * n, st_setsrid(st_makepoint(10 * n, 10), 4326) from generate_series(1, 4) n;
select portolan.set_style('world.lights', '[{"name": "All", "styles": [{"color": "${RED}", "size": 40}]}]', 'bare');
select portolan.set_style('world.lights', '[{"name": "All", "styles": [{"color": "${RED}", "size": 40}],
  "labels": [{"text": "name", "color": "${BLUE}", "size": 12}]}]', 'one');
select portolan.set_style('world.lights', '[{"name": "All", "styles": [{"color": "${RED}", "size": 40}],
  "labels": [{"text": "name", "color": "${BLUE}", "size": 12, "position": "lc"}]}]', 'below');
select portolan.set_style('world.lights', '[{"name": "All", "styles": [{"color": "${RED}", "size": "size"}]}]', 'bare-each');
select portolan.set_style('world.lights', '[{"name": "All", "styles": [{"color": "${RED}", "size": "size"}],
  "labels": [{"text": "name", "color": "${BLUE}", "size": 12}]}]', 'each');
create table world.ports (id int primary key, geom geometry(Point, 4326));
insert into world.ports select n, st_setsrid(st_makepoint(n, 10), 4326) from generate_series(0, 8) n;
create table world.mines (id int primary key, geom geometry(Point, 4326));
insert into world.mines select n, st_setsrid(st_makepoint(n, 5), 4326) from generate_series(0, 8) n;
create table world.fields (id int primary key, geom geometry(Polygon, 4326));
insert into world.fields values (1, st_makeenvelope(0, -10, 10, 0, 4326));
grant select on world.ports, world.mines, world.fields to "anonymous@${name}";
create table world.caves (id int primary key, geom geometry(Point, 4326));
create table world.coves (id int primary key, kind text, size int, geom geometry(Point, 4326));
insert into world.coves values (1, 'sand', 40, 'SRID=4326;POINT(4 10)'), (2, 'rock', 40, 'SRID=4326;POINT(10 10)');
select portolan.set_style('world.coves', '[
  {"name": "Sand", "where": {"kind": "sand"}, "styles": [{"color": "${GREEN}", "size": "size"}],
    "labels": [{"text": "kind", "color": "${BLUE}", "size": 24}]},
  {"name": "Other", "styles": [{"color": "${RED}", "size": 40}]}]');
grant select on world.coves to "anonymous@${name}";
select portolan.set_style('world.marks', '[{"name": "Near", "maxScale": 1000000, "styles": [{"symbol": "circle", "size": 30, "color": "${GREEN}"}]}]');
grant select on world.lights to "anonymous@${name}";
grant select on world.parks, world.trees, world.wells, world.swarm, world.marks, world.peaks, world.stones, world.seedlings, world.lights, world.caves to "guest@${name}";
select portolan.set_style('world.parks', '[{"name": "Green land", "styles": [{"color": "${RED}"}]}]');
select portolan.set_style('world.trees', '[{"name": "Old", "styles": [{"symbol": "circle", "size": 30, "color": "${BLUE}"}]}]');
select portolan.set_style('world.wells', '[{"name": "Well", "styles": [{"symbol": "circle", "size": 12, "color": "${BLUE}"}]}]');
select portolan.enable_versioning('world.parks');
select pg_sleep(1.1);`); // an instant of a page is told to the second
      await client.query("delete from world.parks where id = 2");
      await client.query("insert into world.seedlings values (1, 'SRID=4326;POINT(10 10)')");
    },
  });
  const test = at.scenarios("Maps");
  const drawn = (page: Page, colour: string, isThere: (pixels: number) => boolean): Promise<void> =>
    until(async () => isThere(await coloured(page, colour)));
  const addLayer = async (page: Page, name: string) => {
    await page.getByRole("button", { name: "Add a layer" }).click();
    await page.getByLabel("Find a layer").fill(name);
    await page
      .getByRole("button", { name: new RegExp(name) })
      .first()
      .click();
  };
  const saved = async (name: string) =>
    (await at.rows("select title, owner, shared, view, layers, version from portolan.maps where name = $1", [name]))[0];

  test("shows several layers, in an order, with opacity and legend, and saves them as a map", async () => {
    const { page, done } = await at.visit("/workspace?view=20,15,3");
    await addLayer(page, "world.trees");
    await addLayer(page, "world.parks");
    await page.getByRole("list", { name: "Legend of world.parks" }).getByText("Green land").waitFor();
    await page.getByRole("list", { name: "Legend of world.trees" }).getByText("Old").waitFor();
    await drawn(page, RED, (pixels) => pixels > 500);
    await drawn(page, BLUE, (pixels) => pixels > 200 && pixels < 800); // the park lies over one of the two
    await page.getByRole("button", { name: "Move parks to the back" }).click();
    await drawn(page, BLUE, (pixels) => pixels > 800);
    await shoot(page, "workspace");
    assert.deepEqual(await violationsOf(page), {});
    await page.getByLabel("Opacity of parks").fill("0.5");
    await drawn(page, RED, (pixels) => pixels === 0);
    await page.getByLabel("Show trees").uncheck();
    await drawn(page, BLUE, (pixels) => pixels === 0);
    await page.getByRole("button", { name: "Save …" }).click();
    await page.getByLabel("Title").fill("Grün & Bäume");
    assert.equal(await page.getByRole("dialog").getByLabel("Name", { exact: true }).inputValue(), "grun-baume");
    await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "Grün & Bäume" }).waitFor();
    const map = await saved("grun-baume");
    assert.equal(map.owner, "captain");
    assert.deepEqual(map.layers, [
      { land: true },
      { collection: "world.parks", color: PALETTE[1], opacity: 0.5 },
      { collection: "world.trees", color: PALETTE[0], visible: false },
    ]);
    await page.reload();
    await page.getByLabel("Opacity of parks").waitFor();
    assert.equal(await page.getByLabel("Opacity of parks").inputValue(), "0.5");
    assert.equal(await page.getByLabel("Show trees").isChecked(), false);
    await page.getByLabel("Show trees").check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await until(async () => (await saved("grun-baume")).layers[2].visible === true);
    const released = Promise.withResolvers<void>();
    await page.route("**/world/tables/parks/style", (route) => released.promise.then(() => route.continue()));
    await page.getByRole("button", { name: "parks", exact: true }).click();
    await page.getByText("Style", { exact: true }).click();
    await page
      .getByRole("option", { name: "a style of this layer alone", disabled: true })
      .waitFor({ state: "attached" });
    released.resolve();
    await page.getByLabel("Drawn with").selectOption("a style of this layer alone");
    await page.getByRole("list").getByText("Green land").last().click();
    await page.getByLabel("Colour", { exact: true }).first().fill(GREEN);
    await page.getByLabel("Opacity of parks").fill("1");
    await drawn(page, GREEN, (pixels) => pixels > 500);
    await shoot(page, "own-style");
    assert.deepEqual(await violationsOf(page), {});
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const styled = [{ name: "Green land", styles: [{ color: GREEN }] }];
    await until(async () => JSON.stringify((await saved("grun-baume")).layers[1].style) === JSON.stringify(styled));
    await page.reload();
    await drawn(page, GREEN, (pixels) => pixels > 500);
    const [table] = await at.rows("select portolan.style_of('world.parks')::text as style");
    assert.match(table.style, /#ff0000/, "the table has its own style");
    await done();
  });

  test("keeps layers that are not saved after a reload, until they are saved or discarded", async () => {
    await at.rows(`select portolan.create_map('kept', layers => '[{"collection": "world.parks"}]')`);
    const { page, done } = await at.visit("/workspace/kept");
    await page.getByLabel("Opacity of parks").fill("0.5");
    await addLayer(page, "world.trees");
    await page.reload();
    await page.getByLabel("Opacity of trees").waitFor();
    assert.equal(await page.getByLabel("Opacity of parks").inputValue(), "0.5");
    await page.getByRole("button", { name: "Discard the changes" }).click();
    await page.getByLabel("Opacity of trees").waitFor({ state: "detached" });
    assert.equal(await page.getByLabel("Opacity of parks").inputValue(), "1");
    await page.getByLabel("Opacity of parks").fill("0.6");
    await page.reload();
    await page.getByText("Unsaved layers").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Unsaved layers").waitFor({ state: "detached" });
    assert.equal((await saved("kept")).layers[0].opacity, 0.6);
    await page.reload();
    await page.getByLabel("Opacity of parks").waitFor();
    assert.equal(await page.getByRole("button", { name: "Discard the changes" }).count(), 0);
    await done();
  });

  for (const show of ["tiles", "features", "map"])
    it(`gives layers without a style colours that differ, last, and are the same for visitors, loaded as ${show}`, async () => {
      const [ports, mines, fields] = PALETTE;
      const name = `colours-${show}`;
      await at.rows("select portolan.create_map($1, null, '{\"center\": [5, 3], \"zoom\": 5}', '[]', '{*}')", [name]);
      const { page, done } = await at.visit(`/workspace/${name}`);
      const symbol = (title: string) => page.locator(".layer", { hasText: title }).locator("canvas").first();
      const hasColour = (title: string, colour: string): Promise<void> =>
        until(async () => (await symbol(title).evaluate(mainColour)) === colour);
      for (const table of ["ports", "mines", "fields"]) {
        await addLayer(page, `world.${table}`);
        await page.getByLabel("Loaded as").selectOption(show);
      }
      await drawn(page, ports, (pixels) => pixels > 60);
      await drawn(page, mines, (pixels) => pixels > 60);
      await hasColour("ports", ports);
      await hasColour("mines", mines);
      await page.getByRole("button", { name: "Move ports to the front" }).click();
      await page.getByRole("button", { name: "Remove mines" }).click();
      await drawn(page, mines, (pixels) => pixels === 0);
      await drawn(page, ports, (pixels) => pixels > 60);
      await hasColour("ports", ports);
      await addLayer(page, "world.mines");
      await page.getByLabel("Loaded as").selectOption(show);
      await drawn(page, mines, (pixels) => pixels > 60);
      await shoot(page, `colours-${show}`);
      assert.deepEqual(await violationsOf(page), {});
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Unsaved layers").waitFor({ state: "detached" });
      assert.deepEqual(
        (await saved(name)).layers.map(({ collection, color }: Record<string, string>) => [collection, color]),
        [
          ["world.ports", ports],
          ["world.fields", fields],
          ["world.mines", mines],
        ],
      );
      await page.goto(`${at.gateway.baseUrl}/maps/${at.gateway.database.name}/${name}`);
      await drawn(page, ports, (pixels) => pixels > 60);
      await drawn(page, mines, (pixels) => pixels > 60);
      await hasColour("ports", ports);
      await shoot(page, `colours-${show}-public`);
      await done();
    });

  it("gives the code for other pages the colours of the map", async () => {
    const layers = [{ collection: "world.ports", color: "#009e73" }, { collection: "world.mines" }];
    const all = JSON.stringify([...layers, { collection: "world.coves" }]);
    const view = '{"center": [8, 8], "zoom": 6}';
    await at.rows("select portolan.create_map('coded', null, $1, $2, '{*}')", [view, all]);
    const { page, done } = await at.visit("/workspace/coded");
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByLabel("For pages", { exact: true }).selectOption("OpenLayers");
    const openLayers = await page.getByRole("region", { name: "For pages: OpenLayers" }).innerText();
    await page.getByLabel("For pages", { exact: true }).selectOption("MapLibre");
    const mapLibre = await page.getByRole("region", { name: "For pages: MapLibre" }).innerText();
    const style = await fetch(JSON.parse(/style: (".*")/.exec(mapLibre)![1]!));
    const { layers: drawings } = (await style.json()) as { layers: { paint: Record<string, unknown> }[] };
    assert.deepEqual(
      drawings.slice(0, 2).map(({ paint }) => paint["circle-color"]),
      ["#009e73", PALETTE[0]],
    );
    await page.goto("about:blank"); // the code has a page of its own
    await page.route(`${at.gateway.baseUrl}/pasted/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === "/pasted/") return route.fulfill({ contentType: "text/html", body: pageOf(openLayers) });
      const file = join(MODULES, pathname.slice("/pasted/".length));
      return route.fulfill({ contentType: "text/javascript", body: await readFile(file) });
    });
    await page.goto(`${at.gateway.baseUrl}/pasted/`);
    await until(async () => {
      const seen = await screenOf(page);
      const own = ["#009e73", PALETTE[0]].every((colour) => seen.count(colour) > 60);
      return own && [RED, GREEN].every((colour) => seen.count(colour) > 800) && seen.count(BLUE) > 30;
    });
    await shoot(page, "pasted-openlayers");
    await done();
  });

  it("shows a place where it is, tells the features under a click, and leads to their rows", async () => {
    const { page, done } = await at.visit("/workspace?layer=world.parks&view=10,10,4", { account: "guest" });
    await drawn(page, RED, (pixels) => pixels > 500);
    const [left = 0, top = 0, right = 0, bottom = 0] = await placeOf(page, RED);
    const box = (await page.getByRole("application").boundingBox())!;
    const degrees = 360 / (256 * 2 ** 4);
    assert.ok(Math.abs(right - left - 20 / degrees) < 4, `${right - left} wide, of ${20 / degrees}`);
    assert.ok(Math.abs((left + right) / 2 - box.width / 2) < 3 && Math.abs((top + bottom) / 2 - box.height / 2) < 8);
    await page.getByRole("application").click();
    const found = page.getByRole("region", { name: "Features here" });
    await found.getByText("Large").waitFor();
    await shoot(page, "workspace-found");
    assert.deepEqual(await violationsOf(page), {});
    await follow(found.getByRole("link", { name: "Its row" }));
    await page.getByText("1 row").first().waitFor();
    await done();
  });

  it("opens with each layer that the address names, the lowest first", async () => {
    const { page, done } = await at.visit("/workspace?layer=world.parks&layer=world.trees&view=20,15,3");
    for (const isAgain of [false, true]) {
      if (isAgain) await page.reload();
      await drawn(page, RED, (pixels) => pixels > 500);
      await drawn(page, BLUE, (pixels) => pixels > 800);
      const layers = page.getByRole("region", { name: "Layers" }).locator(".layer-title");
      assert.deepEqual(await layers.allTextContents(), ["trees", "parks", "Land"]);
    }
    await done();
  });

  it("draws the whole circle of a point on the corner of four tiles", async () => {
    const { page, done } = await at.visit("/workspace?layer=world.wells&view=0,0,4", { account: "guest" });
    await drawn(page, BLUE, (pixels) => pixels > 80 && pixels < 120); // without its smooth edge, of 113
    const [left = 0, top = 0, right = 0, bottom = 0] = await placeOf(page, BLUE);
    assert.ok(right - left >= 9 && bottom - top >= 9, `${right - left} × ${bottom - top}`);
    await shoot(page, "workspace-circle");
    await done();
  });

  it("lets one of the features under a click be chosen, and marks it alone", async () => {
    await at.rows("insert into world.parks values (7, 'park', 'Inner', st_makeenvelope(5, 5, 15, 15, 4326))");
    const { page, done } = await at.visit("/workspace?layer=world.parks&view=10,10,4", { account: "guest" });
    await drawn(page, RED, (pixels) => pixels > 500);
    await page.getByRole("application").click();
    const found = page.getByRole("region", { name: "Features here" });
    await found.getByText("2 features are here. Choose one.").waitFor();
    await found.getByRole("button", { name: /Inner/ }).click();
    assert.deepEqual(await found.getByRole("definition").allInnerTexts(), ["7", "park", "Inner"]);
    await found.getByRole("button", { name: /Large/ }).click();
    assert.deepEqual(await found.getByRole("definition").allInnerTexts(), ["1", "park", "Large"]);
    await shoot(page, "workspace-several");
    assert.deepEqual(await violationsOf(page), {});
    await at.rows(
      "insert into world.parks select 10 + n, 'park', 'Inner', st_makeenvelope(5, 5, 15, 15, 4326) from generate_series(1, 9) n",
    );
    await page.getByRole("application").click();
    await found.getByText("More than 10 features are here. Choose one, or zoom in to tell them apart.").waitFor();
    await at.rows("delete from world.parks where id >= 7");
    await page.goto(`${at.gateway.baseUrl}/console/workspace?layer=world.swarm&view=10,10,8`);
    await page.locator('[role="application"][aria-busy="false"]').waitFor();
    await page.getByRole("application").click(); // on a hundred thousand
    await found.getByText("More than 10 features are here. Choose one, or zoom in to tell them apart.").waitFor();
    assert.deepEqual(await found.getByRole("definition").allInnerTexts(), ["1"]);
    await done();
  });

  it("loads what has failed when the network is back, by itself", async () => {
    const { page } = await at.visit("/workspace?layer=world.parks&view=10,10,4", { account: "guest" });
    await drawn(page, RED, (pixels) => pixels > 500);
    await page.context().setOffline(true);
    await page.getByRole("application").focus();
    await page.keyboard.press("-"); // other tiles are needed
    await page.getByRole("alert").filter({ hasText: "does not answer" }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("alert").filter({ hasText: "does not answer" }).waitFor({ state: "detached" });
    await page.locator('[role="application"][aria-busy="false"]').waitFor();
    await drawn(page, RED, (pixels) => pixels > 100);
    await page.route("**/tiles/**", (route) => route.fulfill({ status: 503, json: { code: "UNAVAILABLE" } }));
    await page.keyboard.press("-");
    await page.getByRole("list", { name: "Legend of world.parks" }).waitFor();
    await page.getByRole("alert").waitFor();
    await page.unroute("**/tiles/**");
    await page.getByRole("alert").waitFor({ state: "detached" }); // after a pause, without an event
    await page.context().close();
  });

  it("filters a layer, says what is wrong with a filter, and shows what was", async () => {
    const { page, done } = await at.visit("/workspace?layer=world.trees&view=20,15,4", { account: "guest" });
    await drawn(page, BLUE, (pixels) => pixels > 1000);
    await page.getByRole("button", { name: "trees", exact: true }).click();
    await page.getByLabel("Only where").fill("kind = 'oak'");
    await page.keyboard.press("Enter");
    await drawn(page, BLUE, (pixels) => pixels > 100 && pixels < 1000);
    for (const show of ["features", "map", "tiles"]) {
      await page.getByLabel("Loaded as").selectOption(show);
      await drawn(page, BLUE, (pixels) => pixels > 100 && pixels < 1000);
    }
    const why = page.getByRole("status");
    await page.getByLabel("Only where").fill("kind = 'ash'");
    await page.keyboard.press("Enter");
    await why.getByText("No row matches its filter.").waitFor();
    await why.getByRole("button", { name: "Remove the filter" }).click();
    await drawn(page, BLUE, (pixels) => pixels > 1000);
    assert.equal(await page.getByLabel("Only where").inputValue(), "");
    await page.getByLabel("Show trees").uncheck();
    await why.getByText("All layers are off.").waitFor();
    await why.getByRole("button", { name: "Show all layers" }).click();
    await drawn(page, BLUE, (pixels) => pixels > 1000);
    await why.getByText("All layers are off.").waitFor({ state: "detached" });
    await page.getByLabel("Only where").fill("kind = ");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "filter" }).waitFor();
    await shoot(page, "workspace-filter");
    await page.goto(`${at.gateway.baseUrl}/console/workspace?layer=world.parks&view=20,15,3`);
    await drawn(page, RED, (pixels) => pixels > 500);
    const now = await coloured(page, RED);
    await page.getByRole("slider", { name: "As it was, slider" }).focus();
    await page.keyboard.press("Home");
    await drawn(page, RED, (pixels) => pixels > now * 1.2);
    assert.match(page.url(), /[?&]at=/);
    await done(400);
  });

  for (const show of ["tiles", "features", "map"])
    it(`labels points beside their symbols, loaded as ${show}`, async () => {
      const { page, done } = await at.visit("/workspace");
      const draw = async (style: string): Promise<number> => {
        const layers = JSON.stringify([{ collection: "world.lights", show, style }]);
        await at.rows("delete from portolan.maps where name = 'lights'");
        await at.rows(`select portolan.create_map('lights', null, '{"center": [25, 10], "zoom": 4}', $1, '{*}')`, [
          layers,
        ]);
        await page.goto(`${at.gateway.baseUrl}/maps/${at.gateway.database.name}/lights`);
        await page.locator('[role="application"][aria-busy="false"]').waitFor();
        await drawn(page, RED, (pixels) => pixels > 500);
        await shoot(page, `labels-${show}-${style}`);
        return coloured(page, RED);
      };
      for (const [bare, labelled] of [
        ["bare", "one"],
        ["bare", "below"],
        ["bare-each", "each"],
      ] as const) {
        const whole = await draw(bare);
        const under = await draw(labelled);
        assert.ok(under > whole * 0.99, `${labelled}: ${under} of ${whole} pixels are seen`);
        assert.ok((await coloured(page, BLUE, 60)) > 100, `${labelled}: its labels are seen`);
      }
      await done();
    });

  it("draws classes with a condition from features too, and says how", async () => {
    await at.rows(`select portolan.create_map('kinds', null, '{"center": [20, 12], "zoom": 4}', $1)`, [
      JSON.stringify([{ collection: "world.trees", show: "features", style: KINDS }]),
    ]);
    const { page, done } = await at.visit("/workspace/kinds");
    await drawn(page, GREEN, (pixels) => pixels > 100);
    await drawn(page, RED, (pixels) => pixels > 100);
    await page.getByRole("button", { name: "trees", exact: true }).click();
    await page.getByText("The map draws it by vector tiles.").waitFor();
    await shoot(page, "features-classes");
    await done();
  });

  it("is at rest once features are drawn, and where nothing is to be drawn", async () => {
    const { page, done } = await at.visit("/workspace");
    for (const [name, layers] of [
      ["features", [{ collection: "world.lights", show: "features", style: "bare" }]],
      ["nothing", []],
    ] as const) {
      const text = JSON.stringify(layers);
      await at.rows("select portolan.create_map($1, null, null, $2, '{*}')", [`rests-${name}`, text]);
      await page.goto(`${at.gateway.baseUrl}/maps/${at.gateway.database.name}/rests-${name}`);
      await page.locator('[role="application"][aria-busy="false"]').waitFor();
      if (name === "features") await drawn(page, RED, (pixels) => pixels > 500);
    }
    await done();
  });

  it("says why it shows nothing, and leads to what it has", async () => {
    const { page, done } = await at.visit("/workspace?layer=world.trees&view=-100,-40,5", { account: "guest" });
    const why = page.getByRole("status");
    const open = (layer: string, view: string) =>
      page.goto(`${at.gateway.baseUrl}/console/workspace?layer=${layer}&view=${view}`);
    await why.getByText("There is nothing in this view.").waitFor();
    await shoot(page, "workspace-empty");
    await why.getByRole("button", { name: "Zoom to its rows" }).click();
    await drawn(page, BLUE, (pixels) => pixels > 1000);
    await open("world.marks", "10,10,4");
    await why.getByText("Its style draws nothing at this scale.").waitFor();
    assert.deepEqual(await violationsOf(page), {});
    await why.getByRole("button", { name: "Zoom in" }).click();
    await drawn(page, GREEN, (pixels) => pixels > 500);
    await open("world.peaks", "10,10,12");
    await why.getByText("Its style draws nothing at this scale.").waitFor();
    await why.getByRole("button", { name: "Zoom out" }).click();
    await drawn(page, GREEN, (pixels) => pixels > 500);
    await open("world.stones", "10,10,4");
    await why.getByText("No class of its style draws the rows that are here.").waitFor();
    assert.equal(await why.getByRole("button").count(), 0, "no press of one helps");
    await open("world.seedlings", "10,10,4");
    await drawn(page, GREEN, (pixels) => pixels > 500);
    await page.getByRole("slider", { name: "As it was, slider" }).focus();
    await page.keyboard.press("Home");
    await why.getByText("It had no rows then.").waitFor();
    await shoot(page, "workspace-empty-then");
    await why.getByRole("button", { name: "Show it now" }).click();
    await drawn(page, GREEN, (pixels) => pixels > 500);
    assert.doesNotMatch(page.url(), /[?&]at=/);
    await open("world.trees", "-100,-40,5");
    await page.getByRole("button", { name: "trees", exact: true }).click();
    await page.getByLabel("Only where").fill("kind = 'elm'");
    await page.keyboard.press("Enter");
    await why.getByRole("button", { name: "Zoom to its rows" }).click();
    await drawn(page, BLUE, (pixels) => pixels > 100);
    const [longitude, latitude] = new URL(page.url()).searchParams.get("view")!.split(",").map(Number);
    assert.deepEqual([Math.round(longitude!), Math.round(latitude!)], [35, 15], "the elm, not both trees");
    await open("world.caves", "10,10,4");
    await why.getByText("There is no row with a geometry that you may see.").waitFor();
    await follow(why.getByRole("link", { name: "Rows" }));
    await page.getByText("There is no row that you may see.").waitFor();
    await done();
  });

  it("fits a telephone, in the dark, and is used with the keys alone", async () => {
    const { page, done } = await at.visit("/workspace?layer=world.parks", {
      account: "guest",
      width: 390,
      height: 844,
    });
    await page.emulateMedia({ colorScheme: "dark" });
    await drawn(page, RED, (pixels) => pixels > 100);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(overflow <= 0, `${overflow} pixels`);
    await shoot(page, "workspace-phone");
    assert.deepEqual(await violationsOf(page), {});
    await tabTo(page, page.getByRole("application"));
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Features here" }).getByText("Large").waitFor();
    await tabTo(page, page.getByLabel("Opacity of parks"));
    await page.keyboard.press("Home");
    await drawn(page, RED, (pixels) => pixels === 0);
    await done();
  });

  it("does not save over what somebody else has saved, and shares only with names that there are", async () => {
    await at.rows(`select portolan.create_map('shared', layers => '[{"collection": "world.parks"}]')`);
    const { page, done } = await at.visit("/workspace/shared");
    await page.getByText("Green land").waitFor();
    await at.rows(`select portolan.update_map('shared', '{"title": "Theirs"}')`);
    await page.route("**/api/v4/maps/shared", (route) => route.fulfill({ status: 503, json: { detail: "Too busy" } }));
    const readAgain = async (): Promise<void> => {
      await page.context().setOffline(true);
      await page.context().setOffline(false);
    };
    await readAgain();
    await page.getByRole("alert").filter({ hasText: "Too busy" }).waitFor();
    await page.getByText("Green land").waitFor(); // the map stays
    await page.unroute("**/api/v4/maps/shared");
    await readAgain();
    await page.getByRole("heading", { name: "Theirs" }).waitFor(); // what is read again is not what the layers come from
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Somebody has saved it since").waitFor();
    await page.getByRole("button", { name: "Save mine over it" }).click();
    await page.getByText("Somebody has saved it since").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await until(async () => (await saved("shared")).version === 4); // one's own is no conflict
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByLabel("Accounts and groups").fill("nobody");
    const save = page.getByRole("dialog").getByRole("button", { name: "Save" });
    await save.click();
    await page.getByRole("alert").filter({ hasText: "nobody" }).waitFor();
    const names = page.getByRole("combobox", { name: "Accounts and groups" });
    await names.fill("");
    await names.pressSequentially("gue");
    await page.getByRole("option", { name: "guest" }).waitFor();
    await shoot(page, "workspace-share-names");
    assert.deepEqual(await violationsOf(page), {});
    await names.press("Enter");
    assert.equal(await names.inputValue(), "guest, ");
    await page.getByLabel("Everybody").check();
    await save.click();
    await page.getByText("Public page").waitFor();
    assert.deepEqual((await saved("shared")).shared, ["*", "guest"]);
    await at.rows(`select portolan.update_map('shared', '{"shared": ["captain"]}')`);
    await page.getByLabel("Everybody").uncheck();
    await save.click();
    await page.getByRole("dialog").getByText("Somebody has saved it since").waitFor();
    assert.deepEqual((await saved("shared")).shared, ["captain"]);
    await page.getByRole("button", { name: "Open theirs" }).click();
    await until(async () => (await page.getByLabel("Accounts and groups").inputValue()) === "captain");
    await shoot(page, "workspace-share");
    assert.deepEqual(await violationsOf(page), {});
    await done(400, 409, 503);
  });
});
