/**
 * What the console writes, by a form, a button or a choice, while the network is away, and where an answer is lost: it says
 * so, keeps what was typed, and writes it once.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page, Request, Route } from "playwright-core";
import pg from "pg";
import { connectAgent } from "../support/agent.ts";
import { until } from "../support/until.ts";
import { site, write, type Site, type Visit } from "./support.ts";

const CONSOLE = join(import.meta.dirname, "../../console/src");

interface Write {
  /** The calls in the console's source that it makes. */
  readonly calls: readonly string[];
  /** Below `/console`. */
  readonly path: string;
  /** Makes what the page shows. Returns what takes it away again. */
  readonly prepare?: (at: Site) => Promise<() => Promise<unknown>>;
  /** Goes to where the button is, and types what is to be kept. */
  readonly open?: (page: Page) => Promise<void>;
  readonly button: (page: Page) => Locator;
  /** Uses the button. Default: a click. */
  readonly press?: (button: Locator) => Promise<unknown>;
  /** What the database holds; of something else once it is written. */
  readonly written: string;
  /** The request whose answer is lost. Default: the first that writes. */
  readonly lost?: RegExp;
  /** Fields that keep what was typed, by their label. */
  readonly typed?: Readonly<Record<string, string>>;
  /** Whether its list is read after an error, too: the button is gone once it is written. Default false. */
  readonly isReadAgain?: true;
}

const dialogOf = (page: Page): Locator => page.getByRole("dialog");
const named = (page: Page | Locator, name: string): Locator => page.getByRole("button", { name, exact: true });

/** Previews and queries of GraphQL are sent by POST too. */
function isWrite(request: Request): boolean {
  const url = request.url();
  if (request.method() === "GET" || !url.includes("/api/") || /\/dry$|[?&]dry=true/.test(url)) return false;
  return !url.includes("/graphql/") || (request.postData() ?? "").includes("mutation");
}

/** A form that a button opens, with its fields by their labels. */
function form(
  open: string,
  typed: Readonly<Record<string, string>>,
  send: string,
): Omit<Write, "calls" | "path" | "written"> {
  return {
    typed,
    async open(page) {
      await named(page, open).click();
      for (const [label, text] of Object.entries(typed))
        await dialogOf(page).getByLabel(label, { exact: true }).fill(text);
    },
    button: (page) => named(dialogOf(page), send),
  };
}

const SAVED = ["service/saved.ts: POST `/${plural}`"];
const CHANGED = "service/tables/schemas.ts: send(method, path, body)";

const WRITES: readonly Write[] = [
  {
    calls: ['areas/access/AccountDialog.tsx: POST "/users"'],
    path: "/access",
    ...form("Add an account", { Name: "away" }, "Add"),
    written: "select count(*)::int from portolan.users where name = 'away'",
  },
  {
    calls: ['areas/access/ClientDialog.tsx: POST "/clients"'],
    path: "/access/clients",
    ...form("Add a client", { Id: "away", Name: "Away", "Redirect URIs": "https://example.org/a" }, "Add"),
    written: "select count(*)::int from portolan.clients where id = 'away'",
  },
  {
    calls: SAVED,
    path: "/dashboards",
    ...form("New dashboard", { Name: "away" }, "Make it"),
    written: "select count(*)::int from portolan.dashboards where name = 'away'",
  },
  {
    calls: SAVED,
    path: "/data/world/areas",
    ...form("Views", { Title: "Away" }, "Save"),
    written: "select count(*)::int from portolan.views where title = 'Away'",
  },
  {
    calls: ["service/rows/rows.ts: mutation"],
    path: "/data/yards/cranes",
    ...form("Add a row", { id: "7" }, "Add"),
    written: "select count(*)::int from yards.cranes where id = 7",
  },
  {
    calls: ['ui/forms/NewMethodDialog.tsx: POST "/methods"'],
    path: "/methods",
    ...form("Write a method", { Name: "away" }, "Create method"),
    written: "select count(*)::int from portolan.methods where method = 'away'",
  },
  {
    calls: ['service/maps.ts: POST "/maps"'],
    path: "/workspace?layer=world.cities",
    ...form("Save …", { Name: "away" }, "Save"),
    written: "select count(*)::int from portolan.maps where name = 'away'",
  },
  {
    calls: [CHANGED],
    path: "/schema",
    ...form("New table", { Name: "away" }, "Create table"),
    written: "select count(*)::int from pg_class where relname = 'away'",
  },
  {
    calls: [CHANGED],
    path: "/schema/yards/cranes",
    async open(page) {
      await named(page, "Add an index").click();
      await dialogOf(page).getByLabel("reach", { exact: true }).check();
      await dialogOf(page).getByText("(reach)").waitFor();
    },
    button: (page) => named(dialogOf(page), "Create index"),
    written: "select count(*)::int from pg_indexes where tablename = 'cranes'",
  },
  {
    calls: ["service/rows/comments.ts: POST COMMENTS"],
    path: "/data/yards/cranes",
    typed: { Comment: "Is it away?" },
    async open(page) {
      await page.getByRole("checkbox", { name: "Choose row 1", exact: true }).check();
      await page.getByRole("button", { name: "Comments" }).click();
      await dialogOf(page).getByLabel("Comment", { exact: true }).fill("Is it away?");
    },
    button: (page) => named(dialogOf(page), "Add the comment"),
    written: "select count(*)::int from portolan.row_comments where body = 'Is it away?'",
  },
  {
    calls: ["service/tables/imports.ts: XMLHttpRequest"],
    path: "/import/yards/cranes",
    async open(page) {
      const buffer = Buffer.from("id,reach\n20,1\n21,2\n");
      await page.getByLabel("File", { exact: true }).setInputFiles({ name: "away.csv", mimeType: "text/csv", buffer });
    },
    button: (page) => named(page.getByRole("main"), "Import"),
    written: "select count(*)::int from yards.cranes where id >= 20",
  },
  {
    calls: ["service/tables/imports.ts: XMLHttpRequest", CHANGED],
    path: "/import/world",
    typed: { "Name of the table": "away_too" },
    async open(page) {
      const buffer = Buffer.from("reach\n1\n2\n");
      await page
        .getByLabel("File", { exact: true })
        .setInputFiles({ name: "away too.csv", mimeType: "text/csv", buffer });
      await page.getByLabel("Name of the table").waitFor();
    },
    button: (page) => named(page.getByRole("main"), "Make the table and import"),
    lost: /\/import\?/,
    written: `
select query_to_xml('select count(*) from ' || c.oid::regclass, false, false, '')::text as rows
from pg_class c where c.relname = 'away_too' and pg_relation_size(c.oid) > 0`,
  },
  {
    calls: ['service/access.ts: POST "/configuration"'],
    path: "/access/rules",
    async open(page) {
      await named(page, "Add a rule").click();
      await dialogOf(page).getByLabel("Account", { exact: true }).fill("guest");
      await dialogOf(page).getByLabel("Table", { exact: true }).fill("cranes");
      await named(dialogOf(page), "Add").click();
    },
    button: (page) => named(page, "Save the rules"),
    written: "select count(*)::int from portolan.rules",
  },
  {
    calls: ['service/configuration.ts: POST "/configuration"'],
    path: "/configuration",
    async open(page) {
      const document = { queries: { "away-too": { q: "select 1", title: "Away" } } };
      await page.getByLabel("The document, as JSON").fill(JSON.stringify(document));
      await named(page, "Compare").click();
    },
    button: (page) => named(page, "Apply 1 change"),
    written: "select count(*)::int from portolan.queries where name = 'away-too'",
  },
  {
    calls: ["service/workflow.ts: POST ROWS"],
    path: "/workflow/yards/sights?state=drafted",
    async open(page) {
      await named(page, "Choose all 1 shown").click();
      await named(page, "Publish 1").click();
    },
    button: (page) => named(dialogOf(page), "Publish 1 row"),
    written: "select portolan_status from yards.sights",
  },
  {
    calls: ['service/maps.ts: PATCH "/schemas/{schema}/tables/{table}/style"'],
    path: "/maps/world/cities",
    async open(page) {
      await named(page, "Add a class").click();
    },
    button: (page) => named(page, "Save the style"),
    written: "select portolan.style_of('world.cities')::text",
  },
  {
    calls: ['areas/account/Account.tsx: PATCH "/users/{names}"'],
    path: "/account",
    async open(page) {
      await page.getByRole("textbox", { name: "E-mail" }).fill("captain@example.org");
    },
    button: (page) => named(page.getByRole("region", { name: "E-mail" }), "Save"),
    written: "select email from portolan.users where name = 'captain'",
  },
  {
    calls: ["service/saved.ts: PATCH `/${plural}/${name}`"],
    path: "/dashboards/kept",
    ...form("Add a panel", { Title: "Away", SQL: "select 1 as n" }, "Save"),
    written: "select jsonb_array_length(panels::jsonb) from portolan.dashboards where name = 'kept'",
  },
  {
    calls: ['service/maps.ts: PATCH "/maps/{names}"'],
    path: "/workspace/kept",
    async open(page) {
      await named(page, "Share").click();
      await dialogOf(page).getByLabel("Everybody, also without an account").check();
    },
    button: (page) => named(dialogOf(page), "Save"),
    written: "select shared from portolan.maps where name = 'kept'",
  },
  {
    calls: ["service/sql/statements.ts: askOnce"],
    path: "/sql",
    open: (page) => write(page, "insert into yards.log (body) values ('by sql')"),
    button: (page) => named(page, "Run"),
    written: "select count(*)::int from yards.log where body = 'by sql'",
  },
  {
    calls: ["service/methods.ts: askOnce"],
    path: "/methods/note",
    button: (page) => named(page, "Run"),
    written: "select count(*)::int from yards.log where body = 'by a method'",
  },
  {
    calls: ["service/rows/replace.ts: POST REPLACE"],
    path: "/data/yards/log",
    async open(page) {
      await named(page, "Replace").click();
      await dialogOf(page).getByLabel("Find").fill("first");
      await dialogOf(page).getByLabel("Replace with").fill("first first");
      await named(dialogOf(page), "Preview").click();
    },
    button: (page) => named(dialogOf(page), "Replace in 1 row"),
    written: "select count(*)::int from yards.log where body = 'first first'",
  },
  {
    calls: ['areas/access/AccountDialog.tsx: PATCH "/users/{names}"'],
    path: "/access",
    ...form("Change gone", { "E-mail": "gone@example.org" }, "Save"),
    written: "select email from portolan.users where name = 'gone'",
  },
  {
    calls: ['areas/access/RegistrationDialog.tsx: POST "/registration-tokens"'],
    path: "/access/clients",
    ...form("Let clients register", { "Members of each client": '{"confirm": false}' }, "Make"),
    written: "select count(*)::int from portolan.registration_tokens",
  },
  {
    calls: ['areas/methods/MethodPage.tsx: PATCH "/methods/{names}"'],
    path: "/methods/note",
    async open(page) {
      await write(page, "select 2 as two");
      await page.getByText("Gives two: number").waitFor();
    },
    button: (page) => named(page, "Save"),
    written: "select q from portolan.methods where method = 'note'",
  },
  {
    calls: ["areas/access/RemoveDialog.tsx: DELETE path"],
    path: "/access",
    async open(page) {
      await named(page, "Remove gone").click();
    },
    button: (page) => dialogOf(page).getByRole("button", { name: /^Remove/ }),
    written: "select count(*)::int from portolan.users where name = 'gone'",
  },
  {
    calls: ['areas/access/AccountPage.tsx: DELETE "/users/{names}/lockout"'],
    path: "/access/accounts/shut",
    button: (page) => named(page, "Let it sign in at once"),
    written: "select count(*)::int from portolan.lockouts",
  },
  {
    calls: ['ui/lists/Factors.tsx: DELETE "/users/{names}/factors"'],
    path: "/access/accounts/shut",
    open: (page) => named(page, "Reset the factors").click(),
    button: (page) => named(dialogOf(page), "Reset"),
    written: "select count(*)::int from portolan.factors",
  },
  {
    calls: ['ui/lists/Consents.tsx: DELETE "/consents/{account}/{client}"'],
    path: "/access/accounts/shut",
    button: (page) => named(page, "Take back Portal"),
    written: "select count(*)::int from portolan.consents where user_name = 'shut'",
    isReadAgain: true,
  },
  {
    calls: ['ui/lists/Identities.tsx: DELETE "/identities/{id}"'],
    path: "/access/accounts/shut",
    button: (page) => named(page, "Unlink company"),
    written: "select count(*)::int from portolan.identities where user_name = 'shut'",
    isReadAgain: true,
  },
  {
    calls: ['areas/access/Clients.tsx: POST "/clients/{names}/secret"'],
    path: "/access/clients",
    open: (page) => named(page, "New secret: portal").click(),
    button: (page) => named(page, "Create new secret"),
    written: "select secret_hash from portolan.clients where id = 'portal'",
  },
  {
    calls: ['areas/access/RegistrationTokens.tsx: DELETE "/registration-tokens/{id}"'],
    path: "/access/clients",
    button: (page) => page.getByRole("button", { name: /^End the token of captain/ }),
    written: "select count(*)::int from portolan.registration_tokens",
    isReadAgain: true,
  },
  {
    calls: ['areas/methods/MethodPage.tsx: DELETE "/methods/{names}"'],
    path: "/methods/old",
    open: (page) => named(page, "Remove").click(),
    button: (page) => named(dialogOf(page), "Remove old"),
    written: "select count(*)::int from portolan.methods where method = 'old'",
  },
  {
    calls: ['service/maps.ts: DELETE "/maps/{names}"'],
    path: "/workspace/old",
    open: (page) => named(page, "Remove").click(),
    button: (page) => named(dialogOf(page), "Remove"),
    written: "select count(*)::int from portolan.maps where name = 'old'",
  },
  {
    calls: ["service/saved.ts: POST `/${kind}/${name}/restore`"],
    path: "/dashboards/kept",
    async open(page) {
      await named(page, "Versions").click();
      await named(page, "Compare version 1").click();
    },
    button: (page) => named(page, "Restore version 1"),
    written: "select version, panels from portolan.dashboards where name = 'kept'",
  },
  {
    calls: ["service/saved.ts: DELETE `/${plural}/${name}`"],
    path: "/dashboards/kept",
    open: (page) => named(page, "Remove").click(),
    button: (page) => named(dialogOf(page), "Remove"),
    written: "select count(*)::int from portolan.dashboards where name = 'kept'",
  },
  {
    calls: ["service/rows/comments.ts: DELETE COMMENT"],
    path: "/data/yards/cranes",
    async open(page) {
      await page.getByRole("checkbox", { name: "Choose row 1", exact: true }).check();
      await page.getByRole("button", { name: "Comments" }).click();
    },
    button: (page) => page.getByRole("button", { name: /^Remove the comment by captain/ }),
    written: "select count(*)::int from portolan.row_comments",
  },
  {
    calls: ['service/tables/imports.ts: POST "/schemas/{schema}/tables/{table}/undo"'],
    path: "/import/yards/buoys",
    async open(page) {
      const buffer = Buffer.from("id\n1\n2\n");
      await page.getByLabel("File", { exact: true }).setInputFiles({ name: "buoys.csv", mimeType: "text/csv", buffer });
      await named(page.getByRole("main"), "Import").click();
    },
    button: (page) => page.getByRole("button", { name: "Undo: delete these 2 rows" }),
    written: "select count(*)::int from yards.buoys",
  },
  {
    calls: ["service/tables/tableSettings.ts: PATCH `${tablePath(table)}/${name}`"],
    path: "/schema/yards/cranes",
    button: (page) => page.getByRole("checkbox", { name: /^Events/ }),
    written: "select count(*)::int from portolan.event_tables",
  },
  {
    calls: ['areas/access/AccountTools.tsx: POST "/users/{names}/invitation"'],
    path: "/access",
    button: (page) => named(page, "Make a link for kept"),
    written: "select count(*)::int from portolan.audit where event = 'user.invited'",
  },
  {
    calls: ['areas/account/Account.tsx: POST "/users/{name}/verification"'],
    path: "/account",
    button: (page) => named(page, "Verify the address"),
    written: "select count(*)::int from portolan.audit where event = 'email.asked'",
  },
  {
    calls: ['service/access.ts: PATCH "/schemas/{schema}/tables/{table}/privileges"'],
    path: "/access/privileges?schema=yards",
    button: (page) => page.getByLabel("kept on cranes"),
    press: (button) => button.selectOption("write"),
    written: "select has_table_privilege('kept@' || current_database(), 'yards.cranes', 'insert') as may_insert",
  },
  {
    calls: ['service/agents.ts: DELETE "/agents/{id}"'],
    path: "/access/agents",
    async prepare(at) {
      const agent = await connectAgent(at.gateway, "guest", { scope: "" });
      await agent.call("read", { table: "world.areas", limit: 1 });
      return () => agent.close().catch(() => undefined); // it is ended
    },
    open: (page) => page.getByRole("button", { name: /^End .* of guest$/ }).click(),
    button: (page) => named(dialogOf(page), "End it"),
    written: "select count(*)::int from portolan.audit where event = 'agent.ended'",
  },
  {
    calls: ['service/jobs.ts: DELETE "/jobs/{id}"'],
    path: "/schema/yards/heaps",
    async prepare(at) {
      await at.rows("begin; lock table yards.heaps in exclusive mode"); // nothing of the job can be done meanwhile
      return () => at.rows("rollback");
    },
    async open(page) {
      await page.getByRole("checkbox", { name: "History" }).and(page.locator('[aria-disabled="false"]')).check();
      await page.getByRole("progressbar").waitFor();
    },
    button: (page) => named(page, "Stop the history of yards.heaps"),
    written: "select count(*)::int from portolan.jobs where state = 'stopped' and kind = 'versioning'",
    isReadAgain: true,
  },
  {
    calls: ['service/jobs.ts: PATCH "/jobs/{id}"'],
    path: "",
    button: (page) => named(page, "Continue the history of yards.heaps"),
    written: "select count(*)::int from portolan.jobs where state = 'stopped' and kind = 'versioning'",
  },
  {
    calls: ['service/maps.ts: PATCH "/schemas/{schema}/tables/{table}/styles/{style}"'],
    path: "/maps/world/cities",
    button: (page) => named(page, "Make night the default"),
    written: "select name from portolan.list_styles('world.cities') where is_default",
  },
  {
    calls: ['service/operation.ts: DELETE "/statements/{pid}"'],
    path: "",
    async prepare(at) {
      const other = new pg.Client({ connectionString: at.gateway.database.url });
      await other.connect();
      const slow = other.query("/* slow */ select pg_sleep(600)").catch(() => undefined);
      const running = "select from pg_stat_activity where query like '/* slow%' and state = 'active'";
      await until(async () => (await at.rows(running)).length === 1);
      return async () => {
        await at.rows("select pg_cancel_backend(pid) from pg_stat_activity where query like '/* slow%'");
        await slow;
        await other.end();
      };
    },
    open: (page) =>
      page
        .getByRole("row")
        .filter({ hasText: "/* slow */" })
        .getByRole("button", { name: /^Cancel \d+$/ })
        .click(),
    button: (page) => named(dialogOf(page), "Cancel the statement"),
    written: "select count(*)::int from pg_stat_activity where query like '/* slow%' and state = 'active'",
  },
  {
    calls: ['service/pyramids.ts: POST "/pyramids"'],
    path: "/pyramids",
    typed: { Collection: "world.cities", "Last zoom": "24" }, // takes far longer than it takes to press a button
    async open(page) {
      await named(page, "Make a pyramid").click();
      await dialogOf(page).getByLabel("Collection").fill("world.cities");
      await dialogOf(page).getByLabel("Last zoom").fill("24");
      await dialogOf(page).getByLabel("For").selectOption("guest");
    },
    button: (page) => named(dialogOf(page), "Make it"),
    written: "select count(*)::int from portolan.pyramids",
  },
  {
    calls: ['service/pyramids.ts: DELETE "/jobs/{id}"'],
    path: "/pyramids",
    button: (page) => named(page, "Stop the pyramid of world.cities"),
    written: "select count(*)::int from portolan.jobs where state = 'stopped' and kind = 'tiles'",
    isReadAgain: true,
  },
  {
    calls: ['service/pyramids.ts: PATCH "/jobs/{id}"'],
    path: "/pyramids",
    button: (page) => named(page, "Continue the pyramid of world.cities"),
    written: "select count(*)::int from portolan.jobs where state = 'stopped' and kind = 'tiles'",
  },
  {
    calls: ['service/pyramids.ts: DELETE "/pyramids/{id}"'],
    path: "/pyramids",
    open: (page) => named(page, "Remove the pyramid of world.cities").click(),
    button: (page) => named(dialogOf(page), "Remove it"),
    written: "select count(*)::int from portolan.pyramids",
  },
  {
    calls: ['service/rows/history.ts: POST "/schemas/{schema}/tables/{table}/restore"'],
    path: "/history/yards/keels?key=1",
    async prepare(at) {
      await at.rows("update yards.keels set wood = 'elm'");
      return () => Promise.resolve();
    },
    async open(page) {
      const first = page.getByRole("dialog").getByRole("listitem").filter({ hasText: "oak" }).last();
      await first.getByRole("button", { name: /^Restore/ }).click();
    },
    button: (page) => named(page, "Restore the row 1"),
    written: "select wood from yards.keels",
  },
  {
    calls: ['ui/lists/Sessions.tsx: DELETE "/sessions/{id}"'],
    path: "/account",
    async prepare(at) {
      await at.rows(`
insert into portolan.sessions (hash, user_name, token_version, expires_at, agent)
select 'other', name, token_version, now() + interval '1 day', 'Firefox/1 on Linux' from portolan.users where name = 'captain'`);
      return () => at.rows("delete from portolan.sessions where hash = 'other'");
    },
    button: (page) => named(page, "End Firefox on Linux"),
    written: "select count(*)::int from portolan.sessions where hash = 'other'",
    isReadAgain: true,
  },
];

describe("the console, where the network fails", () => {
  const at = site({
    config: { mcp: true, smtpUrl: "log:" },
    prepare: ({ client, name }) =>
      client.query(`
create schema yards;
create table yards.cranes (id int primary key, reach int);
insert into yards.cranes values (1, 30);
create table yards.log (id int generated by default as identity primary key, body text);
insert into yards.log (body) values ('first');
create table yards.sights (id int primary key, body text);
select portolan.enable_workflow('yards.sights');
insert into yards.sights (id, body) values (1, 'new');
update yards.sights set portolan_status = -1 where id = 1;
insert into portolan.dashboards (name, owner) values ('kept', 'captain');
insert into portolan.maps (name, owner, layers, view) values
  ('kept', 'captain', '[{"collection": "world.cities"}]', '{"center": [0, 0], "zoom": 1}');
insert into portolan.methods (method, q, owner)
  values ('note', 'insert into yards.log (body) values (''by a method'')', 'captain');
select portolan.create_user('gone', null), portolan.create_user('shut', null),
  portolan.create_client('portal', 'Portal', array['https://portal.example.org/']);
insert into portolan.lockouts (key, user_name, locked_until) values ('away', 'shut', now() + interval '1 hour');
insert into portolan.factors (user_name, kind, name, secret, last_step) values ('shut', 'totp', 'Phone', 'JBSWY3DPEHPK3PXP', 0);
insert into portolan.consents (user_name, client_id, scopes) values ('shut', 'portal', '{openid}');
insert into portolan.identities (user_name, provider, issuer, subject) values ('shut', 'company', 'https://company.example.org', '1');
insert into portolan.methods (method, q, owner) values ('old', 'select 1', 'captain');
insert into portolan.maps (name, owner, layers) values ('old', 'captain', '[{"land": true}]');
select portolan.create_user('kept', null);
update portolan.users set email = 'c@example.org' where name = 'captain';
select portolan.set_style('world.cities', '[{"name": "Dark", "styles": [{"color": "#000000"}]}]', 'night');
create table yards.heaps (id int primary key); -- so many rows that their history is begun by a job
insert into yards.heaps select generate_series(1, 100001);
analyze yards.heaps;
create table yards.keels (id int primary key, wood text);
insert into yards.keels values (1, 'oak');
select portolan.enable_versioning('yards.keels');
select pg_sleep(1.1); -- an instant of a page is told to the second
create table yards.buoys (id int primary key);
select portolan.enable_versioning('yards.buoys');
do $$ declare t regclass; begin
  foreach t in array array['yards.cranes', 'yards.log', 'yards.sights', 'yards.buoys', 'yards.heaps', 'yards.keels']::regclass[] loop
    execute format('alter table %s owner to %I', t, 'owner@${name}');
  end loop;
end $$`),
  });
  let visit: Visit | undefined;
  const held = async (text: string) => JSON.stringify(await at.rows(text));

  beforeEach(async () => {
    if (visit?.page.isClosed() === false) return;
    visit = await at.visit(""); // a failed test closes its page
  });
  after(() => visit?.page.context().close());

  for (const tried of WRITES)
    it(`${tried.path}: ${tried.calls[0]}`, async () => {
      const end = await tried.prepare?.(at);
      try {
        await tryWrite(tried);
      } finally {
        await end?.();
      }
    });

  async function tryWrite({ path, open, button, written, typed = {}, isReadAgain, ...given }: Write): Promise<void> {
    const { lost = /\/api\//, press = (of) => of.click() } = given;
    const { page } = visit!;
    const context = page.context();
    await page.goto(`${at.gateway.baseUrl}/console${path}`);
    await open?.(page);
    await button(page).waitFor();
    const told = page.getByRole("alert").getByText("The service does not answer.");
    const isKept = async () => {
      for (const [label, text] of Object.entries(typed))
        assert.equal(await page.getByLabel(label, { exact: true }).first().inputValue(), text);
    };
    const before = await held(written);

    await context.setOffline(true);
    await press(button(page));
    await told.first().waitFor();
    await isKept();
    assert.equal(await held(written), before, "nothing is written without a network");
    await context.setOffline(false);

    // the write arrives, and its answer is lost
    const cut = Promise.withResolvers<void>();
    await page.route(lost, async (route: Route) => {
      if (!isWrite(route.request())) return route.continue();
      await route.fetch();
      await route.abort("connectionreset");
      cut.resolve();
    });
    await press(button(page));
    await cut.promise;
    await told.first().waitFor();
    await isKept();
    await page.unroute(lost);
    const after = await held(written);
    assert.notEqual(after, before, "it is written");

    if (isReadAgain) return button(page).waitFor({ state: "detached" });
    const again = page.waitForResponse((response) => isWrite(response.request()));
    await press(button(page));
    await again;
    await until(async () => (await told.count()) === 0); // a list that could not be read tells of it too, until it is read
    assert.equal(await held(written), after, "it is written once");
  }

  it("is tried for every call of the console that writes", () => {
    const known = [...WRITES.flatMap(({ calls }) => calls), ...ELSEWHERE, ...READS];
    assert.deepEqual(callsOf(), [...new Set(known)].toSorted());
  });
});

/** Tried in data.test.ts and mapEditing.test.ts, or the dialog of another call that is tried. */
const ELSEWHERE = [
  'areas/access/ClientDialog.tsx: PATCH "/clients/{names}"',
  "areas/workspace/edit/editRows.ts: mutation",
  'service/maps.ts: POST "/schemas/{schema}/tables/{table}/styles"',
  "service/rows/bulk.ts: mutation",
  "service/rows/comments.ts: PATCH COMMENT",
  "service/rows/writeCells.ts: mutation",
  'ui/lists/Identities.tsx: POST "/identities"',
];

const READS = [
  'service/access.ts: POST "/access/explain"',
  "areas/api/samples.ts: mutation",
  "service/documents.ts: askOnce",
];

/** The calls of the console's source that write: the file, and the call. */
function callsOf(): readonly string[] {
  const files = readdirSync(CONSOLE, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  const CALL =
    /\brest\.(POST|PUT|PATCH|DELETE)\(\s*([^,\s]+),|\bsend\("(\w+)", (`[^`]*`|\w+)|\b(send\(method, path, body\))|`(mutation) \(|(?<=await |return )(askOnce)\(|new (XMLHttpRequest)\(/g;
  const calls = files.flatMap((file) => {
    const text = readFileSync(join(CONSOLE, file), "utf8");
    return [...text.matchAll(CALL)].map((found) => `${file}: ${found.slice(1).filter(Boolean).join(" ")}`);
  });
  return [...new Set(calls)].toSorted();
}
