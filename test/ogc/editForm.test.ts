/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { picture } from "../maps/pixels.ts";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { until } from "../support/until.ts";
import { ogcGateway, type Json, type OgcGateway } from "./support.ts";

describe("the form of a feature's page", () => {
  let gateway: OgcGateway;
  let browser: TestBrowser;
  const path = "/collections/geo.trees/items";

  before(async () => {
    browser = await testBrowser();
    gateway = await ogcGateway({
      prepare: ({ client }) =>
        client.query(`
create table geo.trees (id int primary key, name text not null, height int check (height > 0), more jsonb, geom geometry(Point, 4326));
comment on table geo.trees is '@ogc write';
create table geo.plots (id int primary key, geom geometry(Polygon, 4326));
create table geo.notes (id int primary key, list jsonb, note text, geom geometry(Polygon, 4326));
comment on table geo.notes is '@ogc write';
insert into geo.notes select 1, jsonb_agg(i), repeat('many words ', 30), st_buffer('srid=4326;point(8 49)', 0.1) from generate_series(1, 40) i;
insert into geo.plots values (1, st_expand('srid=4326;point(8.4003 49.4002)'::geometry, 0.001, 0.0005));
insert into geo.trees values (1, 'an <oak>', 3, '{"a": [1]}', 'srid=4326;point(1 2)'), (2, 'a yew', null, null, null);
select portolan.set_privilege('geo.trees', 'guest', 'read')`),
    });
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });

  /** The form for one feature, filled in. */
  async function operation(page: Page, method: string, id: string, featureId: string): Promise<Locator> {
    const one = page.locator(".operation", { hasText: `${method} /collections/{collectionId}/items/{featureId}` });
    await one.locator("summary").click();
    await one.getByLabel("collectionId").selectOption(id);
    await one.getByLabel("featureId").fill(featureId);
    return one;
  }

  const rows = async (): Promise<unknown[]> =>
    (
      await gateway.database.client.query(
        "select name, height, more, st_astext(geom) as geom from geo.trees order by id",
      )
    ).rows;

  it("stands below a map that a plot of 150 metres fills, in the colours of the page", async () => {
    const { page } = await browser.open(gateway.baseUrl);
    await page.setExtraHTTPHeaders({ authorization: `Bearer ${await gateway.token("captain")}` });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(`${gateway.root}/collections/geo.plots/items/1?f=html`);
    await page.locator("#map[data-drawn]").waitFor();
    const { width, height, at } = picture(await page.locator("#map").screenshot());
    // between the lines of the graticule, whose colour shines through
    const common = (first: number): string => {
      const pixels = Array.from({ length: 40 }, (_, n) => at(Math.round(first) + n, Math.round(height / 2) + 3));
      return pixels.toSorted()[20]!;
    };
    assert.equal(common(width / 2), common(width / 4));
    assert.notEqual(common(width / 2), at(5, height - 20));
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const zoom = await page.locator(".ol-zoom-in").evaluate((button) => getComputedStyle(button).backgroundColor);
    assert.equal(zoom, paper);
  });

  it("shows the whole of each value, on a phone too", async () => {
    for (const width of [1440, 390]) {
      const { page } = await browser.open(gateway.baseUrl, { width, height: 900 });
      await page.setExtraHTTPHeaders({ authorization: `Bearer ${await gateway.token("captain")}` });
      await page.goto(`${gateway.root}/collections/geo.notes/items/1?f=html`);
      for (const name of ["list", "note"]) {
        const field = page.locator(`#edit textarea[name=${name}]`);
        assert.ok(await field.evaluate((each) => each.scrollHeight <= each.clientHeight), `${name}, ${width}`);
      }
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overflow, 0);
    }
  });

  it("writes its changes, reports errors, and deletes", async () => {
    const { page, errors } = await browser.open(gateway.baseUrl);
    await page.setExtraHTTPHeaders({ authorization: `Bearer ${await gateway.token("captain")}` });
    await page.goto(`${gateway.root}${path}/1?f=html`);
    const field = (name: string) => page.locator(`#edit textarea[name="${name}"]`);
    assert.equal(await field("name").inputValue(), "an <oak>");
    await field("height").fill("-1");
    await page.click("#edit button:not([type])");
    await page.locator("#edit-state", { hasText: "height" }).waitFor();
    await field("height").fill("12");
    await field("more").fill('{"b": 2}');
    await field("geom").fill('{"type":"Point","coordinates":[5,6]}');
    await Promise.all([page.waitForEvent("load"), page.click("#edit button:not([type])")]);
    assert.deepEqual(await rows(), [
      { name: "an <oak>", height: 12, more: { a: [1], b: 2 }, geom: "POINT(5 6)" },
      { name: "a yew", height: null, more: null, geom: null },
    ]);
    await gateway.database.client.query("update geo.trees set name = 'by somebody else' where id = 1");
    await field("name").fill("mine");
    await page.click("#edit button:not([type])");
    await page.locator("#edit-state", { hasText: "Somebody else" }).waitFor();
    await page.goto(`${gateway.root}${path}/2?f=html`);
    page.once("dialog", (dialog) => void dialog.accept());
    await Promise.all([page.waitForURL(/items$/), page.click("#delete")]);
    assert.equal((await rows()).length, 1);
    // the browser itself reports the refused request
    assert.deepEqual(
      errors.filter((error) => !/status of 4(00|12)/.test(error)),
      [],
    );
  });

  it("takes text for text and JSON for JSON, whatever was there before", async () => {
    await gateway.database.client.query(
      `insert into geo.trees values (3, '[draft] elm', null, null, null), (4, 'a fir', null, '"tall"', null)`,
    );
    const { page } = await browser.open(gateway.baseUrl);
    await page.setExtraHTTPHeaders({ authorization: `Bearer ${await gateway.token("captain")}` });
    const save = (): Promise<unknown> =>
      Promise.all([page.waitForEvent("load"), page.click("#edit button:not([type])")]);
    const field = (name: string) => page.locator(`#edit textarea[name="${name}"]`);
    await page.goto(`${gateway.root}${path}/3?f=html`);
    await field("name").fill("[draft] old elm");
    await field("more").fill('{"c": 1}');
    await save();
    await page.goto(`${gateway.root}${path}/4?f=html`);
    assert.equal(await field("more").inputValue(), '"tall"');
    await field("more").fill('"taller"');
    await save();
    const { rows: written } = await gateway.database.client.query(
      "select name, more::text from geo.trees where id > 2 order by id",
    );
    assert.deepEqual(written, [
      { name: "[draft] old elm", more: '{"c": 1}' },
      { name: "a fir", more: '"taller"' },
    ]);
  });

  it("shows and keeps every digit of numbers that JavaScript cannot hold", async () => {
    const whole = "9223372036854775807";
    const decimal = "12345678901234.567891";
    await gateway.database.client.query(`
create table geo.parcels (id bigint primary key, area numeric(30, 6), more jsonb, geom geometry(Point, 4326));
comment on table geo.parcels is '@ogc write';
insert into geo.parcels values (${whole}, ${decimal}, '{"a": ${whole}}', 'srid=4326;point(1 2)');
select portolan.set_privilege('geo.parcels', 'guest', 'read')`);
    const items = "/collections/geo.parcels/items";
    await until(async () => (await gateway.get(items, { as: "captain" })).json["numberMatched"] === 1);
    const { page } = await browser.open(gateway.baseUrl);
    await page.setExtraHTTPHeaders({ authorization: `Bearer ${await gateway.token("captain")}` });
    await page.goto(`${gateway.root}${items}?f=html`);
    const cells = page.locator("#results tbody tr > *");
    assert.deepEqual(
      (await cells.allInnerTexts()).map((text) => text.trim()),
      [whole, whole, decimal, `{"a":${whole}}`],
    );
    await page.goto(`${gateway.root}/api?f=html`);
    const asked = await operation(page, "GET", "geo.parcels", whole);
    await asked.getByRole("button", { name: "Send" }).click();
    await asked.locator("output", { hasText: `"area": ${decimal}` }).waitFor();
    await page.goto(`${gateway.root}${items}/${whole}?f=html`);
    const field = (name: string) => page.locator(`#edit textarea[name="${name}"]`);
    assert.equal(await field("area").inputValue(), decimal);
    assert.equal(await field("more").inputValue(), `{"a":${whole}}`);
    await field("area").fill("98765432109876.543211");
    await field("more").fill(`{"a":${whole},"b":[98765432109876.543211]}`);
    await Promise.all([page.waitForEvent("load"), page.click("#edit button:not([type])")]);
    const { rows: written } = await gateway.database.client.query(
      "select id::text, area::text, more::text from geo.parcels",
    );
    assert.deepEqual(written, [
      { id: whole, area: "98765432109876.543211", more: `{"a": ${whole}, "b": [98765432109876.543211]}` },
    ]);
  });

  it("has a form for each operation on the page that tries the API, of those that write too", async () => {
    const { page, errors } = await browser.open(gateway.baseUrl);
    await page.setExtraHTTPHeaders({ authorization: `Bearer ${await gateway.token("captain")}` });
    await page.goto(`${gateway.root}/api?f=html`);
    const { json: document } = await gateway.get("/api", { as: "captain" });
    const described = Object.entries<Json>(document.paths)
      .filter(([at]) => !/^\/collections\/[^/{]+\./.test(at)) // those of one collection are in the document only
      .flatMap(([at, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${at}`));
    const shown = await page.locator(".operation summary code").allInnerTexts();
    assert.deepEqual(shown.toSorted(), described.toSorted());
    const changed = await operation(page, "PATCH", "geo.trees", "1");
    await changed.getByLabel("If-Match").fill('"another"');
    await changed.getByLabel("Body").fill('{"properties":{"height":77}}');
    await changed.getByRole("button", { name: "Send" }).click();
    await changed.locator("output", { hasText: "412" }).waitFor();
    await changed.getByLabel("If-Match").fill("");
    await changed.getByRole("button", { name: "Send" }).click();
    await changed.locator("output", { hasText: "204" }).waitFor();
    const { rows: written } = await gateway.database.client.query("select height from geo.trees where id = 1");
    assert.deepEqual(written, [{ height: 77 }]);
    assert.deepEqual(
      errors.filter((error) => !/status of 412/.test(error)),
      [],
    );
  });

  it("is missing for an account that may not write", async () => {
    const { text } = await gateway.get(`${path}/1?f=html`, { as: "guest" });
    assert.match(text, /by somebody else/);
    assert.ok(!text.includes('id="edit"'));
  });
});
