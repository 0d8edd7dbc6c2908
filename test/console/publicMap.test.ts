/// <reference lib="dom" />
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { violationsOf } from "../support/axe.ts";
import { freePort } from "../support/freePort.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";
import { coloured, shoot, site } from "./support.ts";

const RED = "#ff0000";

/** What a basemap answers in place of its tiles, in its address: a status, or a page. */
const FAILURES = ["404", "500", "page"];

describe("public maps", () => {
  let allowed: number;
  const servers: Server[] = [];
  const config: Record<string, unknown> = {};
  before(async () => {
    allowed = await freePort();
    config["embedOrigins"] = [`http://127.0.0.1:${allowed}`];
    const silent = createServer(() => undefined); // takes each request and never answers
    servers.push(silent);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const failing = createServer(({ url = "" }, response) => {
      if (url.startsWith("/page")) return response.setHeader("Content-Type", "text/html").end("<h1>Sorry</h1>");
      response.writeHead(Number(url.split("/")[1])).end("no tile");
    });
    servers.push(failing);
    await new Promise<void>((resolve) => failing.listen(0, "127.0.0.1", resolve));
    const failingAt = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`;
    config["basemaps"] = {
      ...Object.fromEntries(FAILURES.map((answer) => [answer, { url: `${failingAt}/${answer}/{z}/{x}/{y}.png` }])),
      other: { url: "https://tiles.example/{z}/{x}/{y}.png", attribution: "Others" },
      silent: {
        title: "Silent tiles",
        url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/{z}/{x}/{y}.png`,
      },
    };
  });
  const at = site({
    config,
    prepare: async ({ client, name }) => {
      await client.query(`
create table world.parks (id int primary key, name text, geom geometry(Polygon, 4326));
insert into world.parks values (1, 'Large <b>', st_makeenvelope(0, 0, 20, 20, 4326));
create table world.secrets (id int primary key, geom geometry(Point, 4326));
insert into world.secrets values (1, 'SRID=4326;POINT(5 5)');
grant select on world.parks to "anonymous@${name}";
select portolan.set_style('world.parks', '[{"name": "Green land", "styles": [{"color": "${RED}"}]}]');
select portolan.create_map('parks', 'Parks & more', '{"center": [10, 10], "zoom": 4}',
  '[{"land": true}, {"collection": "world.secrets"}, {"collection": "world.gone", "title": "Gone depots"},
    {"collection": "world.secrets", "title": "Secret depots", "show": "map"}, {"collection": "world.parks"}]', '{*}');
create table world.ponds (id int primary key, geom geometry(Polygon, 4326));
insert into world.ponds values (1, st_makeenvelope(0, 0, 20, 20, 4326));
grant select on world.ponds to "anonymous@${name}";
select portolan.set_style('world.ponds', '[{"name": "Water", "styles": [{"color": "${RED}"}]}]');
select portolan.enable_versioning('world.ponds');
select portolan.create_map('ponds', 'Ponds', '{"center": [10, 10], "zoom": 4}', '[{"collection": "world.ponds"}]', '{*}');
select portolan.create_map('styled', 'Styled', '{"center": [10, 10], "zoom": 4}', '[{"collection": "world.parks",
  "style": [{"name": "Own land", "where": {"id": 1}, "styles": [{"color": "#00aa00"}]}]}]', '{*}');
select portolan.create_map('silent', 'Silent', '{"center": [10, 10], "zoom": 4}', '[{"basemap": "silent"}, {"collection": "world.parks"}]', '{*}');
select portolan.create_map('own', 'Own', null, '[{"land": true}]', '{guest}');
select pg_sleep(1.1);`);
      await client.query("delete from world.ponds"); // later than the beginning of its history
    },
  });
  after(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const path = (name = "parks"): string => `/maps/${at.gateway.database.name}/${name}`;

  /** A page of another site that embeds the map. */
  async function siteAt(port: number): Promise<string> {
    const text = `<!doctype html><title>Site</title><iframe src="${at.gateway.baseUrl}${path()}" width="700" height="500"></iframe>`;
    const server = createServer((_request, response) => response.setHeader("Content-Type", "text/html").end(text));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  it("are there for everybody, without an account, and tell nothing of who shares them", async () => {
    const { text, headers } = await at.gateway.http.get(path()).expect(200);
    assert.match(text, /<title>Parks &amp; more<\/title>/);
    assert.doesNotMatch(text, /owner|shared|captain/);
    assert.equal(headers["x-frame-options"], undefined);
    for (const wrong of [path("own"), path("none"), "/maps/none/parks", path("%27")])
      await at.gateway.http.get(wrong).expect(404);
  });

  it("do not name a layer that a visitor may not see, and name it once it is granted", async () => {
    const text = async (): Promise<string> => (await at.gateway.http.get(path()).expect(200)).text;
    assert.doesNotMatch(await text(), /secret|depot/i);
    assert.match(await text(), /world\.parks/);
    await at.gateway.http.get("/api/v4/maps/parks").expect(401);
    const anonymous = `"anonymous@${at.gateway.database.name}"`;
    await at.rows(`grant select on world.secrets to ${anonymous}`);
    assert.match(await text(), /Secret depots/);
    assert.doesNotMatch(await text(), /Gone depots/);
    await at.rows(`revoke select on world.secrets from ${anonymous}`);
    assert.doesNotMatch(await text(), /secret|depot/i);
  });

  it("tell their editor, and nobody else, which layers visitors do not see", async () => {
    const { page, done } = await at.visit("/workspace/parks");
    const layers = page.getByRole("region", { name: "Layers" }).getByRole("listitem");
    const hidden = layers.filter({ hasText: "Not shown to visitors" });
    await hidden.getByText("secrets", { exact: true }).waitFor(); // its title comes with the collections
    assert.deepEqual(await hidden.locator(".layer-title").allTextContents(), [
      "Secret depots",
      "Gone depots",
      "secrets",
    ]);
    await shoot(page, "public-hidden-layers");
    await page.getByRole("button", { name: "Share" }).click();
    for (const name of ["iframe", "MapLibre", "OpenLayers"]) {
      await page.getByLabel("For pages", { exact: true }).selectOption(name);
      const code = page.getByRole("region", { name: `For pages: ${name}` });
      assert.doesNotMatch(await code.innerText(), /secrets|gone/, name);
    }
    await done(404);
    const own = await at.visit("/workspace/own");
    await own.page.getByLabel("Show Land").waitFor();
    assert.equal(await own.page.getByText("Not shown to visitors").count(), 0);
    await own.done();
  });

  it("may be framed by named origins alone, and load from the origins of basemaps, as the workspace may", async () => {
    const policyOf = async (of: string): Promise<string> =>
      (await at.gateway.http.get(of).expect(200)).headers["content-security-policy"] ?? "";
    assert.match(await policyOf(path()), new RegExp(`frame-ancestors http://127\\.0\\.0\\.1:${allowed}$`));
    for (const page of [path(), "/console/workspace", "/console/workspace/parks"])
      for (const directive of ["img-src", "connect-src"])
        assert.match(await policyOf(page), new RegExp(`${directive} [^;]*https://tiles\\.example`), page);
    for (const page of ["/console", "/console/maps", "/", `/api/v4/ogc/database/${at.gateway.database.name}?f=html`]) {
      assert.doesNotMatch(await policyOf(page), /tiles\.example/, page);
      assert.match(await policyOf(page), /frame-ancestors 'none'/, page);
    }
  });

  for (const pixelRatio of sized([2], [1, 1.25, 2, 3]))
    it(`show their layers, legend and features on a telephone, with ${pixelRatio} pixels in one of the page`, async () => {
      const { page, outside, errors } = await at.browser.open(at.gateway.baseUrl, {
        width: 390,
        height: 844,
        pixelRatio,
      });
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(`${at.gateway.baseUrl}${path()}`);
      await page.getByText("Green land").waitFor();
      await until(async () => (await coloured(page, RED)) > 5000);
      assert.doesNotMatch(await page.locator("html").innerHTML(), /secret|depot|gone/i);
      assert.deepEqual([asked.filter((url) => /secret|gone/.test(url)), errors], [[], []]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `${overflow} pixels`);
      await page.getByRole("application").click();
      await page.getByText("Large <b>").waitFor();
      await page.getByText("Land: Natural Earth").waitFor();
      await page.getByText(/^\d+ km$/).waitFor(); // the bar of the scale
      await shoot(page, `public-${pixelRatio}`);
      assert.deepEqual(await violationsOf(page), {});
      await page.emulateMedia({ colorScheme: "dark" });
      assert.deepEqual(await violationsOf(page), {});
      assert.deepEqual(outside, []);
      await page.goto(`${at.gateway.baseUrl}${path()}?view=100,60,4`);
      await page.getByText("Green land").waitFor();
      await until(async () => (await coloured(page, "#e6dfcd", 60)) > 0);
      assert.equal(await coloured(page, RED), 0, "the link has another view");
      await page.getByRole("status").getByText("There is nothing in this view.").waitFor();
      await page.getByRole("button", { name: "Zoom to everything" }).click();
      await until(async () => (await coloured(page, RED)) > 5000);
      await page.goto(`${at.gateway.baseUrl}${path("styled")}`);
      await page.getByText("Own land").waitFor();
      await until(async () => (await coloured(page, "#00aa00")) > 5000); // the layer's own style, not the collection's
      await page.context().close();
    });

  it("show their own layers although a basemap never answers, and say that it does not", async () => {
    const { page } = await at.browser.open(at.gateway.baseUrl, { width: 390, height: 844 });
    await page.goto(`${at.gateway.baseUrl}${path("silent")}`);
    await page.getByText("The basemap does not answer.").waitFor();
    await page.getByLabel("Silent tiles").waitFor();
    await until(async () => (await coloured(page, RED)) > 5000);
    await page.context().close();
  });

  for (const answer of FAILURES)
    it(`show their own layers although a basemap answers with ${answer}, and say that it fails, as the workspace does`, async () => {
      await at.rows("select portolan.create_map($1, $1, $2, $3, '{*}')", [
        `failing-${answer}`,
        JSON.stringify({ center: [10, 10], zoom: 4 }),
        JSON.stringify([{ basemap: answer }, { collection: "world.parks" }]),
      ]);
      for (const address of [path(`failing-${answer}`), `/console/workspace/failing-${answer}`]) {
        const { page } = await at.visit("");
        await page.goto(`${at.gateway.baseUrl}${address}`);
        await page.getByRole("alert").getByText("The basemap does not answer.").waitFor();
        await until(async () => (await coloured(page, RED)) > 5000);
        assert.equal(await page.getByRole("alert").count(), 1, "it is said once, however many tiles fail");
        await page.context().close();
      }
    });

  it("have a basemap above the land, which it would cover else, under its title", async () => {
    const { page } = await at.visit("/workspace?layer=world.parks");
    await page.getByRole("button", { name: "Add a layer" }).click();
    await page.getByLabel("Find a layer").fill("silent");
    await page.getByRole("dialog").getByRole("button", { name: "Silent tiles" }).click();
    const shown = page.getByRole("region", { name: "Layers" }).getByRole("checkbox");
    await page.getByLabel("Show Silent tiles").waitFor();
    assert.deepEqual(await shown.evaluateAll((all) => all.map((each) => each.ariaLabel)), [
      "Show parks",
      "Show Silent tiles",
      "Show Land",
    ]);
    await page.context().close();
  });

  it("have a slider of time where a table has a history, and keep its instant in their address", async () => {
    const { page, outside, errors } = await at.browser.open(at.gateway.baseUrl, { width: 390, height: 844 });
    await page.goto(`${at.gateway.baseUrl}${path("ponds")}`);
    await page.getByText("Water").waitFor();
    assert.equal(await coloured(page, RED), 0);
    await page.getByRole("slider", { name: "As it was, slider" }).focus();
    await page.keyboard.press("Home");
    await until(async () => (await coloured(page, RED)) > 1000);
    await shoot(page, "public-time");
    assert.deepEqual(await violationsOf(page), {});
    await page.reload();
    await until(async () => (await coloured(page, RED)) > 1000);
    await page.getByRole("button", { name: "Now" }).click();
    await until(async () => (await coloured(page, RED)) === 0);
    assert.doesNotMatch(page.url(), /at=/);
    assert.deepEqual([outside, errors], [[], []]);
    await page.goto(`${at.gateway.baseUrl}${path()}`);
    await page.getByText("Green land").waitFor();
    assert.equal(await page.getByRole("slider").count(), 0);
    await page.context().close();
  });

  it("are embedded by a page of a named origin, and by no other", async () => {
    const [named, other] = await Promise.all([siteAt(allowed), siteAt(0)]);
    const { page } = await at.browser.open(named, { width: 800, height: 600 });
    await page.goto(named);
    const map = page.frameLocator("iframe").getByRole("application");
    await map.waitFor();
    await page.frameLocator("iframe").getByText("Green land").waitFor();
    assert.ok((await map.boundingBox())!.width > 300, "beside its layers");
    const embedded = page.frames()[1]!;
    const overflow = await embedded.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} pixels`);
    await shoot(page, "public-embedded");
    await page.goto(other);
    await until(() => page.frames().some((frame) => frame.url().startsWith("chrome-error:")));
    assert.equal(await map.count(), 0);
    await page.context().close();
  });

  it("read nothing as the account that is signed in", async () => {
    const { page } = await at.visit("/", { bySignIn: true });
    await page.goto(`${at.gateway.baseUrl}${path()}`);
    await page.getByText("Green land").waitFor();
    assert.doesNotMatch(await page.locator("html").innerHTML(), /secret|depot/i);
    await page.context().close();
  });
});
