import assert from "node:assert/strict";
import { hasDemo, loadDemo } from "../../server/demo/demo.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

const COUNTS = {
  areas: 13,
  countries: 249,
  cities: 312,
  catchments: 312,
  routes: 455,
  graticule: 35,
  logbook: 6,
  southern_cities: 90,
};

describe("the demo", () => {
  let database: TestDatabase;
  const rows = async (text: string) => (await database.client.query<Record<string, unknown>>(text)).rows;
  async function as(account: string, text: string): Promise<Record<string, unknown>[]> {
    await database.client.query("begin");
    try {
      await database.client.query(
        "select set_config('role', role, true), set_config('portolan.user', name, true) from portolan.users where name = $1",
        [account],
      );
      return await rows(text);
    } finally {
      await database.client.query("rollback");
    }
  }

  before(async () => {
    database = await testDatabase({ kind: "demo" });
    await rows("insert into portolan.logins values ('postgres') on conflict do nothing"); // this connection plays the gateway
  });
  after(() => database.drop());

  it("has its rows, and is made once", async () => {
    for (const [table, count] of Object.entries(COUNTS))
      assert.deepEqual(await rows(`select count(*)::int as n from world.${table}`), [{ n: count }], table);
    assert.equal(await hasDemo(database.client), true);
    await assert.rejects(loadDemo(database.client, { captain: "x", guest: "y" }), { code: "42P06" });
    assert.deepEqual(await rows("select count(*)::int as n from world.cities"), [{ n: COUNTS.cities }]);
  });

  it("is the same each time it is made", async () => {
    const other = await testDatabase({ kind: "demo" });
    try {
      for (const table of Object.keys(COUNTS)) {
        const digest = `select md5(string_agg(t::text, e'\\n' order by t::text)) as digest from world.${table} t`;
        assert.deepEqual((await other.client.query(digest)).rows, await rows(digest), table);
      }
    } finally {
      await other.drop();
    }
  });

  it("has a geometry in every row that may have one", async () => {
    const { client } = database;
    const { rows: columns } = await client.query<{ relation: string; name: string }>(`
select a.attrelid::regclass::text as relation, a.attname as name
from pg_attribute a join pg_class c on c.oid = a.attrelid
where c.relnamespace = 'world'::regnamespace and c.relkind in ('r', 'v') and a.atttypid = 'geometry'::regtype`);
    assert.ok(columns.length >= 6);
    for (const { relation, name } of columns)
      assert.deepEqual(
        await rows(`select from ${relation} where ${name} is null or st_isempty(${name})`),
        [],
        relation,
      );
  });

  it("has points, lines and polygons that are valid, and catchments that cover the earth", async () => {
    for (const table of ["countries", "cities", "catchments", "routes", "graticule"])
      assert.deepEqual(await rows(`select from world.${table} where not st_isvalid(geom)`), [], table);
    const [area] = await rows(
      "select sum(area_km2)::float8 as area, sum(st_area(geom))::float8 as degrees from world.catchments",
    );
    assert.ok(Math.abs(Number(area?.["area"]) - 510_065_622) < 50_000, String(area?.["area"]));
    assert.ok(Math.abs(Number(area?.["degrees"]) - 64_800) < 1e-6);
    assert.deepEqual(
      await rows(
        "select from world.catchments a join world.cities c on c.id = a.city_id where not st_intersects(a.geom, c.geom)",
      ),
      [],
    );
    const [widest] = await rows(
      "select max(st_xmax(part) - st_xmin(part))::float8 as width from world.routes, lateral (select (st_dump(geom)).geom as part) d",
    );
    assert.ok(Number(widest?.["width"]) < 180);
  });

  it("has exactly one foreign key between cities and countries, and an index for every foreign key", async () => {
    assert.deepEqual(
      await rows(`
select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
where contype = 'f' and array[conrelid, confrelid] <@ array['world.cities'::regclass, 'world.countries'::regclass]::oid[]`),
      [{ child: "world.cities", parent: "world.countries" }],
    );
    assert.deepEqual(
      await rows(`
select c.conname from pg_constraint c
where c.contype = 'f' and c.connamespace = 'world'::regnamespace
  and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])`),
      [],
    );
  });

  it("describes every relation and column", async () => {
    assert.deepEqual(
      await rows(`
select a.attrelid::regclass::text as relation, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
where c.relnamespace = 'world'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0
  and (col_description(c.oid, a.attnum) is null or obj_description(c.oid, 'pg_class') is null)`),
      [],
    );
  });

  it("lets guest read part of it and write its own log entries, no more", async () => {
    assert.equal((await as("guest", "select from world.cities")).length, COUNTS.cities);
    assert.deepEqual(
      (await as("guest", "select name from world.nearest_cities(179.9, -17, 3)")).map(({ name }) => name),
      ["Fiji", "Tongatapu", "Apia"],
    );
    assert.equal((await as("guest", "select author from world.log_visit(1, 'here')"))[0]?.["author"], "guest");
    assert.equal(
      (await as("guest", "update world.logbook set entry = 'x' where author = 'captain' returning id")).length,
      0,
    );
    for (const refused of [
      "select from world.routes",
      "insert into world.cities (name) values ('x')",
      "insert into world.logbook (city_id, author, entry) values (1, 'captain', 'x')",
    ])
      await assert.rejects(as("guest", refused), { code: "42501" }, refused);
  });

  it("lets anonymous read countries and the graticule, captain everything", async () => {
    assert.equal((await as("anonymous", "select from world.countries")).length, COUNTS.countries);
    await assert.rejects(as("anonymous", "select from world.cities"), { code: "42501" });
    assert.equal((await as("captain", "select from world.routes")).length, COUNTS.routes);
    assert.equal((await as("captain", "update world.cities set name = 'X' where id = 1 returning id")).length, 1);
  });
});
