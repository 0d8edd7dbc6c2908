/** What becomes an author's while requests run: the next statement over it does not run on the login that accounts share. */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

describe("what becomes an author's while requests run", () => {
  let gateway: TestGateway;
  let tables = 0;
  const admin = (text: string) => gateway.database.client.query(text);

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: { schemas: ["shop"] },
      prepare: ({ client }) =>
        client.query(`
create role late_author login;
create role late_keeper superuser;
create schema shop;
create schema theirs authorization late_author;
grant usage on schema shop, theirs to public;
create function theirs.yes() returns boolean language plpgsql immutable as 'begin return true; end';
alter function theirs.yes() owner to late_author;
select portolan.create_user('eve', null);`),
    });
  });
  after(async () => {
    const { client } = gateway.database;
    await client.query("drop owned by late_keeper, late_author cascade");
    await gateway.close();
  });

  /** A table of a super user with a column that tells under which login it is read or written, as GraphQL calls it. */
  async function made(): Promise<{ readonly table: string; readonly field: string }> {
    const table = `shop.t${++tables}`;
    await admin(`create table ${table} (id int primary key, who text default session_user);
insert into ${table} (id) values (1);
create function ${table}_login(o ${table}) returns text language sql stable as 'select session_user::text';
alter table ${table} owner to late_keeper;
grant select, insert, update on ${table} to public`);
    const field = `T${tables}`;
    await until(async () => (await tried(field)) === `.pool@${gateway.database.name}`);
    return { table, field };
  }

  async function ask(document: string): Promise<Record<string, readonly Record<string, string>[]>> {
    const { body } = await gateway.graphql("eve", "shop", document);
    assert.ok(body.data, JSON.stringify(body));
    return body.data as Record<string, readonly Record<string, string>[]>;
  }
  const login = async (field: string): Promise<string | undefined> =>
    (await ask(`{ of: get${field}(id: "1") { login } }`))["of"]?.[0]?.["login"];
  /** Undefined while GraphQL does not know the table yet. */
  const tried = (field: string): Promise<string | undefined> => login(field).catch(() => undefined);
  const own = (): string => `eve@${gateway.database.name}`;

  const ways: Record<string, (table: string) => string> = {
    "its owner": (table) => `alter table ${table} owner to late_author`,
    "a policy that calls a function of the author": (table) => `create policy p on ${table} using (theirs.yes())`,
    "a check that calls one": (table) => `alter table ${table} add check (theirs.yes())`,
    "the expression of an index that calls one": (table) => `create index on ${table} ((theirs.yes()))`,
    "a table beneath it": (table) =>
      `create table theirs.child${tables} () inherits (${table}); alter table theirs.child${tables} owner to late_author`,
    "its schema": () => "alter schema shop owner to late_author",
  };
  for (const [way, turn] of Object.entries(ways))
    it(`${way}: the very next request`, async () => {
      const { table, field } = await made();
      await admin(turn(table));
      try {
        assert.equal(await login(field), own());
      } finally {
        await admin("alter schema shop owner to postgres");
      }
    });

  it("the right to make triggers, where it is written: the very next request", async () => {
    const { table, field } = await made();
    const write = `mutation { of: update${field}(id: "1", data: {id: 1}) { login } }`;
    assert.equal((await ask(write))["of"]?.[0]?.["login"], `.pool@${gateway.database.name}`);
    await admin(`grant trigger on ${table} to late_author`);
    assert.equal((await ask(write))["of"]?.[0]?.["login"], own());
    assert.equal(await login(field), `.pool@${gateway.database.name}`, "reading it runs no code of the author");
  });

  it("what a role hands over all at once: within a second or two", async () => {
    const { field } = await made();
    await admin("reassign owned by late_keeper to late_author");
    await until(async () => (await login(field)) === own());
  });

  it("where no event trigger can be made: within a second or two", async () => {
    await admin("alter event trigger portolan_note_code disable");
    try {
      const { table, field } = await made();
      await admin(`create policy p on ${table} using (theirs.yes())`);
      await until(async () => (await login(field)) === own());
    } finally {
      await admin("alter event trigger portolan_note_code enable");
    }
  });

  it("between two statements of a transaction: the next one does not run there", async () => {
    const [{ table, field }, second] = [await made(), await made()];
    await admin(`create function ${table}_slow(o ${table}) returns text language sql stable as
$$ select session_user::text from pg_sleep(2) $$`);
    await until(async () => (await ask(`{ get${field}(id: "9") { slow } }`).catch(() => undefined)) !== undefined);
    const answer = ask(`mutation {
  first: update${field}(id: "1", data: {id: 1}) { slow }
  second: update${second.field}(id: "1", data: {id: 1}) { login }
}`);
    await until(async () => {
      const { rows } = await admin(
        "select from pg_stat_activity where wait_event = 'PgSleep' and usename like '.pool@%'",
      );
      return rows.length > 0;
    });
    await admin(`grant trigger on ${second.table} to late_author`);
    await login(second.field); // whoever asks meanwhile finds it; so does the gateway, in half a second
    assert.equal((await answer)["second"]?.[0]?.["login"], own());
  });

  it("what a role owns that is trusted no more: within a second or two", async () => {
    const { field } = await made();
    await admin("alter role late_keeper nosuperuser");
    try {
      await until(async () => (await login(field)) === own());
    } finally {
      await admin("alter role late_keeper superuser");
    }
  });

  it("and back: requests run on the shared login again", async () => {
    const { table, field } = await made();
    await admin(`alter table ${table} owner to late_author`);
    assert.equal(await login(field), own());
    await admin(`alter table ${table} owner to postgres`);
    await until(async () => (await login(field)) === `.pool@${gateway.database.name}`);
  });
});
