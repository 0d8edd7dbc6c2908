import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

const CHAINED = 500;

describe("schemas of unusual size and state", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      prepare: async ({ client }) => {
        await client.query("select portolan.create_user('ann', null, superuser => true)");
        await client.query(`
create schema chain;
do $$ begin
  create table chain.t0 (id int primary key);
  for i in 1..${CHAINED - 1} loop
    execute format('create table chain.t%s (id int primary key, t%s_id int references chain.t%s)', i, i - 1, i - 1);
  end loop;
end $$;
insert into chain.t0 values (1); insert into chain.t1 values (1, 1); insert into chain.t2 values (1, 1);`);
        const columns = Array.from({ length: 1600 }, (_, n) => `c${n} ${n === 0 ? "int primary key" : "int"}`);
        await client.query(
          `create schema wide; create table wide.widest (${columns.join(", ")}); insert into wide.widest (c0, c1599) values (1, 5)`,
        );
        await client.query(`
create schema broken;
create table broken.base (id int primary key, a int);
create view broken.view as select id, 1 / a as quotient from broken.base;
insert into broken.base values (1, 0);
create function broken.fails() returns int language plpgsql stable as $$ begin raise exception 'no luck today'; end $$;
create function broken.overflows(broken.base) returns int language sql stable as $$ select broken.overflows($1) $$;`);
      },
    });
  });
  after(() => gateway.close());

  it(`${CHAINED} tables that are chained by foreign keys build, and answer across the chain`, async () => {
    const { body } = await gateway.graphql("ann", "chain", "{ getT2 { id t1 { id t0 { id } } } }");
    assert.deepEqual(body, { data: { getT2: [{ id: "1", t1: { id: "1", t0: { id: "1" } } }] } });
  });

  it("a table of 1,600 columns builds and is written", async () => {
    const read = await gateway.graphql("ann", "wide", "{ getWidest { c0 c1599 c7 } }");
    assert.deepEqual(read.body, { data: { getWidest: [{ c0: "1", c1599: 5, c7: null }] } });
    const written = await gateway.graphql(
      "ann",
      "wide",
      "mutation ($data: JSON) { insertWidest(data: $data) { c0 c1000 } }",
      {
        data: Object.fromEntries(Array.from({ length: 1600 }, (_, n) => [`c${n}`, n + 2])),
      },
    );
    assert.deepEqual(written.body, { data: { insertWidest: [{ c0: "2", c1000: 1002 }] } });
  });

  it("a broken view or function fails by itself, in its own words, and its siblings answer", async () => {
    const { body } = await gateway.graphql("ann", "broken", "{ getView { id quotient } fails getBase { id } }");
    assert.deepEqual(body.data, { getView: null, fails: null, getBase: [{ id: "1" }] });
    assert.deepEqual(
      body.errors.map(({ path, message, extensions }: { path: string[]; message: string; extensions: object }) => [
        path,
        message,
        extensions,
      ]),
      [
        [["getView"], "division by zero", { code: "BAD_USER_INPUT", sqlstate: "22012" }],
        [["fails"], "no luck today", { code: "BAD_USER_INPUT", sqlstate: "P0001" }],
      ],
    );
  });

  it("a table that is dropped between two requests is gone from the schema, and the service does not fail", async () => {
    await gateway.database.client.query("create table broken.soon (id int primary key)");
    const ask = () => gateway.graphql("ann", "broken", "{ getSoon { id } }");
    await until(async () => !(await ask()).body.errors);
    assert.deepEqual((await ask()).body, { data: { getSoon: [] } });
    await gateway.database.client.query("drop table broken.soon");
    const { body } = await ask();
    assert.match(body.errors[0].message, /Cannot query field "getSoon"/);
    assert.equal(body.errors[0].extensions.code, "BAD_USER_INPUT");
  });

  it("DDL in a loop under load fails no request", async () => {
    let going = true;
    const seen = new Map<string, number>();
    const token = await gateway.token("ann");
    const clients = Array.from({ length: 6 }, async () => {
      while (going) {
        const { body } = await gateway.http
          .post("/api/graphql/schema/broken")
          .set("Authorization", `Bearer ${token}`)
          .send({ query: "{ getBase { id a } countBase }" });
        const outcome = JSON.stringify(body);
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      }
    });
    const { client } = gateway.database;
    const answered = (): number => [...seen.values()].reduce((sum, count) => sum + count, 0);
    const answersMore = (count: number) => {
      const before = answered();
      return until(() => answered() >= before + count);
    };
    for (let n = 0; n < 12; n++) {
      await client.query(`alter table broken.base add column extra${n} int`);
      await client.query(`create table broken.other${n} (id int primary key)`);
      await answersMore(12);
      await client.query(`alter table broken.base drop column extra${n}; drop table broken.other${n}`);
      await answersMore(12);
    }
    going = false;
    await Promise.all(clients);
    assert.deepEqual([...seen.keys()], ['{"data":{"getBase":[{"id":"1","a":0}],"countBase":1}}']);
    assert.ok((seen.values().next().value ?? 0) > 50);
  });
});
