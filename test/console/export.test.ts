/// <reference lib="dom" />
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { ROW_FORMATS } from "../../console/src/service/rows/rowFormats.ts";
import { ROW_FILE_EXTENSIONS } from "../../server/formats/names.ts";
import { violationsOf } from "../support/axe.ts";
import { parquetOf } from "../support/columnar.ts";
import { featuresOf, ogrFiles, zipped } from "../support/gisFiles.ts";
import { sized } from "../support/size.ts";
import { cell, shoot, site } from "./support.ts";

const COUNT = sized(30_000, 1_000_000);

describe("the console: rows as files", function () {
  this.timeout(sized(60_000, 300_000));
  const at = site({
    prepare: ({ client, name }) =>
      client.query(`
create table world.ships (id int primary key, name text, crew int, spot geometry(Point, 4326));
insert into world.ships
select n, 'Schiff ' || n || ', "表"', n % 40, st_setsrid(st_makepoint(n % 180, n % 90), 4326) from generate_series(1, ${COUNT}) n;
create view world.broken as select id, 1 / (20000 - id) as part from world.ships;
grant select (id, name) on world.ships to "guest@${name}"`),
  });

  /** What the browser puts where downloads go. */
  async function exported(page: Page, format: string): Promise<{ name: string; bytes: Buffer }> {
    await page.getByRole("button", { name: "Export" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Format").selectOption({ label: format });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Export", exact: true }).click(),
    ]);
    await dialog.getByText(/^Saved, /).waitFor();
    const bytes = readFileSync(await download.path());
    await dialog.getByRole("button", { name: "Close" }).click();
    return { name: download.suggestedFilename(), bytes };
  }

  /** As in browsers that put files where downloads go, and do not ask. */
  const withoutPicker = (page: Page): Promise<unknown> =>
    page.evaluate(() => void Object.assign(globalThis, { showSaveFilePicker: undefined }));

  it("knows the formats of the service", () => {
    assert.deepEqual(
      ROW_FORMATS.map(({ name, extension }) => [name, extension]).toSorted(),
      Object.entries(ROW_FILE_EXTENSIONS).toSorted(),
    );
  });

  it("saves the rows of the filter, in the order and with the columns that are shown", async () => {
    const { page, done } = await at.visit("/data/world/Ships");
    await withoutPicker(page);
    await page.getByLabel("Column").selectOption("crew");
    await page.getByLabel("Operator").selectOption(">");
    await page.getByLabel("Value").fill("37");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("button", { name: "id", exact: true }).click();
    await page.getByRole("columnheader", { name: "id ↑" }).waitFor();
    await page.getByRole("button", { name: "id ↑" }).click();
    await cell(page, String(COUNT - 1), 1).waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Show crew" }).uncheck();
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("button", { name: "Export" }).click();
    await page
      .getByText("Those that match the filter, in the order of the column id, without 1 hidden column.")
      .waitFor();
    assert.deepEqual(await violationsOf(page), {});
    await shoot(page, "export");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 844 });
    assert.deepEqual(await violationsOf(page), {});
    await shoot(page, "export-narrow");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    const { name, bytes } = await exported(page, "CSV");
    assert.equal(name, "ships.csv");
    const [{ csv }] = await at.rows(`
select 'id,name,spot' || chr(13) || chr(10) || string_agg(
  format('%s,"Schiff %s, ""表""","%s"', id, id, replace(st_asgeojson(spot), '"', '""')) || chr(13) || chr(10), '' order by id desc) as csv
from world.ships where crew > 37`);
    assert.equal(String(bytes), csv);
    const features = JSON.parse(String((await exported(page, "GeoJSON")).bytes)).features as { properties: object }[];
    assert.deepEqual(
      [features.length, Object.keys(features[0]!.properties)],
      [csv.split("\n").length - 2, ["id", "name"]],
    );
    await done();
  });

  at.scenarios("Import")("makes a table of an exported GeoPackage with the shown rows", async () => {
    const { page, done } = await at.visit(`/data/world/Ships?where=${encodeURIComponent('{"id": {"lte": 25}}')}`);
    await page.getByText("25 rows").waitFor();
    await withoutPicker(page);
    const { name, bytes } = await exported(page, "GeoPackage");
    assert.equal(name, "ships.gpkg");
    await page.goto(`${at.gateway.baseUrl}/console/import/world`);
    await page
      .getByLabel("File", { exact: true })
      .setInputFiles({ name: "Some Ships.gpkg", mimeType: "application/geopackage+sqlite3", buffer: bytes });
    await page.getByRole("button", { name: "Make the table and import" }).click();
    await page.getByText("25 rows inserted into some_ships.").waitFor();
    const [{ differences, count }] = await at.rows(`
select count(*)::int as differences, (select count(*)::int from world.some_ships) as count
from world.ships s full join world.some_ships i using (id)
where s.id <= 25 and (s.name, s.crew, s.spot) is distinct from (i.name, i.crew, i.spot)`);
    assert.deepEqual([differences, count], [0, 25]);
    const columns = await at.rows(`
select string_agg(attname || case when attnum = any (c.conkey) then ' key' else '' end, ', ' order by attnum) as columns
from pg_attribute a left join pg_constraint c on c.conrelid = a.attrelid and c.contype = 'p'
where attrelid = 'world.some_ships'::regclass and attnum > 0`);
    assert.deepEqual(columns, [{ columns: "id key, name, crew, spot" }]);
    await done();
  });

  at.scenarios("Import")("makes tables of an exported workbook, and of one of two Shapefiles", async () => {
    const { page, done } = await at.visit(`/data/world/Ships?where=${encodeURIComponent('{"id": {"lte": 25}}')}`);
    await page.getByText("25 rows").waitFor();
    await withoutPicker(page);
    const { bytes } = await exported(page, "Excel");
    await page.goto(`${at.gateway.baseUrl}/console/import/world`);
    const file = page.getByLabel("File", { exact: true });
    await file.setInputFiles({ name: "sheet ships.xlsx", mimeType: "", buffer: bytes });
    await page.getByLabel("Sheet").waitFor();
    await page.getByRole("button", { name: "Make the table and import" }).click();
    await page.getByText("25 rows inserted into sheet_ships.").waitFor();
    const [same] = await at.rows(
      "select count(*)::int as n from world.ships s join world.sheet_ships i using (id) where (s.name, s.crew) = (i.name, i.crew)",
    );
    assert.deepEqual(same, { n: 25 });
    const quay = ogrFiles(featuresOf([{ name: "Gj\u00f8a" }, { type: "Point", coordinates: [10, 50] }]), "quays.shp", [
      ...["-t_srs", "EPSG:25832", "-lco", "ENCODING=UTF-8"],
    ]);
    const both = { ...quay, ...ogrFiles(featuresOf([{ name: "b" }, null]), "piers.shp", []) };
    await file.setInputFiles({ name: "Harbour.zip", mimeType: "application/zip", buffer: zipped(both) });
    await page.getByRole("alert").filter({ hasText: 'choose one of "' }).waitFor();
    await page.getByLabel("Layer").fill("quays");
    await page.getByLabel("Layer").press("Tab");
    await page.getByText("Gj\u00f8a").waitFor();
    await shoot(page, "import-shapefile");
    assert.deepEqual(await violationsOf(page), {});
    await page.setViewportSize({ width: 390, height: 844 });
    await shoot(page, "import-shapefile-narrow");
    assert.deepEqual(await violationsOf(page), {});
    await page.getByRole("button", { name: "Make the table and import" }).click();
    await page.getByText("1 row inserted into harbour.").waitFor();
    assert.deepEqual(await at.rows("select name, st_srid(geom) as srid from world.harbour"), [
      { name: "Gj\u00f8a", srid: 25832 },
    ]);
    await done(400);
  });

  at.scenarios("Import")("makes a table of a dropped Parquet file, with its types and its geometry", async () => {
    const { page, done } = await at.visit("/import/world");
    const bytes = await parquetOf(`
select n as id, 'Ship ' || n as name, (n * 0.25)::decimal(8, 2) as draught, date '2026-01-31' + n::int as built, n % 2 = 0 as sails,
  timestamptz '2026-01-31 12:00:00+00' as seen, 10.5 as lon, 50.0 as lat from range(1, 201) t (n)`);
    await page.getByRole("heading", { name: "A new table in world from a file" }).evaluate((heading, encoded) => {
      const content = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], "Old Ships.parquet"));
      for (const type of ["dragenter", "dragover", "drop"])
        heading.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    }, bytes.toString("base64"));
    await page.getByText("Ship 1 · Ship 2").waitFor();
    assert.match(await page.getByLabel("File", { exact: true }).inputValue(), /Old Ships\.parquet$/);
    await shoot(page, "import-parquet");
    assert.deepEqual(await violationsOf(page), {});
    await page.getByRole("button", { name: "Make the table and import" }).click();
    await page.getByText("200 rows inserted into old_ships.").waitFor();
    const [made] = await at.rows(`
select string_agg(format('%s %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum) as columns
from pg_attribute where attrelid = 'world.old_ships'::regclass and attnum > 0`);
    assert.equal(
      (made as { columns: string }).columns,
      "id bigint, name text, draught numeric, built date, sails boolean, seen timestamp with time zone, lon numeric, lat numeric, geom geometry(Point,4326)",
    );
    const ship = `
select name, draught::text, built::text, sails, seen at time zone 'UTC' = '2026-01-31 12:00' as at_noon, st_astext(geom) as spot
from world.old_ships where id = 3`;
    assert.deepEqual(await at.rows(ship), [
      { name: "Ship 3", draught: "0.75", built: "2026-02-03", sails: false, at_noon: true, spot: "POINT(10.5 50)" },
    ]);
    await done();
  });

  it(`writes ${COUNT} rows where one says, and offers what fits what one may read`, async () => {
    const { page, done } = await at.visit("/data/world/Ships", { account: "guest" });
    // a file of the page's own, in place of the one that a person chooses
    await page.evaluate(() =>
      Object.assign(globalThis, {
        showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) =>
          (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
      }),
    );
    await page.getByRole("button", { name: "Export" }).click();
    const dialog = page.getByRole("dialog");
    const offered = await dialog.getByLabel("Format").locator("option").allInnerTexts();
    assert.deepEqual([offered.includes("Excel"), offered.includes("GeoJSON")], [true, false]);
    await dialog.getByLabel("Format").selectOption({ label: "JSON, a row a line" });
    await dialog.getByRole("button", { name: "Export", exact: true }).click();
    await dialog.getByText(/^Saved, /).waitFor();
    const [size, lines, last] = await page.evaluate(async () => {
      const handle = await (await navigator.storage.getDirectory()).getFileHandle("ships.ndjson");
      const text = await (await handle.getFile()).text();
      return [text.length, text.split("\n").length - 1, text.trim().split("\n").at(-1)!] as const;
    });
    assert.deepEqual(
      [lines, JSON.parse(last)],
      [COUNT, { id: COUNT, name: `Schiff ${COUNT}, "表"` }],
      `${size} characters`,
    );
    await done();
  });

  it("leaves no file where the rows break off, or one stops", async () => {
    const { page } = await at.visit("/data/world/Broken");
    await withoutPicker(page);
    const downloads: unknown[] = [];
    page.on("download", (download) => downloads.push(download));
    await page.getByRole("button", { name: "Export" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Export", exact: true }).click();
    await dialog.getByText("The rows ended early, so there is no file. Try again.").waitFor();
    await page.route("**/rows", () => undefined); // nothing answers
    await dialog.getByRole("button", { name: "Export", exact: true }).click();
    await dialog.getByRole("button", { name: "Stop", exact: true }).click();
    await dialog.getByRole("button", { name: "Export", exact: true }).waitFor();
    assert.equal(await dialog.getByText(/Saved/).count(), 0);
    assert.deepEqual(downloads, []);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.context().close(); // the browser has said that an answer was not whole
  });
});
