import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { HAS_SECURITY_INVOKER, SECURITY_INVOKER } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { as, type As } from "./requests.ts";

/** Before PostgreSQL 15 no view obeys rules. */
const VIEW = HAS_SECURITY_INVOKER ? "seen" : "houses";

describe("methods and rules", () => {
  let gateway: TestGateway;
  let guest: As;
  const query = (text: string) => gateway.database.client.query(text);

  before(async () => {
    gateway = await testGateway({
      prepare: async ({ client }) => {
        await client.query(`
create schema town;
create table town.houses (id int primary key, kind int);
insert into town.houses values (1, 1), (2, 2);
create view town.seen ${SECURITY_INVOKER} as select * from town.houses;
create table town.other (id int primary key);
select portolan.set_privilege(r, 'guest', 'write') from unnest('{town.houses,town.other,town.seen}'::regclass[]) r;
select portolan.create_method('houses', 'select id from town.houses order by id');
select portolan.create_method('seen', 'select id from town.seen order by id');
select portolan.create_method('other', 'with houses as (select 1) select id from town.other, houses');
select portolan.create_method('build', 'insert into town.houses values (:id::int, 1)');
update portolan.methods set published = true;`);
      },
    });
    guest = await as(gateway, "guest");
  });
  after(() => gateway.close());

  it("a rule limits what a method reads; in SQL that someone wrote the service is sql, whatever a rule says", async () => {
    await query(
      `insert into portolan.rules (username, service, schema, "table", access, filter) values ('guest', 'rpc', 'town', 'houses', 'limit', 'id = 2')`,
    );
    assert.deepEqual((await guest.call("houses")).data, [{ id: 2 }]);
    assert.deepEqual((await guest.call(VIEW)).data, [{ id: 2 }]);
    await query(
      `delete from portolan.rules; insert into portolan.rules (username, service, schema, "table", access) values ('guest', 'graphql', 'town', 'houses', 'deny')`,
    );
    assert.equal((await guest.call("houses")).data.length, 2);
    await query("delete from portolan.rules");
  });

  it("a rule that denies is -32603 with sqlstate 42501, for views over the table and for writes too", async () => {
    await query(
      `insert into portolan.rules (username, schema, "table", access) values ('guest', 'town', 'houses', 'deny')`,
    );
    const sqlstates = async (): Promise<unknown[]> =>
      Promise.all(
        [["houses"], [VIEW], ["build", { id: 3 }]].map(async ([method, params]) => {
          const { code, data } = (await guest.rpc({ jsonrpc: "2.0", method, params, id: 1 })).error ?? {};
          return [code, data?.sqlstate];
        }),
      );
    const denied = [-32603, "42501"];
    await until(async () => JSON.stringify(await sqlstates()) === JSON.stringify([denied, denied, denied]));
    assert.deepEqual((await guest.call("other")).data, []);
    const sql = await guest.request("post", "/sql", { q: "select * from town.houses" });
    assert.deepEqual([sql.status, sql.body.sqlstate], [403, "42501"]);
    await query("delete from portolan.rules");
  });
});
