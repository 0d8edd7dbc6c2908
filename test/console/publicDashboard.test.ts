/// <reference lib="dom" />
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { violationsOf } from "../support/axe.ts";
import { freePort } from "../support/freePort.ts";
import { LOOKS } from "../support/looks.ts";
import { until } from "../support/until.ts";
import { shoot, site } from "./support.ts";

const PANELS = [
  { title: "Berths", q: "select count(*) from world.berths", show: "number" },
  { title: "Berths by pier", q: "select pier, count(*) from world.berths group by 1 order by 1", show: "bar" },
  { title: "Plans", q: "select secret from world.plans", show: "table" },
  { title: "Broken", q: "select nothing_there", show: "number" },
  {
    title: "Depth",
    q: "select id, depth from world.berths order by id",
    show: "line",
    x: "id",
    y: "depth",
    wide: true,
  },
  { title: "All <b>", q: "select n, 'row ' || n as name from generate_series(1, 2000) n", show: "table", wide: true },
];

describe("public dashboards in the browser", () => {
  let allowed: number;
  const servers: Server[] = [];
  const config: Record<string, unknown> = {};
  before(async () => {
    allowed = await freePort();
    config["embedOrigins"] = [`http://127.0.0.1:${allowed}`];
  });
  const at = site({
    config,
    prepare: ({ client, name }) =>
      client.query(`
create table world.berths (id int primary key, pier text, depth numeric);
insert into world.berths select n, 'Pier ' || n % 4, 5 + n % 7 from generate_series(1, 60) n;
create table world.plans (secret text);
grant select on world.berths to "anonymous@${name}";
select portolan.create_dashboard('port', 'The port & more', '${JSON.stringify(PANELS).replaceAll("'", "''")}', '{guest}');`),
  });
  after(() => servers.forEach((server) => server.close()));

  const path = (): string => `/dashboards/${at.gateway.database.name}/port`;

  /** A page of another site that embeds the dashboard. */
  async function siteAt(port: number): Promise<string> {
    const text = `<!doctype html><title>Site</title><iframe src="${at.gateway.baseUrl}${path()}" width="700" height="500"></iframe>`;
    const server = createServer((_request, response) => response.setHeader("Content-Type", "text/html").end(text));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  it("are made by sharing with everybody, and tell their address and the code that embeds them", async () => {
    await at.gateway.http.get(path()).expect(404);
    const { page, done } = await at.visit("/dashboards/port");
    const dialog = page.getByRole("dialog");
    const settings = page.getByRole("button", { name: "Title and sharing" });
    await settings.click();
    assert.equal(await dialog.getByRole("heading", { name: "Public page" }).count(), 0);
    await dialog.getByLabel("Shared with").fill("guest, *");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await settings.click();
    await dialog.getByRole("heading", { name: "Public page" }).waitFor();
    const address = `${at.gateway.baseUrl}${path()}`;
    assert.equal(await dialog.getByRole("link", { name: address }).getAttribute("href"), address);
    await dialog.getByText(`<iframe src="${address}" title="The port &amp; more"`).waitFor();
    await shoot(page, "dashboard-share");
    assert.deepEqual(await violationsOf(page, { contrast: true }), {});
    await page.setViewportSize({ width: 390, height: 844 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(overflow <= 0, `it is ${overflow} px too wide`);
    await done(400);
  });

  it("show their panels without an account and without another host, and say in one sentence what fails", async () => {
    const { page, outside } = await at.browser.open(at.gateway.baseUrl, { width: 1440, height: 900 });
    await page.goto(`${at.gateway.baseUrl}${path()}`);
    const panel = (name: string) => page.getByRole("region", { name, exact: true });
    await panel("Berths").getByText("60", { exact: true }).waitFor();
    await panel("Berths by pier").getByRole("rowheader", { name: "Pier 3" }).waitFor();
    await panel("Plans").getByText("This panel shows data that needs an account.").waitFor();
    await panel("Broken").getByText("The statement of this panel fails here.").waitFor();
    await page.getByRole("img", { name: /^depth over id: depth at most 11/ }).waitFor();
    await panel("All <b>").getByRole("cell", { name: "row 1000", exact: true }).waitFor();
    await panel("All <b>").getByText("The first 1,000 rows.").waitFor();
    for (const { width, height, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await shoot(page, `public-dashboard-${width}-${colorScheme}`);
      assert.deepEqual(await violationsOf(page, { contrast: true }), {}, `${width} pixels, ${colorScheme}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `at ${width} pixels it is ${overflow} px too wide`);
    }
    assert.deepEqual(outside, []);
    await page.context().close();
  });

  it("speak the language of the browser", async () => {
    const { page } = await at.browser.open(at.gateway.baseUrl, { width: 390, height: 800, locale: "de-DE" });
    await page.goto(`${at.gateway.baseUrl}${path()}`);
    await page.getByText("Dieses Feld zeigt, was ohne Konto niemand lesen darf.").waitFor();
    await page.getByText("Die ersten 1.000 Zeilen.").waitFor();
    await page.context().close();
  });

  it("are embedded by a page of a named origin, and by no other", async () => {
    const [named, other] = await Promise.all([siteAt(allowed), siteAt(0)]);
    const { page } = await at.browser.open(named, { width: 800, height: 600 });
    await page.goto(named);
    const heading = page.frameLocator("iframe").getByRole("heading", { name: "The port & more" });
    await heading.waitFor();
    await page.frameLocator("iframe").getByRole("rowheader", { name: "Pier 3" }).waitFor();
    await page.goto(other);
    await until(() => page.frames().some((frame) => frame.url().startsWith("chrome-error:")));
    assert.equal(await heading.count(), 0);
    await page.context().close();
  });
});
