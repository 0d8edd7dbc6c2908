/// <reference lib="dom" />
/** Pages of which the browser shows more or less than their size, and screens whose pixels are finer or coarser than a page's. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";
import { cell, coloured, placeOf, site, write } from "./support.ts";

/** Of a window of 1440 by 900 pixels: the page has the more room the smaller it is shown. */
const ZOOMS = sized([2], [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2]);
/** A zoom, and pixels of the screen in one of a page that is not zoomed. */
const VIEWS: readonly (readonly [zoom: number, screen: number])[] = [
  ...ZOOMS.map((zoom) => [zoom, 1] as const),
  ...sized([], [0.5, 1.25, 2, 3, 4]).map((screen) => [1, screen] as const),
  ...sized<readonly (readonly [number, number])[]>(
    [],
    [
      [0.5, 2],
      [2, 2],
    ],
  ),
];

const SHAPE = "#1d4ed8";
const CHOSEN = "#c2410c";
const STYLED = "#ff0000";
/** A coarse screen blends a thin line half with what is beneath it. */
const BLEND = 120;
/** What a map leaves free around a shape, in pixels of the page. */
const EDGE = 20;

/** Each map of the console: how one comes to it, and the colour in which it has the frame. */
const MAPS: readonly (readonly [
  name: string,
  path: string,
  colour: string,
  open?: (page: Page) => Promise<unknown>,
])[] = [
  ["Maps", "/maps/world/frames", STYLED],
  ["History", "/history/world/frames", STYLED, (page) => page.getByRole("button", { name: "Map" }).click()],
  ["Data", "/data/world/frames?map=true", SHAPE],
  [
    "SQL",
    "/sql",
    SHAPE,
    async (page) => {
      await write(page, "select geom from world.frames");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("group", { name: "Show as" }).getByRole("button", { name: "Map" }).click();
    },
  ],
  [
    "drawing",
    "/data/world/frames",
    CHOSEN,
    async (page) => {
      await cell(page, "1", 2).dblclick();
      await page.getByRole("button", { name: "Draw geom on the map" }).click();
    },
  ],
];

const PAGES = [
  "",
  "/data/world/cities",
  "/schema/world",
  "/schema/world/cities",
  "/maps/world/cities",
  "/access/rules",
  "/graphql/world",
  ...sized(
    [],
    ["/requests", "/history/world/frames", "/audit", "/sql", "/methods", "/events/world/cities", "/import/world"],
  ),
];

describe("the console: zoomed", function () {
  this.timeout(sized(300_000, 3_600_000));
  const at = site({
    prepare: ({ client }) =>
      client.query(`
create table world.frames (id int primary key, geom geometry(Polygon, 4326));
insert into world.frames values (1, st_makeenvelope(-20, -10, 40, 20, 4326));
select portolan.set_style('world.frames', '[{"name": "All", "styles": [{"color": "#ff0000"}]}]');
select portolan.enable_versioning('world.frames')`),
  });

  const visit = (path: string, zoom: number, screen: number) =>
    at.visit(path, { width: Math.round(1440 / zoom), height: Math.round(900 / zoom), pixelRatio: zoom * screen });

  for (const [name, path, colour, open] of MAPS)
    it(`shows a shape in its place and form on the map of ${name}`, async () => {
      for (const [zoom, screen] of VIEWS) {
        const { page, done } = await visit(path, zoom, screen);
        await open?.(page);
        const map = page.getByRole("application");
        await map.waitFor();
        // its letters are of a like colour
        await page.locator(".ol-zoom").evaluate((buttons) => buttons.remove());
        await until(async () => (await coloured(page, colour, BLEND)) > 50);
        await map.and(page.locator(':not([aria-busy="true"])')).waitFor();
        const { width, height } = (await map.boundingBox())!;
        const [left, top, right, bottom] = (await placeOf(page, colour, BLEND)) as [number, number, number, number];
        const said = `zoom ${zoom}, ${screen} pixels: ${[left, top, right, bottom, width, height].join(", ")}`;
        // in the middle, twice as wide as high, and as large as the map lets it be
        assert.ok(Math.abs((left + right) / 2 - width / 2) < 6 && Math.abs((top + bottom) / 2 - height / 2) < 6, said);
        assert.ok(Math.abs((right - left) / (bottom - top) - 2) < 0.1, said);
        assert.ok(right - left > 0.9 * Math.min(width - 2 * EDGE, 2 * (height - 2 * EDGE)), said);
        await done();
      }
    });

  it("has no page that scrolls sideways", async () => {
    for (const zoom of ZOOMS) {
      const { page, done } = await visit("", zoom, 1);
      for (const path of PAGES) {
        await page.goto(`${at.gateway.baseUrl}/console${path}`);
        await page.locator('main[aria-busy="false"]').waitFor();
        await page.getByText("One moment …").waitFor({ state: "detached" });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(overflow <= 0, `${path} at ${zoom}: ${overflow} pixels`);
      }
      await done();
    }
  });
});
