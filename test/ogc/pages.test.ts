/// <reference lib="dom" />
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { picture } from "../maps/pixels.ts";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

/** Set SCREENSHOTS to a folder to look at what the browser saw. */
const screenshots = process.env["SCREENSHOTS"];
if (screenshots) mkdirSync(screenshots, { recursive: true });

const PUBLISHER = {
  title: "Atlas",
  contact: { name: "The atlas office", email: "atlas@example.org" },
  license: { name: "CC BY 4.0", url: "https://creativecommons.org/licenses/by/4.0/" },
};
const EXAMPLE = join(import.meta.dirname, "../../ogc/example.png");

describe("pages of the OGC API in a browser", () => {
  let gateway: TestGateway;
  let browser: TestBrowser;
  let root: string;
  let logos: string;

  before(async () => {
    logos = mkdtempSync(join(tmpdir(), "portolan-logo-"));
    writeFileSync(
      join(logos, "logo.svg"),
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><circle cx="10" cy="10" r="9"/></svg>',
    );
    [gateway, browser] = await Promise.all([
      testGateway({
        config: { ogc: { ...PUBLISHER, logo: join(logos, "logo.svg") } },
        prepare: ({ client }) =>
          client.query(`
create table world."<b>odd" (id int primary key, "<i>name" text, "a&b" jsonb, geom geometry(Point, 4326));
comment on table world."<b>odd" is E'@title <script>alert(1)</script>\\nIt has <img src=x onerror=alert(2)> in it.';
comment on column world.catchments.city_id is '@filterable';
select portolan.set_authentication('world.catchments', 'None');
insert into world."<b>odd" values (1, '</script><script>alert(3)</script>', '{"<": "\\"&"}', 'srid=4326;point(9 50)');
select portolan.set_authentication('world."<b>odd"', 'None');
create table world.named (id int primary key, geometry text, geom geometry(Polygon, 4326));
insert into world.named values (1, 'x', st_makeenvelope(8, 49, 9, 50, 4326));
create table world.plan (id int primary key, geom geometry(Point));
insert into world.plan values (1, 'point(3500000 5400000)');
create table world.plots (id int primary key, kind text, secret text, geom geometry(Polygon, 4326));
insert into world.plots values
  (1, 'a', 'x', st_makeenvelope(-40, -40, 0, 40, 4326)), (2, 'b', 'x', st_makeenvelope(0, -40, 40, 40, 4326));
select portolan.set_style('world.plots', '[
  {"name": "A", "where": {"kind": {"eq": "a"}}, "styles": [{"color": "#ff0000"}]},
  {"name": "B", "styles": [{"color": "#00ff00"}], "labels": [{"text": "kind", "size": 40, "color": "#0000ff"}]}]');
select portolan.set_authentication('world.named', 'None'), portolan.set_authentication('world.plan', 'None'),
  portolan.set_authentication('world.plots', 'None')`),
      }),
      testBrowser(),
    ]);
    root = `${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}`;
  });

  after(async () => {
    await browser.close();
    await gateway.close();
    rmSync(logos, { recursive: true });
  });

  async function visit(path: string, width: number, scheme: "light" | "dark" = "light") {
    const opened = await browser.open(gateway.baseUrl, { width, height: 800 });
    await opened.page.emulateMedia({ colorScheme: scheme });
    const response = await opened.page.goto(root + path);
    assert.equal(response?.status(), 200, path);
    return opened;
  }

  async function isDrawn(page: Page): Promise<void> {
    await page.locator("#map[data-drawn]").waitFor();
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
        it(`shows ${name} on a ${device}, ${scheme}, with nothing from other hosts`, async () => {
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

  it("draws no land across the whole map: land over the antimeridian is cut there", async () => {
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

  it("chooses features by number, rectangle and columns, and keeps the choice", async () => {
    const { page, errors } = await visit(
      "/collections/world.catchments/items?crs=http://www.opengis.net/def/crs/EPSG/0/4326",
      390,
    );
    await page.getByLabel("On a page").fill("3");
    await page.getByLabel("Rectangle").fill("5,45,15,55");
    await page.getByLabel("city_id").fill("");
    await Promise.all([page.waitForURL(/limit=3/), page.getByRole("button", { name: "Show" }).click()]);
    const { searchParams } = new URL(page.url());
    assert.deepEqual(
      [...searchParams],
      [
        ["crs", "http://www.opengis.net/def/crs/EPSG/0/4326"],
        ["limit", "3"],
        ["bbox", "5,45,15,55"],
      ],
    );
    assert.equal(await page.locator("tbody tr").count(), 3);
    assert.equal(await page.getByLabel("Rectangle").inputValue(), "5,45,15,55");
    const [id = ""] = await page.locator("tbody th").allInnerTexts();
    await page.getByLabel("city_id").fill(id);
    await Promise.all([page.waitForURL(/city_id/), page.getByRole("button", { name: "Show" }).click()]);
    assert.deepEqual(await page.locator("tbody th").allInnerTexts(), [id]);
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  it("loads the features in view when the map moves, once the box is ticked", async () => {
    const { page, errors } = await visit("/collections/world.countries/items?limit=5&sortby=-name", 1280);
    await isDrawn(page);
    const names = () => page.locator("#results tbody th").allInnerTexts();
    const before = await names();
    const zoom = () => page.locator("#map").press("+");
    await zoom(); // nobody has requested it yet
    assert.equal(new URL(page.url()).searchParams.get("bbox"), null);
    await page.getByLabel("Load the features in view").check();
    await page.getByText("5 in view on this page.").waitFor();
    const textOf = () => new URL(page.url()).searchParams.get("bbox") ?? "";
    const bboxOf = () => textOf().split(",").map(Number);
    const first = bboxOf();
    // as text: it may end with zeros
    const moved = page.waitForFunction((old) => new URLSearchParams(location.search).get("bbox") !== old, textOf());
    for (let times = 0; times < 4; times++) await zoom();
    await moved;
    await page.waitForFunction(() => /in view on this page/.test(document.getElementById("follow")!.innerText));
    const [minx = 0, miny = 0, maxx = 0, maxy = 0] = bboxOf();
    assert.ok(maxx - minx < first[2]! - first[0]!, page.url());
    assert.ok(minx >= -180 && miny >= -90 && maxx <= 180 && maxy <= 90, page.url());
    // the table, the number and the form show what the address says
    const shown = await names();
    const summary = await page.locator("#description").innerText();
    assert.equal(await page.getByLabel("Rectangle").inputValue(), new URL(page.url()).searchParams.get("bbox"));
    assert.equal(new URL(page.url()).searchParams.get("sortby"), "-name");
    await page.reload();
    assert.deepEqual([await names(), await page.locator("#description").innerText()], [shown, summary]);
    assert.notDeepEqual(shown, before);
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  it("names the publisher of the data, the licence and the logo", async () => {
    const { page, errors, outside } = await visit("/collections/world.countries", 1280);
    const footer = page.getByRole("contentinfo");
    assert.match(await footer.innerText(), /Atlas\. Published by The atlas office\. Licence: CC BY 4\.0\./);
    for (const [name, href] of [
      ["The atlas office", "mailto:atlas@example.org"],
      ["CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"],
    ] as const)
      assert.equal(await footer.getByRole("link", { name }).getAttribute("href"), href);
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>("img.logo")!.naturalWidth > 0);
    await page.goto(root);
    assert.equal(await page.locator("h1").innerText(), "Atlas");
    assert.deepEqual([errors, outside], [[], []]);
    await page.context().close();
    const json = async (path: string) =>
      (await (await fetch(`${root}${path}f=json`)).json()) as Record<string, unknown>;
    const { title, links } = await json("?");
    assert.equal(title, "Atlas");
    const found = (links as { rel: string; href: string; title: string }[])
      .filter(({ rel }) => rel === "license" || rel === "author")
      .map(({ rel, href, title: name }) => [rel, href, name]);
    assert.deepEqual(found, [
      ["license", "https://creativecommons.org/licenses/by/4.0/", "CC BY 4.0"],
      ["author", "mailto:atlas@example.org", "The atlas office"],
    ]);
    const { info } = (await json("/api?")) as { info: Record<string, unknown> };
    assert.deepEqual(
      [info["title"], info["contact"], info["license"]],
      ["Atlas", PUBLISHER.contact, PUBLISHER.license],
    );
    const logo = await fetch(`${gateway.baseUrl}/api/v4/ogc/assets/logo`);
    assert.equal(logo.headers.get("content-type"), "image/svg+xml");
    assert.match(logo.headers.get("content-security-policy") ?? "", /default-src 'none'.*sandbox/);
  });

  it("uses configured tiles of another host as the background of its maps, and allows pictures of no other", async () => {
    const other = await testGateway({
      config: { ogc: { baseMap: { url: "https://{a-c}.tiles.example/{z}/{x}/{y}.png", attribution: "Tiles <& Co>" } } },
    });
    try {
      const { page, errors } = await browser.open(other.baseUrl);
      const asked = new Set<string>();
      await page.route(/tiles\.example/, async (route) => {
        asked.add(new URL(route.request().url()).host);
        await route.fulfill({ path: EXAMPLE, headers: { "access-control-allow-origin": "*" } });
      });
      const dataset = `${other.baseUrl}/api/v4/ogc/database/${other.database.name}`;
      for (const [path, id] of [
        ["/collections/world.countries", "map"],
        ["/collections/world.countries/map?f=html", "picture"],
        ["/collections/world.countries/tiles/WebMercatorQuad?f=html", "tiles"],
      ] as const) {
        asked.clear();
        const response = await page.goto(dataset + path);
        await page.locator(`#${id}[data-drawn]`).waitFor();
        assert.match(
          response?.headers()["content-security-policy"] ?? "",
          /img-src [^;]*https:\/\/\*\.tiles\.example;/,
        );
        assert.ok(
          asked.size > 0 && [...asked].every((host) => /^[abc]\.tiles\.example$/.test(host)),
          [...asked].join(),
        );
        assert.match(await page.locator("figcaption").first().innerText(), /Background: Tiles <& Co>\.$/);
      }
      const plain = await page.goto(`${dataset}/conformance`);
      assert.doesNotMatch(plain?.headers()["content-security-policy"] ?? "", /example/);
      assert.deepEqual(errors, []);
      await page.context().close();
    } finally {
      await other.close();
    }
  });

  it("draws features with a property named geometry, or without a place in the world, and no tile beyond the limits", async () => {
    for (const [path, id] of [
      ["/collections/world.named/items", "map"],
      ["/collections/world.named/items/1", "map"],
      ["/collections/world.plan/items", "map"],
      ["/collections/world.plan/tiles/WebMercatorQuad?f=html", "tiles"],
      ["/collections/world.named/tiles/WorldCRS84Quad?f=html", "tiles"],
      ["/collections/world.named/tiles/WebMercatorQuad?f=html", "tiles"],
      ["/collections/world.named/map/tiles/WebMercatorQuad?f=html", "tiles"],
    ] as const) {
      const { page, errors } = await visit(path, 1280);
      await page.locator(`#${id}[data-drawn]`).waitFor();
      assert.deepEqual(errors, [], path);
      await page.context().close();
    }
    const { json } = await fetch(`${root}/collections/world.plan?f=json`).then(async (answer) => ({
      json: (await answer.json()) as { extent?: unknown },
    }));
    assert.equal(json.extent, undefined);
  });

  it("explains a wrong filter below its field, at its place, and shows the features of a right one", async () => {
    const { page, errors } = await visit("/collections/world.countries/items", 1280);
    const field = page.getByLabel("Filter (CQL2)");
    const wrong = page.getByRole("alert", { name: "What is wrong with the filter" });
    const show = page.getByRole("button", { name: "Show" });
    await field.fill("CASEI(name) LIKE CASEI('g%') AND S_INTERSECTS(geom, BBOX(5,45,15,55))");
    assert.ok(
      await field.evaluate((each) => each.scrollWidth <= each.clientWidth),
      "there is room for all of a filter",
    );
    for (const [filter, message, marked, position] of [
      ["name = 'Chad' AND nam = 'x'", /no property "nam"/, "n", 19],
      ["name = '😀' AND code <", /a value, a name/, "…", 22],
      ["name = <b>", /unexpected|expected/, "<", 8],
    ] as const) {
      await field.fill(filter);
      await show.click();
      await wrong.filter({ hasText: message }).waitFor();
      assert.equal(await wrong.locator("mark").innerText(), marked);
      assert.match(await wrong.innerText(), new RegExp(`character ${position}\\b`));
      assert.equal(await field.getAttribute("aria-invalid"), "true");
      assert.ok(!page.url().includes("filter="), "the page stays");
    }
    if (screenshots) await page.screenshot({ path: join(screenshots, "filter.png") });
    await field.fill("name = 'Norway'");
    assert.equal(await wrong.count(), 0, "nothing is said any more");
    await Promise.all([page.waitForURL(/filter=/), show.click()]);
    assert.equal(await page.locator("tbody tr").count(), 1);
    // the browser itself reports the refused request
    assert.deepEqual(
      errors.filter((error) => !/status of 400/.test(error)),
      [],
    );
    await page.context().close();
  });

  it("leads to the map of a collection and of all", async () => {
    for (const [path, name, wanted] of [
      ["", "Map", /\/map(\?|$)/],
      ["/collections", "Map of Countries", /world\.countries\/map(\?|$)/],
      ["/collections/world.countries", "Map", /world\.countries\/map(\?|$)/],
      ["/collections/world.countries/items", "Map", /world\.countries\/map(\?|$)/],
    ] as const) {
      const { page } = await visit(path, 1440);
      await Promise.all([
        page.waitForURL(wanted),
        page.getByRole("main").getByRole("link", { name, exact: true }).first().click(),
      ]);
      await page.locator("#picture").waitFor();
      await page.context().close();
    }
  });

  it("leads to tiles and styles, and shows the tiles", async () => {
    for (const [path, name, wanted] of [
      ["", "Tiles", /\/tiles$/],
      ["/collections/world.countries", "Tiles", /world\.countries\/tiles$/],
      ["/collections/world.countries", "Map tiles", /world\.countries\/map\/tiles$/],
      ["/collections/world.countries", "Style", /world\.countries\/styles$/],
    ] as const) {
      const { page, errors } = await visit(path, 1440);
      const follow = (link: string, address: RegExp): Promise<unknown> =>
        Promise.all([
          page.waitForURL(address),
          page.getByRole("main").getByRole("link", { name: link, exact: true }).first().click(),
        ]);
      await follow(name, wanted);
      if (name === "Style") await follow("default", /styles\/default$/);
      else {
        await follow("In WebMercatorQuad", /WebMercatorQuad/);
        await page.locator("#tiles[data-drawn]").waitFor();
      }
      assert.deepEqual(errors, [], `${path} ${name}`);
      await page.context().close();
    }
  });

  it("draws vector tiles in the style of their collection, for whoever may read what that needs", async () => {
    const shownAt = async (colours: readonly string[]) => {
      const { page, errors } = await visit("/collections/world.plots/tiles/WebMercatorQuad?f=html", 1280);
      await page.locator("#tiles[data-drawn]").waitFor();
      const { count } = picture(await page.locator("#tiles").screenshot());
      const found = colours.map(count);
      await page.context().close();
      return { found, errors };
    };
    const styled = await shownAt(["#ff0000", "#00ff00", "#0000ff"]);
    assert.deepEqual(styled.errors, []);
    const [red, green, blue] = styled.found;
    assert.ok(red! > 1000 && green! > 1000 && blue! > 20, `${red}, ${green}, ${blue}`);
    await gateway.database.client.query(`
select portolan.set_style('world.plots', '[{"name": "C", "where": {"secret": {"eq": "x"}}, "styles": [{"color": "#ff0000"}]}]');
revoke select on world.plots from "anonymous@${gateway.database.name}";
grant select (id, kind, geom) on world.plots to "anonymous@${gateway.database.name}"`);
    // a page of the first moment may still ask for tiles in the style, which are refused
    await until(async () => {
      const { found, errors } = await shownAt(["#ff0000"]);
      return found[0] === 0 && errors.length === 0;
    });
  });

  it("says that a picture is being drawn, and why one cannot be drawn", async () => {
    const { page } = await browser.open(gateway.baseUrl, { width: 1440, height: 900 });
    let isRefused = true;
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    await page.route(/\/map\?.*f=png/, async (route) => {
      await held;
      if (isRefused) await route.fulfill({ status: 503, json: { detail: "Too many maps are being drawn" } });
      else await route.continue();
    });
    await page.goto(`${root}/collections/world.countries/map?f=html`);
    const state = page.locator("#picture-state");
    await page.getByText("Drawing …").waitFor();
    go();
    await page.getByText("The picture cannot be drawn: Too many maps are being drawn").waitFor();
    isRefused = false;
    await page.locator("#picture").focus();
    await page.keyboard.press("+");
    await page.waitForFunction(() => document.getElementById("picture-state")?.textContent === "");
    assert.equal(await state.innerText(), "");
    await page.context().close();
  });

  it("tells an anonymous visitor that there is more, and neither what nor how much", async () => {
    const says = "Sign in to see more";
    for (const path of ["", "/collections"]) {
      const { page } = await visit(path, 1440);
      assert.equal(await page.getByText(says).count(), 1, path);
      assert.ok(!/cities|routes/i.test(await page.locator("body").innerText()), path);
      await page.context().close();
      const response = await fetch(`${root}${path}?f=html`, {
        headers: { authorization: `Bearer ${await gateway.token("guest")}` },
      });
      assert.ok(!(await response.text()).includes(says), path);
    }
  });

  it("an error is a page for a browser and a problem for a program", async () => {
    const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const database = `/api/v4/ogc/database/${gateway.database.name}`;
    for (const [path, status, says] of [
      [`${database}/collections/world.none`, 404, "There is no collection"],
      [`${database}/collections/world.countries/items?limit=<b>`, 400, "got &quot;&lt;b&gt;&quot;"],
      [`${database}/collections/world.cities`, 401, ">Sign in</a> with name"],
      [`${database}/nothing`, 404, "Nothing is at"],
      ["/nothing/here", 404, "Nothing is at /nothing/here"],
      ["/graphiql/none", 404, "none"],
    ] as const) {
      const page = await fetch(gateway.baseUrl + path, { headers: { accept } });
      const text = await page.text();
      assert.deepEqual([page.status, page.headers.get("content-type")], [status, "text/html; charset=utf-8"], path);
      assert.ok(text.includes(says), `${path}: ${text}`);
      assert.match(page.headers.get("content-security-policy") ?? "", /^default-src 'none'/);
      for (const [, reference = ""] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
        const { status: found } = await fetch(new URL(reference, gateway.baseUrl + path));
        assert.equal(found, 200, `${path} refers to ${reference}`);
      }
      for (const other of ["application/json", "*/*", "application/json, text/html;q=0.5", "application/geo+json"]) {
        const problem = await fetch(gateway.baseUrl + path, { headers: { accept: other } });
        assert.deepEqual(
          [problem.status, problem.headers.get("content-type")],
          [status, "application/problem+json; charset=utf-8"],
          `${path} ${other}`,
        );
      }
    }
    for (const path of [`${database}/collections/world.none?f=json`, "/api/v4/nothing", "/api/v4/users"]) {
      const answer = await fetch(gateway.baseUrl + path, { headers: { accept } });
      assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/, path);
    }
  });

  it("tries an operation and shows its answer", async () => {
    const { page, errors } = await visit("/api", 1280);
    const operation = page.locator("details", { hasText: "/collections/{collectionId}/items/{featureId}" }).last();
    await operation.locator("summary").click();
    await operation.getByLabel("collectionId").selectOption("world.countries");
    await operation.getByLabel("featureId").fill("DE");
    await operation.getByRole("button", { name: "Send" }).click();
    await operation.getByText('"Germany"').waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });
});
