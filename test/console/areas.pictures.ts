/// <reference lib="dom" />
/** The pictures of docs/guides/console.md, of the demo: `npm run pictures`. */
import type { Page } from "playwright-core";
import { cell, picture, site, write } from "./support.ts";

const STATEMENT = `select countries.name, count(*) as cities
from world.cities
join world.countries on code = country_code
group by countries.name
order by cities desc
limit 12`;

describe("docs/guides/console.md", function () {
  this.timeout(600_000);
  const at = site();
  let refused: string;

  before(async () => {
    await at.rows(`
select portolan.create_user('ann', 'ann', properties => '{"country": "PT"}'), portolan.create_user('eve', 'eve'), portolan.create_user('sam', 'sam'),
  portolan.set_privilege('world.cities', 'ann', 'write'), portolan.set_privilege('world.cities', 'eve', 'write'),
  portolan.set_privilege('world.cities', 'sam', 'read'), portolan.set_privilege('world.cities', 'anonymous', 'read'),
  portolan.set_privilege('world.countries', 'anonymous', 'read')`);
    await at.rows(`
select portolan.set_style('world.cities', '[{"name": "City", "styles": [{"symbol": "circle", "color": "#b45309", "size": 7}],
  "labels": [{"text": "name", "size": 12}]}]'), portolan.enable_versioning('world.cities'), portolan.enable_events('world.cities')`);
    await at.rows(`
select portolan.create_map('mediterranean', 'The Mediterranean', '{"center": [14, 40], "zoom": 4.2}',
    '[{"land": true}, {"collection": "world.graticule", "opacity": 0.4}, {"collection": "world.cities"}]', '{*}'),
  portolan.create_dashboard('cities', 'Cities of the world', jsonb_build_array(
    jsonb_build_object('title', 'Cities', 'show', 'number', 'q', 'select count(*) from world.cities'),
    jsonb_build_object('title', 'Cities per country', 'show', 'bar', 'q', $q$${STATEMENT}$q$),
    jsonb_build_object('title', 'Zones', 'show', 'table', 'q', 'select name, zone from world.cities order by name limit 8')), '{*}')`);
    const { page } = await at.visit("/sql", { account: "sam" });
    await write(page, "update world.cities set name = 'Atlantis' where id = 1");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    refused = (await page.getByRole("alert").getByRole("link", { name: "Why?" }).getAttribute("href"))!;
    await page.context().close();
  });

  const AREAS: readonly (readonly [name: string, path: () => string, act: (page: Page) => Promise<unknown>])[] = [
    ["data", () => "/console/data/world/cities", (page) => cell(page, "1", 4).getByText("Ivoire").waitFor()],
    [
      "import",
      () => "/console/import/world",
      async (page) => {
        const text = "name,lon,lat,depth\nNorth buoy,12.1,55.3,11.5\nEast buoy,12.9,55.1,9\nWreck,12.4,54.9,23\n";
        await page
          .getByLabel("File", { exact: true })
          .setInputFiles({ name: "buoys.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
        await page.getByText("North buoy").waitFor();
      },
    ],
    ["api", () => "/console/data/world/cities/api", (page) => page.getByRole("list", { name: "Addresses" }).waitFor()],
    [
      "schema",
      () => "/console/schema/world",
      async (page) => {
        await page.getByRole("article", { name: "cities" }).first().waitFor();
        await page.getByRole("button", { name: "Fit" }).click();
      },
    ],
    ["history", () => "/console/history/world/cities", (page) => cell(page, "1", 1).waitFor()],
    ["audit", () => "/console/audit", (page) => page.getByRole("listitem").first().waitFor()],
    [
      "sql",
      () => "/console/sql",
      async (page) => {
        await write(page, STATEMENT);
        await page.keyboard.press("Control+Enter");
        await page.getByText(/^12 rows/).waitFor();
        await page.getByRole("group", { name: "Show as" }).getByRole("button", { name: "Chart" }).click();
      },
    ],
    ["accounts", () => "/console/access", (page) => page.getByRole("rowheader", { name: "sam" }).waitFor()],
    [
      "refused",
      () => refused,
      async (page) => {
        await page.getByText(/captain\.$/).waitFor();
      },
    ],
    ["configuration", () => "/console/configuration", (page) => page.getByRole("button", { name: "Export" }).waitFor()],
    [
      "workspace",
      () => "/console/workspace/mediterranean",
      (page) => page.locator('[role="application"][aria-busy="false"]').waitFor(),
    ],
    [
      "public",
      () => `/maps/${at.gateway.database.name}/mediterranean`,
      (page) => page.locator('[role="application"][aria-busy="false"]').waitFor(),
    ],
    [
      "dashboard",
      () => "/console/dashboards/cities",
      (page) => page.getByRole("region", { name: /^Bars of/ }).waitFor(),
    ],
    ["rest", () => "/console/rest", (page) => page.getByText("Choose an operation").waitFor()],
    [
      "graphql",
      () => "/console/graphql/world",
      async (page) => {
        await page.getByRole("textbox", { name: "Document" }).click();
        await page.keyboard.press("Control+a");
        await page.keyboard.press("Delete");
        await page.keyboard.insertText("query Cities {\n  getCities(limit: 3) {\n    name\n    zone\n  }\n}");
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await page.getByRole("region", { name: "Answer" }).getByText("Abidjan").waitFor();
      },
    ],
    [
      "events",
      () => "/console/events/world/cities",
      async (page) => {
        await page.getByText("Following.").waitFor();
        await at.rows("update world.cities set name = 'Lisboa' where name = 'Lisbon'");
        await page.locator("summary", { hasText: "Lisboa" }).first().click();
      },
    ],
    ["account", () => "/console/account", (page) => page.getByText("(this window)").waitFor()],
    [
      "seeing",
      () => "/console/access/accounts/ann",
      async (page) => {
        await page.getByRole("button", { name: "See as ann" }).click();
        await page.getByRole("region", { name: "See as" }).waitFor();
        await page.goto(`${at.gateway.baseUrl}/console/data/world/cities`);
        await cell(page, "1", 4).getByText("Ivoire").waitFor();
      },
    ],
  ];

  for (const [name, path, act] of AREAS)
    it(`has a picture: ${name}`, async () => {
      const { page, done } = await at.visit("", { width: 1180, height: 740, bySignIn: name === "account" });
      await page.goto(new URL(path(), at.gateway.baseUrl).href);
      await act(page);
      await page.waitForLoadState("networkidle");
      await page.locator('[role="application"][aria-busy="true"]').waitFor({ state: "detached" });
      await picture(page, name);
      await done();
    });
});
