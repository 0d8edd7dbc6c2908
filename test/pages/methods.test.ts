/// <reference lib="dom" />
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withoutNobody } from "../console/support.ts";
import { as } from "../methods/requests.ts";
import { arrives, testBrowser, type TestBrowser } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

const screenshots = process.env["SCREENSHOTS"];
if (screenshots) mkdirSync(screenshots, { recursive: true });
const shot = (name: string) => (screenshots ? { path: join(screenshots, `${name}.png`) } : {});

describe("/methods", () => {
  let gateway: TestGateway;
  let browser: TestBrowser;

  before(async () => {
    [gateway, browser] = await Promise.all([testGateway(), testBrowser()]);
    const guest = await as(gateway, "guest");
    await guest.define(
      {
        method: "citiesOf",
        q: "select name, geom, properties from world.cities where country_code = :code and id > :after order by name",
        description: "The cities of a country, <b>by name</b>.",
      },
      { method: "write", q: "insert into world.logbook (city_id, entry) values (:city, :entry)" },
    );
    await guest.dry("citiesOf", { code: "US", after: 0 });
    await gateway.database.client.query(`
create function world.sum_of(a int, b int default 10) returns int language sql immutable as 'select a + b';
comment on function world.sum_of is E'@method\\nAdds two numbers.'`);
  });

  after(async () => {
    await browser.close();
    await gateway.close();
  });

  for (const [device, viewport] of [
    ["desktop", { width: 1280, height: 900 }],
    ["phone", { width: 390, height: 800 }],
  ] as const)
    it(`lists, documents and runs methods, with a map, on a ${device}`, async () => {
      const { page, outside, errors } = await browser.open(gateway.baseUrl, viewport);
      await page.goto(`${gateway.baseUrl}/methods`);
      await page.getByLabel("Access token").fill(await gateway.token("guest"));
      await page.getByRole("button", { name: "Use" }).click();
      await page.getByRole("button", { name: "citiesOf" }).click();
      await page.getByText("The cities of a country, <b>by name</b>.").waitFor();
      await page.getByLabel("code").fill("US");
      await page.getByLabel("after").fill("0");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("cell", { name: "Chicago", exact: true }).waitFor();
      assert.ok((await page.locator("svg.map circle").count()) > 5);
      await page.screenshot(shot(`methods-${device}`));
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `the page is ${overflow} px too wide`);

      await page.getByRole("button", { name: "write" }).click();
      await page.getByLabel("Parameters as JSON").fill('{"city": 1, "entry": "by hand"}');
      await page.getByRole("button", { name: "Dry run" }).click();
      await page.getByLabel("entry").waitFor(); // typed by now
      await page.getByLabel("city").fill("-1");
      await page.getByLabel("entry").fill("nowhere");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText("SQLSTATE 23503").waitFor();
      await page.screenshot(shot(`methods-error-${device}`));
      assert.deepEqual([outside, withoutNobody(errors)], [[], []]);
      await page.context().close();
      await gateway.database.client.query("update portolan.methods set q = q || ' ' where method = 'write'");
    });

  it("shows functions with the comment @method, whose defaults may be left out", async () => {
    const { page, errors } = await browser.open(gateway.baseUrl);
    await page.goto(`${gateway.baseUrl}/methods`);
    await page.getByLabel("Access token").fill(await gateway.token("guest"));
    await page.getByRole("button", { name: "Use" }).click();
    await page.getByRole("button", { name: "sum_of" }).click();
    await page.getByText("The function world.sum_of.").waitFor();
    await page.getByLabel("a int4", { exact: true }).fill("5");
    await page.getByLabel("b int4, may be left out").waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("cell", { name: "15", exact: true }).waitFor();
    assert.deepEqual(withoutNobody(errors), []);
    await page.context().close();
  });

  it("shows the last chosen method, whichever is read first", async () => {
    const { page } = await browser.open(gateway.baseUrl);
    await page.goto(`${gateway.baseUrl}/methods`);
    await page.getByLabel("Access token").fill(await gateway.token("guest"));
    await page.getByRole("button", { name: "Use" }).click();
    const held = Promise.withResolvers<void>();
    await page.route("**/api/v4/methods/citiesOf", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "citiesOf" }).click();
    await page.getByRole("button", { name: "write" }).click();
    const heading = page.getByRole("heading", { name: "write" });
    await heading.waitFor();
    const late = page.waitForResponse("**/api/v4/methods/citiesOf");
    await arrives(page, late, held.resolve);
    assert.ok(await heading.isVisible());
    await page.context().close();
  });

  it("says when a token is not accepted", async () => {
    const { page } = await browser.open(gateway.baseUrl);
    await page.goto(`${gateway.baseUrl}/methods`);
    await page.getByLabel("Access token").fill("wrong");
    await page.getByRole("button", { name: "Use" }).click();
    await page.getByText("not accepted").waitFor();
    await page.context().close();
  });
});
