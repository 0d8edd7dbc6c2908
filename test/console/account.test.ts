/// <reference lib="dom" />
import assert from "node:assert/strict";
import { violationsOf } from "../support/axe.ts";
import { focused, shoot, site, tabTo } from "./support.ts";

describe("the console: one's own account", () => {
  const at = site({
    config: { smtpUrl: "log:" },
    prepare: ({ client }) =>
      client.query("select portolan.create_user('ann', 'ann'), portolan.create_user('bo', 'bo')"),
  });
  const test = at.scenarios("Account");

  test("changes its e-mail, and refuses a text that is not an address", async () => {
    const { page } = await at.visit("/account", { account: "ann" });
    await page.getByRole("textbox", { name: "E-mail" }).fill("ann@example.org");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The e-mail is saved.").waitFor();
    assert.deepEqual(await at.rows("select email from portolan.users where name = 'ann'"), [
      { email: "ann@example.org" },
    ]);
    await page.getByRole("textbox", { name: "E-mail" }).fill(`${"x".repeat(300)}@example.org`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").waitFor();
    assert.deepEqual(await at.rows("select email from portolan.users where name = 'ann'"), [
      { email: "ann@example.org" },
    ]);
    await page.getByRole("button", { name: "Verify the address" }).click();
    await page.getByText("A link was sent to ann@example.org.").waitFor();
    // a service without mail offers no link
    await page.route("**/console/account", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replace("data-sends-mail", "") });
    });
    await page.reload();
    await page.getByText("The address is not verified.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Verify the address" }).count(), 0);
    await page.context().close();
  });

  test("changes its e-mail with its password when the sign-in was some time ago", async () => {
    const { page, done } = await at.visit("/account", { account: "ann", bySignIn: true });
    await at.rows(`
update portolan.token_families set asked = asked || jsonb_build_object('auth_time', extract(epoch from now()) - 3600)
where user_name = 'ann'`);
    await page.getByRole("textbox", { name: "E-mail" }).fill("ann2@example.org");
    assert.equal(await page.getByLabel("Your password").count(), 0);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("You signed in some time ago.").waitFor();
    await page.getByLabel("Your password").fill("wrong");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("is wrong").waitFor();
    await page.getByLabel("Your password").fill("ann");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The e-mail is saved.").waitFor();
    assert.deepEqual(await at.rows("select email from portolan.users where name = 'ann'"), [
      { email: "ann2@example.org" },
    ]);
    await done(400, 403);
  });

  test("shows its sessions, and ends another window and a browser", async () => {
    const here = await at.visit("/account", { account: "ann", bySignIn: true });
    const there = await at.visit("/account", { account: "ann", bySignIn: true });
    await at.rows("update portolan.token_families set revoked_at = now() where user_name = 'bo'");
    await here.page.reload();
    const list = here.page.getByRole("list", { name: "Where you are signed in" }).getByRole("listitem");
    const own = list.filter({ hasText: "(this window)" });
    await own.waitFor();
    assert.equal(await own.count(), 1);
    assert.equal(await own.getByRole("button").count(), 0);
    await list
      .filter({ hasText: /Chrome on Linux[\s\S]*Browser, since .* from 127\.0\.0\.1/ })
      .first()
      .waitFor();
    await shoot(here.page, "account");
    await here.page.getByRole("button", { name: /^End all \d others$/ }).click();
    await here.page.waitForFunction(() => document.querySelectorAll(".sessions li").length === 1);
    assert.deepEqual(
      await at.rows(`
select (select count(*)::int from portolan.sessions where user_name = 'ann') as browsers,
  (select count(*)::int from portolan.token_families where user_name = 'ann' and revoked_at is null) as applications`),
      [{ browsers: 1, applications: 1 }],
    );
    await there.page.reload();
    await there.page.getByRole("button", { name: "Sign in" }).waitFor();
    assert.equal(await there.page.getByRole("listitem").count(), 0, "the other window sees nothing any more");
    await here.done();
    await there.page.context().close();
  });

  test("shows its second factors and the allowed applications, and withdraws one", async () => {
    await at.rows(`
insert into portolan.factors (user_name, kind, name, secret, last_step) values ('ann', 'totp', 'Phone', 'JBSWY3DPEHPK3PXP', 0);
select portolan.create_client('atlas', 'Harbour Atlas', array['https://atlas.example.org/']);
insert into portolan.consents (user_name, client_id, scopes) values ('ann', 'atlas', '{openid}')`);
    const { page, done } = await at.visit("/account", { account: "ann" });
    await page.getByText("Authenticator app, since").waitFor();
    const link = page.getByRole("link", { name: "Passkeys, authenticator apps and recovery codes" });
    assert.match((await link.getAttribute("href")) ?? "", /\/account\?database=/);
    assert.equal(await page.getByRole("button", { name: "Reset the factors" }).count(), 0);
    await shoot(page, "account-factors-own");
    await page.getByRole("button", { name: "Take back Harbour Atlas" }).click();
    await page.getByRole("heading", { name: "Allowed applications" }).waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select from portolan.consents where user_name = 'ann'"), []);
    await done();
  });

  const LANGUAGES = [
    { locale: "en-US", list: "Where you are signed in", end: "End Sea Chart", own: "(this window)" },
    { locale: "de-DE", list: "Wo Sie angemeldet sind", end: "Sea Chart beenden", own: "(dieses Fenster)" },
  ] as const;
  test("shows no application that was ended, here or by the application, in English and German", async () => {
    for (const { locale, list, end, own } of LANGUAGES) {
      await at.rows(`
select portolan.create_client('chart', 'Sea Chart', array['https://chart.example.org/'])
where not exists (select from portolan.clients where id = 'chart');
select portolan.start_family(gen_random_uuid(), null, 'chart', u.name, '', u.token_version, 3600, 3600)
from portolan.users u, generate_series(1, 2) where u.name = 'bo'`);
      const { page, done } = await at.visit("/account", { account: "bo", locale });
      const items = page.getByRole("list", { name: list }).getByRole("listitem").filter({ hasText: "Sea Chart" });
      await items.nth(1).waitFor();
      await page.getByRole("button", { name: end }).first().click();
      await items.nth(1).waitFor({ state: "detached" });
      assert.equal(await items.count(), 1);
      const left = "select id from portolan.token_families where client_id = 'chart' and revoked_at is null";
      const [family, ...others] = await at.rows(left);
      assert.deepEqual(others, []);
      await at.rows("select portolan.revoke_family($1, 'chart')", [family.id]); // as the application does at its sign-out
      await page.reload();
      await page.getByText(own).waitFor();
      assert.equal(await items.count(), 0);
      assert.deepEqual(await at.rows(left), []);
      await done();
    }
  });

  test("changes its password, which ends every sign-in, and signs in with the new one", async () => {
    const version = async () =>
      Number((await at.rows("select token_version from portolan.users where name = 'bo'"))[0].token_version);
    const before = await version();
    const { page } = await at.visit("/account", { account: "bo", bySignIn: true });
    const fill = async (current: string, next: string, again: string): Promise<void> => {
      await page.getByLabel("Current password").fill(current);
      await page.getByLabel("New password", { exact: true }).fill(next);
      await page.getByLabel("New password again").fill(again);
      await page.getByRole("button", { name: "Change the password" }).click();
    };
    await fill("bo", "a better one", "another one");
    await page.getByRole("alert").getByText("not the same").waitFor();
    await fill("wrong", "a better one", "a better one");
    await page.getByRole("alert").getByText("is wrong").waitFor();
    const followed: string[] = [];
    page.on("response", (response) => response.request().redirectedFrom() && followed.push(response.url()));
    await fill("bo", "a better one", "a better one");
    await page.getByRole("status").getByText("The password is changed.").waitFor();
    assert.deepEqual(followed, [], "what has ended is not asked with any more");
    assert.ok((await version()) > before, "tokens of before are good no more");
    await page.getByRole("button", { name: "Sign in again" }).click();
    await page.getByLabel("User name").fill("bo");
    await page.getByLabel("Password").fill("a better one");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "bo", exact: true }).waitFor();
    await page.context().close();
  });

  test("lists the agents that ask for it, and ends one", async () => {
    await at.rows(`
select portolan.note_agents(jsonb_build_array(jsonb_build_object(
  'id', gen_random_uuid(), 'account', u.name, 'client_id', 'portolan-cli', 'token_version', u.token_version, 'scope', 'mcp:write',
  'software', 'helper 1', 'address', '192.0.2.7', 'ago_ms', 0, 'expires_at', now() + interval '1 day', 'calls', 3, 'refused', 1,
  'hears', true, 'refusal', null)))
from portolan.users u where u.name in ('ann', 'guest')`);
    const { page, done } = await at.visit("/account", { account: "ann" });
    const list = page.getByRole("list", { name: "Agents" });
    await list.waitFor();
    assert.equal(await list.getByRole("listitem").count(), 1, "its own alone");
    assert.match(await list.innerText(), /reads and writes for ann, asked last/);
    await shoot(page, "account-agents");
    assert.deepEqual(await violationsOf(page), {});
    await list.getByRole("button", { name: /^End .* of ann$/ }).click();
    await list.waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select account_name as account from portolan.list_agents()"), [
      { account: "guest" },
    ]);
    await done();
  });

  test("changes its e-mail with the keys alone", async () => {
    const { page, done } = await at.visit("/account", { account: "bo" });
    await tabTo(page, page.getByRole("textbox", { name: "E-mail" }));
    await page.keyboard.type("bo@example.org");
    await tabTo(page, page.getByRole("button", { name: "Save" }));
    await page.keyboard.press("Enter");
    await page.getByText("The e-mail is saved.").waitFor();
    await focused(page.getByRole("button", { name: "Save" }));
    assert.deepEqual(await at.rows("select email from portolan.users where name = 'bo'"), [
      { email: "bo@example.org" },
    ]);
    await done();
  });
});
