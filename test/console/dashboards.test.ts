/// <reference lib="dom" />
import assert from "node:assert/strict";
import { violationsOf } from "../support/axe.ts";
import { LOOKS } from "../support/looks.ts";
import { follow, shoot, site, write } from "./support.ts";

const PANELS = [
  { title: "Cities", q: "select count(*) from world.cities", show: "number" },
  { title: "Countries", q: "select count(*) from world.countries", show: "number" },
  { title: "Largest countries by cities", q: "select country_code as country, count(*) from world.cities group by 1 order by 2 desc limit 8", show: "bar" }, // oxfmt-ignore
  { title: "Squares", q: "select n, n * n as square from generate_series(1, 40) n", show: "line", x: "n", y: "square", wide: true }, // oxfmt-ignore
  { title: "First cities", q: "select id, name, country_code from world.cities order by id limit 20", show: "table" },
];

describe("the console: dashboards", () => {
  const at = site({
    prepare: ({ client }) =>
      client.query("select portolan.create_dashboard('port', 'The port', $1, '{guest}')", [JSON.stringify(PANELS)]),
  });
  const test = at.scenarios("Dashboards");

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
      assert.deepEqual(await violationsOf(page), {}, `${width} pixels, ${colorScheme}`);
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
    await dialog
      .getByRole("alert")
      .getByText(/somebody has changed/)
      .waitFor();
    assert.deepEqual(await at.rows("select title from portolan.dashboards"), [{ title: "By another" }]);
    await done(400, 409);
  });

  test("takes a statement of SQL, and runs it as who looks", async () => {
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
    await follow(page.getByRole("link", { name: /port|another/ }));
    await page
      .getByRole("region", { name: "Cities", exact: true })
      .getByText(/^\d{3}$/)
      .waitFor();
    assert.equal(await page.getByRole("button", { name: "Add a panel" }).count(), 0);
    await done();
  });
});
