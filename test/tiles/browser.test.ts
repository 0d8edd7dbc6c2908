/** The programs of docs/guides/gis.md, unchanged, in a page of another origin in a real browser. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Page } from "playwright-core";
import { findMapserv } from "../../server/setup/programs.mjs";
import { blocksOf } from "../docs/documentBlocks.ts";
import { ROOT, textOf } from "../docs/documents.ts";
import { picture, type Picture } from "../maps/pixels.ts";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { until } from "../support/until.ts";

const GUIDE = "docs/guides/gis.md";
const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
};
/** Bare module names, resolved as in a page without a bundler. */
const MODULES: Readonly<Record<string, string>> = {
  "maplibre-gl": "/node_modules/maplibre-gl/dist/maplibre-gl.mjs",
  pmtiles: "/node_modules/pmtiles/dist/esm/index.js",
  fflate: "/node_modules/fflate/esm/browser.js",
  "ol/": "/node_modules/ol/",
  ...Object.fromEntries(["rbush", "quickselect", "pbf"].map((name) => [name, `/node_modules/${name}/index.js`])),
};

/** Colours that nothing else on the maps has. */
const STYLES = `
select portolan.set_style('world.cities', '[
  {"name": "Named", "where": {"name": {"isNull": false}},
   "styles": [{"color": "#ff0000", "symbol": "square", "size": 12, "outlineColor": "#ffffff"}],
   "labels": [{"text": "name", "size": 12, "color": "#202020", "outlineColor": "#ffffff"}]}]');
select portolan.set_style('world.catchments', '[
  {"name": "All", "styles": [{"color": "#c7d9b7", "outlineColor": "#ffffff"}, {"symbol": "hatch", "color": "#0000ff", "size": 24, "width": 3, "angle": 45}]}]');
select portolan.set_style('world.countries', '[{"name": "All", "styles": [{"color": "#ff00ff", "size": 20}]}]')`;

describeOnlyIf(findMapserv() !== undefined, "MapServer")("what the guide puts into a page", () => {
  let gateway: TestGateway;
  let browser: TestBrowser;
  let pages: Server;
  let root: string;
  let origin: string;

  before(async () => {
    gateway = await testGateway({
      kind: "demo",
      prepare: async ({ client }) => {
        await client.query(STYLES);
        await client.query(
          "select portolan.enable_events('world.countries'), portolan.seed_tiles('world.countries', 4)",
        );
        await client.query("select portolan.create_user('north', 'north')");
        await client.query(
          "select portolan.set_privilege(t::regclass, 'north', 'read') from unnest('{world.cities,world.catchments}'::text[]) t",
        );
        await client.query(
          `insert into portolan.rules (username, "schema", "table", access, filter)
           values ('north', 'world', 'cities', 'limit', 'st_y(geom) > 30')`,
        );
      },
    });
    root = `${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}`;
    const programs = new Map(
      blocksOf(textOf(GUIDE)).flatMap(({ file, text }) =>
        file?.endsWith(".js") ? [[file, text.replaceAll("http://127.0.0.1:7575/api/v4/ogc/database/demo", root)]] : [],
      ),
    );
    pages = createServer((request, response) => {
      const path = new URL(request.url ?? "", "http://host").pathname;
      const program = programs.get(path.slice(1));
      try {
        const body = path.endsWith(".html")
          ? page(path.slice(1).replace(".html", ".js"))
          : program === undefined
            ? readFileSync(join(ROOT, path))
            : `${program}globalThis.map = map;\n`; // for the queries below
        response.setHeader("Content-Type", TYPES[extname(path)] ?? "text/html");
        response.end(body);
      } catch {
        response.writeHead(404).end();
      }
    });
    await once(pages.listen(0, "127.0.0.1"), "listening");
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    browser = await testBrowser({ webGl: true });
  });
  after(async () => {
    await browser.close();
    pages.close();
    await gateway.close();
  });

  /** Opens a program of the guide, with the access token of an account. */
  async function visit(name: string, account?: string): Promise<{ page: Page; asked: string[]; errors: string[] }> {
    const { page, outside: asked, errors } = await browser.open(origin, { width: 700, height: 500 });
    const token = account === undefined ? undefined : await gateway.token(account);
    if (token !== undefined) await page.addInitScript((text) => sessionStorage.setItem("token", text), token);
    await page.goto(`${origin}/${name}.html`);
    return { page, asked, errors };
  }
  async function shot(page: Page, name: string): Promise<Picture> {
    const bytes = await page.screenshot({
      ...(process.env["SHOTS"] && { path: join(process.env["SHOTS"], `${name}.png`) }),
    });
    return picture(bytes);
  }
  /** The names of the cities that a MapLibre map shows, when it has loaded everything. */
  async function citiesShown(page: Page): Promise<string[]> {
    await page.waitForFunction(() => {
      const { map } = globalThis as unknown as { map?: { loaded(): boolean; areTilesLoaded(): boolean } };
      return map?.loaded() && map.areTilesLoaded();
    });
    return page.evaluate(() => {
      interface Shown {
        readonly sourceLayer: string;
        readonly properties: { readonly name: string };
      }
      const { map } = globalThis as unknown as { map: { queryRenderedFeatures(): Shown[] } };
      const all = map.queryRenderedFeatures().filter(({ sourceLayer }) => sourceLayer === "world.cities");
      return [...new Set(all.map(({ properties }) => properties.name))].sort();
    });
  }
  const isOnlyOurs = (asked: readonly string[]): void =>
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(root)),
      [],
    );

  it("MapLibre draws the styles, with Portolan's letters and nothing from other hosts", async () => {
    const { page, asked, errors } = await visit("maplibre", "captain");
    const shown = await citiesShown(page);
    assert.ok(shown.length > 20, shown.join());
    const seen = await shot(page, "maplibre");
    assert.ok(seen.count("#ff0000") > 200, "red squares");
    assert.ok(seen.count("#c7d9b7") > 50_000, "catchments");
    assert.ok(seen.count("#0000ff") > 1000, "hatches");
    assert.ok(asked.some((url) => /\/styles\/default\/sprite(@2x)?\.png/.test(url)));
    assert.ok(asked.some((url) => /\/glyphs\/DejaVu%20Sans\/0-255\.pbf/.test(url)));
    isOnlyOurs(asked);
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  it("MapLibre shows each account its own rows", async () => {
    const seen: Record<string, string[]> = {};
    for (const account of ["captain", "north"]) {
      const { page } = await visit("maplibre", account);
      seen[account] = await citiesShown(page);
      await shot(page, `maplibre-${account}`);
      await page.context().close();
    }
    assert.ok(seen["north"]!.length > 0 && seen["north"]!.length < seen["captain"]!.length);
    const { rows } = await gateway.database.client.query<{ name: string }>(
      "select name from world.cities where st_y(geom) <= 30",
    );
    const others = new Set(rows.map(({ name }) => name));
    assert.deepEqual(
      seen["north"]!.filter((name) => others.has(name)),
      [],
    );
  });

  it("MapLibre has no map for an account that may not read it", async () => {
    const { page, asked, errors } = await visit("maplibre");
    await page.waitForFunction(() => "map" in globalThis);
    while (errors.length === 0) await page.waitForTimeout(50);
    assert.match(errors.join(), /401/);
    assert.deepEqual(
      asked.filter((url) => !url.includes("/styles/default")),
      [],
    );
    await page.context().close();
  });

  it("MapLibre draws a pyramid of PMTiles, of which it asks for parts", async () => {
    await until(async () => {
      const { rows } = await gateway.database.client.query<{ state: string }>(
        "select state from portolan.list_pyramids()",
      );
      return rows[0]!.state === "done";
    });
    const { page, asked, errors } = await visit("pmtiles");
    await page.waitForFunction(() => {
      const { map } = globalThis as unknown as { map?: { loaded(): boolean; areTilesLoaded(): boolean } };
      return map?.loaded() && map.areTilesLoaded();
    });
    const seen = await shot(page, "pmtiles");
    assert.ok(seen.count("#00aa44") > 1000, String(seen.count("#00aa44")));
    assert.ok(
      asked.length > 2 && asked.every((url) => url.endsWith("/tiles/WebMercatorQuad.pmtiles")),
      asked.join("\n"),
    );
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  it("OpenLayers draws map tiles, vector tiles and features", async () => {
    const { page, asked, errors } = await visit("openlayers");
    // map tiles fade in; lines come from vector tiles, and rings from features
    const hasAll = async (): Promise<boolean> => {
      const seen = await shot(page, "openlayers");
      return seen.count("#ff00ff") > 500 && seen.count("#3399cc") > 5000;
    };
    await until(hasAll);
    for (const part of ["/map/tiles/WebMercatorQuad/3/", "/tiles/WebMercatorQuad/3/", "/items?f=json"])
      assert.ok(
        asked.some((url) => url.includes(part)),
        part,
      );
    isOnlyOurs(asked);
    assert.deepEqual(errors, []);
    await page.context().close();
  });
});

function page(program: string): string {
  return `<!doctype html>
<title>${program}</title>
<link rel="icon" href="data:," />
<link rel="stylesheet" href="/node_modules/maplibre-gl/dist/maplibre-gl.css" />
<link rel="stylesheet" href="/node_modules/ol/ol.css" />
<style>body { margin: 0 } #map { height: 100vh }</style>
<div id="map"></div>
<script type="importmap">${JSON.stringify({ imports: MODULES })}</script>
<script type="module" src="/${program}"></script>`;
}
