/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { violationsOf } from "../support/axe.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";
import { cell, focused, follow, shoot, site } from "./support.ts";

/** Higher than browsers let an element be, at 32 pixels each. */
const WAVES = sized(1_200_000, 10_000_000);

describe("the console: the grid", () => {
  const at = site({
    prepare: ({ client }) =>
      client.query(`
create table world.boats (
  id int primary key, name text, sails int, motto text, length_m numeric, built date, note text, place geometry(Point, 4326));
create table world.crates (id int primary key, label text unique, weight int);
insert into world.crates select n, 'crate ' || n, n % 7 from generate_series(1, 600) n;
create table world.sailors (id int primary key, boat_id int references world.boats, mate_id int references world.sailors);
insert into world.boats
  select n, 'Boat ' || n, n % 5, null, n / 10.0, '2026-01-01', 'note ' || n, st_setsrid(st_makepoint(n, n), 4326)
  from generate_series(1, 30) n;
insert into world.sailors values (1, 3, null), (2, 3, 1), (3, 4, 1);
create table world.far_shapes (id int primary key, geom geometry(Geometry, 4326));
insert into world.far_shapes values
  (1, 'SRID=4326;GEOMETRYCOLLECTION(POINT(30 10), LINESTRING(30 10, 31 11))'), (2, 'SRID=4326;POINT(1e30 1e30)'),
  (3, null), (4, st_setsrid(st_makepoint('NaN', 1), 4326)), (5, st_setsrid(st_makeline(st_point(0, 0), st_point('Infinity', 1)), 4326));
create table world.shapes (id int primary key, geom geometry);
insert into world.shapes values (1, 'SRID=4326;CURVEPOLYGON(CIRCULARSTRING(0 10, 10 20, 20 10, 10 0, 0 10))'),
  (2, 'SRID=4326;LINESTRINGM(0 0 5, 10 10 6)'), (3, st_setsrid(st_makepoint('NaN', 1), 4326)),
  (4, 'SRID=25832;POINT(500000.123456 5500000.5)'), (5, 'SRID=4326;POINT(1.123456789 2.123456789)'),
  (6, 'POINT(1 2)');
create table world.loose_shapes (id int, geom geometry(Point, 4326), seen timestamptz);
insert into world.loose_shapes values (1, null, '2026-11-30 08:00Z'), (2, st_setsrid(st_makepoint('NaN', 1), 4326), null),
  (3, 'SRID=4326;POINT(1 1)', now());
create table world.plots_of_old (id int primary key, geom geometry);
insert into world.plots_of_old values (1, 'SRID=25832;POINT(500000 5500000)'), (2, 'POINT(9 50)'), (3, null),
  (4, 'SRID=25832;POINT(510000 5500000)');
create unlogged table world.waves as select n as id, 'wave ' || n as name from generate_series(1, ${WAVES}) n;
alter table world.waves add primary key (id);`),
  });
  const test = at.scenarios("Data");

  const titles = async (page: Page) =>
    (await page.getByRole("columnheader").allInnerTexts())
      .map((text) => text.split("\n")[0]!.trim()) // its type is beneath it
      .filter((text) => text !== "Chosen");

  it("shows above each column its type and its keys, and is as wide as what is in it", async () => {
    const { page, done } = await at.visit("/data/world/sailors");
    const [id, boat] = ["id", "boat_id"].map((name) => page.getByRole("columnheader", { name, exact: true }));
    assert.deepEqual(await Promise.all([id!.locator("small").innerText(), boat!.locator("small").innerText()]), [
      "PK integer",
      "FK integer",
    ]);
    assert.equal(await boat!.getByRole("button").getAttribute("title"), "integer, foreign key to world.boats");
    const widthOf = async (column: number) => (await cell(page, "1", column).boundingBox())!.width;
    assert.ok((await widthOf(1)) < 120, "a column of short numbers is narrow");
    await page.goto(`${at.gateway.baseUrl}/console/data/world/boats`);
    const before = await widthOf(2);
    await at.rows(
      "update world.boats set name = 'The boat with a name that takes a lot of place' where id = 2 returning 1",
    );
    await page.reload();
    await cell(page, "2", 2).waitFor();
    assert.ok((await widthOf(2)) > before + 100, "and one of long texts wide");
    await at.rows("update world.boats set name = 'Boat 2' where id = 2 returning 1");
    await done();
  });

  it("shows beside a foreign key the name of the row that it leads to, to those who may see that row", async () => {
    const { page, done } = await at.visit("/data/world/sailors");
    await cell(page, "1", 2).getByText("3 Boat 3").waitFor();
    assert.equal(await cell(page, "3", 2).innerText(), "4 Boat 4");
    assert.equal(await cell(page, "1", 3).innerText(), "null");
    assert.equal(await cell(page, "2", 3).innerText(), "1", "a sailor has no name");
    await cell(page, "1", 2).dblclick();
    assert.equal(await page.getByLabel("boat_id", { exact: true }).inputValue(), "3", "what is edited is the key");
    await page.keyboard.press("Escape");
    await done();
  });

  test("hides, orders, pins and widens columns by keyboard, keeps this in the address, and restores it from a saved view", async () => {
    const { page, done } = await at.visit("/data/world/Boats", { width: 800 });
    await cell(page, "1", 1).waitFor();
    const before = page.url();
    await page.getByRole("button", { name: "Columns" }).click();
    const dialog = page.getByRole("dialog", { name: "Columns" });
    for (const name of ["Show motto", "Pin name"]) {
      await dialog.getByLabel(name).focus();
      await page.keyboard.press("Space");
    }
    await dialog.getByLabel("Width of name").fill("260");
    await dialog.getByRole("button", { name: "Move sails down" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.setViewportSize({ width: 390, height: 420 });
    const { y, height } = (await dialog.getByRole("button", { name: "Apply" }).boundingBox())!;
    assert.ok(y + height < 420 * 0.95, "what ends the dialog is in sight");
    const down = (await dialog.getByRole("button", { name: "Move name down" }).boundingBox())!;
    assert.ok(down.x + down.width < 390 * 0.96, "and all that is in a row of it");
    await shoot(page, "columns");
    await page.setViewportSize({ width: 800, height: 900 });
    assert.deepEqual(await violationsOf(page), {});
    await dialog.getByRole("button", { name: "Apply" }).click();
    await dialog.waitFor({ state: "detached" });
    const wanted = ["name", "id", "length_m", "sails"];
    await page.waitForFunction(
      (count) => document.querySelector("[role=grid]")!.getAttribute("aria-colcount") === count,
      "7",
    );
    assert.deepEqual((await titles(page)).slice(0, 4), wanted);
    assert.equal(Math.round((await cell(page, "1", 1).boundingBox())!.width), 260);
    const name = await cell(page, "1", 1).boundingBox();
    await page.getByRole("grid").evaluate((grid) => grid.scrollTo(400, 0));
    await cell(page, "1", 7).waitFor();
    assert.deepEqual(await cell(page, "1", 1).boundingBox(), name, "a pinned column stays");
    await page.reload();
    await cell(page, "1", 1).getByText("Boat 1").waitFor();
    assert.deepEqual((await titles(page)).slice(0, 4), wanted);

    await page.getByRole("button", { name: "Views" }).click();
    const views = page.getByRole("dialog", { name: "Views of boats" });
    await views.getByText("None yet.").waitFor();
    await views.getByLabel("Title").fill("<b>Names");
    assert.equal(await views.getByLabel("Name", { exact: true }).inputValue(), "b-names");
    await views.getByRole("button", { name: "Save" }).click();
    await views.waitFor({ state: "detached" });
    await page.getByText("<b>Names").waitFor();
    await page.goto(before);
    await cell(page, "1", 1).getByText("1", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Views" }).click();
    assert.deepEqual(await violationsOf(page), {});
    await follow(views.getByRole("link", { name: "<b>Names" }));
    await cell(page, "1", 1).getByText("Boat 1").waitFor();
    assert.deepEqual((await titles(page)).slice(0, 4), wanted);
    await cell(page, "2", 4).dblclick();
    await page.getByLabel("sails", { exact: true }).fill("9");
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Change sails" }).waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select sails from world.boats where id = 2"), [{ sails: 9 }]);
    await page.getByRole("button", { name: "Views" }).click();
    await views.getByRole("button", { name: "Remove <b>Names" }).click();
    await views.getByText("None yet.").waitFor();
    assert.deepEqual(await at.rows("select name from portolan.views"), []);
    await done();
  });

  it("widens a column with the mouse, hides not all of them, and takes no look that is none from an address", async () => {
    const look = encodeURIComponent('{"hidden":"id","widths":{"name":"wide"},"order":[1],"pinned":{}}');
    const { page, done } = await at.visit(`/data/world/Boats?look=${look}&sort=1`);
    await cell(page, "1", 1).waitFor();
    assert.equal((await titles(page))[0], "id");
    const header = page.getByRole("columnheader", { name: "name" });
    const { x, y, width } = (await header.boundingBox())!;
    await page.mouse.move(x + width - 3, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + width + 97, y + 10, { steps: 3 });
    await page.mouse.up();
    await page.waitForURL(/widths/);
    await until(async () => Math.round((await header.boundingBox())!.width) === Math.round(width) + 100);
    await page.getByRole("button", { name: "Columns" }).click();
    const dialog = page.getByRole("dialog", { name: "Columns" });
    for (const box of await dialog.getByRole("checkbox", { name: /^Show/ }).all()) await box.uncheck();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await dialog.getByRole("alert").getByText("Leave one column at least.").waitFor();
    await dialog.getByRole("button", { name: "As the table has them" }).click();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.waitForURL((url) => !url.search.includes("widths"));
    await done();
  });

  it("shows the rows on a map: what is chosen on it is chosen in the grid, and the other way round", async () => {
    const { page, done } = await at.visit("/data/world/Boats");
    await page.getByRole("button", { name: "Map", exact: true }).click();
    const map = page.getByRole("application", { name: "Map of Boats" });
    await map.and(page.locator('[data-shapes="30"]')).waitFor();
    await page.getByRole("checkbox", { name: "Choose row 3", exact: true }).check();
    assert.deepEqual(await violationsOf(page), {});
    await shoot(page, "data-map");
    await page.getByRole("checkbox", { name: "Choose row 3", exact: true }).uncheck();
    // the boats lie on the diagonal of a square, which the map shows whole: the last one at its upper right
    await map.evaluate((element) => element.scrollIntoView());
    const chosen = async () => {
      const { x, y, width, height } = (await map.boundingBox())!;
      const side = Math.min(width, height) - 40;
      await page.mouse.click(x + width / 2 + side / 2, y + height / 2 - side / 2);
      return page
        .getByRole("checkbox", { name: "Choose row 30", exact: true })
        .waitFor({ timeout: 3000 })
        .then(
          () => true,
          () => false,
        );
    };
    await until(chosen);
    await page.getByRole("button", { name: "Delete 1", exact: true }).waitFor();
    assert.ok(await page.getByRole("checkbox", { name: "Choose row 30", exact: true }).isChecked());
    await page.reload();
    await map.and(page.locator('[data-shapes="30"]')).waitFor();
    await done();
  });

  for (const width of [1440, 390])
    it(`has all of an editor in sight that begins at its edge, ${width} pixels wide`, async () => {
      const { page, done } = await at.visit("/data/world/Boats", { width });
      await cell(page, "1", 1).focus();
      for (const key of ["5", "30"]) {
        await page.keyboard.press("Control+Home");
        for (let row = 1; row < Number(key); row++) await page.keyboard.press("ArrowDown");
        await page.keyboard.press("End");
        await page.keyboard.press("Enter");
        const editor = page.getByRole("group", { name: "Change place" });
        await editor.waitFor();
        await shoot(page, `editor-${width}-${key}`);
        const [own, grid] = await Promise.all([editor, page.getByRole("grid")].map((each) => each.boundingBox()));
        assert.ok(own!.x >= grid!.x && own!.x + own!.width <= grid!.x + grid!.width, "from left to right");
        assert.ok(own!.y >= grid!.y && own!.y + own!.height <= grid!.y + grid!.height, "from top to bottom");
        await page.keyboard.press("Escape");
      }
      await done();
    });

  test("writes a geometry that is drawn on the map, and does not change it after a cancel", async () => {
    const { page, done } = await at.visit("/data/world/Boats");
    const before = await at.rows("select st_astext(place) as place from world.boats where id = 5");
    await cell(page, "5", 8).dblclick();
    await page.getByRole("button", { name: "Draw place on the map" }).click();
    const dialog = page.getByRole("dialog", { name: "Draw place" });
    const map = dialog.getByRole("application", { name: "Map to draw on" });
    await map.locator("canvas").first().waitFor();
    assert.deepEqual(await violationsOf(page), {});
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    const editor = page.getByRole("group", { name: "Change place" });
    await editor.waitFor(); // Escape has closed the map alone
    await page.getByRole("button", { name: "Draw place on the map" }).click();
    await map.locator("canvas").first().waitFor();
    const { x, y, width, height } = (await map.boundingBox())!;
    await page.mouse.click(x + width / 2 + 60, y + height / 2 - 40);
    await shoot(page, "draw");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await editor.getByRole("button", { name: "Save" }).click();
    await editor.waitFor({ state: "detached" });
    const [now] = await at.rows(
      "select st_geometrytype(place) as type, st_x(place) > 5 and st_y(place) > 5 as moved from world.boats where id = 5",
    );
    assert.deepEqual(before, [{ place: "POINT(5 5)" }]);
    assert.deepEqual(now, { type: "ST_Point", moved: true });
    await done();
  });

  test("names a collection of shapes by its type, and says of a shape that is outside of the map", async () => {
    const { page, done } = await at.visit("/data/world/far_shapes");
    await cell(page, "1", 2).getByText("GeometryCollection", { exact: true }).waitFor();
    await cell(page, "2", 2).dblclick();
    await page.getByRole("button", { name: "Draw geom on the map" }).click();
    const dialog = page.getByRole("dialog", { name: "Draw geom" });
    const outside = dialog.getByText("The shape is outside of the map. What you draw replaces it.");
    await outside.waitFor();
    const map = dialog.getByRole("application", { name: "Map to draw on" });
    await map.locator("canvas").first().waitFor();
    const { x, y, width, height } = (await map.boundingBox())!;
    await dialog.getByLabel("What to draw").selectOption("Point");
    await map.locator("canvas").first().waitFor();
    await page.mouse.click(x + width / 2 + 60, y + height / 2 + 40);
    await outside.waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("group", { name: "Change geom" }).getByRole("button", { name: "Save" }).click();
    await page.getByRole("group", { name: "Change geom" }).waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select st_x(geom) between 1 and 90 as moved from world.far_shapes where id = 2"), [
      { moved: true },
    ]);
    await done();
  });

  test("draws in the reference system of the present shape, or of the others, and says which", async () => {
    const { page, done } = await at.visit("/data/world/plots_of_old");
    const dialog = page.getByRole("dialog", { name: "Draw geom" });
    const map = dialog.getByRole("application", { name: "Map to draw on" });
    const editor = page.getByRole("group", { name: "Change geom" });
    const draw = async (key: string, told: string): Promise<void> => {
      await cell(page, key, 2).dblclick();
      if (key === "3") await editor.getByLabel("null").uncheck();
      await page.getByRole("button", { name: "Draw geom on the map" }).click();
      await dialog.getByText(told).waitFor();
      await map.locator("canvas").first().waitFor();
      const { x, y, width, height } = (await map.boundingBox())!;
      await dialog.getByLabel("What to draw").selectOption("Point");
      await map.locator("canvas").first().waitFor();
      await page.mouse.click(x + width / 2 + 40, y + height / 2 - 20);
      await dialog.getByRole("button", { name: "Apply" }).click();
      await editor.getByRole("button", { name: "Save" }).click();
      await editor.waitFor({ state: "detached" });
    };
    await draw("1", "It is written in EPSG:25832, as the present shape.");
    await draw("2", "It is written without a reference system (SRID 0), as the present shape.");
    await draw("3", "It is written in EPSG:25832, as most shapes of the column.");
    assert.deepEqual(
      await at.rows(
        `select id, st_srid(geom) as system, geom::text <> e.shape::text as moved,
           case st_srid(geom) when 0 then abs(st_x(geom)) <= 190 else abs(st_x(geom)) > 190 end as fits
         from world.plots_of_old o
         left join (values (1, 'SRID=25832;POINT(500000 5500000)'::geometry), (2, 'POINT(9 50)')) e (id, shape) using (id)
         where id < 4 order by id`,
      ),
      [
        { id: 1, system: 25832, moved: true, fits: true },
        { id: 2, system: 0, moved: true, fits: true },
        { id: 3, system: 25832, moved: null, fits: true },
      ],
    );
    await done();
  });

  test("tells a shape that is not finite from one that is not there", async () => {
    const { page, done } = await at.visit("/data/world/far_shapes");
    const shown = async (key: string): Promise<string> => (await cell(page, key, 2).innerText()).trim();
    await cell(page, "4", 2).getByText("not a finite shape", { exact: true }).waitFor();
    assert.deepEqual(await Promise.all(["3", "4", "5"].map(shown)), [
      "null",
      "not a finite shape",
      "not a finite shape",
    ]);
    assert.deepEqual(await at.rows("select id from world.far_shapes where geom is null"), [{ id: 3 }]);
    await page.goto(`${at.gateway.baseUrl}/console/data/world/loose_shapes`);
    await page.getByRole("gridcell", { name: "not a finite shape", exact: true }).waitFor();
    const shapes = await page.locator('[role="gridcell"][aria-colindex="2"]').allInnerTexts();
    assert.deepEqual(shapes.map((text) => text.trim()), ["null", "not a finite shape", "Point [1,1]"]); // oxfmt-ignore
    await done();
  });

  test("leaves a shape as it is where nothing is changed, and says what GeoJSON does not hold of it", async () => {
    const { page, done } = await at.visit("/data/world/shapes");
    const shapes = () => at.rows("select id, st_asewkt(geom) as shape, xmin::text from world.shapes order by id");
    const before = await shapes();
    const editor = page.getByRole("group", { name: "Change geom" });
    const told = editor.getByText("GeoJSON does not hold all of this shape");
    for (const key of ["1", "2", "3", "4", "6"]) {
      await cell(page, key, 2).dblclick();
      await told.waitFor();
      if (key === "1") assert.deepEqual(await violationsOf(page), {});
      await editor.getByRole("button", { name: "Save" }).click();
      await editor.waitFor({ state: "detached" });
    }
    await cell(page, "5", 2).dblclick();
    await page.getByRole("button", { name: "Draw geom on the map" }).click();
    const dialog = page.getByRole("dialog", { name: "Draw geom" });
    const map = dialog.getByRole("application", { name: "Map to draw on" });
    await map.locator("canvas").first().waitFor();
    const apply = dialog.getByRole("button", { name: "Apply" });
    assert.equal(await apply.getAttribute("aria-disabled"), "true", "nothing is drawn yet");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await told.count(), 0);
    await editor.getByRole("button", { name: "Save" }).click();
    await editor.waitFor({ state: "detached" });
    assert.deepEqual(await shapes(), before);
    await page.goto(`${at.gateway.baseUrl}/console/data/world/shapes?as=form`);
    await page.getByText("GeoJSON does not hold all of this shape").waitFor();
    await done();
  });

  it("leads from a cell that is refused to the reason", async () => {
    // what a super user lacks, the gateway gives back
    await at.rows(
      "select portolan.create_user('packer', 'packer'), portolan.set_privilege('world.crates', 'packer', 'write')",
    );
    const { page, done } = await at.visit("/data/world/crates", { account: "packer" });
    await cell(page, "1", 3).dblclick();
    const editor = page.getByRole("group", { name: "Change weight" });
    await editor.getByLabel("weight").fill("70");
    await at.rows("select portolan.set_privilege('world.crates', 'packer', 'read')");
    await editor.getByRole("button", { name: "Save" }).click();
    const why = editor.getByRole("alert").getByRole("link", { name: "Why?" });
    await why.waitFor();
    assert.equal(await editor.getByLabel("weight").inputValue(), "70");
    const [reason] = await Promise.all([page.context().waitForEvent("page"), why.click()]);
    await reason.getByRole("heading", { name: "Why refused" }).waitFor();
    await reason.close();
    await done();
  });

  it("reaches the last of more rows than a browser has pixels for, goes on from there row by row, and back", async () => {
    const { page, done } = await at.visit("/data/world/Waves");
    const grid = page.getByRole("grid");
    const topOf = async (key: number) =>
      (await cell(page, String(key), 2).boundingBox())!.y - (await grid.boundingBox())!.y;
    await cell(page, "1", 1).click();
    await page.keyboard.press("Control+End");
    await focused(cell(page, String(WAVES), 2).getByText(`wave ${WAVES}`));
    await cell(page, String(WAVES - 1), 1).waitFor();
    await shoot(page, "last-row");
    const { clientHeight, scrollTop, scrollHeight } = await grid.evaluate(
      ({ clientHeight, scrollTop, scrollHeight }) => ({ clientHeight, scrollTop, scrollHeight }),
    );
    assert.equal(Math.round(scrollTop + clientHeight), scrollHeight, "it ends there");
    const last = await topOf(WAVES);
    assert.ok(last > 32 && Math.abs(last + 32 - clientHeight) <= 2, "the last row is in sight, at the end");

    await grid.hover();
    await page.mouse.wheel(0, -320);
    await until(async () => Math.abs((await topOf(WAVES - 10)) - last) <= 1);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowLeft");
    await focused(cell(page, String(WAVES - 1), 1));
    for (let pages = 0; pages < 12; pages++) await page.keyboard.press("PageUp");
    const rows = Math.floor(clientHeight / 32) - 1;
    await focused(cell(page, String(WAVES - 1 - 12 * rows), 1).getByText(String(WAVES - 1 - 12 * rows)));

    await page.keyboard.press("Control+Home");
    await focused(cell(page, "1", 1));
    await page.keyboard.press("PageDown");
    await focused(cell(page, String(1 + rows), 1));
    const slow = await page.context().newCDPSession(page);
    await slow.send("Emulation.setCPUThrottlingRate", { rate: 12 });
    for (let round = 0; round < 4; round++) {
      for (const key of ["Control+End", "PageUp", "PageUp"]) await page.keyboard.press(key); // faster than rows are read
      await page.keyboard.press("Control+Home");
      await focused(cell(page, "1", 1));
    }
    await slow.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    const middle = grid.getByRole("gridcell", { name: /^wave \d+$/ }).first();
    await until(async () => Number((await middle.innerText()).slice(5)) > WAVES * 0.49);
    assert.ok(Number((await middle.innerText()).slice(5)) < WAVES * 0.51);
    await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await cell(page, String(WAVES), 2).getByText(`wave ${WAVES}`).waitFor();
    assert.ok(Math.abs((await topOf(WAVES)) - last) <= 1);
    await done();
  });

  it("leaves the rows alone that stay in sight while one scrolls", async () => {
    const { page, done } = await at.visit("/data/world/Waves");
    await cell(page, "20", 1).waitFor();
    const written = await page.evaluate(async () => {
      const frame = () => new Promise(requestAnimationFrame);
      const grid = document.querySelector("[role=grid]")!;
      const cells: string[] = [];
      const observer = new MutationObserver((changes) => {
        for (const { target } of changes) if (target.parentElement!.closest("[role=row]")) cells.push(target.nodeName);
      });
      observer.observe(grid, { subtree: true, attributes: true, characterData: true });
      for (let step = 0; step < 6; step++) {
        grid.scrollBy(0, 320);
        await frame();
        await frame();
      }
      return cells;
    });
    assert.deepEqual(written, []);
    await cell(page, "90", 1).waitFor();
    await done();
  });

  test("comments on a row, changes and removes the comment, and shows the comments of others beside it", async () => {
    await at.rows("select portolan.set_privilege('world.boats', 'guest', 'read')");
    const { page, done } = await at.visit("/data/world/boats");
    await page.getByRole("button", { name: "Comments", exact: true }).click();
    await page.getByText("Nobody has commented on a row that you may see").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("checkbox", { name: "Choose row 3", exact: true }).check();
    await page.getByRole("button", { name: "Comments", exact: true }).click();
    await page.getByLabel("Comment", { exact: true }).fill("Is <b>five</b> right?\nI count four.");
    assert.deepEqual(await violationsOf(page), {});
    await page.getByRole("button", { name: "Add the comment" }).click();
    const comments = page.getByRole("list", { name: "Comments, oldest first" });
    await comments.getByText("Is <b>five</b> right?").waitFor();
    await until(async () => (await page.getByLabel("Comment", { exact: true }).inputValue()) === "");

    const other = await at.visit("/data/world/boats?as=cards", { account: "guest", width: 390, height: 844 });
    await other.page.getByRole("button", { name: "Boat 3", exact: true }).click();
    await other.page.getByRole("dialog").getByRole("button", { name: "Comments" }).click();
    await other.page.getByLabel("Comment", { exact: true }).fill("Five, with the jib");
    await other.page.keyboard.press("Control+Enter");
    await other.page.getByText("Five, with the jib").waitFor();
    await shoot(other.page, "comments-390");
    assert.deepEqual(await violationsOf(other.page), {});
    assert.equal(await other.page.getByRole("button", { name: /^Remove the comment by captain/ }).count(), 0);
    await other.page.getByRole("button", { name: /^Change the comment/ }).click();
    await other.page.getByLabel(/^Comment of/).fill("Five, with the jib.");
    await other.page.getByRole("button", { name: "Save" }).last().click();
    await other.page.getByText("changed").waitFor();
    await other.done();

    await page.reload();
    await page.getByRole("button", { name: "Comments", exact: true }).click();
    await page.getByRole("list", { name: "Comments, latest first" }).getByText("Five, with the jib.").waitFor();
    await shoot(page, "comments");
    await page.getByRole("button", { name: "Row 3" }).first().click();
    await page.getByRole("button", { name: /^Remove the comment by captain/ }).click();
    await until(async () => (await comments.getByRole("listitem").count()) === 1);
    assert.deepEqual(await at.rows("select key, author, body from portolan.row_comments"), [
      { key: "3", author: "guest", body: "Five, with the jib." },
    ]);
    await done();
  });

  it("leads from a row to those that refer to it, and back to the one that it refers to", async () => {
    const { page, done } = await at.visit("/data/world/Boats");
    await page.getByRole("checkbox", { name: "Choose row 3", exact: true }).check();
    await page.getByRole("button", { name: "Related rows" }).click();
    const related = page.getByRole("list", { name: "Related rows" });
    await related.getByRole("listitem").filter({ hasText: "Sailors by boat_id" }).getByText("2 rows").waitFor();
    assert.deepEqual(await violationsOf(page), {});
    await follow(related.getByRole("link", { name: "Sailors" }));
    await page.getByText("2 rows", { exact: true }).waitFor();
    await page.getByRole("checkbox", { name: "Choose row 1", exact: true }).check();
    await page.getByRole("button", { name: "Related rows" }).click();
    await related.getByRole("listitem").filter({ hasText: "Sailors by mate_id" }).getByText("2 rows").waitFor();
    // the mate that it has not leads nowhere
    await until(async () => (await related.getByRole("listitem").count()) === 2);
    await follow(related.getByRole("link", { name: "Boats" }));
    await cell(page, "3", 2).getByText("Boat 3").waitFor();
    await page.getByText("1 row", { exact: true }).waitFor();
    await done();
  });

  test("copies cells for a spreadsheet, pastes cells from one, all or none, and undoes it", async () => {
    await at.rows("update world.boats set note = e'two\\nlines, \"quoted\"' where id = 11");
    const { page, done } = await at.visit("/data/world/Boats");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const grid = page.getByRole("grid");
    const boats = () => at.rows("select id, sails, motto from world.boats where id between 10 and 12 order by id");
    const paste = async (text: string) => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await page.keyboard.press("Control+v");
    };
    // columns: id, name, sails, motto, length_m, built, note, place
    await cell(page, "10", 6).click();
    await cell(page, "11", 7).click({ modifiers: ["Shift"] });
    await until(async () => (await grid.locator('.cell[aria-selected="true"]').count()) === 4);
    await shoot(page, "marked");
    assert.deepEqual(await violationsOf(page), {});
    await page.keyboard.press("Control+c");
    const copied = '2026-01-01\tnote 10\n2026-01-01\t"two\nlines, ""quoted"""';
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), copied);

    await cell(page, "10", 3).click();
    await paste('7\t"a ""fine""\r\nday"\r\n8\t\r\n');
    await page.getByText("Pasted into 2 rows.").waitFor();
    await cell(page, "11", 3).getByText("8").waitFor();
    const pasted = [
      { id: 10, sails: 7, motto: 'a "fine"\r\nday' },
      { id: 11, sails: 8, motto: null },
      { id: 12, sails: 2, motto: null },
    ];
    assert.deepEqual(await boats(), pasted);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("2 rows as before.").waitFor();
    const before = pasted.map((row, index) => ({ ...row, sails: index, motto: null }));
    assert.deepEqual(await boats(), before);
    await cell(page, "11", 3).getByText("1", { exact: true }).waitFor(); // read again, with the versions of now

    await cell(page, "10", 3).click();
    await paste("1\tx\nmany\ty");
    await page.getByRole("alert").getByText("Nothing is pasted. Row 11, sails: This is not a number.").waitFor();
    await paste("1\tx\n99999999999\ty");
    await page
      .getByRole("alert")
      .getByText(/Nothing is pasted\. Row 11, sails, motto: /)
      .waitFor();
    assert.deepEqual(await boats(), before);

    await cell(page, "10", 3).click();
    for (const key of ["Shift+ArrowDown", "Shift+ArrowDown"]) await page.keyboard.press(key);
    await paste("4");
    await page.getByText("Pasted into 3 rows.").waitFor();
    assert.deepEqual(
      (await boats()).map(({ sails }: { sails?: number }) => sails),
      [4, 4, 4],
    );
    await done(400);
  });

  test("pastes 500 rows, most of them out of sight, in one transaction, and none over a change of somebody else", async () => {
    const { page, done } = await at.visit("/data/world/Crates");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const crates = () => at.rows("select id, label, weight from world.crates order by id");
    const copied = Array.from({ length: 500 }, (_, index) => `box ${index}\t${index}\n`).join("");
    await page.evaluate((text) => navigator.clipboard.writeText(text), copied);
    const alert = page.getByRole("alert");
    await cell(page, "21", 2).click();
    await at.rows("update world.crates set label = 'theirs' where id = 25");
    const before = await crates();
    await page.getByRole("grid").hover();
    await page.mouse.wheel(0, 3000);
    await focused(page.getByRole("grid")); // the cell is out of sight, and the keys are for the grid still
    await page.keyboard.press("Control+v");
    await alert.getByText("Nothing is pasted. Row 25, label, weight: Somebody has changed this row since").waitFor();
    assert.deepEqual(await crates(), before);

    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("grid").hover();
    await page.mouse.wheel(0, -3000);
    await cell(page, "25", 2).getByText("theirs").waitFor();
    await cell(page, "21", 2).click();
    await page.keyboard.press("Control+v");
    await page.getByText("Pasted into 500 rows.").waitFor();
    await cell(page, "22", 2).getByText("box 1", { exact: true }).waitFor();
    await shoot(page, "pasted-many");
    assert.deepEqual(
      await at.rows(`select count(*)::int, count(distinct xmin::text)::int as transactions, bool_and(weight = id - 21) as own
        from world.crates where label = 'box ' || id - 21 and id between 21 and 520`),
      [{ count: 500, transactions: 1, own: true }],
    );
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("500 rows as before.").waitFor();
    assert.deepEqual(await crates(), before);

    await cell(page, "21", 2).click();
    for (let pages = 0; pages < 8; pages++) await page.keyboard.press("PageDown");
    await page.keyboard.press("Control+v");
    await alert.getByText("Row 601, label: there is no such row.").waitFor();
    await done(400, 409);
  });

  test("copies rows that are not loaded yet, and refuses a paste that is too large before it writes anything", async () => {
    const { page, done } = await at.visit("/data/world/Crates");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const before = await at.rows("select id, label, weight from world.crates order by id");
    const pasteText = async (text: string) => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await page.keyboard.press("Control+v");
    };
    await cell(page, "1", 2).click();
    await page.keyboard.press("Control+Shift+End");
    await focused(cell(page, "600", 3));
    const held = Promise.withResolvers<void>();
    await page.route("**/api/graphql/schema/world", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.keyboard.press("Control+c");
    await page.getByRole("status").getByText("Reading 600 rows to copy them").waitFor();
    held.resolve();
    await page.getByRole("status").getByText("600 rows copied.").waitFor();
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      before.map(({ label, weight }) => `${label}\t${weight}`).join("\n"),
    );

    const alert = page.getByRole("alert");
    await page.keyboard.press("Control+Home");
    await focused(cell(page, "1", 1));
    await page.keyboard.press("ArrowRight");
    await focused(cell(page, "1", 2));
    await pasteText("x\n".repeat(10_001));
    await alert
      .getByText("Nothing is pasted. These are 10,001 rows; at most 10,000 rows are possible at once.")
      .waitFor();
    await pasteText(Array.from({ length: 300 }, (_, index) => `${"x".repeat(4000)}${index}`).join("\n"));
    await alert.getByText(/^Nothing is pasted\. This is too much at once: .* Paste fewer rows at a time\./).waitFor();
    assert.deepEqual(await at.rows("select id, label, weight from world.crates order by id"), before);
    await done(413);
  });

  test("keeps the keys under a paste for the undo, and names duplicate keys", async () => {
    const { page, done } = await at.visit("/data/world/Crates?sort=-id");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const last = () => at.rows("select id, label from world.crates where id > 590 order by id desc limit 2");
    const before = await last();
    await cell(page, "600", 1).click();
    await page.evaluate(() => navigator.clipboard.writeText("602\tlast\n601\tbut one"));
    await page.keyboard.press("Control+v");
    await page.getByText("Pasted into 2 rows.").waitFor();
    assert.deepEqual(await last(), [
      { id: 602, label: "last" },
      { id: 601, label: "but one" },
    ]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("2 rows as before.").waitFor();
    assert.deepEqual(await last(), before);
    await cell(page, "600", 2).dblclick();
    await page.getByLabel("label", { exact: true }).fill("crate 599");
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Change label" }).getByText("duplicate key").waitFor();
    assert.deepEqual(await last(), before);
    await done();
  });

  test("keeps the reason of a failed save in the editor when the row is changed after it", async () => {
    const { page, done } = await at.visit("/data/world/Crates?sort=-id");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const label = () => at.rows("select label from world.crates where id = 600");
    const before = await label();
    await cell(page, "600", 2).click();
    await page.evaluate(() => navigator.clipboard.writeText("last"));
    await page.keyboard.press("Control+v");
    await page.getByText("Pasted into 1 row.").waitFor();
    await cell(page, "600", 2).getByText("last").waitFor();
    await cell(page, "600", 2).dblclick();
    await page.getByLabel("label", { exact: true }).fill("crate 599");
    await page.keyboard.press("Enter");
    const edit = page.getByRole("group", { name: "Change label" });
    await edit.getByText("duplicate key").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await edit.getByText("has changed this row meanwhile").waitFor();
    assert.equal(await edit.getByText("duplicate key").count(), 1, "it tells why the text was not saved");
    await shoot(page, "changed-after-refusal");
    await page.keyboard.press("Escape");
    assert.deepEqual(await label(), before);
    await done();
  });

  test("shows what somebody else has written to the edited row, and overwrites it only on request", async () => {
    const { page, done } = await at.visit("/data/world/Boats");
    await cell(page, "20", 4).dblclick();
    await page.getByLabel("motto", { exact: true }).fill("mine");
    await at.rows("update world.boats set motto = 'theirs' where id = 20");
    await page.getByRole("button", { name: "Reload" }).click();
    const edit = page.getByRole("group", { name: "Change motto" });
    await edit.getByRole("alert").getByText("theirs").waitFor();
    await page.getByLabel("motto", { exact: true }).press("Enter");
    await edit.getByText("has changed this row meanwhile").waitFor();
    assert.deepEqual(await at.rows("select motto from world.boats where id = 20"), [{ motto: "theirs" }]);
    assert.equal(await edit.getByRole("alert").count(), 1, "the conflict is told once");
    await edit.getByRole("button", { name: "Overwrite" }).click();
    assert.equal(await edit.getByRole("alert").count(), 0, "and no more once it is decided");
    await edit.getByRole("button", { name: "Save" }).click();
    await edit.waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select motto from world.boats where id = 20"), [{ motto: "mine" }]);
    await done(400, 409);
  });

  it("shows what others write as it is committed: the row stands out for a moment, and the new one is there", async () => {
    await at.rows("select portolan.enable_events('world.boats')");
    const bearer = `Bearer ${await at.gateway.token("captain")}`;
    await until(async () => {
      const { body } = await at.gateway.http.get("/api/graphql/schema/world/events").set("Authorization", bearer);
      return (body as { type: string }[]).some(({ type }) => type === "Boats");
    }); // a page asks once whether they are on
    const { page, done } = await at.visit("/data/world/Boats");
    await cell(page, "2", 1).waitFor();
    const written = page.locator(".row.written");
    await until(async () => {
      await at.rows("update world.boats set note = 'seen' where id = 2");
      return written.waitFor({ timeout: 1000 }).then(
        () => true,
        () => false, // it is not followed yet
      );
    });
    await shoot(page, "flash");
    await cell(page, "2", 7).getByText("seen").waitFor();
    await written.waitFor({ state: "detached" });
    await at.rows("insert into world.boats (id, name) values (0, 'First')");
    await written.filter({ hasText: "First" }).waitFor();
    await page.getByText("31 rows").waitFor();
    await done();
  });
});
