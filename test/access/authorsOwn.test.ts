/** What a schema owner makes while requests run: nothing of it runs on the login that accounts share. */
import assert from "node:assert/strict";
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
});
