import assert from "node:assert/strict";
import { parseOrderBy } from "../../plugins/orderBy.ts";
import type { Shape } from "../../server/filter/tree.ts";
import { baseType } from "../../server/types/catalogue.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

describe("orderBy", () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.drop());

  it("refuses by name only what PostgreSQL puts in no order: json, xml, jsonpath and shapes are among it", async () => {
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
});
