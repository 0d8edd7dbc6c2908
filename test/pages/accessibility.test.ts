/** The findings of axe on each page, on a screen and on a phone. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { violationsOf } from "../support/axe.ts";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { LOOKS } from "../support/looks.ts";

/** Set SCREENSHOTS to a folder to look at what the browser saw. */
const screenshots = process.env["SCREENSHOTS"];
if (screenshots) mkdirSync(screenshots, { recursive: true });

const OGC = "/api/v4/ogc/database/DATABASE";
const CRS = "http://www.opengis.net/def/crs/EPSG/0/4326";

/** All pages except GraphiQL, which is foreign. */
const PAGES: Readonly<Record<string, string>> = {
  home: "/",
  methods: "/methods",
  events: "/events",
  device: "/device",
  "sign-in": `/auth?response_type=code&client_id=yard&redirect_uri=http://127.0.0.1/cb&code_challenge_method=S256&code_challenge=${"a".repeat(43)}`,
  nothing: "/nothing",
  landing: OGC,
  conformance: `${OGC}/conformance`,
  api: `${OGC}/api`,
  collections: `${OGC}/collections`,
  collection: `${OGC}/collections/world.countries`,
  schema: `${OGC}/collections/world.countries/schema`,
  queryables: `${OGC}/collections/world.countries/queryables`,
  functions: `${OGC}/functions`,
  items: `${OGC}/collections/world.countries/items`,
  "items-in-degrees": `${OGC}/collections/world.countries/items?limit=100&crs=${CRS}`,
  item: `${OGC}/collections/world.countries/items/DE`,
  map: `${OGC}/collections/world.countries/map?f=html`,
  "map-of-all": `${OGC}/map?f=html`,
  refused: `${OGC}/collections/world.countries/items?limit=none`,
  unknown: `${OGC}/collections/world.nothing?f=html`,
  "sign-in-refused": "/auth?response_type=code&client_id=nobody&redirect_uri=http://127.0.0.1/cb",
  sortables: `${OGC}/collections/world.countries/sortables`,
  tilesets: `${OGC}/tiles`,
  tiles: `${OGC}/collections/world.countries/tiles/WebMercatorQuad?f=html`,
  "map-tiles": `${OGC}/collections/world.countries/map/tiles/WebMercatorQuad?f=html`,
  styles: `${OGC}/collections/world.countries/styles`,
  "tile-matrix-sets": `${OGC}/tileMatrixSets`,
  "tile-matrix-set": `${OGC}/tileMatrixSets/WebMercatorQuad`,
};
/** Pages of captain: a form, and links that others do not get. */
const PAGES_OF_CAPTAIN: typeof PAGES = {
  form: `${OGC}/collections/world.harbours/items/1?f=html`,
  "new-feature": `${OGC}/collections/world.harbours/items?f=html`,
  "undrawn-feature": `${OGC}/collections/world.adrift/items?f=html`,
};

describe("accessibility", () => {
  let gateway: TestGateway;
  let browser: TestBrowser;

  before(async () => {
    [gateway, browser] = await Promise.all([
      testGateway({
        prepare: ({ client }) =>
          client.query(`
comment on column world.countries.name is E'@filterable\\nIts name.';
create table world.harbours (id int primary key, name text not null, berths int check (berths > 0), more jsonb, geom geometry(Point, 4326));
comment on table world.harbours is '@ogc write';
insert into portolan.clients (id, name, redirect_uri, public) values ('yard', 'The yard', '{http://127.0.0.1/cb}', true);
create table world.adrift (id int primary key, geom geometry(Point, 4326));
insert into world.adrift values (1, st_setsrid(st_makepoint('NaN', 'NaN'), 4326));
insert into world.harbours values (1, 'Lisbon', 12, '{"pilots": true}', 'srid=4326;point(-9.1 38.7)')`),
      }),
      testBrowser(),
    ]);
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });

  /** The targets of the pages' links. */
  const linked = new Set<string>();

  for (const [name, path] of Object.entries({ ...PAGES, ...PAGES_OF_CAPTAIN }))
    it(`${name}, on a screen and on a phone, light and dark`, async () => {
      const { page, outside, errors } = await browser.open(gateway.baseUrl);
      if (name in PAGES_OF_CAPTAIN)
        await page.setExtraHTTPHeaders({ authorization: `Bearer ${await gateway.token("captain")}` });
      await page.goto(gateway.baseUrl + path.replace("DATABASE", gateway.database.name));
      // folded parts are checked too
      await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
      for (const { width, height, colorScheme } of LOOKS) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await violationsOf(page, { contrast: true }), {}, `at ${width} pixels, ${colorScheme}`);
        if (screenshots)
          await page.screenshot({ path: join(screenshots, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
        assert.ok(Number(overflow) <= 0, `at ${width} pixels the page is ${String(overflow)} px too wide`);
      }
      const links = await page.evaluate("[...document.links].map((link) => link.href.replace(/#.*/, ''))");
      for (const link of links as readonly string[])
        if (link.startsWith(gateway.baseUrl) && !link.includes("world.adrift")) linked.add(link); // no document has its geometry
      // a page with an error is not a 200, and the browser reports that
      const complaints = errors.filter((text) => !text.startsWith("Failed to load resource: the server responded"));
      assert.deepEqual([outside, complaints], [[], []]);
      await page.context().close();
    }).timeout(60_000);

  it("their links lead to existing pages", async () => {
    assert.ok(linked.size > 50, String(linked.size));
    const headers = { authorization: `Bearer ${await gateway.token("captain")}` };
    const dead: string[] = [];
    for (const link of linked) {
      const { status, body } = await fetch(link, { headers, redirect: "manual" });
      await body?.cancel();
      if (status >= 400) dead.push(`${status} ${link}`);
    }
    assert.deepEqual(dead, []);
  }).timeout(60_000);
});
