/// <reference lib="dom" />
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { decodeJwt } from "jose";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

const screenshots = process.env["SCREENSHOTS"];
if (screenshots) mkdirSync(screenshots, { recursive: true });

describe("signing in on the pages /methods, /events and /graphiql", () => {
  let gateway: TestGateway;
  let browser: TestBrowser;

  before(async () => {
    [gateway, browser] = await Promise.all([testGateway(), testBrowser()]);
  });

  after(async () => {
    await browser.close();
    await gateway.close();
  });

  async function signIn(page: Page, account: string): Promise<void> {
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("User name").fill(account);
    await page.getByLabel("Password").fill(account);
    await page.getByRole("button", { name: "Sign in" }).click();
  }

  const tokenIn = (page: Page): Promise<string> => page.getByLabel("Access token").inputValue();

  for (const [path, works] of [
    ["/methods", (page: Page) => page.getByText("No method may be called by this account.").waitFor()],
    ["/events", (page: Page) => page.locator("#table optgroup").first().waitFor({ state: "attached" })],
    ["/graphiql/world", (page: Page) => page.locator("#ruru-root *").first().waitFor()],
  ] as const)
    it(`brings the account's token to ${path}, by the service's own /signin, and asks for the password once`, async () => {
      const { page, outside, errors } = await browser.open(gateway.baseUrl);
      await page.goto(gateway.baseUrl + path);
      if (screenshots) await page.screenshot({ path: join(screenshots, `sign-in-${path.split("/")[1]}.png`) });
      await signIn(page, "guest");
      await page.waitForURL(gateway.baseUrl + path);
      await works(page);
      const claims = decodeJwt(await tokenIn(page));
      assert.deepEqual([claims.sub, claims["client_id"]], ["guest", "portolan-console"]);
      const another = await page.context().newPage();
      const refused: string[] = [];
      another.on("response", (response) => response.status() >= 400 && refused.push(response.url()));
      await another.goto(gateway.baseUrl + path);
      await works(another);
      assert.equal(decodeJwt(await tokenIn(another)).sub, "guest", "in a new window nothing is asked");
      assert.notEqual(await tokenIn(another), await tokenIn(page));
      assert.deepEqual(refused, []);
      assert.deepEqual(outside, []);
      assert.deepEqual(
        errors.filter((text) => !text.includes("401")), // without a token the editor may not ask for the schema
        [],
      );
    });

  it("renews an expired token by itself", async () => {
    const { page } = await browser.open(gateway.baseUrl);
    await page.goto(`${gateway.baseUrl}/methods`);
    await signIn(page, "guest");
    await page.waitForURL(`${gateway.baseUrl}/methods`);
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#token")?.value !== "");
    const first = await tokenIn(page);
    await page.evaluate(() => {
      const real = Date.now.bind(Date);
      Date.now = () => real() + 250_000;
    });
    const renewed = await page.evaluate(async (service) => {
      const { freshToken } = await import(`${service}/assets/signIn.js`);
      return freshToken(service);
    }, gateway.baseUrl);
    assert.notEqual(renewed, first);
    await page.reload();
    await page.getByText("No method may be called by this account.").waitFor();
  });

  it("keeps no token where a script or another page could find it", async () => {
    const { page } = await browser.open(gateway.baseUrl);
    await page.goto(`${gateway.baseUrl}/methods`);
    await signIn(page, "guest");
    await page.getByText("No method may be called by this account.").waitFor();
    const stored = await page.evaluate(() =>
      [sessionStorage, localStorage].flatMap((store) => Object.entries(store) as [string, string][]),
    );
    assert.deepEqual([...new Set(stored.flat())].toSorted(), ["portolan:database", gateway.database.name].toSorted());
    assert.equal(await page.evaluate(() => document.cookie), "");
    const cookies = await page.context().cookies(`${gateway.baseUrl}/console/session/token`);
    const [own] = cookies.filter(({ name }) => name.startsWith("portolan-console-"));
    assert.deepEqual([own?.path, own?.httpOnly, own?.sameSite, own?.expires], ["/console/session", true, "Strict", -1]);
    await page.context().close();
  });

  it("uses a public client that follows the address of the service, and keeps a DBA's settings", async () => {
    const { client } = gateway.database;
    const read = async () =>
      (
        await client.query(
          "select redirect_uri, public, confirm, name from portolan.clients where id = 'portolan-console'",
        )
      ).rows[0];
    assert.deepEqual(await read(), {
      redirect_uri: [`${gateway.baseUrl}/console/callback`],
      public: true,
      confirm: false,
      name: "Portolan",
    });
    await client.query(`select portolan.update_client('portolan-console', '{"name": "Harbour"}')`);
    await client.query("select portolan.follow_console('https://elsewhere.example/console/callback')");
    assert.deepEqual(await read(), {
      redirect_uri: ["https://elsewhere.example/console/callback"],
      public: true,
      confirm: false,
      name: "Harbour",
    });
    await client.query("select portolan.follow_console($1)", [`${gateway.baseUrl}/console/callback`]);
  });

  it("makes no client for an address on which browsers cannot sign in, and leaves an existing one", async () => {
    const { client } = gateway.database;
    const follow = async (uri: string) =>
      (await client.query("select portolan.follow_console($1) as works", [uri])).rows[0].works;
    for (const uri of ["http://gis.example/console/callback", "http://192.0.2.1:7575/console/callback"])
      assert.equal(await follow(uri), false, uri);
    assert.equal(await follow(`${gateway.baseUrl}/console/callback`), true);
  });
});
