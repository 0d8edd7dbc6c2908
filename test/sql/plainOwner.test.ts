import assert from "node:assert/strict";
import pg from "pg";
import { migrate } from "../../server/operate/migrate.ts";
import { GATEWAY_LOGIN, openAsGateway, testCluster, testDatabase, type TestDatabase } from "../support/databases.ts";
import { until } from "../support/events.ts";

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

  it("gets a message if it may not grant on somebody else's table", async () => {
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

  it("takes its grants back if somebody waits for them, so that the other GRANT does not fail", async () => {
    const share = "select portolan.share_with_owner('{hall}') as statement";
    await query(
      "create schema hall; create function hall.calm() returns int return 1; create view hall.some as select 1",
    );
    await query("revoke all on function hall.calm() from public");
    const dba = new pg.Client({ connectionString: database.url });
    await dba.connect();
    try {
      const { rows: pids } = await dba.query<{ pid: number }>("select pg_backend_pid() as pid");
      await query("begin");
      await query("grant select on hall.some to public");
      const granted = dba.query(`grant select on hall.some to ${GATEWAY_LOGIN}`);
      const waiting = "select from pg_locks where pid = $1 and not granted";
      await until(async () => (await database.client.query(waiting, [pids[0]!.pid])).rows.length > 0);
      const told = (await query(share)).map(({ statement }) => statement);
      assert.equal(told.length, 4, told.join("; ")); // schema, view and function are not shared yet
      assert.equal(told.at(-1), null); // another attempt makes sense
      await query("rollback");
      await granted;
      assert.deepEqual(await query(share), []);
    } finally {
      await query("rollback");
      await dba.end();
      await query("drop schema hall cascade");
    }
  });

  it("makes, changes and removes accounts, and sets their rights", async () => {
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

  it("lets accounts log in for an author's code, and registers them without seeing what others run", async () => {
    await query("select portolan.create_user('sailor', null)");
    await database.client.query(`
create role plain_author;
create schema dock authorization plain_author;
create function dock.told() returns text language sql volatile as $$
  select concat_ws(' ', session_user, m.name, m.service, host(m.ip), portolan.claims() ->> 'jti') from portolan.me m
$$;
alter function dock.told() owner to plain_author;
grant usage on schema dock to public`);
    const opened = openAsGateway(database);
    try {
      const identity = {
        database: database.name,
        name: "sailor",
        role: `sailor@${database.name}`,
        roleMade: true,
        claims: { jti: "one" },
      };
      const reach = [{ schema: "dock", name: "told", request: "call" }] as const;
      for (const address of ["192.0.2.9", "192.0.2.10"]) {
        const told = await opened.withIdentity(identity, { service: "ogc", address, reach }, (transaction) =>
          transaction.query({ text: "select dock.told()" }),
        );
        assert.deepEqual(told.rows, [{ told: `${identity.role} sailor ogc ${address} one` }]);
      }
      const [session] = (
        await database.client.query<{ pid: number }>("select pid from pg_stat_activity where usename = $1", [
          identity.role,
        ])
      ).rows;
      assert.ok(session);
      const ended = await query(`select portolan.end_own_sessions('${identity.role}', ${session.pid}) as count`);
      assert.deepEqual(ended, [{ count: 0 }]); // it may end none, and that is no error
    } finally {
      await opened.close();
      await database.client.query("drop owned by plain_author; drop role plain_author");
      await query("select portolan.drop_user('sailor')");
    }
  });

  it("keeps rules, history and workflow on its own tables, and names the missing rights on others", async () => {
    await query("select portolan.create_user('rower', null), portolan.set_privilege('town.parks', 'rower', 'write')");
    await query("insert into town.parks values (1), (2)");
    const number = (
      await query(
        `select portolan.create_rule('{"schema": "town", "table": "parks", "username": "rower", "access": "limit", "filter": "id = 1"}') as id`,
      )
    )[0].id;
    const seen = async (relation: string) => {
      await database.client.query(`set session authorization "rower@${database.name}"`);
      const { rows } = await database.client
        .query(`select id from ${relation}`)
        .finally(() => database.client.query("reset session authorization"));
      return rows.map(({ id }) => id);
    };
    assert.deepEqual(await seen("town.parks"), [1]);
    await query("select portolan.enable_versioning('town.parks'); select portolan.enable_workflow('town.parks')");
    assert.deepEqual(await seen("town__history.as_of_parks(now())"), [1]);
    await query("select portolan.drop_rule(" + number + ")");
    assert.deepEqual(await seen("town__history.as_of_parks(now())"), [1, 2]);
    await assert.rejects(
      query(`select portolan.create_rule('{"schema": "town", "table": "lent", "access": "deny"}')`),
      ({ code, message }: { code: string; message: string }) => {
        assert.equal(code, "42501");
        assert.match(
          message,
          /Portolan may not give town\.lent row level security: run grant \S+ to plain_owner; or alter table/,
        );
        return true;
      },
    );
    await assert.rejects(query("select portolan.enable_versioning('town.lent')"), { code: "42501" });
    await assert.rejects(query("select portolan.enable_workflow('town.lent')"), { code: "42501" });
    // a rule from before the table: it does not apply there, interfaces refuse the table, and doctor reports it
    await query(`select portolan.create_rule('{"schema": "town", "table": "late*", "access": "deny"}')`);
    await database.client.query("create table town.later (id int); insert into town.later values (1)");
    await database.client.query("grant select on town.later to public; grant usage on schema town to public");
    assert.match((await query("select problem from portolan.follow_ddl()"))[0].problem, /does not own town\.later/);
    await database.client.query(`set session authorization "rower@${database.name}"`);
    const { rows } = await database.client.query("select portolan.access('town.later')");
    await database.client.query("reset session authorization");
    assert.deepEqual(rows, [{ access: "deny" }]);
    const findings = await query("select kind, remedy from portolan.access_findings()");
    assert.ok(findings.some(({ kind, remedy }) => kind === "rules" && /^grant .* to plain_owner;$/.test(remedy)));
    assert.ok(findings.some(({ kind }) => kind === "event trigger"));
    // only a superuser can keep a name, so that the owner of a schema could exchange it
    assert.ok(!findings.some(({ kind }) => kind === "names"));
    await database.client.query(`
create role town_owner; grant town_owner to plain_owner; create type town.hue as enum ('red');
alter table town.parks add column hue town.hue; alter type town.hue owner to town_owner; alter schema town owner to town_owner`);
    const named = await query("select finding, remedy from portolan.access_findings() where kind = 'names'");
    assert.deepEqual(named, [
      {
        finding:
          "town_owner may rename schema town, type town.hue at the moment in which Portolan names it, and so run code as plain_owner, since only a superuser can keep such a name",
        remedy: "alter schema town owner to plain_owner;\nalter type town.hue owner to plain_owner;",
      },
    ]);
  });
});
