/// <reference lib="dom" />
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

/** Set SCREENSHOTS to a folder to look at what the browser saw. */
const screenshots = process.env["SCREENSHOTS"];
if (screenshots) mkdirSync(screenshots, { recursive: true });

describe("pages of the OGC API in a browser", () => {
  let gateway: TestGateway;
  let browser: TestBrowser;
  let root: string;

  before(async () => {
    [gateway, browser] = await Promise.all([
      testGateway({
        prepare: ({ client }) =>
          client.query(`
create table world."<b>odd" (id int primary key, "<i>name" text, "a&b" jsonb, geom geometry(Point, 4326));
comment on table world."<b>odd" is E'@title <script>alert(1)</script>\\nIt has <img src=x onerror=alert(2)> in it.';
insert into world."<b>odd" values (1, '</script><script>alert(3)</script>', '{"<": "\\"&"}', 'srid=4326;point(9 50)');
select portolan.set_authentication('world."<b>odd"', 'None')`),
      }),
      testBrowser(),
    ]);
    root = `${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}`;
  });

  after(async () => {
    await browser.close();
    await gateway.close();
  });

  async function visit(path: string, width: number, scheme: "light" | "dark" = "light") {
    const opened = await browser.open(gateway.baseUrl, { width, height: 800 });
    await opened.page.emulateMedia({ colorScheme: scheme });
    const response = await opened.page.goto(root + path);
    assert.equal(response?.status(), 200, path);
    return opened;
  }

  async function isDrawn(page: Page): Promise<void> {
    await page.locator("#map[data-drawn]").waitFor({ timeout: 15_000 });
  }

  for (const [device, width] of [
    ["desktop", 1280],
    ["phone", 390],
  ] as const)
    for (const scheme of ["light", "dark"] as const)
      for (const [name, path, hasMap] of [
        ["landing", "", false],
        ["conformance", "/conformance", false],
        ["collections", "/collections", false],
        ["collection", "/collections/world.countries", true],
        ["items", "/collections/world.countries/items?limit=50", true],
        ["item", "/collections/world.countries/items/DE", true],
        ["api", "/api", false],
      ] as const)
        it(`shows ${name} on a ${device}, ${scheme}, with nothing from elsewhere`, async () => {
          const { page, outside, errors } = await visit(path, width, scheme);
          if (hasMap) await isDrawn(page);
          if (screenshots)
            await page.screenshot({ path: join(screenshots, `ogc-${name}-${device}-${scheme}.png`), fullPage: true });
          assert.equal(await page.locator("h1").count(), 1);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          assert.ok(overflow <= 0, `the page is ${overflow} px too wide`);
          assert.deepEqual([outside, errors], [[], []]);
          await page.context().close();
        });

  it("draws no land across the whole map: what crosses the antimeridian is cut there", async () => {
    const response = await fetch(`${gateway.baseUrl}/api/v4/ogc/assets/land.json`);
    const { type, coordinates } = (await response.json()) as { type: string; coordinates: [number, number][][][] };
    assert.equal(type, "MultiPolygon");
    const rings = coordinates.flat();
    for (const ring of rings)
      for (const [index, [x, y]] of ring.entries()) {
        assert.ok(Math.abs(x) <= 180 && Math.abs(y) <= 90, `${x} ${y}`);
        const [before, latitude] = ring[index - 1] ?? [x, y];
        const isPole = Math.abs(y) === 90 && latitude === y;
        assert.ok(isPole || Math.abs(x - before) < 90, `from ${before} ${latitude} to ${x} ${y}`);
      }
    // Fiji lies on both sides of it, and so does Siberia
    for (const latitude of [-16.5, 67])
      for (const edge of [-180, 180])
        assert.ok(
          rings.some((ring) => ring.some(([x, y]) => x === edge && Math.abs(y - latitude) < 3)),
          `${latitude} at ${edge}`,
        );
  });

  it("leads from the landing page to a feature and on to the next page, by keyboard alone", async () => {
    const { page } = await visit("", 1280);
    const follow = async (name: string): Promise<void> => {
      const link = page.getByRole("link", { name, exact: true }).first();
      await link.focus();
      const old = page.url();
      await Promise.all([page.waitForURL((url) => url.href !== old), page.keyboard.press("Enter")]);
    };
    await follow("Collections");
    await follow("Countries");
    await follow("Features");
    await isDrawn(page);
    const centre = () =>
      page.evaluate(() => document.querySelector<HTMLCanvasElement>("#map canvas")?.toDataURL() ?? "");
    const before = await centre();
    await page.locator("#map").focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(
      (old) => document.querySelector<HTMLCanvasElement>("#map canvas")?.toDataURL() !== old,
      before,
      { timeout: 10_000 },
    );
    await follow("Next page");
    assert.match(page.url(), /after=/);
    await follow("Previous page");
    await follow("AE");
    assert.match(await page.locator("h1").innerText(), /Countries: AE/);
    await page.context().close();
  });

  it("escapes names, comments and values everywhere", async () => {
    for (const path of [
      "/collections",
      "/collections/world.<b>odd",
      "/collections/world.<b>odd/items",
      "/collections/world.<b>odd/items/1",
      "/api",
    ]) {
      const { page, errors } = await visit(path, 1280);
      if (/odd/.test(path)) await isDrawn(page);
      assert.equal(await page.locator("main img, main b, main i, main script:not([type])").count(), 0, path);
      assert.deepEqual(errors, [], path);
      await page.context().close();
    }
  });

  it("tries an operation and shows its answer", async () => {
    const { page, errors } = await visit("/api", 1280);
    const operation = page.locator("details", { hasText: "/collections/{collectionId}/items/{featureId}" }).last();
    await operation.locator("summary").click();
    await operation.getByLabel("collectionId").selectOption("world.countries");
    await operation.getByLabel("featureId").fill("DE");
    await operation.getByRole("button", { name: "Send" }).click();
    await operation.getByText('"Germany"').waitFor({ timeout: 10_000 });
    assert.deepEqual(errors, []);
    await page.context().close();
  });
});
