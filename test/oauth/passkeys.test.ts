/// <reference lib="dom" />
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { CDPSession, Page } from "playwright-core";
import { requestsAs, type Requests } from "../management/requests.ts";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { Mailbox } from "../support/mailbox.ts";
import { weightOf } from "../support/pageWeight.ts";

/** Set SCREENSHOTS to a folder to look at what the browser saw. */
const screenshots = process.env["SCREENSHOTS"];
if (screenshots) mkdirSync(screenshots, { recursive: true });

describe("passkeys and second factors, in a browser", () => {
  const mailbox = new Mailbox();
  let gateway: TestGateway;
  let browser: TestBrowser;
  let captain: Requests;
  let page: Page;
  let devtools: CDPSession;
  let authenticatorId: string;
  /** The gateway under its name. */
  let origin: string;
  /** One of ann's. */
  let recoveryCode: string;

  const audit = async (event: string) =>
    (
      await gateway.database.client.query("select account, details from portolan.audit where event = $1 order by id", [
        event,
      ])
    ).rows;

  before(async () => {
    const config = { mfa: "offered", smtpUrl: await mailbox.open(), mailFrom: "no-reply@example.org" };
    [gateway, browser] = await Promise.all([testGateway({ config }), testBrowser()]);
    origin = gateway.baseUrl.replace("127.0.0.1", "localhost");
    captain = await requestsAs(gateway, "captain");
    await captain("post", "/users", [
      { name: "ann", password: "ann", email: "ann@example.org" },
      { name: "bea", password: "bea" },
    ]).expect(201);
    ({ page } = await browser.open(origin, { width: 390, height: 800 }));
    // What the browser offers by itself is chosen at once, before a test can press a button. So it offers nothing, as some
    // browsers do, except where that is tested.
    await page.addInitScript(() => {
      const isOffered = location.origin !== "null" && localStorage.getItem("autofill") === "on";
      if (!isOffered) PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
    });
    devtools = await page.context().newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    ({ authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    }));
  });
  after(async () => {
    await browser.close();
    await gateway.close();
    await mailbox.close();
  });

  /** Nothing that axe finds, nothing too wide, less than 100 kB with all that it loads; a picture. */
  async function look(name: string): Promise<void> {
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(overflow <= 0, `${name} is ${overflow} px too wide`);
    const weight = await weightOf(await page.content(), page.url());
    assert.ok(weight < 100_000, `${name}: ${weight} bytes`);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
        [],
        name,
      );
      if (screenshots) await page.screenshot({ path: join(screenshots, `${name}-${colorScheme}.png`), fullPage: true });
    }
  }

  /** The sign-in page, in a browser that nobody has used. */
  async function begin(): Promise<void> {
    await page.context().clearCookies();
    await page.goto(`${origin}/account`);
  }

  async function usePasskey(): Promise<void> {
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  }

  async function signIn(name: string): Promise<void> {
    await begin();
    await page.getByLabel("User name").fill(name);
    await page.getByLabel("Password").fill(name);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  }

  async function addPasskey(name: string): Promise<void> {
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Create the passkey" }).click();
  }

  it("are not offered at an IP address, whose page leads to the name of this machine", async () => {
    await page.goto(`${gateway.baseUrl}/account`);
    await page.getByLabel("User name").fill("ann");
    await page.getByLabel("Password").fill("ann");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Add an authenticator app" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Add a passkey" }).count(), 0);
    await look("account-at-address");
    await page.getByRole("link", { name: `Add a passkey, at ${new URL(origin).host}` }).click();
    await page.waitForURL(`${origin}/account`);
  });

  it("are added and named on the page of the account, and recovery codes come with the first", async () => {
    await signIn("ann");
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    await look("account");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await look("new-passkey");
    await page.getByLabel("Name").fill("Laptop");
    await page.getByRole("button", { name: "Create the passkey" }).click();
    await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
    assert.equal(await page.locator(".codes li").count(), 10);
    recoveryCode = await page.locator(".codes li").first().innerText();
    await look("recovery-codes");
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText("Laptop").waitFor();
    const { body } = await captain("get", "/factors?account=ann").expect(200);
    assert.deepEqual([body.length, body[0].kind, body[0].name], [1, "passkey", "Laptop"]);
    // the same device again is no second one
    await addPasskey("Again");
    await page.locator("[data-passkey-problem]:visible").waitFor();
  });

  it("sign in without a password, offered in the field of the user name and by a button", async () => {
    await begin();
    assert.equal(await page.getByLabel("User name").getAttribute("autocomplete"), "username webauthn");
    await look("sign-in-with-passkey");
    await page.evaluate(() => localStorage.setItem("autofill", "on"));
    await page.reload();
    await page.getByText("Signed in as ann").waitFor();
    await page.evaluate(() => localStorage.removeItem("autofill"));
    await gateway.database.client.query("update portolan.known_addresses set address = '192.0.2.1'");
    await begin();
    await usePasskey();
    await page.getByText("Signed in as ann").waitFor();
    assert.match((await mailbox.next("ann@example.org")).text ?? "", /From: (127\.0\.0\.1|::1)/, "a new place is told");
    const { rows } = await gateway.database.client.query("select amr from portolan.sessions where user_name = 'ann'");
    const without = rows.filter(({ amr }) => !amr.includes("pwd") && amr.includes("mfa"));
    assert.equal(without.length, 2, JSON.stringify(rows));
    const { via, amr } = (await audit("sign_in")).at(-1).details;
    assert.deepEqual([via, amr.includes("mfa"), amr.includes("pwd")], ["passkey", true, false]);
  });

  it("sign in to the console that was opened at 127.0.0.1, which goes on at localhost", async () => {
    await page.context().clearCookies();
    await page.goto(`${gateway.baseUrl}/console`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${gateway.baseUrl}/signin?*`);
    await look("sign-in-at-address");
    await page.getByRole("link", { name: `Sign in with a passkey, at ${new URL(origin).host}` }).click();
    await usePasskey();
    await page.waitForURL(`${origin}/console`);
    await page.getByText("ann", { exact: true }).first().waitFor();
  });

  it("stand in for the code after a password, of their own account alone", async () => {
    await signIn("ann");
    await page.getByRole("heading", { name: "Second step" }).waitFor();
    await look("second-step");
    await usePasskey();
    await page.getByText("Signed in as ann").waitFor();
    // bea's second step, answered by ann's passkey
    await gateway.database.client.query(
      "insert into portolan.factors (user_name, kind, name, secret, last_step) values ('bea', 'totp', 'App', 'JBSWY3DPEHPK3PXP', 0)",
    );
    await begin();
    const options = await page.locator("form[data-passkey]").getAttribute("data-options");
    await page.getByLabel("User name").fill("bea");
    await page.getByLabel("Password").fill("bea");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Second step" }).waitFor();
    const id = await page.locator("input[name=sign_in]").first().getAttribute("value");
    await page.goto(`${origin}/account`);
    await page.locator("form[data-passkey]").evaluate(
      (form, [id, options]) => {
        form.insertAdjacentHTML("beforeend", `<input type="hidden" name="sign_in" value="${id}">`);
        (form as HTMLFormElement).dataset["options"] = options!;
      },
      [id, options],
    );
    await usePasskey();
    await page.getByText("That took too long").waitFor();
  });

  it("a copy is refused: its count is behind", async () => {
    await gateway.database.client.query("update portolan.factors set counter = 1000 where user_name = 'ann'");
    await begin();
    await usePasskey();
    await page.getByText("The passkey was not accepted").waitFor();
    assert.deepEqual((await audit("sign_in.refused")).at(-1), {
      account: "ann",
      details: { via: "passkey", reason: "counter" },
    });
    await gateway.database.client.query("update portolan.factors set counter = 1 where user_name = 'ann'");
  });

  it("an answer counts once, for the browser and the origin that asked", async () => {
    await begin();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(request.postData() ?? "");
    });
    await usePasskey();
    await page.getByText("Signed in as ann").waitFor();
    const answer = new URLSearchParams(sent.at(-1)).get("passkey") ?? assert.fail();
    await begin();
    const submit = async (text: string) => {
      await page.locator("form[data-passkey]").evaluate((form, value) => {
        (form.querySelector("[name=passkey]") as HTMLInputElement).value = value;
        (form as HTMLFormElement).submit();
      }, text);
      await page.getByText("The passkey was not accepted").waitFor();
    };
    await submit(answer); // of another browser
    await submit("no JSON");
    await submit(JSON.stringify({ ...JSON.parse(answer), response: {} }));
    const elsewhere = JSON.parse(answer) as { response: { clientDataJSON: string } };
    const data = JSON.parse(Buffer.from(elsewhere.response.clientDataJSON, "base64url").toString()) as object;
    const forged = JSON.stringify({ ...data, origin: "https://evil.example.org" });
    elsewhere.response.clientDataJSON = Buffer.from(forged).toString("base64url");
    await submit(JSON.stringify(elsewhere));
  });

  it("that are all lost are replaced by a password and a recovery code, once", async () => {
    await signIn("ann");
    await page.getByLabel("Code").fill(recoveryCode);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Recovery codes that are left: 9").waitFor();
    await signIn("ann");
    await page.getByLabel("Code").fill(recoveryCode);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("This code is not right").waitFor();
  });

  it("an authenticator app is added by a picture and a key; a passkey is removed", async () => {
    await begin();
    await usePasskey();
    await page.getByText("Signed in as ann").waitFor();
    await page.getByRole("button", { name: "Add an authenticator app" }).click();
    await look("new-authenticator");
    await page.goto(`${origin}/account`);
    await page.getByRole("button", { name: "Remove: Laptop" }).click();
    await page.getByText("You have none").waitFor();
    await begin();
    assert.equal(await page.getByRole("button", { name: "Sign in with a passkey" }).count(), 0);
  });

  it("are made at the sign-in of an account that must have a second factor", async () => {
    await devtools.send("WebAuthn.clearCredentials", { authenticatorId }); // it has room for three, and ann's is removed
    await captain("post", "/users", [{ name: "dora", password: "dora", two_factor: true }]).expect(201);
    await signIn("dora");
    await page.getByRole("heading", { name: "Add a second factor" }).waitFor();
    await look("needed-factor");
    // a wrong code of an app leaves the passkey as good
    await page.getByLabel("Code").fill("123");
    await page.getByRole("button", { name: "Add it" }).click();
    await page.getByText("Does the clock of your device").waitFor();
    await page.getByLabel("Name").fill("Phone");
    await page.getByRole("button", { name: "Create the passkey" }).click();
    await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText("Signed in as dora").waitFor();
    await page.getByText("Phone").waitFor();
    const { amr } = (await audit("sign_in")).at(-1).details;
    assert.deepEqual(amr, ["pwd", "user", "mfa"]);
    await begin();
    await usePasskey();
    await page.getByText("Signed in as dora").waitFor();
  });

  it("are made by an account that is signed in already and must have one from now on", async () => {
    await captain("post", "/users", [{ name: "emil", password: "emil" }]).expect(201);
    await signIn("emil");
    await page.getByText("Signed in as emil").waitFor();
    await captain("patch", "/users/emil", { two_factor: true }).expect(303);
    await page.goto(`${origin}/account`);
    await page.getByRole("heading", { name: "Add a second factor" }).waitFor();
    const make = () => page.getByRole("button", { name: "Create the passkey" }).click();
    // an answer that is none brings the person back to the same choice
    await page.locator("form[data-passkey]").evaluate((form) => (form as HTMLFormElement).submit());
    await page.getByText("The passkey was not accepted").waitFor();
    await make();
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText("Signed in as emil").waitFor();
    await page.getByRole("button", { name: "Remove: Passkey" }).click();
    await page.getByText("Your account must have a second factor").waitFor();
  });

  it("the pages are as right in German", async () => {
    await page.setExtraHTTPHeaders({ "Accept-Language": "de" });
    await begin();
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    await page.getByRole("heading", { name: "Anmelden" }).waitFor();
    await look("sign-in-de");
    await captain("post", "/users", [{ name: "finn", password: "finn", two_factor: true }]).expect(201);
    await page.getByLabel("Benutzername").fill("finn");
    await page.getByLabel("Passwort").fill("finn");
    await page.getByRole("button", { name: "Anmelden", exact: true }).click();
    await page.getByRole("heading", { name: "Zweiten Faktor hinzufügen" }).waitFor();
    await look("needed-factor-de");
    await page.getByLabel("Name", { exact: true }).fill("Telefon");
    await page.getByRole("button", { name: "Passkey erstellen" }).click();
    await page.getByRole("heading", { name: "Ihre Ersatzcodes" }).waitFor();
  });
});
