import assert from "node:assert/strict";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { isNear } from "../../plugins/rows/chosenRows.ts";
import { orderToSql, parseOrderBy } from "../../plugins/tables/orderBy.ts";
import type { Shape } from "../../server/filter/tree.ts";
import { baseType } from "../../server/types/catalogue.ts";
import { geometry, TYPES } from "../filter/fixtures.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

describe("orderBy", () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.drop());

  it("refuses by name only types that PostgreSQL cannot order: json, xml, jsonpath and shapes are among them", async () => {
    const { client } = database;
    const { rows } = await client.query<{ name: string }>(`
select typname as name from pg_type
where typtype = 'b' and typnamespace = 'pg_catalog'::regnamespace and typelem = 0 and typcategory <> 'Z'`);
    const shape = {
      column: (name: string) => ({ name, type: baseType({ schema: "pg_catalog", name }) }),
    } as unknown as Shape;
    const refused = rows.filter(({ name }) => {
      try {
        parseOrderBy({ [name]: "asc" }, shape);
        return false;
      } catch (error) {
        assert.match((error as Error).message, /have no order$/);
        return true;
      }
    });
    for (const { name } of refused)
      await assert.rejects(client.query(`select null::pg_catalog.${name} as v order by v`), { code: "42883" }, name);
    const names = refused.map(({ name }) => name);
    for (const name of ["json", "xml", "jsonpath", "circle"]) assert.ok(names.includes(name), name);
  });

  it("finds near rows by the index of the column, in any system, and orders them by the key too", async () => {
    const { client } = database;
    await client.query(`
create schema shop;
create table shop.spots as
  select n as id, public.st_setsrid(public.st_makepoint(n % 300 / 10.0 - 5, n / 600.0 + 35), 4326) as wgs84 from generate_series(1, 6000) n;
alter table shop.spots add primary key (id), add column utm public.geometry(Point, 25832), add column sphere public.geography(Point, 4326);
update shop.spots set utm = public.st_transform(wgs84, 25832), sphere = wgs84::public.geography;
create index on shop.spots using gist (wgs84);
create index on shop.spots using gist (utm);
create index on shop.spots using gist (sphere);
analyze shop.spots`);
    const types = { wgs84: geometry(4326), utm: geometry(25832), sphere: geometry(4326, "geography") };
    for (const [name, type] of Object.entries(types)) {
      const shape = { column: () => ({ name, type }) } as unknown as Shape;
      const near = { type: "Point", coordinates: [9, 40] };
      const [order] = parseOrderBy({ [name]: { near } }, shape);
      const alias = sql.identifier("t");
      const source = { from: sql`shop.spots`, key: [{ name: "id", type: TYPES.int4 }] };
      const ordered = sql` order by ${orderToSql(order!, alias)}, t.id limit 5`;
      const run = async (text: SQL): Promise<string[]> =>
        (await client.query<string[]>({ ...sql.compile(text), rowMode: "array" })).rows.flat();
      const nearest = sql`select id from shop.spots as t where ${isNear({ order: order!, count: 5 }, source, () => [], alias)}${ordered}`;
      const plan = (await run(sql`explain ${nearest}`)).join("\n");
      assert.match(plan, new RegExp(`Index Scan using spots_${name}_idx`), plan);
      assert.deepEqual(await run(nearest), await run(sql`select id from shop.spots as t${ordered}`));
    }
  });
});
