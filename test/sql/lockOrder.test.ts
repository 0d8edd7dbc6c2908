import assert from "node:assert/strict";
import pg from "pg";
import { migrate } from "../../server/operate/migrate.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { until } from "../support/until.ts";

const ROUNDS = 3;

/** The writers, each on its own connection, with the statements of one round. */
const ACTORS: Record<string, readonly string[]> = {
  "plain rules of one table": [
    `insert into portolan.rules (id, username, schema, "table", access, filter) values (9001, 'ann', 'town', 'one', 'limit', 'id = 1')`,
    "update portolan.rules set filter = 'id = 2' where id = 9001",
    "update portolan.rules set priority = 7 where id = 9003",
    "delete from portolan.rules where id = 9001",
  ],
  "plain rules of another": [
    `insert into portolan.rules (id, username, schema, "table", access) values (9002, 'ann', 'town', 'two', 'deny')`,
    "update portolan.rules set priority = 8 where id = 9003",
    "delete from portolan.rules where id = 9002",
  ],
  "rules by functions": [
    `select portolan.create_rule('{"id": 9004, "username": "ann", "schema": "town", "table": "two", "access": "deny"}')`,
    `select portolan.update_rule(9003, '{"priority": 9}')`,
    "select portolan.drop_rule(9004)",
  ],
  "a table and its rule in one transaction": [
    "begin",
    "create table town.fresh (id int primary key)",
    `insert into portolan.rules (id, username, schema, "table", access) values (9005, 'ann', 'town', 'fresh', 'deny')`,
    "commit",
    "begin",
    "delete from portolan.rules where id = 9005", // first: see the order
    "drop table town.fresh",
    "commit",
  ],
  "all rules of a script at once": ["begin", "truncate portolan.rules", "rollback"],
  "a configuration": [
    `select portolan.apply_configuration('{"rules": {"9006": {"username": "ann", "schema": "town", "table": "two", "access": "deny"}}}', dry => true)`,
  ],
  "DDL of the team": [
    "create table town.other (id int primary key)",
    "alter table town.one add column more int",
    "alter table town.one drop column more",
    "drop table town.other",
  ],
  "events switched": ["select portolan.enable_events('town.one')", "select portolan.disable_events('town.one')"],
  "events by comments": [
    "comment on table town.two is '@events on'",
    "select * from portolan.sync_events('{town}', false)",
    "comment on table town.two is null",
    "select * from portolan.sync_events('{town}', false)",
  ],
  "history switched": [
    "select portolan.enable_versioning('town.one')",
    "select portolan.disable_versioning('town.one', drop_history => true)",
  ],
  "workflow switched": ["select portolan.enable_workflow('town.two')", "select portolan.disable_workflow('town.two')"],
  "accounts and rights": [
    "select portolan.create_user('new', 'secret')",
    "select portolan.set_privilege('town.one', 'new', 'read')",
    "select portolan.set_authentication('town.two', 'Write')",
    "select portolan.share_with_owner('{town}')",
    "select portolan.drop_user('new')",
  ],
  "what follows DDL": ["select * from portolan.follow_ddl()"],
};

describe("the order of locks", function () {
  this.timeout(240_000);
  let database: TestDatabase;
  const connections: pg.Client[] = [];

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await database.client.query(`
create schema town;
create table town.one (id int primary key);
create table town.two (id int primary key);
insert into town.one values (1); insert into town.two values (1);
select portolan.create_user('ann', 'secret');
insert into portolan.rules (id, username, schema, "table", access) values (9003, 'ann', 'town', 'two', 'deny');`);
    for (let i = 0; i < 2; i++) {
      const client = new pg.Client({ connectionString: database.url });
      client.on("notice", () => undefined);
      await client.connect();
      connections.push(client);
    }
  });

  after(async () => {
    for (const client of connections) await client.end();
    await database.drop();
  });

  /** The refusals by PostgreSQL in some rounds. */
  async function run(client: pg.Client, statements: readonly string[]): Promise<string[]> {
    const refused: string[] = [];
    for (let round = 0; round < ROUNDS; round++)
      for (const statement of statements)
        await client.query(statement).catch((error: Error) => refused.push(`${statement}: ${error.message}`));
    return refused;
  }

  const names = Object.keys(ACTORS);
  for (const [at, name] of names.entries())
    it(`${name}: simultaneous changes do not make it fail`, async () => {
      const [first, second] = connections as [pg.Client, pg.Client];
      const refused: string[] = [];
      for (const other of names.slice(at + 1)) {
        const both = await Promise.all([run(first, ACTORS[name] ?? []), run(second, ACTORS[other] ?? [])]);
        refused.push(...both.flat().map((text) => `beside ${other}: ${text}`));
      }
      assert.deepEqual(refused, []);
    });

  const CHANGES: Record<string, readonly string[]> = {
    "a privilege": ["select portolan.set_privilege('town.one', 'ann', 'write')"],
    "an authentication": ["select portolan.set_authentication('town.one', 'Write')"],
    "the end of an account": ["select portolan.drop_user('gone')"],
  };
  for (const [what, statements] of Object.entries(CHANGES))
    it(`DDL of the team waits for ${what} instead of failing`, async () => {
      const [first, second] = connections as [pg.Client, pg.Client];
      await first.query(`select portolan.create_user('gone', 'secret'), portolan.set_privilege('town.one', 'gone', 'read')
where not exists (select from portolan.users where name = 'gone')`);
      await first.query("begin");
      for (const statement of statements) await first.query(statement);
      const { pid } = (await second.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!;
      const altered = second.query("alter table town.one add column more int");
      altered.catch(() => undefined); // judged below
      await until(async () => {
        const { rows } = await database.client.query(
          "select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'",
          [pid],
        );
        return rows.length > 0;
      });
      await first.query("commit");
      await altered;
      await second.query("alter table town.one drop column more");
    });

  it("a migration beside plain rules fails neither", async () => {
    const [first] = connections as [pg.Client];
    let isOver = false;
    const migrations = (async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await database.client.query("delete from portolan.code where path like 'access/%'");
        await migrate({ ownerUrl: database.url, repairRoles: true });
      }
    })().finally(() => (isOver = true));
    const refused: string[] = [];
    while (!isOver) refused.push(...(await run(first, ACTORS["plain rules of one table"] ?? [])));
    await migrations;
    assert.deepEqual(refused, []);
  });
});
