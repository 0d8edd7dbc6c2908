import assert from "node:assert/strict";
import { sql } from "postgraphile/pg-sql2";
import { countToInt } from "../../plugins/aggregates/aggregateResults.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { openDatabase, type Database } from "../../server/kernel/database/database.ts";
import { executeGraphql } from "../../server/graphql/execute.ts";
import { createSchemaRegistry, type SchemaRegistry } from "../../server/graphql/build/schemaRegistry.ts";
import { createLog } from "../../server/ground/log.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { checkPages } from "./randomPages.ts";
import { checkAggregates, type Run } from "./randomAggregates.ts";

describe("aggregates", () => {
  let testing: TestDatabase;
  let database: Database;

  before(async () => {
    testing = await testDatabase();
    await testing.client.query("create schema app");
    database = openDatabase({
      name: "test",
      url: testing.url,
      poolSize: 2,
      connectTimeoutMs: 5000,
      statementTimeoutMs: 60_000,
    });
  });

  after(async () => {
    await database.close();
    await testing.drop();
  });

  function waysOf(all: readonly SchemaRegistry[]): Run[] {
    const identity = { database: "test", name: "postgres", role: "postgres", roleMade: false, claims: {} };
    return all.map((registry) => async (query, variables) => {
      const served = await registry.schemaFor(database, "app");
      return (await executeGraphql(registry, served, { query, variables }, { identity })).text;
    });
  }

  describe("over random tables", () => {
    let all: SchemaRegistry[] = [];
    const close = async (): Promise<void> => {
      await Promise.all(all.map((registry) => registry.close()));
      all = [];
    };
    after(close);
    const ways: Run[] = [0, 1].map(
      (index) =>
        (...asked) =>
          waysOf(all)[index]!(...asked),
    );
    const reload = async (): Promise<void> => {
      await close();
      const options = { config: makeConfig(), log: createLog("silent") };
      all = [createSchemaRegistry(options), createSchemaRegistry({ ...options, plainReads: false })];
    };

    it("equal the results of other SQL", async () => {
      const groups = await checkAggregates(testing.client, ways, { seed: 1, count: 60, reload });
      assert.ok(groups > 100, `${groups} groups`);
    });

    it("stand beside pages that are slices of other SQL's order", async () => {
      assert.ok((await checkPages(testing.client, ways, { seed: 1, count: 200, reload })) >= 200);
    });
  });

  it("give no more groups than the limit, however many exist", async () => {
    await testing.client.query(
      "create view app.numbers as select i as id, i % 7 as rest from generate_series(1, 500000) i",
    );
    const registry = createSchemaRegistry({ config: makeConfig(), log: createLog("silent") });
    const [run] = waysOf([registry]);
    const ask = async (query: string) =>
      (JSON.parse(await run!(query, {})) as { data: { aggregateNumbers: { count: number }[] } }).data.aggregateNumbers;
    assert.equal((await ask(`{ aggregateNumbers(groupBy: "id") { by { id } count } }`)).length, 100);
    assert.equal((await ask(`{ aggregateNumbers(groupBy: "id", limit: 10000) { count } }`)).length, 10_000);
    assert.equal((await ask(`{ aggregateNumbers(groupBy: "rest") { count } }`)).length, 7);
    await registry.close();
  });

  it("report a count that does not fit", async () => {
    const query = (count: string) => sql.compile(sql`select ${countToInt(sql`${sql.value(count)}::int8`)} as count`);
    const { rows } = await testing.client.query(query("2147483647"));
    assert.deepEqual(rows, [{ count: 2147483647 }]);
    await assert.rejects(testing.client.query(query("2147483648")), /a count of 2147483648 is over 2147483647/);
  });
});

describe("aggregates under rules", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
create table world.owners (id int primary key, name text, rank int);
create table world.ships (id int primary key, owner_id int references world.owners, tons int, hidden int);
insert into world.owners values (1, 'Ann', 1), (2, 'Bob', 2);
insert into world.ships values (1, 1, 10, 1), (2, 1, 20, 2), (3, 2, 1000, 3), (4, null, 5, 4);
select portolan.set_privilege('world.owners', 'guest', 'read'), portolan.set_privilege('world.ships', 'guest', 'read');`),
    });
  });
  after(() => gateway.close());
  afterEach(() => gateway.database.client.query("delete from portolan.rules"));

  const ask = async (query: string, variables?: object) => {
    const { body } = await gateway.graphql("guest", "world", query, variables);
    return body as {
      data: Record<string, unknown> | null;
      errors?: { message: string; extensions: { code: string } }[];
    };
  };
  const rule = (action: string, table: string, filter: string | null = null) =>
    gateway.database.client.query(
      `insert into portolan.rules (priority, username, service, schema, "table", request, access, filter)
       values (1, 'guest', '*', 'world', $1, '*', $2, $3)`,
      [table, action, filter],
    );

  it("are computed over the rows that the caller may see, and no others", async () => {
    await rule("limit", "ships", "tons < 1000");
    const { data } = await ask(
      `{ aggregateShips { count max { tons } sum { tons } countDistinct { owner_id } } countShips
         grouped: aggregateShips(groupBy: "owners.name") { by { owners { name } } count }
         getOwners { name shipsAggregate { count max { tons } } } }`,
    );
    assert.deepEqual(data, {
      aggregateShips: [{ count: 3, max: { tons: 20 }, sum: { tons: "35" }, countDistinct: { owner_id: 1 } }],
      countShips: 3,
      grouped: [
        { by: { owners: { name: "Ann" } }, count: 2 },
        { by: { owners: { name: null } }, count: 1 },
      ],
      getOwners: [
        { name: "Ann", shipsAggregate: [{ count: 2, max: { tons: 20 } }] },
        { name: "Bob", shipsAggregate: [{ count: 0, max: { tons: null } }] },
      ],
    });
  });

  it("do not group by an invisible parent", async () => {
    await rule("limit", "owners", "rank < 2");
    const { data } = await ask(
      `{ aggregateShips(groupBy: "owners.name", orderBy: {count: "desc"}) { by { owners { name } } count } }`,
    );
    assert.deepEqual(data, {
      aggregateShips: [
        { by: { owners: { name: "Ann" } }, count: 2 },
        { by: { owners: { name: null } }, count: 2 },
      ],
    });
  });

  it("are forbidden if a rule denies the table, or a parent that only an argument names", async () => {
    await rule("deny", "owners");
    const codesOf = async (query: string, variables?: object) =>
      (await ask(query, variables)).errors?.map(({ extensions }) => extensions.code);
    assert.deepEqual(await codesOf(`{ aggregateOwners { count } }`), ["FORBIDDEN"]);
    assert.deepEqual(await codesOf(`{ aggregateShips(groupBy: "owners.name") { count } }`), ["FORBIDDEN"]);
    assert.deepEqual(
      await codesOf(`query ($by: JSON) { aggregateShips(groupBy: $by) { count } }`, { by: ["owners.name"] }),
      ["FORBIDDEN"],
    );
    assert.deepEqual(
      await codesOf(`query ($by: JSON) { aggregateShips(groupBy: $by) { count @include(if: true) } }`, {
        by: ["owners.name"],
      }),
      ["FORBIDDEN"],
    );
    const ann = { cql2: { op: "=", args: [{ property: "owners.name" }, "Ann"] } };
    for (const field of [
      "countShips(where: $where)",
      "aggregateShips(where: $where) { count }",
      "pageShips(where: $where) { totalCount }",
      'getShips(distinctOn: "tons", orderBy: [{ tons: "asc" }, { owners: { name: "asc" } }]) { id } countShips(where: $where)',
    ])
      assert.deepEqual((await codesOf(`query ($where: JSON) { ${field} }`, { where: ann }))?.[0], "FORBIDDEN", field);
    assert.deepEqual(await codesOf(`{ aggregateShips { count } }`), undefined);
    await gateway.database.client.query("delete from portolan.rules");
    await rule("deny", "ships");
    assert.deepEqual(await codesOf(`{ getOwners { shipsAggregate { count } } }`), ["FORBIDDEN"]);
  });

  it("are answered by PostgreSQL as JSON, one statement a root field", async () => {
    const counted = async (way: string): Promise<number> => {
      const { text } = await gateway.http.get("/metrics");
      const line = new RegExp(`^portolan_graphql_root_fields_total\\{way="${way}"\\} (\\d+)$`, "m");
      return Number(line.exec(text)?.[1] ?? 0);
    };
    const [plain, planned] = [await counted("plain"), await counted("planned")];
    const { data } = await ask(
      `{ aggregateShips(groupBy: "owner_id") { by { owner_id } count avg { tons } } getOwners { shipsAggregate { sum { tons } } } }`,
    );
    assert.ok(data);
    assert.equal(await counted("planned"), planned);
    assert.ok((await counted("plain")) >= plain + 2); // more if the rules have changed meanwhile, and the query was repeated
  });
});
