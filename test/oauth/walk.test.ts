/// <reference lib="dom" />
/** Each page of a sign-in in each of its states: by keys alone, on a phone, in German and in dark, with nothing that axe finds. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import type { CDPSession, Page } from "playwright-core";
import { focused, tabTo } from "../console/support.ts";
import { violationsOf } from "../support/axe.ts";
import { requestsAs } from "../management/requests.ts";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { Mailbox } from "../support/mailbox.ts";
import { until } from "../support/until.ts";
import { addClient, authPath, makePkce } from "./support.ts";

/** Set SCREENSHOTS to a folder to look at what the browser saw. */
const screenshots = process.env["SCREENSHOTS"];
if (screenshots) mkdirSync(screenshots, { recursive: true });

const WALKS = [
  { language: "en", colorScheme: "light" },
  { language: "de", colorScheme: "dark" },
] as const;

describe("the pages of a sign-in, by keys alone", () => {
  const mailbox = new Mailbox();
  let gateway: TestGateway;
  let browser: TestBrowser;
  /** The gateway under its name, as passkeys need it. */
  let origin: string;

  before(async () => {
    const smtpUrl = await mailbox.open();
    [gateway, browser] = await Promise.all([
      testGateway({
        config: {
          mfa: "offered",
          mcp: true,
          smtpUrl,
          mailFrom: "no-reply@example.org",
          signUp: "open",
          identityProviders: [
            { id: "company", title: "Example Ltd", issuer: "http://127.0.0.1:9", clientId: "x" },
            { id: "other", title: "The Harbour Authority", issuer: "http://127.0.0.1:19", clientId: "x" },
          ],
        },
      }),
      testBrowser(),
    ]);
    origin = gateway.baseUrl.replace("127.0.0.1", "localhost");
    await addClient(gateway.database, "atlas", { confirm: true });
    await gateway.database.client.query(
      "update portolan.clients set name = 'Harbour Atlas', description = 'Charts of all harbours.', homepage = 'https://atlas.example.org/' where id = 'atlas'",
    );
  });
  after(async () => {
    await browser.close();
    await gateway.close();
    await mailbox.close();
  });

  for (const { language, colorScheme } of WALKS)
    describe(`${language}, ${colorScheme}`, () => {
      let page: Page;
      let devtools: CDPSession;
      let errors: string[];
      let secret: string;
      const name = `ann-${language}`;
      const password = "fair wind and more";

      before(async () => {
        ({ page, errors } = await browser.open(origin, { width: 390, height: 800 }));
        await page.emulateMedia({ colorScheme });
        await page.setExtraHTTPHeaders({ "Accept-Language": language });
        await page.addInitScript(() => {
          PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
        });
        devtools = await page.context().newCDPSession(page);
        await devtools.send("WebAuthn.enable");
      });
      after(() => page.context().close());

      /** The page in its present state has nothing that axe finds, fits, and is in the language of the reader. */
      async function look(state: string): Promise<void> {
        if (screenshots) await page.screenshot({ path: join(screenshots, `${state}-${language}.png`), fullPage: true });
        assert.deepEqual(await violationsOf(page, { contrast: true }), {}, state);
        const [overflow, lang] = await page.evaluate(() => [
          document.documentElement.scrollWidth - window.innerWidth,
          document.documentElement.lang,
        ]);
        assert.ok(Number(overflow) <= 0, `${state} is ${overflow} px too wide`);
        assert.equal(lang, language, state);
      }
      const goTo = (path: string) => page.goto(origin + path);
      const button = (action: string) => page.locator(`button[name=action][value="${action}"]`).first();
      /** By Tab to a button or link, and Enter; waits for the page that follows. */
      async function press(target: ReturnType<Page["locator"]>): Promise<void> {
        await tabTo(page, target);
        await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
      }
      const send = () => press(page.locator("main button[type=submit]").first());
      async function type(field: string, text: string): Promise<void> {
        await tabTo(page, page.locator(`[name="${field}"]:visible`));
        await page.keyboard.press("Control+A");
        await page.keyboard.type(text);
      }
      const nextCode = (steps = 0) =>
        new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
      async function linkOf(address: string): Promise<string> {
        const { text } = await mailbox.next(address);
        return /^http\S+$/m.exec(text ?? "")?.[0]?.slice(gateway.baseUrl.length) ?? assert.fail(text);
      }
      async function signIn(word = password): Promise<void> {
        await type("username", name);
        await type("password", word);
        await press(button("sign-in"));
      }

      it("sign-up: by a mail to a password, which a link sets once", async () => {
        await goTo("/signin");
        await press(page.locator('a[href^="signup"]'));
        await look("sign-up");
        await type("username", "2 bad");
        await type("email", "none");
        await send();
        await look("sign-up-wrong");
        await type("username", name);
        await type("email", `${name}@example.org`);
        await send();
        await look("sign-up-sent");
        const link = await linkOf(`${name}@example.org`);
        await goTo(link);
        await look("password");
        await type("password", password);
        await type("repeated", "other");
        await send();
        await look("password-wrong");
        await type("password", password);
        await type("repeated", password);
        await send();
        await look("password-set");
        await goTo(link);
        await look("link-used");
      });

      it("a forgotten password, and an address that is verified", async () => {
        await goTo("/signin");
        await press(page.locator('a[href^="forgotten"]'));
        await look("forgotten");
        await send();
        await look("forgotten-empty");
        await type("identifier", name);
        await send();
        await look("forgotten-sent");
        await linkOf(`${name}@example.org`);
        const captain = await requestsAs(gateway, "captain");
        await captain("post", `/users/${name}/verification`).expect(204);
        const link = await linkOf(`${name}@example.org`);
        await goTo(link);
        await look("verify");
        await send();
        await look("verified");
        await goTo(link);
        await look("verify-link-used");
      });

      it("a sign-in that fails, one at another provider that is away, and consent", async () => {
        const path = authPath("atlas", makePkce(), {
          scope: "openid profile mcp:write",
          resource: `${gateway.baseUrl}/mcp/${gateway.database.name}`,
        });
        await goTo(path);
        await look("sign-in");
        await press(button("sign-in"));
        await look("sign-in-empty");
        await signIn("wrong");
        await look("sign-in-wrong");
        await press(page.getByRole("button", { name: "Example Ltd" }));
        await look("provider-away");
        await signIn();
        await look("consent");
        await press(button("switch"));
        await signIn();
        const { body } = await gateway.http.post("/api/v4/oauth/device").send({ client_id: "atlas", scope: "openid" });
        await goTo("/device");
        await look("device");
        await type("user_code", "WRNG-CODE");
        await send();
        await look("device-wrong");
        await type("user_code", body.user_code);
        await send();
        await look("device-consent");
        await press(button("allow"));
        await look("device-connected");
        await goTo(`${path}&prompt=select_account`);
        await look("choose-account");
      });

      it("second factors and passkeys: added, asked for, removed", async () => {
        await goTo("/account");
        await look("account-empty");
        await press(button("add-totp"));
        await look("authenticator");
        secret = /secret=([A-Z2-7]+)/.exec(await page.content())?.[1] ?? assert.fail();
        await type("code", "000000");
        await press(button("enrol"));
        await look("authenticator-wrong");
        await focused(page.locator("[name=code]"));
        await until(() => Date.now() % 30_000 < 15_000); // the code of the step before holds until the next step begins
        await type("code", nextCode(-1));
        await press(button("enrol"));
        await look("recovery-codes");
        await press(button("continue"));
        await devtools.send("WebAuthn.addVirtualAuthenticator", {
          options: {
            protocol: "ctap2",
            transport: "internal",
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true,
          },
        });
        await press(button("add-passkey"));
        await look("new-passkey");
        await type("name", "Phone");
        await press(page.locator("[data-passkey-start]"));
        await look("account-full");
        assert.match(await page.locator("main").innerText(), /Chrome, Linux/);
        await press(button("add-passkey"));
        await tabTo(page, page.locator("[data-passkey-start]"));
        await page.keyboard.press("Enter"); // this device has one already
        await page.locator("[data-passkey-problem]:visible").waitFor();
        await look("passkey-problem");
        await page.context().clearCookies();
        await goTo("/account");
        await look("sign-in-with-passkey");
        await signIn();
        await look("second-step");
        await type("code", "123456");
        await press(button("factor"));
        await look("second-step-wrong");
        await press(page.locator("[data-passkey-start]"));
        await press(page.getByRole("button", { name: /: Phone$/ }));
        assert.equal(await page.getByText("Phone").count(), 0);
        await gateway.database.client.query(
          "update portolan.sessions set created_at = created_at - interval '11 minutes' where user_name = $1",
          [name],
        );
        await press(button("new-codes"));
        await look("sign-in-again");
      });

      it("a sign-out is asked for where nobody says whose it is, and tells that it is done", async () => {
        await goTo("/signout?client_id=atlas&post_logout_redirect_uri=https://evil.example.org/");
        await look("sign-out-refused");
        await gateway.database.client.query(
          `select portolan.update_client('atlas', '{"post_logout_redirect_uris": ["http://localhost/bye"]}')`,
        );
        await goTo("/signout?client_id=atlas&post_logout_redirect_uri=http://localhost/bye");
        await look("sign-out");
        await goTo("/signout");
        await look("signed-out");
        assert.deepEqual(
          errors.filter(
            (text) =>
              !text.startsWith("Failed to load resource: the server responded with a status of 4") &&
              !text.includes("502"),
          ),
          [],
        );
      });
    });
});
