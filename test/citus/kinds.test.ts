/** The table "What works on which kind of table" of docs/guides/cluster.md: each cell is tried, on tables that are alike. */
import assert from "node:assert/strict";
import { hasCitus } from "../support/citusCluster.ts";
import { Follower } from "../support/follower.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { until } from "../support/until.ts";
import { startTown, type Town } from "./town.ts";

const PATIENCE_MS = 60_000;
const KINDS = ["local", "reference", "schema", "distributed"] as const;

/** Parents with children in a schema of each kind. A reference table has distributed children, as in the guide. */
const TABLES = `
set citus.enable_schema_based_sharding = on;
create schema schema_;
reset citus.enable_schema_based_sharding;
${KINDS.map(
  (kind) => `
create schema if not exists ${kind}_;
create table ${kind}_.parents (id int primary key, name text, geom geometry(Point, 4326));
create table ${kind}_.children (parent_id int, id int, name text, primary key (parent_id, id));`,
).join("")}
select create_reference_table('reference_.parents');
select create_distributed_table('distributed_.parents', 'id', colocate_with => 'none');
select create_distributed_table('distributed_.children', 'parent_id', colocate_with => 'distributed_.parents');
select create_distributed_table('reference_.children', 'parent_id', colocate_with => 'none');
${KINDS.map(
  (kind) => `
alter table ${kind}_.children add foreign key (parent_id) references ${kind}_.parents;
insert into ${kind}_.parents select n, 'parent ' || n, st_setsrid(st_point(n, n), 4326) from generate_series(1, 9) n;
insert into ${kind}_.children select n % 3 + 1, n, 'child ' || n from generate_series(1, 9) n;`,
).join("")}`;

describeOnlyIf(hasCitus(), "Citus: test/citus/build.sh")("a table of Citus, by its kind", () => {
  let town: Town;

  before(async function () {
    this.timeout(240_000);
    town = await startTown({
      settings: { wal_level: "logical", "citus.enable_change_data_capture": "on", max_wal_senders: "20" },
      more: { tables: TABLES, schemas: KINDS.map((kind) => `${kind}_`) },
    });
  });
  after(() => town.close());

  for (const kind of KINDS)
    describe(kind, function () {
      this.timeout(120_000);
      const schema = `${kind}_`;
      const isLocal = kind === "local";
      const ask = (query: string, account = "ann"): Promise<unknown> => town.graphql(account, schema, query);
      const get = async (path: string) => town.http.get(path).set("Authorization", `Bearer ${await town.token("ann")}`);
      const post = async (path: string, body: object) =>
        town.http
          .post(path)
          .set("Authorization", `Bearer ${await town.token("ann")}`)
          .send(body);
      const refused = (answer: unknown): void =>
        assert.equal(
          (answer as { extensions?: { code?: unknown } }).extensions?.code,
          "NOT_DISTRIBUTABLE",
          JSON.stringify(answer),
        );
      const clear = async (): Promise<void> => {
        await town.query(`delete from ${schema}.children where id > 9`);
        await town.query(`delete from ${schema}.parents where id > 9`);
      };
      afterEach(clear);

      it("has lists, filters, order, pages, counts and aggregates in GraphQL", async () => {
        assert.deepEqual(
          await ask(`{
            getParents(where: {id: {gt: 6}}, orderBy: [{name: "desc"}], limit: 2) { id name }
            countParents(where: {id: {lt: 4}})
            aggregateChildren(groupBy: "parent_id") { by { parent_id } count max { id } }
            pageParents(first: 1, orderBy: [{id: "desc"}]) { totalCount nodes { name } } }`),
          {
            getParents: [
              { id: "9", name: "parent 9" },
              { id: "8", name: "parent 8" },
            ],
            countParents: 3,
            aggregateChildren: [1, 2, 3].map((id) => ({
              by: { parent_id: String(id) },
              count: 3,
              max: { id: id === 1 ? 9 : id + 5 },
            })),
            pageParents: { totalCount: 9, nodes: [{ name: "parent 9" }] },
          },
        );
      });

      it("gives the parent of a row", async () => {
        assert.deepEqual(await ask("{ getChildren(where: {id: {eq: 4}}) { name parents { name } } }"), {
          getChildren: [{ name: "child 4", parents: { name: "parent 2" } }],
        });
      });

      it("gives the children of a row, and filters by them, or refuses it", async () => {
        const answers = [
          await ask('{ getParents(where: {id: {eq: 2}}) { children(orderBy: [{id: "asc"}]) { name } } }'),
          await ask('{ getParents(where: {children: {name: {eq: "child 4"}}}) { id } }'),
        ];
        if (kind === "reference") return refused(answers[0]);
        assert.deepEqual(answers, [
          { getParents: [{ children: [1, 4, 7].map((n) => ({ name: `child ${n}` })) }] },
          { getParents: [{ id: "2" }] },
        ]);
      });

      it("takes an insert, an upsert, an update and a delete; only a distribution column keeps its value", async () => {
        const written = (name: string, field: string): unknown => ({ [field]: [{ id: "10", name }] });
        assert.deepEqual(
          await ask('mutation { insertParents(data: {id: 10, name: "a"}) { id name } }'),
          written("a", "insertParents"),
        );
        assert.deepEqual(
          await ask('mutation { insertParents(data: {id: 10, name: "b"}, onConflict: {}) { id name } }'),
          written("b", "insertParents"),
        );
        assert.deepEqual(
          await ask('mutation { updateParents(id: "10", data: {name: "c"}) { id name } }'),
          written("c", "updateParents"),
        );
        const moved = await ask('mutation { updateParents(id: "10", data: {id: 11}) { id } }');
        if (kind === "distributed") refused(moved);
        else assert.deepEqual(moved, { updateParents: [{ id: "11" }] });
        const id = kind === "distributed" ? "10" : "11";
        assert.deepEqual(await ask(`mutation { deleteParents(id: "${id}") { id } }`), { deleteParents: [{ id }] });
      });

      it("takes many rows at once, and gives them in the order of the input", async () => {
        const ids = [17, 11, 15, 13];
        assert.deepEqual(
          await ask(`mutation { insertParents(objects: [${ids.map((id) => `{id: ${id}}`).join()}]) { id } }`),
          { insertParents: ids.map((id) => ({ id: String(id) })) },
        );
      });

      it("takes a row with related rows; children of several written rows are read or refused", async () => {
        const row = (id: number): string => `{id: ${id}, children: [{id: ${id}, name: "of ${id}"}]}`;
        assert.deepEqual(await ask(`mutation { insertParents(data: ${row(10)}) { id } }`), {
          insertParents: [{ id: "10" }],
        });
        assert.deepEqual(await ask("{ getChildren(where: {id: {eq: 10}}) { name } }"), {
          getChildren: [{ name: "of 10" }],
        });
        const several = await ask(
          `mutation { insertParents(objects: [${row(11)}, ${row(12)}]) { children { name } } }`,
        );
        if (kind === "distributed" || kind === "reference") refused(several);
        else
          assert.deepEqual(several, {
            insertParents: [11, 12].map((id) => ({ children: [{ name: `of ${id}` }] })),
          });
      });

      it("is read and written by SQL, methods and as rows", async () => {
        const sql = await post("/api/v4/sql", { q: `select name from ${schema}.parents where id = 3` });
        assert.deepEqual(sql.body.data, [{ name: "parent 3" }]);
        const several = { q: `select id, name from ${schema}.parents where id > 6` };
        for (let n = 0; n < 3; n++) {
          // a statement that is known may be run otherwise
          const { data } = (await post("/api/v4/sql", several)).body as { data: { id: number }[] };
          assert.deepEqual(
            data.sort((a, b) => a.id - b.id),
            [7, 8, 9].map((id) => ({ id, name: `parent ${id}` })),
          );
        }
        const made = await post("/api/v4/methods", {
          method: `add_${kind}`,
          q: `insert into ${schema}.parents (id, name) values (:id::int, :name)`,
        });
        assert.ok(made.status < 300, JSON.stringify(made.body));
        const called = await post("/api/v4/call", {
          jsonrpc: "2.0",
          id: 1,
          method: `add_${kind}`,
          params: { id: 10, name: "called" },
        });
        assert.equal(called.body.error, undefined, JSON.stringify(called.body));
        const { body } = await get(`/api/v4/schemas/${schema}/tables/parents/rows?limit=20`);
        assert.ok((body as { name: string }[]).some(({ name }) => name === "called"));
      });

      it("gives items, tiles and maps", async () => {
        const collection = `/api/v4/ogc/database/town/collections/${schema}.parents`;
        const { body } = await get(`${collection}/items?bbox=2,2,4,4&sortby=id`);
        assert.deepEqual(
          (body as { features: { properties: unknown }[] }).features.map(({ properties }) => properties),
          [2, 3, 4].map((id) => ({ id, name: `parent ${id}` })),
        );
        const tile = await get(`${collection}/tiles/WebMercatorQuad/0/0/0?f=mvt`);
        const map = await get(`${collection}/map?bbox=0,0,20,20&width=40&height=40&f=png`);
        assert.deepEqual([tile.status, map.status, map.type], [200, 200, "image/png"]);
      });

      it("keeps to a rule of an account; one of an interface holds on a local table, and is refused on others", async () => {
        const rule = { schema, table: "parents", username: "bob", access: "limit", filter: "id < 3" };
        await town.query("select portolan.create_rule($1)", [JSON.stringify(rule)]);
        await until(
          async () => JSON.stringify(await ask("{ countParents }", "bob")) === '{"countParents":2}',
          PATIENCE_MS,
        );
        assert.deepEqual(await ask("{ countParents }"), { countParents: 9 });
        const byService = town.query("select portolan.create_rule($1)", [
          JSON.stringify({ ...rule, service: "graphql" }),
        ]);
        if (isLocal) await byService;
        else await assert.rejects(byService, /it is for the service graphql/);
        await town.query("delete from portolan.rules");
      });

      it("tells of changes", async () => {
        await town.query("select portolan.enable_events($1)", [`${schema}.parents`]);
        if (!isLocal)
          await until(
            async () =>
              (await town.query("select from portolan.shard_positions where upto > '0/0'")).length ===
              1 + town.cluster.workers.length,
            PATIENCE_MS,
          );
        const names: unknown[] = [];
        const token = await town.token("ann");
        const follower = new Follower({
          url: () => town.gateway.baseUrl.replace(/^http/, "ws"),
          token: () => Promise.resolve(token),
          schema,
          relation: "parents",
          take: (rows) => names.push(...rows.map(({ name }) => name)),
        });
        try {
          await until(() => follower.isLive, PATIENCE_MS);
          await town.query(`insert into ${schema}.parents (id, name) values (10, 'new')`);
          await town.query(`update ${schema}.parents set name = 'newer' where id = 10`);
          await until(() => names.includes("newer"), PATIENCE_MS);
          assert.deepEqual(names, ["new", "newer"]);
        } finally {
          await follower.stop();
          await town.query("select portolan.disable_events($1)", [`${schema}.parents`]);
        }
      });

      it("has history and workflow if it is local, and else refuses them with the reason", async () => {
        for (const [enable, disable, what] of [
          ["enable_versioning", "disable_versioning", /history is made by triggers, which cannot run on shards/],
          ["enable_workflow", "disable_workflow", /workflow is made by triggers, which cannot run on shards/],
        ] as const) {
          const enabled = town.query(`select portolan.${enable}($1::text::regclass)`, [`${schema}.parents`]);
          if (!isLocal) {
            await assert.rejects(enabled, what);
            continue;
          }
          await enabled;
          await town.query(`select portolan.${disable}($1::text::regclass)`, [`${schema}.parents`]);
        }
      });
    });
});
