/**
 * Each REST operation that changes rights, visibility or issued access leaves one entry in the audit: who, before,
 * after. Its answer is as the OpenAPI document says.
 */
import assert from "node:assert/strict";
import pg from "pg";
import { methodsOf } from "../../server/kernel/http/routes.ts";
import { createApp, DOORS } from "../../server/app.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { createLog } from "../../server/ground/log.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { assertFits, type OpenapiDocument } from "./openapiAnswers.ts";
import { requestsAs, type Requests } from "./requests.ts";

/** Rows, files and queries: writes of rows are in the history of their tables. */
const NO_CHANGE = new Set([
  "POST /call",
  "POST /call/dry",
  "POST /sql",
  "POST /import/preview",
  "POST /schemas/{schema}/tables/{table}/import",
  "POST /schemas/{schema}/tables/{table}/restore",
  "POST /schemas/{schema}/tables/{table}/undo",
  "POST /schemas/{schema}/tables/{table}/rows",
  "POST /schemas/{schema}/tables/{table}/rows/replace",
]);

type Operation = readonly [
  route: string,
  body: unknown,
  event: string,
  named?: Readonly<Record<string, string | number>>,
];

const TABLE = "/schemas/{schema}/tables/{table}";
/** In an order in which each can follow the one before. */
const OPERATIONS: readonly Operation[] = [
  ["POST /users", { name: "eve", password: "a long secret" }, "user.created"],
  ["PATCH /users/{names}", { email: "eve@example.org" }, "user.changed"],
  ["POST /users/{names}/link", {}, "user.invited"],
  ["POST /users/{names}/invitation", {}, "user.invited"],
  ["POST /users/{name}/verification", undefined, "email.asked", { name: "eve" }],
  ["DELETE /users/{names}/lockout", undefined, "user.unlocked"],
  ["DELETE /users/{names}/factors", undefined, "factors.reset"],
  ["POST /identities", { account: "eve", issuer: "https://ci.example.org", subject: "nightly" }, "identity.added"],
  ["DELETE /identities/{id}", undefined, "identity.removed"],
  ["POST /clients", { id: "app", name: "App" }, "client.created"],
  ["PATCH /clients/{names}", { name: "The app" }, "client.changed", { names: "app" }],
  ["POST /clients/{names}/secret", undefined, "client.changed", { names: "app" }],
  ["POST /registration-tokens", {}, "registration_token.created"],
  ["DELETE /registration-tokens/{id}", undefined, "registration_token.removed"],
  ["DELETE /clients/{names}", undefined, "client.removed", { names: "app" }],
  ["POST /rules", { username: "eve", table: "cities", access: "deny" }, "rule.created"],
  ["PATCH /rules/{names}", { access: "allow" }, "rule.changed", { names: 1 }],
  ["DELETE /rules/{names}", undefined, "rule.removed", { names: 1 }],
  ["POST /access/explain", { account: "eve", relation: "world.cities" }, "access.explained"],
  ["POST /access/see", { account: "eve" }, "access.seen_as"],
  ["DELETE /access/see/{account}", undefined, "access.seen_as_ended", { account: "eve" }],
  ["POST /schemas/{schema}/types", { name: "depth", values: ["low"] }, "type.created"],
  ["PATCH /schemas/{schema}/types/{type}", { add: { value: "deep" } }, "type.changed"],
  ["DELETE /schemas/{schema}/types/{type}", undefined, "type.removed"],
  [
    "POST /schemas/{schema}/tables",
    { name: "berths", columns: [{ name: "id", type: "int" }, { name: "size", type: "int" }], key: ["id"] },
    "table.created",
  ], // oxfmt-ignore
  [`POST ${TABLE}/columns`, { name: "colour", type: "text" }, "table.changed"],
  [`PATCH ${TABLE}/columns/{column}`, { nullable: false }, "table.changed"],
  [`DELETE ${TABLE}/columns/{column}`, undefined, "table.changed"],
  [`POST ${TABLE}/indices`, { name: "by_size", columns: ["size"] }, "table.changed"],
  [`DELETE ${TABLE}/indices/{index}`, undefined, "table.changed"],
  [`POST ${TABLE}/constraints`, { kind: "unique", name: "one", columns: ["size"] }, "table.changed"],
  [`DELETE ${TABLE}/constraints/{constraint}`, undefined, "table.changed"],
  [`PUT ${TABLE}/comment`, { comment: "Of ships" }, "table.changed"],
  [`POST ${TABLE}/comments`, { key: "1", body: "Too small" }, "comment.created"],
  [`PATCH ${TABLE}/comments/{id}`, { body: "Large enough" }, "comment.changed"],
  [`DELETE ${TABLE}/comments/{id}`, undefined, "comment.removed"],
  [`PATCH ${TABLE}/privileges`, { subuser: "eve", privilege: "read" }, "privilege.created"],
  [`PATCH ${TABLE}/column-privileges`, { subuser: "eve", columns: { size: ["update"] } }, "column_privilege.changed"],
  [`PATCH ${TABLE}/authentication`, { level: "None" }, "authentication.created"],
  [`PATCH ${TABLE}/versioning`, { enabled: true }, "versioning.changed"],
  [`PATCH ${TABLE}/workflow`, { enabled: true }, "workflow.created"],
  [`POST ${TABLE}/workflow/rows`, { rows: [{ key: "1" }], to: "drafted" }, "workflow.drafted"],
  [`PATCH ${TABLE}/workflow`, { roles: [{ subuser: "eve", role: "author" }] }, "workflow_role.created"],
  [`PATCH ${TABLE}/events`, { enabled: true }, "events.created"],
  [`PATCH ${TABLE}`, { name: "quays" }, "table.changed"],
  [`DELETE ${TABLE}`, undefined, "table.removed", { table: "spare" }],
  [`PATCH ${TABLE}/style`, [{ name: "All", styles: [{ size: 3 }] }], "style.created", { table: "cities" }],
  [`POST ${TABLE}/styles`, { name: "night", classes: [{ name: "All" }] }, "style.created", { table: "cities" }],
  [`PATCH ${TABLE}/styles/{style}`, { default: true }, "style.changed", { table: "cities", style: "night" }],
  [`DELETE ${TABLE}/styles/{style}`, undefined, "style.removed", { table: "cities", style: "night" }],
  ["POST /methods", { method: "one", q: "select 1 as a" }, "method.created"],
  ["PATCH /methods/{names}", { description: "One" }, "method.changed", { names: "one" }],
  ["DELETE /methods/{names}", undefined, "method.removed", { names: "one" }],
  ["POST /queries", { name: "one", q: "select 1" }, "query.created"],
  ["PATCH /queries/{names}", { title: "One" }, "query.changed", { names: "one" }],
  ["POST /queries/{name}/restore", { version: 1 }, "query.changed", { name: "one" }],
  ["DELETE /queries/{names}", undefined, "query.removed", { names: "one" }],
  ["POST /dashboards", { name: "one", panels: [{ q: "select 1", show: "number" }] }, "dashboard.created"],
  ["PATCH /dashboards/{names}", { title: "One" }, "dashboard.changed", { names: "one" }],
  ["POST /dashboards/{name}/restore", { version: 1 }, "dashboard.changed", { name: "one" }],
  ["DELETE /dashboards/{names}", undefined, "dashboard.removed", { names: "one" }],
  ["POST /views", { name: "one", relation: "world.cities" }, "view.created"],
  ["PATCH /views/{names}", { title: "One" }, "view.changed", { names: "one" }],
  ["POST /views/{name}/restore", { version: 1 }, "view.changed", { name: "one" }],
  ["DELETE /views/{names}", undefined, "view.removed", { names: "one" }],
  ["POST /maps", { name: "one", layers: [{ land: true }] }, "map.created"],
  ["PATCH /maps/{names}", { title: "One" }, "map.changed", { names: "one" }],
  ["POST /maps/{name}/restore", { version: 1 }, "map.changed", { name: "one" }],
  ["DELETE /maps/{names}", undefined, "map.removed", { names: "one" }],
  ["POST /configuration", { accounts: { eve: { email: null } } }, "user.changed"],
  ["POST /pyramids", { collection: "world.cities", last_zoom: 1 }, "tiles.seeded"],
  ["DELETE /pyramids/{id}", undefined, "tiles.dropped"],
  ["DELETE /jobs/{id}", undefined, "job.changed"],
  ["PATCH /jobs/{id}", { state: "queued" }, "job.changed"],
  ["DELETE /sessions/{id}", undefined, "session.ended"],
  ["DELETE /agents/{id}", undefined, "agent.ended"],
  ["DELETE /consents/{account}/{client}", undefined, "consent.withdrawn", { account: "guest", client: "gc2-cli" }],
  ["DELETE /statements/{pid}", undefined, "statement.cancelled"],
  ["DELETE /users/{names}", undefined, "user.removed"],
];
/**
 * Operations of rasters need a folder, and the database's own triggers record them: audit.test.ts. Those of shards need Citus:
 * test/citus.
 */
const ELSEWHERE = [`PATCH ${TABLE}/shards`, "POST /rasters", "PATCH /rasters/{names}", "DELETE /rasters/{names}"];
/** Entries without before and after, since no state changed: a query, a link, something that was ended. */
const WITHOUT =
  /^(access\.(explained|seen_as|seen_as_ended)|user\.(invited|unlocked)|(session|agent)\.ended|consent\.withdrawn|statement\.cancelled|workflow\.drafted|email\.asked|factors\.reset|identity\.(added|removed)|registration_token\.(created|removed))$/;

describe("the audit has each operation of REST once", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let document: OpenapiDocument;
  const query = async (text: string) => (await gateway.database.client.query<Record<string, unknown>>(text)).rows;
  /** What the paths name. */
  const NAMED: Record<string, string | number> = {
    names: "eve",
    schema: "world",
    table: "berths",
    column: "colour",
    index: "by_size",
    constraint: "one",
    type: "depth",
  };

  before(async () => {
    gateway = await testGateway({
      config: { smtpUrl: "log:", logLevel: "silent" },
      prepare: ({ client, name }) =>
        client.query(`create table world.spare (id int primary key); alter table world.spare owner to "owner@${name}"`),
    });
    captain = await requestsAs(gateway, "captain");
    document = (await gateway.http.get("/api/v4/openapi.json").expect(200)).body;
  });
  after(() => gateway.close());

  it("and names it", async () => {
    const app = await createApp({
      config: makeConfig({}),
      databases: [],
      baseUrl: "http://localhost",
      log: createLog("silent"),
    });
    const all = DOORS.filter((door) => door === "management" || door === "methods").flatMap((door) =>
      app.doors[door].routes.flatMap((route) =>
        methodsOf(route)
          .filter((method) => method !== "GET" && method !== "HEAD")
          .map((method) => `${method} ${route.path.replace(/^\/api\/v4/, "")}`),
      ),
    );
    await app.close();
    const told = new Set([...OPERATIONS.map(([route]) => route), ...ELSEWHERE]);
    assert.deepEqual(
      all.filter((one) => !told.has(one) && !NO_CHANGE.has(one)),
      [],
      "add it to OPERATIONS",
    );
    assert.deepEqual(
      [...told, ...NO_CHANGE].filter((one) => !all.includes(one)),
      [],
    );
  });

  for (const [route, body, event, named = {}] of OPERATIONS)
    it(`${route}: ${event}`, async () => {
      const [method = "", pattern = ""] = route.split(" ");
      const values = { ...NAMED, ...(await prepared(route)), ...named };
      const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
      const [{ last } = {}] = await query("select coalesce(max(id), 0) as last from portolan.audit");
      const url = route === "POST /configuration" ? `${path}?dry=false` : path;
      const answer = await captain(method.toLowerCase() as "post", url, body);
      assertFits(document, method.toLowerCase(), `/api/v4${pattern}`, answer);
      const entries = (await query(
        `select event, account, details from portolan.audit where id > ${last} and details ->> 'by' is distinct from 'gateway' order by id`,
      )) as { event: string; account: string; details: Record<string, unknown> }[];
      const [entry, ...more] = entries;
      // the rights of an account are removed with it
      const others = more.filter(
        (one) => event !== "user.removed" || !/^(privilege|workflow_role)\.removed$/.test(one.event),
      );
      assert.deepEqual([entry?.event, others], [event, []]);
      assert.equal(entry?.details["by"] ?? entry?.account, "captain");
      if (!WITHOUT.test(event) && route !== "POST /clients/{names}/secret")
        assert.ok("before" in entry!.details && "after" in entry!.details, JSON.stringify(entry));
    });

  /** Makes what a route needs and does not exist yet, and the numbers that its path names. */
  async function prepared(route: string): Promise<Record<string, string | number>> {
    if (route === `POST ${TABLE}/comments`) await query("insert into world.berths values (1, 2)");
    if (route.includes("/comments/"))
      return (await query("select max(id) as id from portolan.row_comments"))[0] as { id: string };
    if (route === "DELETE /jobs/{id}")
      // of a table that is gone, so that it has no effect
      await query(`insert into portolan.jobs (kind, relation, total, started_by, state)
values ('events', '4000000000'::oid::regclass, 1, 'captain', 'failed')`);
    if (route.includes("/pyramids")) {
      await query("select portolan.enable_events('world.cities', true)");
      return ((await query("select max(id) as id from portolan.pyramids"))[0] ?? {}) as { id: string };
    }
    if (route.includes("/jobs/")) return (await query("select max(id) as id from portolan.jobs"))[0] as { id: string };
    if (route.includes("/sessions/")) {
      const signIn = { grant_type: "password", username: "captain", password: "captain", client_id: "gc2-cli" };
      await gateway.http.post("/api/v4/oauth").send(signIn).expect(200);
      return (await captain("get", "/sessions").expect(200)).body[0];
    }
    if (route.includes("/registration-tokens/"))
      return (await query("select id from portolan.list_registration_tokens()"))[0] as { id: string };
    if (route.includes("/agents/"))
      return (
        await query(`insert into portolan.token_families (id, client_id, user_name, token_version, expires_at, asked)
select gen_random_uuid(), 'portolan-cli', name, token_version, now() + interval '1 hour', '{"resource": "agents"}'
from portolan.users where name = 'guest' returning id`)
      )[0] as { id: string };
    if (route.includes("/identities/"))
      return (
        await query(`insert into portolan.identities (user_name, provider, issuer, subject)
values ('guest', 'company', 'https://id.example.org', '1') returning id`)
      )[0] as { id: string };
    if (route.includes("/consents/"))
      await query("insert into portolan.consents (user_name, client_id) values ('guest', 'gc2-cli')");
    if (route.includes("/statements/")) {
      const other = new pg.Client({ connectionString: gateway.database.url });
      await other.connect();
      void other.query("select pg_sleep(600)").catch(() => other.end());
      const runs = `select pid from pg_stat_activity where query like 'select pg_sleep(600)%' and state = 'active'`;
      await until(async () => (await query(runs)).length > 0);
      return (await query(runs))[0] as { pid: number };
    }
    return {};
  }
});
