/** What each door answers a read of a table that another session has locked: PostgreSQL's own DDL does so. */
import assert from "node:assert/strict";
import pg from "pg";
import { agentToken } from "../support/agent.ts";
import { until } from "../support/until.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { whileLocked } from "../support/whileLocked.ts";

const ROWS = `(id int primary key, name text, geom geometry(Point, 4326));
insert into %s select i, 'Row ' || i, st_setsrid(st_makepoint(i, i), 4326) from generate_series(1, 9) i;
select portolan.set_privilege('%s', 'ann', 'write')`;
const TABLES = `
do $$ begin if to_regrole('crew_author') is null then create role crew_author; end if; end $$;
create schema lake;
create schema crew authorization crew_author;
select portolan.create_user('ann', null);
${["lake.fish", "crew.nets"].map((name) => `create table ${name} ${ROWS.replaceAll("%s", name)};`).join("\n")}
alter table crew.nets owner to crew_author;
select portolan.create_method('lake.fish', 'select id from lake.fish'), portolan.create_method('crew.nets', 'select id from crew.nets');
update portolan.methods set published = true`;

interface Request {
  readonly path: string;
  readonly body?: object;
}

const get = (path: string): Request => ({ path });
const picture = "width=64&height=64&bbox=0,0,10,10";

/** Reads by their names; `relation` is `schema.table`. */
function readsOf(relation: string, database: string): Readonly<Record<string, Request>> {
  const [schema, table] = relation.split(".") as [string, string];
  const type = `${table[0]!.toUpperCase()}${table.slice(1)}`;
  const rest = `/api/v4/schemas/${schema}/tables/${table}`;
  const ogc = `/api/v4/ogc/database/${database}/collections/${relation}`;
  const ows = `/ows/${database}?service=WMS&version=1.3.0&layers=${relation}&styles=&crs=CRS:84&${picture}&format=image/png`;
  const graphql = (field: string): Request => ({
    path: `/api/graphql/schema/${schema}`,
    body: { query: `{ ${field} }` },
  });
  const agent = (name: string, given: object): Request => ({
    path: `/mcp/${database}`,
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } },
  });
  return {
    "REST, rows": get(`${rest}/rows`),
    "REST, a page of rows": get(`${rest}/rows?limit=3`),
    "REST, classes": get(`${rest}/classes?column=id`),
    "GraphQL, list": graphql(`get${type} { id }`),
    "GraphQL, page": graphql(`page${type}(first: 2) { edges { node { id } } }`),
    "GraphQL, count": graphql(`count${type}`),
    "GraphQL, two fields": graphql(`count${type} get${type} { id }`),
    items: get(`${ogc}/items?limit=5`),
    "all items": get(`${ogc}/items?limit=1000`),
    "items, CSV": get(`${ogc}/items?f=csv`),
    item: get(`${ogc}/items/1`),
    tile: get(`${ogc}/tiles/WebMercatorQuad/0/0/0`),
    "map tile": get(`${ogc}/map/tiles/WebMercatorQuad/0/0/0`),
    map: get(`${ogc}/map?${picture}`),
    collection: get(ogc),
    TileJSON: get(`${ogc}/tiles/WebMercatorQuad?f=tilejson`),
    style: get(`${ogc}/styles/default?f=mbs`),
    "WMS, GetMap": get(`${ows}&request=GetMap`),
    "WMS, GetFeatureInfo": get(`${ows}&request=GetFeatureInfo&query_layers=${relation}&i=9&j=9`),
    "WFS, GetFeature": get(`/ows/${database}?service=WFS&version=2.0.0&request=GetFeature&typenames=${relation}`),
    SQL: { path: "/api/v4/sql", body: { q: `select * from ${relation}` } },
    method: { path: "/api/v4/call", body: { jsonrpc: "2.0", id: 1, method: relation } },
    "agents, describe": agent("describe", { table: relation }),
    "agents, read": agent("read", { table: relation, limit: 2 }),
    "agents, features": agent("features", { table: relation, bbox: [0, 0, 9, 9], limit: 2 }),
    "agents, map": agent("map", { tables: [relation], bbox: [0, 0, 9, 9], width: 32, height: 32 }),
  };
}

const LOCK_MS = 100;
/** The ways in which an operator limits the wait for a lock. */
const WAYS = {
  lockTimeoutMs: { config: { lockTimeoutMs: LOCK_MS }, sql: "" },
  "lock_timeout of the database": { config: {}, sql: `set lock_timeout = '${LOCK_MS}ms'` },
};

/** The reads whose error names the table, whichever way they take to it. */
const NAMED =
  /^(REST, rows|GraphQL, (list|page|count|two fields)|items|all items|item|tile|map|SQL|method|agents, read)$/;

for (const [way, { config, sql }] of Object.entries(WAYS))
  describe(`a read of a table that another session has locked, limited by ${way}`, function () {
    this.timeout(60_000);
    let gateway: TestGateway;
    let locker: pg.Client;
    let token = "";
    let ofAgent = "";

    before(async () => {
      gateway = await testGateway({
        kind: "portolan",
        config: { schemas: ["lake", "crew"], poolSize: 5, mcp: true, ...config },
        prepare: async ({ name, client }) => {
          await client.query(TABLES);
          if (sql !== "") await client.query(`alter database ${name} ${sql}`);
        },
      });
      token = await gateway.token("ann");
      ofAgent = await agentToken(gateway, "ann");
      // the schema of GraphQL is made once, of all tables
      for (const schema of ["lake", "crew"])
        await send({ path: `/api/graphql/schema/${schema}`, body: { query: "{ __typename }" } });
      locker = new pg.Client({ connectionString: gateway.database.url });
      await locker.connect();
    });

    after(async () => {
      await locker?.end();
      await gateway?.close();
    });

    async function send({ path, body }: Request): Promise<{ status: number; after: string | null; text: string }> {
      const isAgent = path.startsWith("/mcp/");
      const response = await fetch(gateway.baseUrl + path, {
        headers: {
          Authorization: `Bearer ${isAgent ? ofAgent : token}`,
          ...(body && { "Content-Type": "application/json" }),
          ...(isAgent && { Accept: "application/json, text/event-stream" }),
        },
        ...(body && { method: "POST", body: JSON.stringify(body) }),
      });
      return { status: response.status, after: response.headers.get("retry-after"), text: await response.text() };
    }

    /** "read", "try again", or what else was said, in the shape of that interface. */
    async function outcomeOf(request: Request, relation?: string): Promise<string> {
      const { status, after, text } = await send(request);
      const told = `${status} ${text.slice(0, 300)}`;
      if (
        relation !== undefined &&
        !new RegExp(`Another session has locked (what this needs, perhaps )?${relation}: try again`).test(text)
      )
        return told;
      if (request.path.startsWith("/mcp/"))
        return /UNAVAILABLE/.test(text) ? "try again" : /"error|isError/.test(text) ? told : "read";
      if (request.path === "/api/v4/call") return /Another session has locked/.test(text) ? "try again" : told;
      if (status === 200) return "read";
      return status === 503 && Number(after) > 0 && /Another session has locked|The service is not available/.test(text)
        ? "try again"
        : told;
    }

    for (const when of ["for the first time", "again"])
      for (const relation of ["lake.fish", "crew.nets"])
        it(`${relation}, read ${when}: it may be tried again`, async () => {
          const reads = Object.entries(readsOf(relation, gateway.database.name));
          const outcomes = await whileLocked(locker, `lock table ${relation} in access exclusive mode`, async () => {
            const told: [string, string][] = [];
            for (const [name, request] of reads)
              told.push([name, await outcomeOf(request, NAMED.test(name) ? relation : undefined)]);
            return told;
          });
          assert.deepEqual(
            outcomes.filter(([, outcome]) => outcome !== "try again" && outcome !== "read"),
            [],
          );
          assert.ok(outcomes.filter(([, outcome]) => outcome === "try again").length > 15, JSON.stringify(outcomes));
          if (when === "for the first time") for (const [, request] of reads) await send(request);
        });

    it("what the gateway itself reads for a request: it may be tried again", async () => {
      const { name } = gateway.database;
      await send({ path: "/api/v4/sql", body: { q: "select 1" } });
      const request = { path: "/api/v4/call", body: { jsonrpc: "2.0", id: 1, method: "lake.fish" } };
      const outcome = await whileLocked(locker, "lock table portolan.users in access exclusive mode", async () => {
        token = await gateway.token("ann", 3601).catch(() => token);
        return outcomeOf({ path: `/api/v4/ogc/database/${name}/collections/lake.fish/items?limit=3` });
      });
      assert.ok(["read", "try again"].includes(outcome), outcome);
      assert.match(await outcomeOf(request), /^200 .*"result"/);
    });

    it("a statement that asks for NOWAIT: what PostgreSQL says, as ever", async () => {
      await whileLocked(locker, "select from lake.fish where id = 1 for update", async () => {
        const { status, text } = await send({
          path: "/api/v4/sql",
          body: { q: "select id from lake.fish where id = 1 for update nowait" },
        });
        assert.deepEqual([status, (JSON.parse(text) as { sqlstate: string }).sqlstate], [400, "55P03"], text);
      });
    });

    it("a write that waits for another one's row: it may be tried again", async () => {
      await whileLocked(locker, "select from lake.fish where id = 1 for update", async () => {
        const {
          status,
          after: seconds,
          text,
        } = await send({
          path: "/api/graphql/schema/lake",
          body: { query: 'mutation { updateFish(id: "1", data: {name: "b"}) { id } }' },
        });
        assert.match(text, /"code":"UNAVAILABLE"/);
        assert.deepEqual([status, seconds], [503, "1"]);
      });
    });

    if (way === "lockTimeoutMs")
      it("an import waits as long as its statement may: much of the file may have come", async () => {
        const csv = "id,name\n100,a\n";
        const { sent } = await whileLocked(locker, "create index on lake.fish (name)", async () => {
          const sending = fetch(`${gateway.baseUrl}/api/v4/schemas/lake/tables/fish/import`, {
            method: "POST",
            headers: { Authorization: `Bearer ${token}`, "Content-Type": "text/csv" },
            body: csv,
          });
          await until(async () => {
            const { rows } = await locker.query<{ waits: boolean }>(`
select count(*) > 0 as waits from pg_stat_activity
where datname = current_database() and wait_event_type = 'Lock' and clock_timestamp() - query_start > '${4 * LOCK_MS}ms'`);
            return rows[0]!.waits;
          });
          return { sent: sending };
        });
        const response = await sent;
        assert.equal(response.status, 200, await response.text());
      });
  });
