/** What functions that everybody may call, and that run with more rights, tell an account that has no rights itself. */
import assert from "node:assert/strict";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

describe("a function that everybody may call", () => {
  let database: TestDatabase;
  const query = async (text: string) => (await database.client.query(text)).rows;
  /** Asks as an account, or `nobody`, a role that is no account. */
  async function as(name: string, text: string): Promise<Record<string, unknown>[] | string> {
    await query(`set session authorization "${name}@${database.name}"`);
    return query(text)
      .catch(({ code, message }: { code: string; message: string }) => `${code} ${message}`)
      .finally(() => query("reset session authorization"));
  }

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await query(`
create schema app;
create table app.kept (id int primary key);
create table app.plain (id int primary key);
create table app.lent (id int primary key, a int);
create role surveyor;
select portolan.enable_versioning(t) from unnest('{app.kept,app.lent}'::regclass[]) t;
select portolan.create_user('nosy', null), portolan.create_user('reader', null), portolan.create_user('boss', null, superuser => true),
  portolan.adopt_role('field', 'surveyor');
grant usage on schema app to public;
grant select (a) on app.lent to "reader@${database.name}";`);
  });
  after(async () => {
    await query("select portolan.drop_user('field'); drop role surveyor");
    await database.drop();
  });

  it("tells of a history only whoever has a right on the table", async () => {
    const since = (table: string) => `select portolan.versioned_since('${table}') is not null as is`;
    const twin = (table: string) => `select portolan.history_of('${table}')::text as is`;
    for (const table of ["app.kept", "app.lent"]) {
      assert.deepEqual(await as("nosy", since(table)), [{ is: false }]);
      assert.equal(
        await as("nosy", twin(table)),
        String(await as("nosy", twin("app.plain"))).replaceAll("app.plain", table),
        "as of a table without",
      );
      assert.deepEqual(await as("boss", since(table)), [{ is: true }]);
    }
    assert.deepEqual(await as("reader", since("app.kept")), [{ is: false }]);
    assert.deepEqual(await as("reader", since("app.lent")), [{ is: true }]);
    assert.deepEqual(await as("reader", twin("app.lent")), [{ is: "app__history.lent" }]);
    assert.deepEqual(await as("nosy", "select from portolan.my_histories"), []);
  });

  it("tells of a history inside a function that runs as somebody who has a right", async () => {
    await query(`
create function app.since() returns boolean language sql security definer set search_path = pg_catalog, pg_temp
as $$ select portolan.versioned_since('app.kept') is not null $$;`);
    assert.deepEqual(await as("nosy", "select app.since() as is"), [{ is: true }]);
  });

  it("names no account that the name of its role does not name", async () => {
    const asked =
      "select portolan.writer('surveyor') as role, portolan.writer('boss@' || current_database()) as account";
    assert.deepEqual(await as("nosy", asked), [{ role: "surveyor", account: "boss" }]);
    assert.deepEqual(await as("boss", asked), [{ role: "field", account: "boss" }]);
  });

  it("says whose a method is only of those that everybody may see", async () => {
    for (const name of ["nosy", "boss"]) await as(name, `select portolan.create_method('of_${name}', 'select 1 as n')`);
    const asked =
      "select m, portolan.is_of_super_user(m) as is from unnest('{of_nosy,of_boss,of_none}'::text[]) m order by 1";
    assert.deepEqual(await as("reader", asked), [
      { m: "of_boss", is: true },
      { m: "of_none", is: false },
      { m: "of_nosy", is: false },
    ]);
    assert.deepEqual(await as("reader", "select method from portolan.methods"), [{ method: "of_boss" }]);
  });

  it("knows reference systems, and asks no table that somebody has put in the place of PostGIS's", async () => {
    const asked =
      "select portolan.has_reference_system(25832) as known, portolan.has_reference_system(999999) as other";
    assert.deepEqual(await as("nosy", asked), [{ known: true, other: false }]);
    await query(`
create schema planted; create table planted.notes (who text); grant usage on schema planted to public;
grant insert on planted.notes to public;
create role planter_of_systems;
create function planted.note() returns int language plpgsql as $$ begin insert into planted.notes values (current_user); return 1; end $$;
create table planted.spatial_ref_sys (srid int);
alter table public.spatial_ref_sys owner to planter_of_systems;
alter table public.spatial_ref_sys enable row level security, force row level security;
create policy seen on public.spatial_ref_sys using (planted.note() = 1)`);
    try {
      assert.deepEqual(await as("nosy", asked), [{ known: true, other: true }], "nothing is known then");
      assert.deepEqual(await query("select who from planted.notes"), []);
    } finally {
      await query(`
drop policy seen on public.spatial_ref_sys;
alter table public.spatial_ref_sys no force row level security, disable row level security;
alter table public.spatial_ref_sys owner to postgres; drop role planter_of_systems`);
    }
  });
});
