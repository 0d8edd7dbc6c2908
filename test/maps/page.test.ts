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
      },
    });
    browser = await testBrowser();
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });

  for (const path of ["/collections/gis.red/map?f=html", "/map?collections=gis.red,gis.lines&f=html"])
    it(`shows the picture, the legend and its parameters, from nowhere else: ${path}`, async () => {
      const { page, outside, errors } = await browser.open(gateway.baseUrl);
      await page.goto(address(path));
      await page.waitForSelector("#picture[data-drawn=picture]", { timeout: 30_000 });
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
});
