/** In which schemas the statements of requests look for operators and functions that they do not qualify. */
import assert from "node:assert/strict";
import { until } from "../support/until.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

describe("the search_path of requests", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway({
      config: { schemas: ["shop", "public"] },
      prepare: async ({ client, name }) => {
        await client.query(`
revoke create on schema public from public; create role planter login;
create schema stock;
create schema shop;
create schema "Own Things" authorization planter;
alter database ${name} set search_path = "$user", "Own Things", shop, public, stock;
grant usage on schema shop, "Own Things" to public;
create table shop.goods (id int primary key, name varchar);
insert into shop.goods values (1, 'salt');
grant select on shop.goods to public;
create function shop.path() returns text language sql stable as $$ select current_setting('search_path') $$;
create sequence shop.calls;
create function "Own Things".equal(a varchar, b varchar) returns boolean language plpgsql as $$
begin
  raise exception 'planted';
end $$;
create operator "Own Things".= (leftarg = varchar, rightarg = varchar, function = "Own Things".equal);
alter function "Own Things".equal(varchar, varchar) owner to planter;
alter operator "Own Things".= (varchar, varchar) owner to planter`);
      },
    });
  });

  after(() => gateway?.close());

  async function path(): Promise<string> {
    const { body } = await gateway.graphql("guest", "shop", "{ path }");
    return (body as { data: { path: string } }).data.path;
  }

  it("is the database's, with PostgreSQL's own schema first, and without schemas of authors", async () => {
    assert.equal(await path(), "pg_catalog, shop, public, stock, pg_temp");
    const { body } = await gateway.graphql("guest", "shop", '{ getGoods(where: {name: {eq: "salt"}}) { id } }');
    assert.deepEqual(body, { data: { getGoods: [{ id: "1" }] } });
  });

  it("loses a schema in which somebody else may create from now on, and has it again afterwards", async () => {
    const { client } = gateway.database;
    await client.query("grant create on schema stock to planter");
    await until(async () => (await path()) === "pg_catalog, shop, public, pg_temp");
    await client.query("grant create on schema public to public");
    await until(async () => (await path()) === "pg_catalog, shop, pg_temp");
    await client.query("revoke create on schema stock from planter; revoke create on schema public from public");
    await until(async () => (await path()) === "pg_catalog, shop, public, stock, pg_temp");
  });

  it("is not that which somebody has given to the login of requests", async () => {
    const { client, name } = gateway.database;
    const before = await path();
    await client.query(`alter role ".pool@${name}" set search_path = "Own Things", public`);
    await client.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [`.pool@${name}`]);
    try {
      await until(async () => (await path().catch(() => "")) !== "");
      assert.equal(await path(), before);
    } finally {
      await client.query(`alter role ".pool@${name}" reset all`);
    }
  });
});
