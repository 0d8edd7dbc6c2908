/** Plugins in a team's `graphile.config.ts`: plugins of the community, and one that breaks schemas. */
import assert from "node:assert/strict";
import { PgManyToManyPreset } from "@graphile-contrib/pg-many-to-many";
import { PgAggregatesPreset } from "@graphile/pg-aggregates";
import { PgSimplifyInflectionPreset } from "@graphile/simplify-inflection";
import { pino } from "pino";
import { PostGraphileConnectionFilterPreset } from "postgraphile-plugin-connection-filter";
import type { Log } from "../../server/ground/log.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

/** Breaks the schema of every database schema that has a table `broken`. */
export const BreakingPlugin: GraphileConfig.Plugin = {
  name: "BreakingPlugin" as GraphileConfig.Plugin["name"],
  version: "1.0.0",
  schema: {
    hooks: {
      finalize(schema) {
        if (schema.getType("Broken")) throw new Error("BreakingPlugin does not like broken");
        return schema;
      },
    },
  },
};

/** The messages that a gateway logs while it starts. */
function listening(): { log: Log; messages: string[] } {
  const messages: string[] = [];
  const write = (line: string): unknown => messages.push((JSON.parse(line) as { msg: string }).msg);
  const log = pino({ level: "warn" }, { write });
  return { log, messages };
}

describe("graphql: plugins of the community in a gateway", () => {
  let gateway: TestGateway;
  const { log, messages } = listening();

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      log,
      preset: {
        extends: [
          PgSimplifyInflectionPreset,
          PostGraphileConnectionFilterPreset,
          PgManyToManyPreset,
          PgAggregatesPreset,
        ],
      },
      prepare: ({ client }) =>
        client.query(`
create schema app;
create table app.owners (id int primary key, name text not null, born date, tags text[], size float8, seen timestamptz, sure boolean);
create table app.ships (id int primary key, name text not null, owner_id int references app.owners, length numeric, shape geometry);
create table app.crews (ship_id int references app.ships, owner_id int references app.owners, primary key (ship_id, owner_id));
insert into app.owners values (1, 'Ann', '1990-05-01', '{a,b}', 1.5, '2024-01-01 12:00Z', true), (2, 'Bo', '1970-01-01', '{c}', 2.5, '2020-01-01 12:00Z', false);
insert into app.ships values (1, 'Swan', 1, 10.5), (2, 'Gull', 1, 7), (3, 'Auk', 2, 3);
insert into app.crews values (1, 1), (2, 1), (1, 2);
select portolan.create_user('ann', 'secret'), portolan.create_user('root', 'secret', superuser => true);
select portolan.set_privilege(format('app.%s', t)::regclass, 'ann', 'read') from unnest('{owners,ships,crews}'::text[]) t;
select portolan.create_rule('{"username": "ann", "schema": "app", "table": "ships", "access": "limit", "filter": "id <> 3"}')`),
    });
  });
  after(() => gateway.close());

  async function ask(query: string, account = "ann"): Promise<unknown> {
    return (await gateway.graphql(account, "app", query)).body;
  }

  it("filter is AND-ed with where, on lists at the root and beneath", async () => {
    assert.deepEqual(
      await ask(
        `{ getShips(where: {id: {lte: 2}}, filter: {name: {startsWith: "S"}}) { name }
           getOwners(id: 1, filter: {sure: {equalTo: true}}) { ships(where: {id: {gt: 1}}, filter: {name: {in: ["Swan", "Gull"]}}) { name } } }`,
      ),
      { data: { getShips: [{ name: "Swan" }], getOwners: [{ ships: [{ name: "Gull" }] }] } },
    );
  });

  for (const [column, filter] of Object.entries({
    id: "{equalTo: 1}",
    name: '{likeInsensitive: "AN%"}',
    born: '{greaterThan: "1980-01-01"}',
    tags: '{anyEqualTo: "b"}',
    size: "{lessThan: 2.0}",
    seen: '{greaterThanOrEqualTo: "2024-01-01T12:00:00Z"}',
    sure: "{isNull: false, equalTo: true}",
  }))
    it(`filter compares the column ${column}`, async () => {
      assert.deepEqual(await ask(`{ getOwners(filter: {${column}: ${filter}}) { id } }`), {
        data: { getOwners: [{ id: "1" }] },
      });
    });

  it("filter shows no row that a rule hides", async () => {
    assert.deepEqual(await ask('{ getShips(filter: {name: {includes: "u"}}) { name } }'), {
      data: { getShips: [{ name: "Gull" }] },
    });
    assert.deepEqual(await ask('{ getShips(filter: {name: {includes: "u"}}) { name } }', "root"), {
      data: { getShips: [{ name: "Gull" }, { name: "Auk" }] },
    });
  });

  it("lists through a third table take where, limit, offset and orderBy, under the limits of other lists", async () => {
    const list = "shipsByCrewOwnerIdAndShipIdList";
    assert.deepEqual(await ask(`{ getOwners(id: 1) { ${list}(orderBy: {name: "asc"}, limit: 1) { name } } }`), {
      data: { getOwners: [{ [list]: [{ name: "Gull" }] }] },
    });
    assert.deepEqual(
      await ask(`{ getOwners(id: 1) { ${list}(where: {id: 1}, filter: {id: {lessThan: 3}}) { name } } }`),
      {
        data: { getOwners: [{ [list]: [{ name: "Swan" }] }] },
      },
    );
    assert.match(JSON.stringify(await ask(`{ getOwners(id: 1) { ${list}(limit: 10001) { id } } }`)), /BAD_USER_INPUT/);
  });

  it("start says once which of them has less effect here, and why", () => {
    assert.deepEqual(messages, [
      "@graphile/simplify-inflection is left out: the names of types and fields are set by Portolan's API",
      "@graphile/pg-aggregates adds nothing: it extends connections, which PortolanPreset does not have; use aggregate<T>",
    ]);
  });
});

describe("graphql: a plugin that breaks a schema", () => {
  let gateway: TestGateway;
  const { log, messages } = listening();

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      log,
      config: { catalogueIntervalMs: 20 },
      preset: { plugins: [BreakingPlugin] },
      prepare: ({ client }) =>
        client.query(`
create schema good; create table good.ships (id int primary key);
create schema bad; create table bad.broken (id int primary key);
select portolan.create_user('root', 'secret', superuser => true)`),
    });
  });
  after(() => gateway.close());

  it("start names the schema and the reason", () => {
    assert.deepEqual(
      gateway.gateway.databases.map(({ broken }) => [...broken]),
      [[["bad", "BreakingPlugin does not like broken"]]],
    );
    assert.ok(messages.includes("the GraphQL schema cannot be built"));
  });

  it("/readyz is 503 and names it; its requests are UNAVAILABLE, without the reason", async () => {
    const { body } = await gateway.http.get("/readyz").expect(503);
    assert.deepEqual(body.down, [`graphql ${gateway.database.name}.bad`]);
    const answer = await gateway.graphql("root", "bad", "{ __typename }");
    assert.equal(answer.status, 503);
    assert.equal(answer.body.errors[0].extensions.code, "UNAVAILABLE");
    assert.equal(answer.body.errors[0].message, "The GraphQL schema bad cannot be built");
  });

  it("other schemas are served", async () => {
    assert.deepEqual((await gateway.graphql("root", "good", "{ countShips }")).body, { data: { countShips: 0 } });
  });

  it("the schema is served once the cause is gone, without a restart", async () => {
    await gateway.database.client.query("alter table bad.broken rename to mended");
    for (;;) {
      const { status, body } = await gateway.graphql("root", "bad", "{ countMended }");
      if (status !== 503) {
        assert.deepEqual(body, { data: { countMended: 0 } });
        break;
      }
    }
    await gateway.http.get("/readyz").expect(200);
  });
});
