import assert from "node:assert/strict";
import pg from "pg";
import { migrate } from "../../server/migrate.ts";
import { GATEWAY_LOGIN, testCluster, testDatabase, type TestDatabase } from "../support/databases.ts";

describe("an owner that may make roles but is no superuser", () => {
  let database: TestDatabase;
  let owner: pg.Client;
  const query = async (text: string) => (await owner.query(text)).rows;

  before(async () => {
    database = await testDatabase();
    await database.client.query(`
create role plain_owner login createrole password 'plain';
grant create on database ${database.name} to plain_owner;
create schema town authorization plain_owner;
create table town.parks (id serial primary key);
alter table town.parks owner to plain_owner;`);
    const ownerUrl = (await testCluster()).url(database.name, "plain_owner", "plain");
    await migrate({ ownerUrl, gatewayLogin: GATEWAY_LOGIN });
    owner = new pg.Client({ connectionString: ownerUrl });
    await owner.connect();
  });

  after(async () => {
    await owner.end();
    await database.drop();
  });

  it("is told when it may not grant on somebody else's table", async () => {
    await database.client.query(`
create table town.lent (id int primary key);
grant select on town.lent to plain_owner;`);
    await query("select portolan.create_user('hopeful', null)");
    await assert.rejects(query("select portolan.set_privilege('town.lent', 'hopeful', 'read')"), {
      code: "42501",
      message: "the owner of Portolan may not grant on town.lent",
    });
    await query("select portolan.drop_user('hopeful')");
  });

  it("makes, changes and removes accounts, and says what they may do", async () => {
    await query("select portolan.create_user('gang', null)");
    await query("select portolan.create_user('member', null, user_group => 'gang')");
    await query("select portolan.create_user('boss', null, superuser => true)");
    await query(`select portolan.update_user('member', '{"superuser": true, "user_group": null}')`);
    await query(`select portolan.update_user('member', '{"superuser": false, "user_group": "gang"}')`);
    await query("select portolan.set_privilege('town.parks', 'member', 'write')");
    await query("select portolan.set_authentication('town.parks', 'None')");
    assert.deepEqual(await query("select * from portolan.privileges_of('town.parks') order by subuser"), [
      { subuser: "anonymous", privilege: "read" },
      { subuser: "gang", privilege: "none" },
      { subuser: "member", privilege: "write" },
    ]);
    await query("select portolan.drop_user('member')");
    await query("select portolan.drop_user('gang')");
    assert.deepEqual(await query("select name from portolan.users order by name"), [
      { name: "anonymous" },
      { name: "boss" },
    ]);
  });
});
