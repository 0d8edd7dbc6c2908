import assert from "node:assert/strict";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { hasCitus } from "../support/citusCluster.ts";
import { startTown, type Town } from "./town.ts";

const COLLECTIONS = "/api/v4/ogc/database/town/collections";

describeOnlyIf(hasCitus(), "Citus: test/citus/build.sh")("the doors over tables of a Citus cluster", () => {
  let town: Town;
  const graphql = (schema: string, query: string): Promise<unknown> => town.graphql("ann", schema, query);
  const get = async (path: string) => town.http.get(path).set("Authorization", `Bearer ${await town.token("ann")}`);
  const sql = async (q: string) =>
    town.http
      .post("/api/v4/sql")
      .set("Authorization", `Bearer ${await town.token("ann")}`)
      .send({ q });
  /** Code and SQLSTATE of a GraphQL error. */
  const codeOf = (error: unknown): unknown => (error as { extensions?: { code?: unknown } }).extensions?.code;

  before(async function () {
    this.timeout(240_000);
    town = await startTown({
      settings: {
        shared_preload_libraries: "citus,pg_stat_statements",
        "citus.stat_statements_track": "all",
        "pg_stat_statements.max": "50000", // a migration alone has thousands
      },
    });
    await town.query("create extension pg_stat_statements");
  });
  after(() => town.close());

  describe("GraphQL reads", () => {
    it("relations to reference tables and to tables with the same distribution, both ways", async () => {
      assert.deepEqual(
        await graphql(
          "app",
          '{ getPoints(where: {id: {in: [9, 10]}}, orderBy: [{id: "asc"}]) { name kinds { name } tenants { name } visits { note } } }',
        ),
        {
          getPoints: [
            {
              name: "point 9",
              kinds: { name: "house" },
              tenants: { name: "tenant 10" },
              visits: [{ note: "visit 9" }],
            },
            {
              name: "point 10",
              kinds: { name: "tree" },
              tenants: { name: "tenant 1" },
              visits: [{ note: "visit 10" }],
            },
          ],
        },
      );
      assert.deepEqual(
        await graphql("app", "{ getTenants(where: {id: {eq: 1}}) { points(limit: 1) { id visits { note } } } }"),
        {
          getTenants: [{ points: [{ id: "10", visits: [{ note: "visit 10" }] }] }],
        },
      );
    });

    it("filters by relations, counts, aggregates, pages, distinct rows", async () => {
      assert.deepEqual(
        await graphql(
          "app",
          `
            {
              getPoints(where: { kinds: { name: { eq: "tree" } } }, limit: 2, orderBy: [{ id: "asc" }]) {
                id
              }
              countPoints
              aggregatePoints(groupBy: "kind_id") {
                by {
                  kind_id
                }
                count
                max {
                  id
                }
              }
              pagePoints(first: 1, orderBy: [{ id: "desc" }]) {
                totalCount
                nodes {
                  name
                }
              }
              distinct: getPoints(distinctOn: "kind_id", orderBy: [{ kind_id: "asc" }, { id: "desc" }]) {
                kind_id
                id
              }
            }
          `,
        ),
        {
          getPoints: [{ id: "2" }, { id: "4" }],
          countPoints: 40,
          aggregatePoints: [
            { by: { kind_id: 1 }, count: 20, max: { id: 40 } },
            { by: { kind_id: 2 }, count: 20, max: { id: 39 } },
          ],
          pagePoints: { totalCount: 40, nodes: [{ name: "point 40" }] },
          distinct: [
            { kind_id: 1, id: "40" },
            { kind_id: 2, id: "39" },
          ],
        },
      );
    });

    it("a schema that is distributed whole", async () => {
      assert.deepEqual(await graphql("s1", "{ getThings(where: {id: {eq: 3}}) { name parts { name } } }"), {
        getThings: [{ name: "thing 3", parts: [{ name: "part 2" }, { name: "part 22" }] }],
      });
    });

    it("refuses what Citus cannot plan, in the words of Citus", async () => {
      const error = await graphql("app", "{ getKinds { points { id } } }");
      assert.equal(codeOf(error), "NOT_DISTRIBUTABLE");
      assert.match((error as { message: string }).message, /correlated subqueries are not supported/);
    });
  });

  describe("GraphQL writes", () => {
    afterEach(async () => {
      // one by one: Citus changes no reference table in a transaction that has changed shards in parallel
      for (const table of ["app.visits", "app.points"]) await town.query(`delete from ${table} where tenant_id > 40`);
      for (const table of ["app.tenants", "app.kinds", "app.plain", "s1.parts", "s1.things"])
        await town.query(`delete from ${table} where id > 40`);
    });

    it("inserts one row and many, and gives them in the order of the input", async () => {
      for (const [schema, table] of [
        ["app", "Tenants"],
        ["app", "Kinds"],
        ["app", "Plain"],
        ["s1", "Things"],
      ] as const) {
        const rows = [47, 41, 45, 43].map((id) => `{id: ${id}, name: "n${id}"}`).join();
        assert.deepEqual(
          await graphql(schema, `mutation { insert${table}(objects: [${rows}]) { id name } }`),
          { [`insert${table}`]: [47, 41, 45, 43].map((id) => ({ id: String(id), name: `n${id}` })) },
          table,
        );
      }
    });

    it("keeps the order also of rows whose key the database makes", async () => {
      await graphql("app", 'mutation { insertTenants(objects: [{id: 41, name: "a"}, {id: 42, name: "b"}]) { id } }');
      const notes = ["d", "a", "c", "b"];
      const rows = notes.map((note, at) => `{tenant_id: ${41 + (at % 2)}, note: "${note}"}`).join();
      assert.deepEqual(await graphql("app", `mutation { insertVisits(objects: [${rows}]) { note } }`), {
        insertVisits: notes.map((note) => ({ note })),
      });
    });

    it("updates what is there already", async () => {
      await graphql("app", 'mutation { insertTenants(data: {id: 41, name: "old"}) { id } }');
      assert.deepEqual(
        await graphql(
          "app",
          'mutation { insertTenants(objects: [{id: 42, name: "b"}, {id: 41, name: "new"}], onConflict: {}) { id name } }',
        ),
        {
          insertTenants: [
            { id: "42", name: "b" },
            { id: "41", name: "new" },
          ],
        },
      );
    });

    it("inserts rows together with their parents and children", async () => {
      await graphql("app", 'mutation { insertTenants(data: {id: 41, name: "a"}) { id } }');
      assert.deepEqual(
        await graphql(
          "app",
          `
            mutation {
              insertPoints(
                objects: [
                  { tenant_id: 41, id: 2, kinds: { id: 42, name: "k2" }, visits: [{ note: "c" }, { note: "d" }] }
                  { tenant_id: 41, id: 1, kinds: { id: 41, name: "k1" }, visits: [{ note: "a" }] }
                ]
              ) {
                id
                kinds {
                  name
                }
              }
            }
          `,
        ),
        {
          insertPoints: [
            { id: "2", kinds: { name: "k2" } },
            { id: "1", kinds: { name: "k1" } },
          ],
        },
      );
      assert.deepEqual(
        await graphql("app", '{ getVisits(where: {tenant_id: {eq: 41}}, orderBy: [{note: "asc"}]) { note point_id } }'),
        {
          getVisits: [
            { note: "a", point_id: 1 },
            { note: "c", point_id: 2 },
            { note: "d", point_id: 2 },
          ],
        },
      );
    });

    it("refuses, and undoes, an insert of several rows that asks for their children", async () => {
      const error = await graphql(
        "app",
        'mutation { insertTenants(objects: [{id: 41, name: "a"}, {id: 42, name: "b"}]) { points { id } } }',
      );
      assert.equal(codeOf(error), "NOT_DISTRIBUTABLE");
      assert.deepEqual(await graphql("app", "{ countTenants(where: {id: {gt: 40}}) }"), { countTenants: 0 });
      assert.deepEqual(
        await graphql("app", 'mutation { insertTenants(data: {id: 41, name: "a"}) { points { id } } }'),
        {
          insertTenants: [{ points: [] }],
        },
      );
    });

    it("updates and deletes over one shard and over several", async () => {
      await graphql(
        "app",
        'mutation { insertTenants(objects: [{id: 41, name: "a"}, {id: 42, name: "b"}, {id: 43, name: "c"}]) { id } }',
      );
      assert.deepEqual(
        await graphql(
          "app",
          `
            mutation {
              one: updateTenants(id: "41", data: { name: "x" }) {
                id
                name
              }
              many: updateTenants(where: { id: { in: [42, 43] } }, data: { name: "y" }) {
                id
                name
              }
              deleteTenants(where: { id: { gt: 41 } }) {
                id
                name
              }
            }
          `,
        ),
        {
          one: [{ id: "41", name: "x" }],
          many: [
            { id: "42", name: "y" },
            { id: "43", name: "y" },
          ],
          deleteTenants: [
            { id: "42", name: "y" },
            { id: "43", name: "y" },
          ],
        },
      );
    });

    it("refuses to change a reference table after shards in one transaction", async () => {
      const error = await graphql(
        "app",
        `
          mutation {
            updateVisits(where: { id: { gt: 0 } }, data: { note: "x" }) {
              id
            }
            updatePoints(where: { id: { gt: 0 } }, data: { name: "x" }) {
              id
            }
            updateKinds(id: "1", data: { name: "x" }) {
              id
            }
          }
        `,
      );
      assert.equal(codeOf(error), "NOT_DISTRIBUTABLE");
      assert.match(
        (error as { message: string }).message,
        /^cannot execute DML on table "kinds" because there was a parallel/,
      );
    });

    it("refuses another value of the distribution column", async () => {
      await graphql("app", 'mutation { insertTenants(data: {id: 41, name: "a"}) { id } }');
      const error = await graphql("app", 'mutation { updateTenants(id: "41", data: {id: 42}) { id } }');
      assert.equal(codeOf(error), "NOT_DISTRIBUTABLE");
    });
  });

  describe("maps and features", () => {
    it("names the properties of items, with and without a box, in order, and of one", async () => {
      for (const query of ["limit=1&sortby=id", "limit=1&bbox=0,0,1.5,2", "limit=1&sortby=id&offset=0"]) {
        const { body } = await get(`${COLLECTIONS}/app.points/items?${query}`);
        assert.deepEqual(body.features[0].properties, { tenant_id: 2, id: 1, name: "point 1", kind_id: 2 }, query);
      }
      const { body } = await get(`${COLLECTIONS}/app.points/items/2,1`);
      assert.deepEqual(body.properties, { tenant_id: 2, id: 1, name: "point 1", kind_id: 2 });
      const things = await get(`${COLLECTIONS}/s1.things/items?limit=1&offset=1`);
      assert.deepEqual(things.body.features[0].properties, { id: 2, name: "thing 2" });
    });

    it("gives tiles, maps, CSV, filters and the number of features", async () => {
      for (const id of ["app.points", "s1.things"]) {
        assert.equal((await get(`${COLLECTIONS}/${id}/tiles/WebMercatorQuad/0/0/0?f=mvt`)).status, 200);
        const map = await get(`${COLLECTIONS}/${id}/map?bbox=0,0,40,20&width=80&height=40&f=png`);
        assert.deepEqual([map.status, map.type], [200, "image/png"]);
      }
      const csv = await get(`${COLLECTIONS}/app.points/items?f=csv&limit=1&sortby=id`);
      assert.match(csv.text, /^tenant_id,id,name,kind_id,WKT\r?\n2,1,point 1,2,"?POINT/);
      const filtered = await get(
        `${COLLECTIONS}/app.points/items?filter=${encodeURIComponent("name LIKE 'point 1%'")}`,
      );
      assert.equal(filtered.body.numberMatched, 11);
    });

    it("has no feature of an id that no key can have", async () => {
      const { status, body } = await get(`${COLLECTIONS}/app.points/items/x,1`);
      assert.deepEqual([status, body.code], [404, "FEATURE_NOT_FOUND"]);
    });

    it("lets one of two writers win by If-Match, and takes the version that GraphQL gives", async () => {
      const token = await town.token("ann");
      const points = `${COLLECTIONS}/app.points/items/3,2`;
      const rename = async (name: string, tag: string) =>
        (
          await town.http
            .patch(points)
            .set({ Authorization: `Bearer ${token}`, "If-Match": tag, "Content-Type": "application/merge-patch+json" })
            .send({ properties: { name } })
        ).status;
      const { etag } = (await get(points)).headers as { etag: string };
      assert.deepEqual([await rename("renamed", etag), await rename("lost", etag)], [204, 412]);
      assert.equal(await rename("point 2", (await get(points)).headers["etag"] as string), 204);
    });

    it("refuses to merge an object of JSON, for which a shard has no function, and replaces it", async () => {
      await town.query(`
create table app.notes (id int primary key, more jsonb, geom geometry(Point, 4326));
insert into app.notes values (1, '{"a": 1}', 'srid=4326;point(1 1)')`);
      await town.query("select create_distributed_table('app.notes', 'id')");
      await town.query("select portolan.set_privilege('app.notes', 'ann', 'write')");
      const patch = async (more: unknown) =>
        town.http
          .patch(`${COLLECTIONS}/app.notes/items/1`)
          .set({ Authorization: `Bearer ${await town.token("ann")}`, "Content-Type": "application/merge-patch+json" })
          .send({ properties: { more } });
      const refused = await patch({ b: 2 });
      assert.deepEqual([refused.status, refused.body.code], [400, "NOT_DISTRIBUTABLE"], refused.text);
      assert.equal((await patch([3])).status, 204);
      assert.deepEqual((await town.query("select more from app.notes"))[0]?.["more"], [3]);
    });

    it("names the column of a violated constraint, and no shard", async () => {
      const add = async (properties: object) =>
        town.http
          .post(`${COLLECTIONS}/app.points/items`)
          .set({ Authorization: `Bearer ${await town.token("ann")}`, "Content-Type": "application/geo+json" })
          .send({ type: "Feature", geometry: null, properties });
      const taken = await add({ tenant_id: 3, id: 2, name: "again" });
      assert.deepEqual(
        [taken.status, taken.body.detail],
        [409, 'tenant_id, id: duplicate key value violates unique constraint "points_pkey"'],
      );
      const missing = await add({ tenant_id: 3, id: 200, kind_id: 99 });
      assert.deepEqual([missing.status, missing.body.columns], [400, ["kind_id"]]);
      assert.doesNotMatch(missing.body.detail as string, /_\d{6}/);
    });

    it("counts the features anew after a write that changed a shard alone", async () => {
      const numbers = [];
      for (const id of [9001, 9002, 9003]) {
        // the second request takes a remembered number, if there is one
        for (let i = 0; i < 2; i++)
          numbers.push((await get(`${COLLECTIONS}/app.points/items?limit=1`)).body.numberMatched);
        await town.query("insert into app.points (tenant_id, id, name) values (1, $1, 'new')", [id]);
      }
      await town.query("delete from app.points where id > 9000");
      const [first] = numbers as [number];
      assert.deepEqual(numbers, [first, first, first + 1, first + 1, first + 2, first + 2]);
    });

    it("give items whatever the types of the columns are, in any order and with any filter", async () => {
      const types = [
        "float8",
        "float8[]",
        "point",
        "lseg",
        "path",
        "polygon",
        "circle",
        "int4range",
        "jsonb",
        "interval",
      ];
      const columns = types.map((type, at) => `c${at} ${type}`);
      const more = Array.from({ length: 60 }, (_, at) => `m${at} int default ${at}`);
      await town.query(
        `create table app.shapes (id int primary key, name text, ${[...columns, ...more].join(", ")}, geom geometry(Point, 4326))`,
      );
      await town.query("select create_distributed_table('app.shapes', 'id')");
      await town.query("select portolan.set_privilege('app.shapes', 'ann', 'read')");
      await town.query(`
        insert into app.shapes (id, name, c0, c1, c2, c3, c4, c5, c6, c7, c8, geom)
        select i, 'shape ' || i, i, '{1.5}', '(1,2)', '(1,2),(3,4)', '((1,2),(3,4))', '((1,2),(3,4),(5,6))', '<(1,2),3>', '[1,4)', '{}',
          st_setsrid(st_point(i, i), 4326) from generate_series(1, 9) i`);
      for (const [asked, ids] of [
        ["limit=2", [1, 2]],
        ["sortby=-name&limit=2", [9, 8]],
        [`filter=${encodeURIComponent("c0 > 7")}`, [8, 9]],
        ["bbox=2,2,3,3", [2, 3]],
      ] as const) {
        const { status, body, text } = await get(`${COLLECTIONS}/app.shapes/items?${asked}`);
        assert.equal(status, 200, `${asked}: ${text}`);
        const features = (body as { features: { id: number; properties: Record<string, unknown> }[] }).features;
        assert.deepEqual(
          features.map(({ id }) => id),
          ids,
          asked,
        );
        const { c0, c2, c5, c6, m59, ...others } = features[0]!.properties;
        assert.deepEqual([c0, c2, m59], [ids[0], { x: 1, y: 2 }, 59]);
        assert.deepEqual(c5, {
          points: [
            { x: 1, y: 2 },
            { x: 3, y: 4 },
            { x: 5, y: 6 },
          ],
        });
        assert.deepEqual(c6, { center: { x: 1, y: 2 }, radius: 3 });
        assert.equal(Object.keys(others).length, 2 + types.length + 60 - 5);
      }
    });
  });

  describe("SQL and rows", () => {
    it("reads and writes over shards", async () => {
      assert.deepEqual((await sql("select count(*) from app.points")).body.data, [{ count: 40 }]);
      assert.equal((await sql("insert into app.visits (tenant_id, note) values (1, 'by sql')")).body.affected_rows, 1);
      await town.query("delete from app.visits where note = 'by sql'");
      const { body } = await get("/api/v4/schemas/app/tables/points/rows?limit=2");
      assert.deepEqual(Object.keys(body[0]), ["tenant_id", "id", "name", "kind_id", "geom"]);
    });

    it("refuses what Citus cannot plan", async () => {
      const { status, body } = await sql(
        "select (select count(*) from app.points p where p.kind_id = k.id) from app.kinds k",
      );
      assert.deepEqual([status, body.code], [400, "NOT_DISTRIBUTABLE"]);
      assert.match(body.detail, /^correlated subqueries/);
    });

    it("tells a caller of a method so", async () => {
      const authorization = ["Authorization", `Bearer ${await town.token("ann")}`] as const;
      await town.http
        .post("/api/v4/methods")
        .set(...authorization)
        .send({ method: "move", q: "update app.tenants set id = :to::int where id = 1" });
      const { body } = await town.http
        .post("/api/v4/call")
        .set(...authorization)
        .send({ jsonrpc: "2.0", id: 1, method: "move", params: { to: 99 } });
      assert.deepEqual([body.error.code, body.error.data.code], [-32602, "NOT_DISTRIBUTABLE"]);
      assert.match(body.error.data.detail, /^modifying the partition value/);
    });
  });

  describe("all statements above", () => {
    /** Of points and visits, as the doors write it; tenants have it as `id`. */
    const GIVEN = /"tenant_id" (?:=|operator\("pg_catalog"\.=\)) \$\d/;

    it("go to a single shard where they name the value of the distribution column", async () => {
      const statements = await town.query("select query, partition_key from citus_stat_statements");
      const given = statements.filter(({ query }) => GIVEN.test(String(query)));
      assert.ok(given.length >= 3, `${given.length} of ${statements.length}`);
      assert.deepEqual(
        given.filter(({ partition_key: key }) => key === null).map(({ query }) => query),
        [],
      );
    });
  });
});
