import assert from "node:assert/strict";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { mapGateway, type MapGateway } from "./fixture.ts";
import { picture } from "./pixels.ts";

describe("the page of a map", () => {
  let gateway: MapGateway;
  let browser: TestBrowser;
  const address = (path: string): string => `${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}${path}`;

  before(async () => {
    gateway = await mapGateway({
      styled: { red: { of: "squares", style: [{ name: "<b>All</b>", styles: [{ color: "#ff0000" }] }] } },
      prepare: async ({ client }) => {
        await client.query(`comment on table gis.red is '@title Red <script>alert(1)</script>'`);
        await client.query("select portolan.set_authentication('gis.red', 'Write')");
        await client.query("select portolan.set_authentication('gis.lines', 'Write')");
        await client.query(`
create table gis.ends (id int primary key, geom geometry(Polygon, 4326));
insert into gis.ends values (1, st_makeenvelope(-178, -20, -160, 20, 4326)), (2, st_makeenvelope(160, -20, 178, 20, 4326));
select portolan.set_style('gis.ends', '[{"name": "All", "styles": [{"color": "#ff0000"}]}]'),
  portolan.set_authentication('gis.ends', 'None')`);
      },
    });
    browser = await testBrowser();
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });

  for (const path of ["/collections/gis.red/map?f=html", "/map?collections=gis.red,gis.lines&f=html"])
    it(`shows the picture, the legend and its parameters, without another host: ${path}`, async () => {
      const { page, outside, errors } = await browser.open(gateway.baseUrl);
      await page.goto(address(path));
      await page.waitForSelector("#picture[data-drawn=picture]");
      const shot = picture(await page.locator("#picture").screenshot());
      assert.ok(shot.count("#ff0000") > 10_000, String(shot.count("#ff0000")));
      const legend = page.locator("figure.legend img").first();
      assert.ok(((await legend.boundingBox())?.width ?? 0) > 20);
      assert.deepEqual(errors, []);
      await page.locator("input[name=width]").fill("100");
      await page.locator("input[name=bgcolor]").fill("0x00FF00");
      await page.locator("select[name=transparent]").selectOption("false");
      const [response] = await Promise.all([
        page.waitForResponse((each) => each.url().includes("width=100")),
        page.locator("form.parameters button").click(),
      ]);
      assert.equal(response.status(), 200);
      assert.equal(response.headers()["content-type"], "image/png");
      assert.deepEqual(outside, []);
    });

  for (const pixelRatio of [1, 3])
    it(`shows the whole world on a phone for worldwide data, with ${pixelRatio} pixels of the screen in one of the page`, async () => {
      const { page } = await browser.open(gateway.baseUrl, { width: 390, height: 844, pixelRatio });
      await page.goto(address("/collections/gis.ends/map?f=html"));
      await page.waitForSelector("#picture[data-drawn=picture]");
      const { width, height, at } = picture(await page.locator("#picture").screenshot());
      const row = Array.from({ length: width }, (_, column) => at(column, Math.round(height / 2)));
      const red = row.flatMap((colour, column) => (colour === "#ff0000ff" ? [column] : []));
      assert.ok(red[0]! < width / 4 && red.at(-1)! > (3 * width) / 4, red.join());
    });
});
