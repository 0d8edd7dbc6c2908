/** In which schemas the statements of requests look for operators and functions that they do not qualify. */
import assert from "node:assert/strict";
import { makeConfig } from "../../server/kernel/config.ts";
import { createLog } from "../../server/ground/log.ts";
import { startGateway } from "../../server/main.ts";
import { command } from "../support/commands.ts";
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

  /** Another process that serves the database. */
  const restart = async (): Promise<{ close(): Promise<void> }> =>
    startGateway(
      makeConfig({ databases: { [gateway.database.name]: gateway.database.gatewayUrl }, port: 0 }),
      createLog("silent"),
    );

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

  it("decides nothing for the logins of the gateway and of the owner, who serve and migrate", async () => {
    const { client, name } = gateway.database;
    await client.query(`
set search_path = pg_catalog;
create schema evil; grant usage on schema evil to public;
create table evil.notes (who text); grant insert on evil.notes to public;
create function evil.note() returns boolean language plpgsql as $$
begin insert into evil.notes values (current_user); return true; end $$;
create function evil.current_setting(text) returns text language sql as $$ select case when evil.note() then '' end $$;
create function evil.pg_is_in_recovery() returns boolean language sql as $$ select not evil.note() $$;
create function evil.equal(text, text) returns boolean language sql as $$ select evil.note() $$;
create operator evil.= (leftarg = text, rightarg = text, function = evil.equal);
create domain evil.jsonb as pg_catalog.jsonb check (evil.note());
create domain evil.text as pg_catalog.text check (evil.note());
alter database ${name} set search_path = evil, pg_catalog;
update portolan.code set hash = '';`);
    const run = (...args: string[]): number | null =>
      command(args, {
        env: { DATABASE_URL: gateway.database.gatewayUrl, OWNER_DATABASE_URL: gateway.database.url },
      }).status;
    try {
      assert.equal(run("migrate"), 0);
      run("doctor");
      const again = await restart();
      await again.close();
      const { rows } = await client.query("select distinct who from evil.notes");
      assert.deepEqual(rows, []);
    } finally {
      await client.query(`alter database ${name} reset search_path; drop schema evil cascade; reset search_path`);
    }
  });

  it("is not that which somebody has given to the login of requests", async () => {
    const { client, name } = gateway.database;
    await client.query(`alter role ".pool@${name}" set search_path = "Own Things", public`);
    const { rows } = await client.query<{ pid: number }>(
      "select pid, pg_terminate_backend(pid) from pg_stat_activity where usename = $1",
      [`.pool@${name}`],
    );
    try {
      const pids = rows.map(({ pid }) => pid);
      await until(async () => {
        const left = await client.query("select from pg_stat_activity where pid = any($1)", [pids]);
        return left.rowCount === 0;
      });
      let seen = "";
      await until(async () => (seen = await path().catch(() => "")) !== "");
      assert.equal(seen, "pg_catalog, shop, public, stock, pg_temp");
    } finally {
      await client.query(`alter role ".pool@${name}" reset all`);
    }
  });
});
