/** Portolan's plugins in a PostGraphile server of a team, and a team's own plugins in Portolan. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { postgraphile } from "postgraphile";
import type { PgSelectSingleStep } from "postgraphile/@dataplan/pg";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafast, lambda } from "postgraphile/grafast";
import { grafserv } from "postgraphile/grafserv/node";
import { makeSchema, StreamDeferPlugin } from "postgraphile/graphile-build";
import { extendSchema, gql, wrapPlans } from "postgraphile/utils";
import { PortolanPreset } from "../../plugins/preset.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { openDatabase, type Database } from "../../server/kernel/database/database.ts";
import { executeGraphql } from "../../server/graphql/execute.ts";
import { createSchemaRegistry } from "../../server/graphql/build/schemaRegistry.ts";
import { createLog } from "../../server/ground/log.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

describe("graphql: plugins", () => {
  let testing: TestDatabase;
  let database: Database;

  before(async () => {
    testing = await testDatabase();
    await testing.client.query(`
      create schema app;
      create table app.owners (id int primary key, name text not null);
      create table app.ships (id int primary key, name text, owner_id int references app.owners);
      insert into app.owners values (1, 'Ann'); insert into app.ships values (1, 'Swan', 1), (2, 'Gull', 1)`);
    database = openDatabase({
      name: "test",
      url: testing.url,
      poolSize: 2,
      connectTimeoutMs: 5000,
      statementTimeoutMs: 5000,
    });
  });

  after(async () => {
    await database.close();
    await testing.drop();
  });

  it("serve a PostGraphile server through PortolanPreset", async () => {
    const service = makePgService({ connectionString: testing.url, schemas: ["app"], pubsub: false });
    try {
      const { schema, resolvedPreset } = await makeSchema({ extends: [PortolanPreset], pgServices: [service] });
      const run = (source: string) => grafast({ schema, resolvedPreset, requestContext: {}, source });
      const read = await run(
        `{ getOwners(where: { name: { like: "A%" } }) { id name ships(limit: 1) { name } } countShips }`,
      );
      assert.deepEqual(JSON.parse(JSON.stringify(read)), {
        data: { getOwners: [{ id: "1", name: "Ann", ships: [{ name: "Swan" }] }], countShips: 2 },
      });
      const written = await run(`mutation { insertOwners(data: { id: 2, name: "Bo" }) { id ships { id } } }`);
      assert.deepEqual(JSON.parse(JSON.stringify(written)), { data: { insertOwners: [{ id: "2", ships: [] }] } });
    } finally {
      await service.release?.();
    }
  });

  it("in a PostGraphile server report an error by its code, and write all of a field or nothing", async () => {
    const { client } = testing;
    await client.query("begin; insert into app.owners select i, 'x' from generate_series(11, 13) i; commit");
    const service = makePgService({ connectionString: testing.url, schemas: ["app"], pubsub: false });
    const instance = postgraphile({
      extends: [PortolanPreset],
      pgServices: [service],
      grafserv: { watch: false },
    });
    const server = createServer();
    await instance.createServ(grafserv).addTo(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const ask = async (query: string) => {
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ query }),
      });
      const { errors } = (await response.json()) as {
        errors?: readonly { message: string; extensions?: { code?: string } }[];
      };
      return [errors?.[0]?.extensions?.code, errors?.[0]?.message];
    };
    try {
      assert.deepEqual(
        await ask('mutation { updateOwners(where: {id: {gt: 10}}, data: {name: "y"}, maxAffected: 2) { name } }'),
        ["LIMIT_EXCEEDED", "More rows would be affected than maxAffected, which is 2"],
      );
      const [code, message] = await ask(
        'mutation { insertOwners(data: {id: 14, name: "x", ships: [{id: 21}, {id: 1}]}) { name } }',
      );
      assert.deepEqual(
        [code, message],
        ["CONFLICT", 'data.ships.1: duplicate key value violates unique constraint "ships_pkey"'],
      );
      assert.deepEqual(await ask('mutation { deleteOwners(id: 11, ifMatch: "1-(0,1)-1") { name } }'), [
        "CONFLICT",
        "ifMatch: the row was changed or deleted meanwhile",
      ]);
      assert.deepEqual(await ask("{ pageOwners(first: 1, last: 1) { totalCount } }"), [
        "BAD_USER_INPUT",
        "first and last: give only one of them",
      ]);
      const { rows } = await client.query("select id, name from app.owners where id > 10 order by id");
      assert.deepEqual(
        rows,
        [11, 12, 13].map((id) => ({ id, name: "x" })),
      );
    } finally {
      server.close();
      await instance.release();
      await service.release?.();
      await client.query("delete from app.owners where id > 10");
    }
  });

  it("in a PostGraphile server make a mutation request one transaction", async () => {
    const { client } = testing;
    await client.query(
      `create table app.pairs (id int primary key, other int references app.pairs deferrable initially deferred)`,
    );
    const service = makePgService({ connectionString: testing.url, schemas: ["app"], pubsub: false });
    const instance = postgraphile({
      extends: [PortolanPreset],
      plugins: [StreamDeferPlugin],
      pgServices: [service],
      grafserv: { watch: false },
      grafast: { context: () => ({ pgSettings: { "app.account": "ann" } }) },
    });
    const server = createServer();
    await instance.createServ(grafserv).addTo(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
    const ask = async (query: string) => {
      const response = await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ query }),
      });
      const { data, errors } = (await response.json()) as {
        data?: unknown;
        errors?: readonly { path?: readonly string[]; extensions?: { code?: string } }[];
      };
      return { data, errors: errors?.map(({ path, extensions }) => `${path?.join(".")} ${extensions?.code}`) };
    };
    const ids = async () =>
      (await client.query<{ id: number }>("select id from app.pairs order by id")).rows.map(({ id }) => id);
    try {
      assert.deepEqual(
        await ask(
          "mutation { a: insertPairs(data: {id: 1}) { id } b: insertPairs(data: {id: 2, other: 3}) { id } c: insertPairs(data: {id: 3}) { id } }",
        ),
        { data: { a: [{ id: "1" }], b: [{ id: "2" }], c: [{ id: "3" }] }, errors: undefined },
      );
      assert.deepEqual(
        await ask(
          "mutation { a: insertPairs(data: {id: 4}) { id } b: updatePairs(id: 1, data: {id: 2}) { id } c: insertPairs(data: {id: 5}) { id } }",
        ),
        { data: null, errors: ["b CONFLICT"] },
      );
      assert.deepEqual(await ids(), [1, 2, 3]);
      assert.deepEqual(
        await ask("mutation { a: insertPairs(data: {id: 4}) { id } b: insertPairs(data: {id: 5, other: 6}) { id } }"),
        {
          data: null,
          errors: ["undefined CONFLICT"], // the time of the commit
        },
      );
      assert.deepEqual(await ids(), [1, 2, 3]);
      assert.deepEqual(await ask("mutation { __typename }"), { data: { __typename: "Mutation" }, errors: undefined });
      const portions = async (more: string): Promise<string> => {
        const query = `mutation { a: insertPairs(data: {id: 4}) { id ... @defer { other } } ${more} }`;
        const response = await fetch(address, {
          method: "POST",
          headers: { "Content-Type": "application/json", Accept: "multipart/mixed, application/json" },
          body: JSON.stringify({ query }),
        });
        return response.text();
      };
      assert.match(await portions("b: insertPairs(data: {id: 1}) { id }"), /"data":null.*CONFLICT/s);
      assert.deepEqual(await ids(), [1, 2, 3]);
      assert.match(await portions(""), /"id":"4".*"other":null/s);
      assert.deepEqual(await ids(), [1, 2, 3, 4]);
    } finally {
      server.close();
      await instance.release();
      await service.release?.();
      await client.query("drop table app.pairs");
    }
  });

  async function answer(plugins: GraphileConfig.Plugin[], query: string): Promise<unknown> {
    const registry = createSchemaRegistry({
      config: { ...makeConfig(), preset: { plugins } },
      log: createLog("silent"),
    });
    try {
      const served = await registry.schemaFor(database, "app");
      const identity = { database: "test", name: "postgres", role: "postgres", roleMade: false, claims: {} };
      return JSON.parse((await executeGraphql(registry, served, { query }, { identity })).text);
    } finally {
      await registry.close();
    }
  }

  it("of the team add fields", async () => {
    const plugin = extendSchema({
      typeDefs: gql`
        extend type Owners {
          shout: String
        }
      `,
      objects: {
        Owners: {
          plans: {
            shout: ($owner) => lambda(($owner as PgSelectSingleStep).get("name"), (name) => `${String(name)}!`),
          },
        },
      },
    });
    assert.deepEqual(await answer([plugin], "{ getOwners(id: 1) { name shout } }"), {
      data: { getOwners: [{ name: "Ann", shout: "Ann!" }] },
    });
  });

  it("of the team may wrap Portolan's plans", async () => {
    const plugin = wrapPlans({
      Owners: { name: (plan) => lambda(plan(), (name) => `wrapped ${String(name)}`) },
    });
    assert.deepEqual(await answer([plugin], "{ getOwners(id: 1) { name } getShips { owners { name } } }"), {
      data: {
        getOwners: [{ name: "wrapped Ann" }],
        getShips: [{ owners: { name: "wrapped Ann" } }, { owners: { name: "wrapped Ann" } }],
      },
    });
  });
});
