/** Objects that a schema owner makes while requests run: none of their code runs on the login that accounts share. */
import assert from "node:assert/strict";
import { until } from "../support/until.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

describe("what a schema owner makes while requests run", () => {
  let gateway: TestGateway;
  const admin = (text: string) => gateway.database.client.query(text);

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: { schemas: ["shop"] },
      prepare: ({ client }) =>
        client.query(`
create role late_author login;
create schema shop;
grant usage on schema shop to public;
grant create on schema shop to late_author;
select portolan.create_user('eve', null);`),
    });
  });
  after(async () => {
    await admin("drop owned by late_author cascade");
    await gateway.close();
  });

  it("a table that it has just made, of which nobody knows yet: never on the shared login", async () => {
    for (let n = 0; n < 8; n++) {
      const name = `made${n}`;
      await admin(`set role late_author; create table shop.${name} (id int primary key, who text default session_user);
grant select, insert on shop.${name} to public; reset role`);
      const { status, text } = await gateway.http
        .post(`/api/v4/schemas/shop/tables/${name}/import`)
        .set("Authorization", `Bearer ${await gateway.token("eve")}`)
        .set("Content-Type", "text/csv")
        .send("id\n1\n");
      assert.equal(status, 200, text);
      const { rows } = await admin(`select who from shop.${name}`);
      assert.deepEqual(rows, [{ who: `eve@${gateway.database.name}` }]);
    }
  });

  const ask = async (account: string, q: string) =>
    gateway.http
      .post("/api/v4/sql")
      .set("Authorization", `Bearer ${await gateway.token(account)}`)
      .send({ q });

  it("an account that is removed and made again is not given the connections of the one that is gone", async () => {
    await admin("create table shop.granted (id int primary key)");
    const make = `select portolan.create_user('fay', null);
grant select on shop.granted to "fay@${gateway.database.name}"`;
    await admin(make);
    for (const q of [
      "select current_user::text as name",
      "select id from shop.granted",
      "select id from shop.granted",
    ]) {
      const asked = await Promise.all([ask("fay", q), ask("fay", q)]); // so that two connections are left
      for (const { status, text } of asked) assert.equal(status, 200, `${q}: ${text}`);
      await admin("select portolan.drop_user('fay')");
      await admin(make);
    }
    await admin("select portolan.drop_user('fay')");
  });

  it("an account that is removed while its statement runs is 401, and no failure of the service", async () => {
    await admin(`create function shop.held() returns text language plpgsql security definer as
$$ begin perform pg_advisory_lock_shared(31); perform from pg_language; return 'held'; end $$;
select portolan.create_method('held', 'select shop.held() as held, current_user::text as name')`);
    const doors = {
      "/sql": { q: "select shop.held() as held, current_user::text as name" },
      "/call": { jsonrpc: "2.0", id: 1, method: "held" },
    };
    for (const [path, body] of Object.entries(doors)) {
      await admin("select portolan.create_user('gil', null)");
      await admin("select pg_advisory_lock(31)");
      const asked = gateway.http
        .post(`/api/v4${path}`)
        .set("Authorization", `Bearer ${await gateway.token("gil")}`)
        .send(body)
        .then();
      await until(async () => {
        const { rows } = await admin("select 1 as one from pg_locks where locktype = 'advisory' and not granted");
        return rows.length > 0;
      });
      await admin("select portolan.drop_user('gil')");
      await admin("select pg_advisory_unlock(31)");
      const { status, text } = await asked;
      assert.deepEqual([status, JSON.parse(text).code], [401, "UNAUTHENTICATED"], `${path}: ${text}`);
    }
  });
});
