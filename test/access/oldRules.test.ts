/** A rule that is replaced while somebody reads in a snapshot of before. */
import assert from "node:assert/strict";
import pg from "pg";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

describe("a rule that is replaced after a snapshot was taken", () => {
  let gateway: TestGateway;
  const query = async (text: string, values: unknown[] = []) =>
    (await gateway.database.client.query(text, values)).rows;
  const limit = async (filter: string): Promise<number> =>
    (
      await query("select portolan.create_rule($1) as id", [
        { schema: "world", table: "ranks", access: "limit", filter },
      ])
    )[0].id;

  before(async () => {
    gateway = await testGateway();
    await query(`
create table world.ranks (id int primary key); insert into world.ranks select generate_series(1, 9);
select portolan.create_user('ann', null);
select portolan.set_privilege('world.ranks', 'ann', 'write')`);
  });

  after(() => gateway.close());

  it("is an error of serialization there, and never a table that looks empty", async () => {
    const rule = await limit("id <= 5");
    const session = new pg.Client({ connectionString: gateway.database.url });
    await session.connect();
    try {
      const count = () => session.query("select count(*)::int as n from world.ranks");
      await session.query(`set session authorization "ann@${gateway.database.name}"`);
      const begin = "begin isolation level repeatable read; select 1";
      await session.query(begin);
      assert.deepEqual((await count()).rows, [{ n: 5 }]);
      await session.query(`commit; ${begin}`);
      await query(`select portolan.drop_rule(${rule})`);
      await limit("id <= 8");
      await assert.rejects(count(), { code: "40001" });
      await session.query(`rollback; ${begin}`);
      assert.deepEqual((await count()).rows, [{ n: 8 }]);
    } finally {
      await session.end();
      await query("select portolan.drop_rule(id) from portolan.list_rules()");
    }
  });

  it("is no answer of /rows: the request begins again", async () => {
    const rule = await limit("id <= 5");
    const path = '/api/v4/schemas/world/tables/ranks/rows?columns=["id"]';
    const token = await gateway.token("ann");
    const read = async (): Promise<unknown> => {
      const { status, body } = await gateway.http.get(path).set("Authorization", `Bearer ${token}`);
      return [status, body.length];
    };
    assert.deepEqual(await read(), [200, 5]);
    const { client } = gateway.database;
    await client.query("begin; lock table world.ranks in access exclusive mode");
    const answer = read();
    await until(async () => {
      const { rows } = await client.query(
        "select from pg_locks l where l.relation = 'world.ranks'::regclass and not l.granted",
      );
      return rows.length > 0;
    });
    await client.query(`select portolan.drop_rule(${rule})`);
    await limit("id <= 8");
    await client.query("commit");
    assert.deepEqual(await answer, [200, 8]);
  });
});
