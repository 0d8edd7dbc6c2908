/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { connectAgent } from "../support/agent.ts";
import { violationsOf } from "../support/axe.ts";
import { until } from "../support/until.ts";
import { focused, follow, shoot, site, tabTo, type Visit } from "./support.ts";

describe("the console: access", () => {
  const at = site({ config: { mcp: true } });
  const test = at.scenarios("Access");

  const rules = () => at.rows(`select username, access, "table", filter from portolan.rules order by priority, id`);

  test("adds a group and an account in it, invites it, changes and removes it", async () => {
    const { page, done } = await at.visit("/access");
    const add = async (name: string, fill: () => Promise<unknown>): Promise<void> => {
      await page.getByRole("button", { name: "Add an account" }).click();
      await page.getByLabel("Name", { exact: true }).fill(name);
      await fill();
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByRole("rowheader", { name, exact: true }).waitFor();
    };
    await add("crew", () => Promise.resolve());
    await add("ann", async () => {
      await page.getByLabel("crew", { exact: true }).check();
      await page.getByLabel("Properties").fill('{"town": "Nuuk"}');
      await page.getByLabel("E-mail", { exact: true }).fill("ann@example.org");
    });
    await shoot(page, "accounts");
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [path, label] of [
      ["", "All accounts"],
      ["/clients", "All clients"],
    ] as const) {
      await page.goto(`${at.gateway.baseUrl}/console/access${path}`);
      const list = page.getByRole("region", { name: label });
      await list.getByRole("rowheader").first().waitFor();
      assert.equal(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0, label);
      await shoot(page, `access-narrow-${label}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${at.gateway.baseUrl}/console/access`);
    assert.deepEqual(
      await at.rows("select user_group, email, properties, superuser from portolan.users where name = 'ann'"),
      [{ user_group: "crew", email: "ann@example.org", properties: { town: "Nuuk" }, superuser: false }],
    );
    await page.getByRole("button", { name: "Make a link for ann" }).click();
    const link = await page.getByLabel("Link", { exact: true }).inputValue();
    assert.match((await at.gateway.http.get(link.slice(at.gateway.baseUrl.length)).expect(200)).text, /ann/);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Change ann" }).click();
    await page.getByLabel("Properties").fill("no JSON");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").getByText("The properties are not JSON.").waitFor();
    await page.getByLabel("Properties").fill("{}");
    await page.getByLabel("crew", { exact: true }).uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select user_group, properties from portolan.users where name = 'ann'"), [
      { user_group: null, properties: {} },
    ]);
    await at.rows(`
insert into portolan.dashboards (name, title, owner, shared) values ('port', 'The port', 'ann', '{*}'), ('draft', null, 'ann', '{}')`);
    await page.getByRole("button", { name: "Remove ann" }).click();
    const taken = page.getByRole("dialog").getByRole("list", { name: "Becomes yours" });
    await taken.getByText("dashboard The port, shared with everybody").waitFor();
    await taken.getByText("dashboard draft", { exact: true }).waitFor();
    await shoot(page, "account-remove");
    assert.deepEqual(await violationsOf(page), {});
    await page.getByRole("dialog").getByRole("button", { name: "Remove ann" }).click();
    await page.getByRole("rowheader", { name: "ann", exact: true }).waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select name from portolan.users where name = 'ann'"), []);
    assert.deepEqual(await at.rows("select name, owner, shared from portolan.dashboards order by name"), [
      { name: "draft", owner: "captain", shared: [] },
      { name: "port", owner: "captain", shared: ["*"] },
    ]);
    await done();
  });

  test("finds a group among many by a part of its name", async () => {
    await at.rows("select portolan.create_user('many' || n, null) from generate_series(1, 120) n");
    const { page, done } = await at.visit("/access/accounts/guest");
    await page.getByRole("button", { name: "Change guest" }).click();
    const boxes = page.getByRole("dialog").locator("input[name=user_group]");
    await boxes.first().waitFor();
    assert.ok((await boxes.count()) <= 41, "not all of them");
    await page.getByLabel("Find a name").fill("many117");
    await page.getByLabel("many117", { exact: true }).check();
    await page.getByLabel("Find a name").fill("");
    assert.equal(await page.getByLabel("many117", { exact: true }).isChecked(), true);
    assert.deepEqual(await violationsOf(page), {});
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select user_group from portolan.users where name = 'guest'"), [
      { user_group: "many117" },
    ]);
    await done();
    await at.rows("select portolan.update_user('guest', '{\"user_group\": null}')");
    await at.rows("select portolan.drop_user('many' || n) from generate_series(1, 120) n");
  });

  const visitAs = (account: string): Promise<Visit> => at.visit("", { account, bySignIn: true });

  test("shows the last sign-in of an account, ends its sessions, and lifts its lock", async () => {
    await at.rows("select portolan.create_user('bo', 'bo')");
    const { page, done } = await at.visit("/access");
    const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "bo", exact: true }) });
    assert.equal(await row.getByRole("cell").nth(4).innerText(), "");
    for (const other of [await visitAs("bo"), await visitAs("bo")]) await other.page.context().close();
    await at.rows(`select portolan.attempt('account', 'bo', '192.0.2.7', false) from generate_series(1, 12)`);
    await at.rows("update portolan.lockouts set locked_until = now() + interval '1 hour' where user_name = 'bo'");
    await page.reload();
    await row.getByText("must wait").waitFor();
    assert.match(await row.getByRole("cell").nth(4).innerText(), new RegExp(`${new Date().getFullYear()}`));
    await follow(row.getByRole("link", { name: "bo" }));
    await page.getByText("signed in last").waitFor();
    await shoot(page, "one-account");
    await page.getByRole("button", { name: "Let it sign in at once" }).click();
    await page.getByText("Failed sign-ins").waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select from portolan.lockouts where user_name = 'bo'"), []);
    await page.getByRole("button", { name: /^End all \d$/ }).click();
    await page.getByText("Not signed in anywhere.").waitFor();
    assert.deepEqual(
      await at.rows("select from portolan.token_families where user_name = 'bo' and revoked_at is null"),
      [],
    );
    await follow(page.getByRole("link", { name: "What it sees of a table" }));
    await page.getByRole("heading", { name: "See as" }).waitFor();
    assert.equal(await page.getByLabel("Account", { exact: true }).inputValue(), "bo");
    await page.goBack();
    await page.getByRole("button", { name: "Remove bo" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove bo" }).click();
    await page.getByRole("heading", { name: "Accounts" }).waitFor();
    assert.deepEqual(await at.rows("select from portolan.users where name = 'bo'"), []);
    await done();
  });

  test("finds accounts by a part of the name, and shows a hundred at a time", async () => {
    await at.rows("select portolan.create_user('many' || to_char(n, 'FM000'), null) from generate_series(1, 120) n");
    const { page, done } = await at.visit("/access");
    const rows = page.getByRole("region", { name: "All accounts" }).locator("tbody tr");
    await page.getByRole("button", { name: "More accounts" }).waitFor();
    assert.equal(await rows.count(), 100);
    await page.getByLabel("Find an account").fill("MANY");
    await rows.getByText("many100").waitFor();
    assert.equal(await rows.count(), 100);
    await page.getByRole("button", { name: "More accounts" }).click();
    await rows.getByText("many120").waitFor();
    assert.equal(await rows.count(), 120);
    assert.equal(await page.getByRole("button", { name: "More accounts" }).count(), 0);
    await page.getByLabel("Find an account").fill("nobody at all");
    await page.getByText("No account has this").waitFor();
    assert.deepEqual(await at.rows("select count(*)::int from portolan.users where name like 'many%'"), [
      { count: 120 },
    ]);
    await at.rows("select portolan.drop_user(name) from portolan.users where name like 'many%'");
    await done();
  });

  test("says in the matrix whose code a table runs", async () => {
    await at.rows(`
create role console_author;
create function world.on_route() returns trigger language plpgsql as 'begin return new; end';
alter function world.on_route() owner to console_author;
create trigger on_route before insert on world.routes for each row execute function world.on_route()`);
    try {
      const { page, done } = await at.visit("/access/privileges");
      await page.getByText("Some tables run code of untrusted roles").waitFor();
      const row = page.getByRole("row").filter({ has: page.getByLabel("guest on routes") });
      assert.match(await row.getByRole("rowheader").innerText(), /writing runs code of console_author/);
      assert.deepEqual(await at.rows("select distinct owner, reads from portolan.code_owners('world.routes')"), [
        { owner: "console_author", reads: false },
      ]);
      await shoot(page, "whose-code");
      await done();
    } finally {
      await at.rows("drop function world.on_route() cascade; drop role console_author");
    }
  });

  test("grants an account single columns by clicks, after it has shown the SQL", async () => {
    await at.rows("select portolan.create_user('cy', 'cy')");
    const { page, done } = await at.visit("/access/privileges");
    await page.getByRole("button", { name: "Columns of routes for cy" }).click();
    await page.getByLabel("select on all columns").check();
    await page.getByLabel("select on id", { exact: true }).uncheck();
    await page.getByLabel("update on length_km", { exact: true }).check();
    await page.getByText("update (length_km) on table world.routes").waitFor();
    assert.deepEqual(await at.rows("select from portolan.column_privileges_of('world.routes')"), []);
    await shoot(page, "columns-of");
    assert.deepEqual(await violationsOf(page), {});
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Columns of routes for cy, \d+ given$/ }).click();
    assert.equal(await page.getByLabel("select on id", { exact: true }).isChecked(), false);
    assert.deepEqual(
      await at.rows(
        `select privileges from portolan.column_privileges_of('world.routes') where subuser = 'cy' and "column" = 'length_km'`,
      ),
      [{ privileges: ["select", "update"] }],
    );
    await page.keyboard.press("Escape");
    await done();
    await at.rows("select portolan.drop_user('cy')");
  });

  test("grants and revokes privileges in the matrix, and shows the present ones", async () => {
    const { page, done } = await at.visit("/access/privileges");
    const may = async (privilege: string) =>
      (
        await at.rows(
          `select has_table_privilege(role, 'world.routes', '${privilege}') as may from portolan.users where name = 'guest'`,
        )
      )[0].may;
    assert.equal(await page.getByLabel("guest on logbook").inputValue(), "write");
    assert.equal(await page.getByLabel("guest on cities").inputValue(), "read");
    await page.getByLabel("Find a table").fill("rout");
    await page.getByLabel("guest on routes").selectOption("write");
    await page.getByText("guest: write on routes").waitFor();
    assert.deepEqual([await may("select"), await may("delete")], [true, true]);
    await shoot(page, "privileges");
    await page.getByLabel("guest on routes").selectOption("none");
    await page.getByText("guest: none on routes").waitFor();
    assert.equal(await may("select"), false);
    await done();
  });

  test("shows what a rule would change before it is saved, and saves all rules at once", async () => {
    const { page, done } = await at.visit("/access/rules");
    await page.getByText("There is no rule").waitFor();
    const add = async (fill: () => Promise<unknown>): Promise<void> => {
      await page.getByRole("button", { name: "Add a rule" }).click();
      await page.getByRole("dialog").getByLabel("Account", { exact: true }).fill("gest");
      await page.getByRole("dialog").getByText("There is no account gest.").waitFor(); // as it is typed
      await page.getByRole("dialog").getByLabel("Table", { exact: true }).fill("x");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByRole("dialog").getByRole("alert").getByText("There is no account gest.").waitFor();
      await page.getByRole("dialog").getByLabel("Account", { exact: true }).fill("guest");
      assert.equal(await page.getByRole("dialog").locator("[aria-invalid]").count(), 0);
      await page.getByRole("dialog").getByLabel("Schema", { exact: true }).fill("world");
      await page.getByRole("dialog").getByLabel("Table", { exact: true }).fill("citiez");
      await page.getByRole("dialog").getByText("There is no table citiez.").waitFor();
      await page.getByRole("dialog").getByLabel("Schema", { exact: true }).fill("*");
      await page.getByRole("dialog").getByLabel("Table", { exact: true }).fill("cities");
      await fill();
      await page.getByRole("button", { name: "Add", exact: true }).click();
    };
    await add(async () => {
      await page.getByRole("dialog").getByLabel("Access", { exact: true }).selectOption("limit");
      await page.getByLabel("Filter").fill("id <= 10");
    });
    await page.getByText("Not saved yet").waitFor();
    const ask = async (): Promise<void> => {
      await page.getByLabel("Account", { exact: true }).selectOption("guest");
      await page.getByLabel("Table", { exact: true }).selectOption("cities");
      await page.getByRole("button", { name: "Try" }).click();
    };
    await ask();
    await page
      .getByRole("status")
      .getByText(/with these rules it would see 10 rows\./)
      .waitFor();
    await page.getByRole("cell", { name: "limit by rule 1", exact: true }).first().waitFor();
    await shoot(page, "rules");
    assert.deepEqual(await rules(), [], "nothing holds before it is saved");
    await page.getByRole("button", { name: "Save the rules" }).click();
    await page.getByRole("button", { name: "Save the rules" }).waitFor({ state: "detached" });
    assert.deepEqual(await rules(), [{ username: "guest", access: "limit", table: "cities", filter: "id <= 10" }]);

    await add(() => page.getByLabel("Filter").count());
    await page.getByRole("button", { name: "Save the rules" }).click();
    await page.getByRole("button", { name: "Save the rules" }).waitFor({ state: "detached" });
    assert.deepEqual(
      (await rules()).map(({ access }) => access),
      ["limit", "deny"],
    );
    const list = page.getByRole("list", { name: "Rules in their order" }).getByRole("listitem");
    await list.nth(1).dragTo(list.nth(0));
    assert.match(await list.nth(0).innerText(), /^deny/);
    await ask();
    await page.getByRole("status").getByText("It sees 10 rows; with these rules it would see 0 rows.").waitFor();
    assert.deepEqual(
      (await rules()).map(({ access }) => access),
      ["limit", "deny"],
    );
    await page.getByRole("button", { name: "Save the rules" }).click();
    await page.getByRole("button", { name: "Save the rules" }).waitFor({ state: "detached" });
    assert.deepEqual(
      (await rules()).map(({ access }) => access),
      ["deny", "limit"],
    );
    await done();
  });

  test("moves, changes and removes rules by keyboard, discards unsaved changes, and keeps them if they are refused", async () => {
    const { page } = await at.visit("/access/rules");
    const before = await rules();
    const list = page.getByRole("list", { name: "Rules in their order" }).getByRole("listitem");
    await list.nth(0).getByRole("button", { name: /^Down/ }).press("Enter");
    assert.match(await list.nth(0).innerText(), /^limit/);
    await page.getByRole("button", { name: "Discard" }).press("Enter");
    assert.match(await list.nth(0).innerText(), /^deny/);
    await list
      .nth(1)
      .getByRole("button", { name: /^Change/ })
      .press("Enter");
    await page.getByLabel("Filter").fill("nothing = 1");
    await page.getByLabel("Filter").press("Tab");
    await page.getByRole("button", { name: "Change", exact: true }).last().press("Enter");
    await page.getByRole("button", { name: "Save the rules" }).press("Enter");
    await page.getByRole("alert").getByText("nothing").waitFor();
    assert.deepEqual(await rules(), before);
    await page.getByText("Not saved yet").waitFor();
    for (let left = before.length; left > 0; left--)
      await list
        .nth(0)
        .getByRole("button", { name: /^Remove/ })
        .press("Enter");
    await page.getByRole("button", { name: "Save the rules" }).press("Enter");
    await until(async () => (await rules()).length === 0);
    await page.context().close();
  });

  test("sees as another account, through an interface, from an address", async () => {
    await at.rows(
      `select portolan.create_rule('{"username": "guest", "table": "cities", "service": "ogc", "iprange": "10.0.0.0/8", "access": "deny"}')`,
    );
    const { page } = await at.visit("/access/see");
    await page.getByLabel("Account").selectOption("guest");
    await page.getByLabel("Table", { exact: true }).selectOption("cities");
    await page.getByRole("button", { name: "See" }).click();
    await page
      .getByRole("status")
      .getByText(/^guest sees \d{3} rows with id, name/)
      .waitFor();
    await page.getByText("The keys of the first 100").click();
    await page.locator(".keys").getByText("1", { exact: true }).waitFor();
    await page.getByLabel("Interface").selectOption("ogc");
    await page.getByLabel("Address").fill("10.1.2.3");
    await page.getByRole("button", { name: "See" }).click();
    await page.getByRole("status").getByText("guest sees 0 rows.").waitFor();
    await page.getByText(/^select deny by rule \d+$/).waitFor();
    await shoot(page, "see");
    await page.getByLabel("Address").fill("nowhere");
    await page.getByRole("button", { name: "See" }).click();
    await page.getByRole("alert").waitFor();
    assert.equal(
      (
        await at.rows(
          "select count(*)::int from portolan.audit where event = 'access.explained' and account = 'guest' and details ->> 'ip' = '10.1.2.3'",
        )
      )[0].count,
      1,
    );
    await page.context().close();
  });

  test("adds a client, shows its secret once, renews it and removes it", async () => {
    const { page, done } = await at.visit("/access/clients");
    await page.getByRole("button", { name: "Add a client" }).click();
    await page.getByLabel("Id", { exact: true }).fill("portal");
    await page.getByLabel("Name", { exact: true }).fill("The portal");
    await page.getByLabel("Redirect URIs").fill("https://example.org/a\nhttps://example.org/b");
    await page.getByRole("checkbox", { name: /^Public/ }).uncheck();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const first = await page.getByRole("textbox", { name: "Secret" }).inputValue();
    assert.match(first, /^\S{20,}$/);
    const isWhole = (input: Element) => input.scrollWidth <= input.clientWidth;
    assert.ok(await page.getByRole("textbox", { name: "Secret" }).evaluate(isWhole), "all of it is in sight");
    await page.getByRole("button", { name: "Close" }).click();
    assert.equal(await page.getByText(first).count(), 0);
    assert.deepEqual(await at.rows("select name, redirect_uri, public from portolan.clients where id = 'portal'"), [
      { name: "The portal", redirect_uri: ["https://example.org/a", "https://example.org/b"], public: false },
    ]);
    await page.getByRole("button", { name: "New secret: portal" }).click();
    await page.getByRole("button", { name: "Create new secret" }).click();
    assert.notEqual(await page.getByRole("textbox", { name: "Secret" }).inputValue(), first);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Change: portal" }).click();
    await page.getByText("How it proves who it is").click();
    await page.getByLabel("Authentication").selectOption("private_key_jwt");
    await page.getByLabel("Public keys", { exact: true }).fill('{"keys": [');
    await page.getByRole("checkbox", { name: /must push/i }).check();
    await page.getByText("Signing people in").click();
    await page.getByLabel("Addresses after a sign-out").fill("https://example.org/bye");
    await shoot(page, "client");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The public keys are not JSON.").waitFor();
    const keys = { keys: [{ kty: "EC", crv: "P-256", x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0" }] }; // prettier-ignore
    await page.getByLabel("Public keys", { exact: true }).fill(JSON.stringify(keys));
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("has a key").waitFor();
    assert.deepEqual(
      await at.rows(`select token_endpoint_auth_method as method, jwks, require_par as par, post_logout_redirect_uris as bye,
 redirect_uri from portolan.clients where id = 'portal'`),
      [
        {
          method: "private_key_jwt",
          jwks: keys,
          par: true,
          bye: ["https://example.org/bye"],
          redirect_uri: ["https://example.org/a", "https://example.org/b"],
        },
      ],
    );
    await page.getByRole("button", { name: "Remove: portal" }).click();
    await page.getByRole("button", { name: "Remove portal" }).click();
    await page.getByRole("rowheader", { name: "portal" }).waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select from portolan.clients where id = 'portal'"), []);
    await page.getByRole("button", { name: "Change: portolan-console" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /^Remove: portolan-/ }).count(), 0);
    await done();
  });

  /** The members that REST takes in a body, but those that it ignores. */
  async function membersOf(schema: string): Promise<readonly string[]> {
    const { body } = await at.gateway.http.get("/api/v4/openapi.json").expect(200);
    const members: Record<string, { deprecated?: boolean }> = body.components.schemas[schema].properties;
    return Object.keys(members)
      .filter((name) => !members[name]!.deprecated)
      .toSorted();
  }

  /** The members that the open dialog has a field for, with all its sections open. */
  async function fieldsOf(page: Page): Promise<readonly string[]> {
    const dialog = page.getByRole("dialog");
    const closed = dialog.locator("details:not([open]) > summary");
    while ((await closed.count()) > 0) await closed.first().click();
    const names = await dialog
      .locator("input, select, textarea")
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).name));
    return [...new Set(names)].toSorted();
  }

  it("has a field for each member that REST takes of an account and of a client", async () => {
    const { page, done } = await at.visit("/access");
    await page.getByRole("button", { name: "Add an account" }).click();
    await page.getByLabel("Super user: every right").check();
    assert.deepEqual(await fieldsOf(page), await membersOf("NewUser"));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Change captain" }).click();
    assert.deepEqual(
      await fieldsOf(page),
      (await membersOf("UserChange")).filter((name) => name !== "current_password"), // a super user needs none
    );
    await page.keyboard.press("Escape");

    await follow(page.getByRole("link", { name: "Clients" }));
    for (const [button, schema] of [
      ["Add a client", "NewClient"],
      ["Change: portolan-cli", "ClientChange"],
    ] as const) {
      await page.getByRole("button", { name: button }).click();
      await fieldsOf(page);
      await page.getByRole("checkbox", { name: /^Public/ }).uncheck();
      await page.getByRole("checkbox", { name: /an account of its own/ }).check();
      await page.getByLabel("Authentication").selectOption("private_key_jwt");
      assert.deepEqual(await fieldsOf(page), await membersOf(schema));
      assert.deepEqual(await violationsOf(page), {});
      await page.keyboard.press("Escape");
    }
    await done();
  });

  test("sets every member of a client, and sends only the changed ones", async () => {
    await at.rows("select portolan.create_user('robot', 'robot')");
    const { page, done } = await at.visit("/access/clients");
    await page.getByRole("button", { name: "Add a client" }).click();
    await page.getByLabel("Id", { exact: true }).fill("fleet");
    await page.getByLabel("Name", { exact: true }).fill("The fleet");
    await page.getByRole("checkbox", { name: /^Public/ }).uncheck();
    await fieldsOf(page);
    await page.getByLabel("Its own page").fill("https://fleet.example.org/");
    await page.getByLabel("Description").fill("Where the ships are");
    await page.getByRole("checkbox", { name: "People are asked whether they agree" }).uncheck();
    await page.getByRole("checkbox", { name: /device_code/ }).uncheck();
    await page.getByRole("checkbox", { name: /client_credentials/ }).check();
    await page.getByLabel("Acts as the account").fill("nobody");
    await page.getByRole("checkbox", { name: /^Old refresh tokens stay valid/ }).check();
    await page.getByLabel("Authentication").selectOption("private_key_jwt");
    await page.getByLabel("Address of its public keys").fill("https://fleet.example.org/keys");
    await page.getByLabel("It signs by").selectOption("PS256");
    await page.getByLabel("Address of its sector").fill("https://fleet.example.org/sector");
    await page.getByLabel("Access token").fill("600");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("alert").getByText('there is no account "nobody"').waitFor();
    await page.getByLabel("Acts as the account").fill("robot");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const fleet = (): Promise<unknown> =>
      at.rows(`
select homepage, description, confirm, grants, account, refresh_reuse, token_endpoint_auth_signing_alg as alg,
  sector_identifier_uri as sector, access_token_lifetime_seconds as seconds, disabled, name
from portolan.clients where id = 'fleet'`);
    const made = {
      homepage: "https://fleet.example.org/",
      description: "Where the ships are",
      confirm: false,
      grants: ["authorization_code", "refresh_token", "client_credentials"],
      account: "robot",
      refresh_reuse: "allow",
      alg: "PS256",
      sector: "https://fleet.example.org/sector",
      seconds: 600,
      disabled: false,
      name: "The fleet",
    };
    assert.deepEqual(await fleet(), [made]);

    await page.getByRole("button", { name: "Change: fleet" }).click();
    await at.rows("update portolan.clients set name = 'Renamed meanwhile' where id = 'fleet'");
    await fieldsOf(page);
    await page.getByLabel("Description").fill("");
    await page.getByRole("checkbox", { name: /^Disabled/ }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.deepEqual(await fleet(), [{ ...made, description: null, disabled: true, name: "Renamed meanwhile" }]);
    await done(400);
    await at.rows("delete from portolan.clients where id = 'fleet' returning id");
    await at.rows("select portolan.drop_user('robot')");
  });

  for (const [name, colorScheme, width, locale] of [
    ["light", "light", 1440, "en-US"],
    ["dark", "dark", 1440, "en-US"],
    ["narrow", "light", 390, "de-AT"],
  ] as const)
    it(`shows the whole form of a client without scrolling sideways, and axe finds nothing: ${name}`, async () => {
      const { page, done } = await at.visit("/access/clients", { width, height: 2400, locale });
      await page.emulateMedia({ colorScheme });
      await page.getByRole("button", { name: /^(Add a client|Client hinzufügen)$/ }).click();
      await page.locator("dialog input[name=public]").uncheck();
      await fieldsOf(page);
      await page.locator("dialog select[name=token_endpoint_auth_method]").selectOption("private_key_jwt");
      await page.locator("dialog input[name=grants]").nth(4).check();
      await shoot(page, `client-form-${name}`);
      assert.deepEqual(await violationsOf(page), {});
      const isWide = (dialog: Element) => dialog.scrollWidth > dialog.clientWidth;
      assert.equal(await page.getByRole("dialog").evaluate(isWide), false);
      await done();
    });

  test("shows the linked sign-ins of an account, unlinks one, and links a job", async () => {
    await at.rows(`insert into portolan.identities (user_name, provider, issuer, subject, email)
values ('guest', 'company', 'https://id.example.org', '1', 'guest@example.org')`);
    const { page, done } = await at.visit("/access/accounts/guest");
    await page.getByText("guest@example.org").waitFor();
    await page.getByRole("button", { name: "Unlink company" }).click();
    await page.getByRole("button", { name: "Unlink company" }).waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select details from portolan.audit where event = 'identity.removed'"), [
      { details: { by: "captain", provider: "company" } },
    ]);
    await page.getByRole("button", { name: "Link a person or job" }).click();
    await page.getByLabel("Issuer").fill("https://ci.example.org");
    await page.getByLabel("Subject").fill("nightly");
    await page.getByRole("button", { name: "Link it" }).click();
    await page.getByRole("button", { name: "Unlink ci.example.org" }).waitFor();
    assert.deepEqual(await at.rows("select user_name, issuer, subject from portolan.identities"), [
      { user_name: "guest", issuer: "https://ci.example.org", subject: "nightly" },
    ]);
    await done();
  });

  test("shows an account's second factors and consents, removes both, and shows how the account signs in", async () => {
    await at.rows(`
insert into portolan.factors (user_name, kind, name, secret, last_step) values ('guest', 'totp', 'Phone', 'JBSWY3DPEHPK3PXP', 0);
select portolan.create_client('atlas', 'Harbour Atlas', array['https://atlas.example.org/']);
insert into portolan.consents (user_name, client_id, scopes) values ('guest', 'atlas', '{openid}')`);
    const { page, done } = await at.visit("/access/accounts/guest");
    await page.getByText("Authenticator app, since").waitFor();
    await shoot(page, "account-factors");
    await page.getByRole("button", { name: "Reset the factors" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
    await page.getByText("Authenticator app, since").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Take back Harbour Atlas" }).click();
    await page.getByRole("heading", { name: "Allowed applications" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Change guest" }).click();
    await page.getByText("Signing in", { exact: true }).click();
    await page.getByLabel("It must have a second factor").check();
    await shoot(page, "account-change");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.deepEqual(
      await at.rows(`
select two_factor, default_user, (select count(*)::int from portolan.factors f where f.user_name = u.name) as factors,
  (select count(*)::int from portolan.consents c where c.user_name = u.name) as consents
from portolan.users u where name = 'guest'`),
      [{ two_factor: true, default_user: false, factors: 0, consents: 0 }],
    );
    await at.rows("update portolan.users set two_factor = false where name = 'guest'");
    await done();
  });

  test("makes a registration token, shows it once, shows its remaining uses, and revokes it", async () => {
    const { page, done } = await at.visit("/access/clients");
    await page.getByRole("button", { name: "Let clients register" }).click();
    await page.getByRole("spinbutton", { name: "Clients" }).fill("3");
    await page.getByLabel("Members of each client").fill("no JSON");
    await page.getByRole("button", { name: "Make" }).click();
    await page.getByText("The members are not JSON.").waitFor();
    await page.getByLabel("Members of each client").fill('{"confirm": false}');
    await page.getByRole("button", { name: "Make" }).click();
    assert.match(await page.getByRole("textbox", { name: "Token" }).inputValue(), /^\S{20,}$/);
    await page.getByRole("button", { name: "Close" }).click();
    assert.deepEqual(await at.rows("select uses_left, members from portolan.registration_tokens"), [
      { uses_left: 3, members: { confirm: false } },
    ]);
    const tokens = page.getByRole("region", { name: "Tokens with which clients register" });
    assert.match(await tokens.getByRole("row").nth(1).innerText(), /^captain[^]*3[^]*\{"confirm":false\}/);
    await shoot(page, "registration-tokens");
    await tokens.getByRole("button", { name: /^End the token of captain/ }).click();
    await tokens.waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select from portolan.registration_tokens"), []);
    await done();
  });

  test("shows the connected agents and the requests of one, and ends its connection", async () => {
    const agent = await connectAgent(at.gateway, "guest", { scope: "" });
    await agent.call("read", { table: "world.areas", limit: 1 });
    await agent.refused("sql", { sql: "select * from portolan.users" });
    const { page, done } = await at.visit("/access/agents");
    const row = page.getByRole("row").filter({ hasText: "test 1" });
    assert.match(await row.innerText(), /reads for guest[^]*2, 1 refused[^]*sql/);
    await follow(row.getByRole("link", { name: /^What .* of guest asked$/ }));
    await page.getByText("tools/call read world.areas").waitFor();
    await page.getByRole("row").filter({ hasText: "tools/call sql" }).getByText("FORBIDDEN").waitFor();
    await shoot(page, "agent");
    await follow(page.getByRole("link", { name: "All agents" }));
    await row.getByRole("button", { name: /^End / }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End it" }).click();
    await page.getByText("No agent is connected.").waitFor();
    await until(() =>
      agent.call("describe").then(
        () => false,
        () => true,
      ),
    );
    assert.deepEqual(await at.rows("select account, client_id from portolan.audit where event = 'agent.ended'"), [
      { account: "guest", client_id: "portolan-cli" },
    ]);
    await agent.close().catch(() => undefined);
    await done();
  });

  it("is not for those who are no super users", async () => {
    const { page, done } = await at.visit("/access/rules", { account: "guest" });
    await page.getByText("This is for super users, and guest is not one.").waitFor();
    assert.equal(await page.getByRole("link", { name: "Access" }).count(), 0);
    await done();
  });

  test("adds and removes an account with the keys alone, and never loses the focus", async () => {
    const { page, done } = await at.visit("/access");
    const add = page.getByRole("button", { name: "Add an account" });
    await tabTo(page, add);
    await page.keyboard.press("Enter");
    await focused(page.getByRole("dialog").getByRole("textbox").first());
    await page.keyboard.type("keyed");
    await page.keyboard.press("Enter");
    await page.getByRole("rowheader", { name: "keyed" }).waitFor();
    await focused(add);
    assert.equal((await at.rows("select from portolan.users where name = 'keyed'")).length, 1);
    await tabTo(page, page.getByRole("button", { name: "Remove keyed" }));
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await focused(dialog.getByRole("button", { name: "Cancel" }));
    await page.keyboard.press("Enter");
    await focused(page.getByRole("button", { name: "Remove keyed" })); // it is there: Enter alone removes nothing
    await page.keyboard.press("Enter");
    await tabTo(page, dialog.getByRole("button", { name: "Remove keyed" }));
    await page.keyboard.press("Enter");
    await page.getByRole("rowheader", { name: "keyed" }).waitFor({ state: "detached" });
    await focused(page.getByRole("region", { name: "All accounts" })); // the button went with the account
    assert.equal((await at.rows("select from portolan.users where name = 'keyed'")).length, 0);
    await done();
  });
});
