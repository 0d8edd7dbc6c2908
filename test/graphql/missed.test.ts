import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

const MINUTE_MS = 60_000;

describe("GraphQL after recent DDL", () => {
  let gateway: TestGateway;
  before(async () => {
    // so that a regular check of the catalogue does not see it
    gateway = await testGateway({ config: { catalogueIntervalMs: MINUTE_MS } });
  });
  after(() => gateway.close());

  /** Repeats the request until the catalogue may be read again. */
  async function answered(schema: string, query: string): Promise<unknown> {
    let answer: { status: number; text: string; body: { data?: unknown; errors?: unknown } };
    await until(
      async () => {
        answer = await gateway.graphql("captain", schema, query);
        return answer.status === 200 && answer.body.errors === undefined;
      },
      undefined,
      () => answer.text,
    );
    return answer!.body.data;
  }

  it("answers requests for a new table, and for a new column", async () => {
    const { client } = gateway.database;
    assert.deepEqual(await answered("world", '{ getCountries(where: {code: {eq: "NO"}}) { code } }'), {
      getCountries: [{ code: "NO" }],
    });
    await client.query("create table world.beacons (id int primary key); insert into world.beacons values (1)");
    assert.deepEqual(await answered("world", "{ getBeacons { id } }"), { getBeacons: [{ id: "1" }] });
    await client.query("alter table world.beacons add column lit boolean default true");
    assert.deepEqual(await answered("world", "{ getBeacons { lit } }"), { getBeacons: [{ lit: true }] });
  });

  it("answers requests for a new schema", async () => {
    await gateway.database.client.query(
      "create schema shoals; create table shoals.depths (id int primary key); insert into shoals.depths values (7)",
    );
    assert.deepEqual(await answered("shoals", "{ getDepths { id } }"), { getDepths: [{ id: "7" }] });
  });

  it("gives the rows of a new table", async () => {
    await gateway.database.client.query("create table world.piers (id int); insert into world.piers values (3)");
    const { status, body } = await gateway.http
      .get("/api/v4/schemas/world/tables/piers/rows?format=json")
      .set("Authorization", `Bearer ${await gateway.token("captain")}`);
    assert.deepEqual([status, body], [200, [{ id: 3 }]]);
  });

  it("reports the error of a document that no schema answers", async () => {
    const { body } = await gateway.graphql("captain", "world", "{ getUnicorns { id } }");
    assert.match(body.errors[0].message, /Cannot query field "getUnicorns"/);
    assert.equal((await gateway.graphql("captain", "nowhere", "{ getUnicorns { id } }")).status, 404);
  });
});
