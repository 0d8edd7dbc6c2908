import assert from "node:assert/strict";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

describe("the schemas that are shown", () => {
  let test: TestDatabase;
  const names = async (text: string): Promise<string[]> => {
    const { rows } = await test.client.query<{ name: string }>(text);
    return rows.map(({ name }) => name);
  };
  const shown = () => names("select unnest(portolan.shown_schemas()) as name order by 1");

  before(async () => {
    test = await testDatabase({ kind: "portolan" });
    await test.client.query(`
create schema town; create table town.houses (id int primary key);
create schema law; create function law.tax() returns int language sql return 1;
create schema bare; create type bare.pair as (a int, b int);
create schema theirs; create extension fuzzystrmatch schema theirs;
create schema owned; alter extension fuzzystrmatch add schema owned; create table owned.houses (id int primary key);
create schema kept; create table kept.houses (id int primary key);
select portolan.enable_versioning('kept.houses')`);
  });

  after(() => test.drop());

  it("hold a table, a view or a function of a team, and not only what is an extension's or a history", async () => {
    assert.deepEqual(await shown(), ["kept", "law", "town"]);
  });

  const tables = (condition: string) =>
    names(`
select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f') and portolan.is_team_relation(c.oid) and ${condition} order by 1`);

  for (const [what, schemas, expected] of [
    ["none are configured", null, ["kept.houses", "town.houses"]],
    ["some are configured", ["kept", "public", "not_there"], ["kept.houses"]],
  ] as const)
    it(`are those of the tables that are asked for one by one, if ${what}`, async () => {
      await test.client.query("select portolan.note_schemas($1)", [schemas]);
      assert.deepEqual(await tables("portolan.is_shown(c.oid)"), expected);
      assert.deepEqual(await tables("n.nspname = any (portolan.shown_schemas())"), expected);
    });
});
