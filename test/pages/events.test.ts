/// <reference lib="dom" />
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withoutNobody } from "../console/support.ts";
import { arrives, testBrowser, type TestBrowser } from "../support/browser.ts";
import { until } from "../support/events.ts";
import { type TestDatabase } from "../support/databases.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

/** Set SCREENSHOTS to a folder to look at what the browser saw. */
const screenshots = process.env["SCREENSHOTS"];
if (screenshots) mkdirSync(screenshots, { recursive: true });
const shot = (name: string) => (screenshots ? { path: join(screenshots, `${name}.png`), fullPage: true } : {});

describe("the page /events", () => {
  let gateway: TestGateway;
  let browser: TestBrowser;
  const query = (text: string) => gateway.database.client.query(text);
  const askTables = (schema: string, token: string) =>
    gateway.http.get(`/api/graphql/schema/${schema}/events`).set("Authorization", `Bearer ${token}`);
  const tablesOf = async (account: string) =>
    (await askTables("world", await gateway.token(account)).expect(200)).body as { type: string }[];

  before(async () => {
    const prepare = ({ client }: TestDatabase) =>
      client.query("create schema quay; create table quay.berths (id int primary key)");
    [gateway, browser] = await Promise.all([testGateway({ prepare }), testBrowser()]);
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });

  for (const [device, viewport] of [
    ["desktop", { width: 1280, height: 800 }],
    ["phone", { width: 390, height: 800 }],
  ] as const)
    it(`shows writes to the chosen table, on a ${device}`, async () => {
      const { page, outside, errors } = await browser.open(gateway.baseUrl, viewport);
      await page.goto(`${gateway.baseUrl}/events`);
      await page.getByLabel("Access token").fill(await gateway.token("guest"));
      await page.getByLabel("Schema").selectOption("world");
      await page.getByLabel("Table").selectOption("Countries");
      await page.getByLabel("Only where").fill("name <> 'Hidden'");
      await page.getByRole("button", { name: "Follow" }).click();
      await page.getByText("Following Countries.").waitFor();
      const events = page.getByRole("list", { name: "Events" }).getByRole("listitem");
      for (const [count, statement] of [
        [1, "insert into world.countries (code, name) values ('XA', '<b>Xanadu</b>'), ('XB', 'Hidden')"],
        [2, "update world.countries set name = 'Kubla' where code = 'XA'"],
        [3, "delete from world.countries where code in ('XA', 'XB')"],
      ] as const) {
        await query(statement);
        await page.waitForFunction((most) => document.querySelectorAll("#events li").length === most, count);
      }
      const texts = (await events.allInnerTexts()).map((text) =>
        text.replace(/\s+/g, " ").replace(/ [\d:]+( [AP]M)?$/, ""),
      );
      assert.deepEqual(texts, ["delete XA · Kubla", "update XA · Kubla", "insert XA · <b>Xanadu</b>"]);
      await events.last().locator("summary").click();
      assert.match(await events.last().locator("pre").innerText(), /"name": "<b>Xanadu<\/b>"/);
      await page.screenshot(shot(`events-${device}`));
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `the page is ${overflow} px too wide`);
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("Stopped.").waitFor();
      assert.deepEqual([outside, withoutNobody(errors)], [[], []]);
      await page.context().close();
    }).timeout(60_000);

  it("shows which tables have events that the account may see, and lists those first", async () => {
    const groupsOf = async (account: string) => {
      const { page, errors } = await browser.open(gateway.baseUrl);
      await page.goto(`${gateway.baseUrl}/events`);
      await page.getByLabel("Schema").selectOption("world");
      await page.getByLabel("Access token").fill(await gateway.token(account));
      await page.getByLabel("Access token").blur();
      await page.locator("#table optgroup").first().waitFor({ state: "attached" });
      const groups = await page
        .locator("#table optgroup")
        .evaluateAll((all) =>
          all.map((group) => [
            (group as HTMLOptGroupElement).label,
            [...group.querySelectorAll("option")].map(({ value }) => value),
          ]),
        );
      const chosen = await page.getByLabel("Table").inputValue();
      assert.deepEqual(withoutNobody(errors), []);
      await page.context().close();
      return { groups: Object.fromEntries(groups) as Record<string, string[]>, order: groups.map(([l]) => l), chosen };
    };
    const [ON, OFF] = ["Events are on", "Events are off, or not for this account"] as const;
    const switchCities = async (on: boolean) => {
      await query(`comment on table world.cities is '@events ${on ? "on" : "off"}'`);
      const isOn = async () => (await tablesOf("guest")).some(({ type }) => type === "Cities");
      await until(async () => (await isOn()) === on);
    };
    await switchCities(false);
    try {
      const captain = await groupsOf("captain");
      assert.deepEqual(captain.order, [ON, OFF]);
      assert.ok(captain.groups[ON]!.includes("Routes"), JSON.stringify(captain));
      assert.ok(captain.groups[OFF]!.includes("Cities"), JSON.stringify(captain));
      assert.equal(captain.chosen, captain.groups[ON]![0]);
      const guest = await groupsOf("guest");
      assert.ok(guest.groups[ON]!.includes("Countries"), JSON.stringify(guest));
      assert.ok(
        ["Routes", "Cities"].every((name) => guest.groups[OFF]!.includes(name)),
        JSON.stringify(guest),
      );
    } finally {
      await switchCities(true);
    }
    assert.ok((await groupsOf("guest")).groups[ON]!.includes("Cities"));
  }).timeout(60_000);

  it("uses an interface that any account may use", async () => {
    const countries = (await tablesOf("guest")).find(({ type }) => type === "Countries");
    assert.deepEqual(countries, { type: "Countries", schema: "world", table: "countries" });
    const refused = await askTables("world", "nonsense").expect(401);
    assert.equal(refused.body.errors[0].extensions.code, "UNAUTHENTICATED");
    const unknown = await askTables("nothing", await gateway.token("guest")).expect(404);
    assert.equal(unknown.body.errors[0].extensions.code, "NOT_FOUND");
  });

  it("reports errors of a token, a table without a right, a filter", async () => {
    const { page } = await browser.open(gateway.baseUrl);
    await page.goto(`${gateway.baseUrl}/events`);
    await page.getByLabel("Access token").fill("nonsense");
    await page.getByLabel("Access token").blur();
    await page.getByText("This token is not accepted.").waitFor();
    await page.getByLabel("Access token").fill(await gateway.token("guest"));
    await page.getByLabel("Access token").blur();
    await page.getByLabel("Schema").selectOption("world");
    await page.getByLabel("Table").selectOption("Routes");
    await page.getByRole("button", { name: "Follow" }).click();
    await page.getByText("may not select from world.routes").waitFor();
    await page.getByLabel("Table").selectOption("Cities");
    await page.getByLabel("Only where").fill("nonsense = 1");
    await page.getByRole("button", { name: "Follow" }).click();
    await page.getByText("nonsense").last().waitFor();
    await page.screenshot(shot("events-error"));
    await page.context().close();
  }).timeout(60_000);

  it("keeps the tables of the chosen schema while those of another are loading", async () => {
    const { page } = await browser.open(gateway.baseUrl);
    await page.goto(`${gateway.baseUrl}/events`);
    const held = Promise.withResolvers<void>();
    await page.route("**/api/graphql/schema/quay", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByLabel("Schema").selectOption("quay");
    await page.getByLabel("Access token").fill(await gateway.token("captain"));
    await page.getByLabel("Access token").blur();
    await page.getByLabel("Schema").selectOption("world");
    await page.getByLabel("Table").selectOption("Routes");
    const shown = async () => [
      await page.getByLabel("Table").inputValue(),
      ...(await page.locator("#table option").allTextContents()),
    ];
    const before = await shown();
    assert.deepEqual([before[0], before.includes("Cities")], ["Routes", true]);
    await arrives(page, page.waitForResponse("**/api/graphql/schema/quay"), held.resolve);
    assert.deepEqual(await shown(), before);
    await page.context().close();
  }).timeout(60_000);

  it("continues after the gateway was away, with the missed events", async () => {
    const { page } = await browser.open(gateway.baseUrl);
    await page.goto(`${gateway.baseUrl}/events`);
    await page.getByLabel("Access token").fill(await gateway.token("captain"));
    await page.getByLabel("Access token").blur();
    await page.getByLabel("Schema").selectOption("world");
    await page.getByLabel("Table").selectOption("Areas");
    await page.getByRole("button", { name: "Follow" }).click();
    await page.getByText("Following Areas.").waitFor();
    await query("insert into world.areas (name, path) values ('first', 'page/1')");
    await page.getByText("page/1").first().waitFor();
    await page.context().setOffline(true);
    await query("insert into world.areas (name, path) values ('missed', 'page/2')");
    await page.context().setOffline(false);
    await page.getByText("page/2").first().waitFor();
    await query("delete from world.areas where path like 'page/%'");
    await page.context().close();
  }).timeout(60_000);
});
