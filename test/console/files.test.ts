/// <reference lib="dom" />
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { FILE_FORMATS } from "../../console/src/service/rows/rowFormats.ts";
import { violationsOf } from "../support/axe.ts";
import { queryParquet } from "../support/columnar.ts";
import { until } from "../support/until.ts";
import { shoot, site } from "./support.ts";

const COUNT = 2000;

describe("the console: files and tiles that are made in the background", () => {
  const at = site({
    config: { ogc: { downloads: true } },
    prepare: ({ client, name }) =>
      client.query(`
create table world.trees (id int primary key, kind text, geom geometry(Point, 4326));
insert into world.trees
select n, case when n % 4 = 0 then 'oak' else 'elm' end, st_setsrid(st_makepoint(n % 50, 10 + n / 100.0), 4326)
from generate_series(1, ${COUNT}) n;
grant select on world.trees to "guest@${name}";
select portolan.enable_events('world.trees')`),
  });

  async function make(page: Page, format: string): Promise<void> {
    const dialog = page.getByRole("dialog", { name: "Files of" });
    await dialog.getByLabel("Format").selectOption({ label: format });
    await dialog.getByRole("button", { name: "Make the file" }).click();
    await dialog.getByRole("button", { name: `Save ${format}` }).waitFor();
  }

  at.scenarios("Maps")("make a file of the features of a layer, save it and remove it", async () => {
    const { page, done } = await at.visit("/workspace?layer=world.trees&view=20,15,4", { account: "guest" });
    await page.getByRole("button", { name: "trees", exact: true }).click();
    await page.getByLabel("Only where").fill("kind = 'oak'");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Download" }).click();
    const dialog = page.getByRole("dialog", { name: "Files of trees" });
    assert.equal(await dialog.getByLabel("Only where").inputValue(), "kind = 'oak'");
    assert.deepEqual(
      await dialog.getByLabel("Format").locator("option").allInnerTexts(),
      FILE_FORMATS.map(({ label }) => label),
    );
    await make(page, "GeoParquet");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Save GeoParquet" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "world.trees.parquet");
    const [found] = await queryParquet(
      readFileSync(await download.path()),
      "select count(*)::int as n, min(kind) as kind, max(kind) as last from $file",
    );
    assert.deepEqual(found, { n: COUNT / 4, kind: "oak", last: "oak" });
    await shoot(page, "files");
    assert.deepEqual(await violationsOf(page), {});
    await dialog.getByLabel("Only where").fill("kind = ");
    await dialog.getByRole("button", { name: "Make the file" }).click();
    await dialog.getByRole("alert").filter({ hasText: "filter" }).waitFor();
    await dialog.getByRole("button", { name: "Remove GeoParquet" }).click();
    await until(async () => (await at.rows("select from portolan.downloads")).length === 0);
    await done(400);
  });

  it("are offered beside the rows of a table that is a collection, and its map", async () => {
    const { page, done } = await at.visit("/data/world/trees", { account: "guest" });
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("button", { name: "Download" }).click();
    await make(page, "CSV");
    const where = { kind: { ilike: "O_K%" }, or: [{ id: { lte: 8 } }, { id: { in: [12, 13] } }] };
    const rows = `${at.gateway.baseUrl}/console/data/world/trees?where=`;
    await page.goto(`${rows}${encodeURIComponent(JSON.stringify(where))}`);
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("button", { name: "Download" }).click();
    const filter = page.getByRole("dialog", { name: "Files of" }).getByLabel("Only where");
    assert.equal(await filter.inputValue(), `CASEI("kind") LIKE CASEI('O_K%') AND ("id" <= 8 OR "id" IN (12, 13))`);
    await make(page, "GeoParquet");
    await page.getByText(/^3 rows, /).waitFor();
    await page.goto(`${rows}${encodeURIComponent('{"kind":{"regex":"^o"}}')}`);
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByText("This filter has no form in CQL2").waitFor();
    await page.goto(`${at.gateway.baseUrl}/console/maps/world/trees`);
    await page.getByRole("button", { name: "Download" }).click();
    await page
      .getByRole("dialog")
      .getByText(`${COUNT.toLocaleString("en")} rows`)
      .waitFor();
    await done();
  });

  at.scenarios("Maps")("make a pyramid of tiles, show its progress, stop it, continue it and remove it", async () => {
    const { page, done } = await at.visit("/maps");
    await page.getByRole("link", { name: "Pyramids of tiles" }).click();
    await page.getByText("No pyramid yet.").waitFor();
    const begin = async (collection: string, last: string): Promise<void> => {
      await page.getByRole("button", { name: "Make a pyramid" }).click();
      await page.getByLabel("Collection").fill(collection);
      await page.getByLabel("Last zoom").fill(last);
      await page.getByLabel("For").selectOption("guest");
      await page.getByRole("button", { name: "Make it" }).click();
    };
    const row = page.getByRole("row", { name: "world.trees" });
    await begin("world.trees", "3");
    await row.getByText("done").waitFor();
    const stored = async () =>
      (await at.rows("select j.state, p.last_zoom from portolan.pyramids p join portolan.jobs j on j.id = p.job"))[0];
    assert.deepEqual(await stored(), { state: "done", last_zoom: 3 });
    await shoot(page, "pyramids");
    assert.deepEqual(await violationsOf(page), {});
    await begin("world.trees", "24"); // takes far longer than it takes to press a button
    await page.getByRole("button", { name: "Stop the pyramid of world.trees" }).click();
    await row.getByText("stopped").waitFor();
    assert.deepEqual(await stored(), { state: "stopped", last_zoom: 24 });
    await page.getByRole("button", { name: "Continue the pyramid of world.trees" }).click();
    await page.getByRole("progressbar", { name: "Tiles of world.trees are being made" }).waitFor();
    await page.getByRole("button", { name: "Remove the pyramid of world.trees" }).click();
    await page.getByRole("button", { name: "Remove it" }).click();
    await page.getByText("No pyramid yet.").waitFor();
    assert.equal(await stored(), undefined);
    await begin("world.nowhere", "3");
    await page.getByRole("alert").filter({ hasText: "nowhere" }).waitFor();
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "dark" });
    assert.deepEqual(await violationsOf(page), {});
    await done(404);
  });
});
