/** What axe finds on each page, on a screen and on a phone. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { violationsOf } from "../support/axe.ts";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

/** Set SCREENSHOTS to a folder to look at what the browser saw. */
const screenshots = process.env["SCREENSHOTS"];
if (screenshots) mkdirSync(screenshots, { recursive: true });

const OGC = "/api/v4/ogc/database/DATABASE";
const CRS = "http://www.opengis.net/def/crs/EPSG/0/4326";

/** All but GraphiQL, whose page is that of others. */
const PAGES: Readonly<Record<string, string>> = {
  home: "/",
  methods: "/methods",
  events: "/events",
  device: "/device",
  "sign-in": "/auth?response_type=code&client_id=portolan-cli&redirect_uri=http://127.0.0.1/cb",
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
};

describe("accessibility", () => {
  let gateway: TestGateway;
  let browser: TestBrowser;

  before(async () => {
    [gateway, browser] = await Promise.all([
      testGateway({
        prepare: ({ client }) => client.query("comment on column world.countries.name is E'@filterable\\nIts name.'"),
      }),
      testBrowser(),
    ]);
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });

  for (const [name, path] of Object.entries(PAGES))
    it(`${name}, on a screen and on a phone`, async () => {
      const { page, outside } = await browser.open(gateway.baseUrl);
      await page.goto(gateway.baseUrl + path.replace("DATABASE", gateway.database.name));
      // what is folded away is read too
      await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await violationsOf(page), {}, `at ${width} pixels`);
        if (screenshots) await page.screenshot({ path: join(screenshots, `${name}-${width}.png`), fullPage: true });
        const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
        assert.ok(Number(overflow) <= 0, `at ${width} pixels the page is ${String(overflow)} px too wide`);
      }
      assert.deepEqual(outside, []);
      await page.context().close();
    }).timeout(60_000);
});
