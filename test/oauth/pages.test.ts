/// <reference lib="dom" />
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { addClient, authPath, makePkce } from "./support.ts";

/** Set SCREENSHOTS to a folder to look at what the browser saw. */
const screenshots = process.env["SCREENSHOTS"];
if (screenshots) mkdirSync(screenshots, { recursive: true });

const DEVICES = [
  ["desktop", { width: 1280, height: 800 }],
  ["phone", { width: 390, height: 800 }],
] as const;

describe("the pages of OAuth, in a browser", () => {
  let gateway: TestGateway;
  let browser: TestBrowser;
  /** The client, which waits for the browser to return. */
  let listener: Server;
  let callback: string;

  before(async () => {
    listener = createServer((_request, response) => response.end("back at the client"));
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    callback = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/auth/callback`;
    [gateway, browser] = await Promise.all([testGateway(), testBrowser()]);
    await addClient(gateway.database, "atlas", { confirm: true, redirectUri: [callback] });
    await gateway.database.client.query(
      "update portolan.clients set name = 'Harbour Atlas', description = 'Charts of all harbours, for sailors.', homepage = 'https://atlas.example.org/' where id = 'atlas'",
    );
  });

  after(async () => {
    await browser.close();
    await gateway.close();
    listener.close();
  });

  for (const [device, viewport] of DEVICES) {
    /** A page of a fresh browser, and a check of every page on the way. */
    async function open(): Promise<{ page: Page; errors: string[]; shot: (name: string) => Promise<void> }> {
      const { page, errors } = await browser.open(gateway.baseUrl, viewport);
      const shot = async (name: string) => {
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(overflow <= 0, `${name} is ${overflow} px too wide`);
        assert.equal(await page.locator("script").count(), 0, "no script");
        for (const input of await page.locator("input:not([type=hidden]), select").all())
          assert.equal(await page.locator(`label[for="${await input.getAttribute("id")}"]`).count(), 1, "labelled");
        if (screenshots) await page.screenshot({ path: join(screenshots, `${name}-${device}.png`), fullPage: true });
      };
      return { page, errors, shot };
    }

    it(`from /auth to the redirect, on a ${device}`, async () => {
      const { page, errors, shot } = await open();
      const pkce = makePkce();
      const path = authPath("atlas", pkce, { redirect_uri: callback, scope: `read ${device}` });
      await page.goto(gateway.baseUrl + path);
      await shot("sign-in");
      assert.equal(await page.evaluate(() => document.activeElement?.id), "username");
      await page.keyboard.type("guest");
      await page.keyboard.press("Tab");
      await page.keyboard.type("wrong");
      await page.keyboard.press("Enter");
      await page.getByText("The user name or the password is not right.").waitFor();
      await shot("sign-in-wrong");
      const password = page.getByLabel("Password");
      assert.equal(await password.getAttribute("aria-invalid"), "true");
      const described = (await password.getAttribute("aria-describedby")) ?? "";
      assert.match(await page.locator(`#${described}`).innerText(), /not right/);
      assert.equal(await page.getByLabel("User name").inputValue(), "guest");
      await password.fill("guest");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Allow Harbour Atlas?" }).waitFor();
      await shot("consent");
      const outline = await page.getByRole("button", { name: "Deny" }).evaluate((button) => {
        (button as HTMLElement).focus();
        return getComputedStyle(button).outlineStyle;
      });
      assert.equal(outline, "solid", "focus is visible");
      await page.getByRole("button", { name: "Allow" }).click();
      await page.waitForURL(`${callback}?**`);
      const url = new URL(page.url());
      assert.deepEqual([...url.searchParams.keys()], ["code", "state", "iss"]);
      const answer = await gateway.http.post("/api/v4/oauth").send({
        grant_type: "authorization_code",
        code: url.searchParams.get("code"),
        redirect_uri: callback,
        client_id: "atlas",
        code_verifier: pkce.verifier,
      });
      assert.equal(answer.status, 200, answer.text);
      // consent is remembered, and the browser is signed in
      await page.goto(gateway.baseUrl + path);
      assert.ok(page.url().startsWith(callback));
      // another scope asks again
      await page.goto(gateway.baseUrl + authPath("atlas", pkce, { redirect_uri: callback, scope: `more ${device}` }));
      await page.getByRole("button", { name: "Deny" }).click();
      await page.waitForURL(`${callback}?error=access_denied**`);
      assert.deepEqual(
        errors.filter((error) => !/401/.test(error)),
        [],
      );
      await page.context().close();
    });

    it(`the device page, on a ${device}`, async () => {
      const { page, errors, shot } = await open();
      const { body } = await gateway.http.post("/api/v4/oauth/device").send({ client_id: "atlas", scope: "read" });
      await page.goto(`${gateway.baseUrl}/device`);
      await page.getByLabel("Code").fill("WRNG-CODE");
      await page.getByRole("button", { name: "Go on" }).click();
      await page.getByText("This code is not right").waitFor();
      await shot("device-wrong");
      await page.getByLabel("Code").fill(body.user_code);
      await page.getByRole("button", { name: "Go on" }).click();
      await page.getByLabel("User name").fill("captain");
      await page.getByLabel("Password").fill("captain");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Allow Harbour Atlas?" }).waitFor();
      await shot("device-consent");
      await page.getByRole("button", { name: "Allow" }).click();
      await page.getByRole("heading", { name: "The device is connected" }).waitFor();
      await shot("device-done");
      const poll = await gateway.http
        .post("/api/v4/oauth")
        .send({ grant_type: "device_code", device_code: body.device_code, client_id: "atlas" });
      assert.equal(poll.status, 200, poll.text);
      assert.deepEqual(
        errors.filter((error) => !/400/.test(error)),
        [],
      );
      await page.context().close();
    });

    it(`a one-time link sets a password, on a ${device}`, async () => {
      const { page, shot } = await open();
      await gateway.database.client.query("select portolan.create_user($1, null)", [`new-${device}`]);
      const { rows } = await gateway.database.client.query("select portolan.invite_user($1) as token", [
        `new-${device}`,
      ]);
      const link = `${gateway.baseUrl}/password?token=${rows[0].token}`;
      await page.goto(link);
      await shot("password");
      await page.getByLabel("New password").fill("correct horse");
      await page.getByLabel("Repeat the password").fill("battery staple");
      await page.getByRole("button", { name: "Set password" }).click();
      await page.getByText("The two passwords differ.").waitFor();
      await shot("password-wrong");
      await page.getByLabel("New password").fill("correct horse");
      await page.getByLabel("Repeat the password").fill("correct horse");
      await page.getByRole("button", { name: "Set password" }).click();
      await page.getByRole("heading", { name: "Your password is set" }).waitFor();
      const answer = await gateway.http.post("/api/v4/oauth").send({
        grant_type: "password",
        username: `new-${device}`,
        password: "correct horse",
        client_id: "portolan-cli",
      });
      assert.equal(answer.status, 200, answer.text);
      await page.goto(link);
      await page.getByText("It has been used or has expired").waitFor();
      await shot("error");
      await page.context().close();
    });
  }

  it("in dark", async () => {
    const { page } = await browser.open(gateway.baseUrl);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(gateway.baseUrl + authPath("atlas", makePkce(), { redirect_uri: callback }));
    const [paper, ink] = await page.evaluate(() => {
      const { backgroundColor, color } = getComputedStyle(document.body);
      return [backgroundColor, color];
    });
    assert.deepEqual([paper, ink], ["rgb(25, 33, 40)", "rgb(230, 228, 223)"]);
    if (screenshots) await page.screenshot({ path: join(screenshots, "sign-in-dark.png") });
    await page.context().close();
  });
});
