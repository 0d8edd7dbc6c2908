import assert from "node:assert/strict";
import { makeIntrospectionQuery } from "postgraphile/graphile-build-pg/pg-introspection";
import { makeConfig } from "../../server/kernel/config.ts";
import { openDatabase, type Database } from "../../server/kernel/database/database.ts";
import { executeGraphql } from "../../server/graphql/execute.ts";
import { introspect, prune } from "../../server/graphql/build/introspection.ts";
import { createSchemaRegistry, printSchemaOf, type SchemaRegistry } from "../../server/graphql/build/schemaRegistry.ts";
import { createLog } from "../../server/ground/log.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

const identity = { database: "test", name: "postgres", role: "postgres", roleMade: false, claims: {} };

describe("graphql: schemas that change", () => {
  let testing: TestDatabase;
  let database: Database;
  let registry: SchemaRegistry;
  let staleCalls = 0;

  beforeEach(async () => {
    testing = await testDatabase();
    await testing.client.query(`
      create schema app; create table app.things (id int primary key, name text);
      create schema other; create table other.things (id int primary key);
      insert into app.things values (1, 'one')`);
    database = openDatabase({
      name: "test",
      url: testing.url,
      poolSize: 3,
      connectTimeoutMs: 5000,
      statementTimeoutMs: 10_000,
    });
    staleCalls = 0;
    registry = createSchemaRegistry({
      config: makeConfig(),
      log: createLog("silent"),
      onStale: async (stale) => {
        staleCalls++;
        await registry.refresh(stale);
      },
    });
  });

  afterEach(async () => {
    await registry.close();
    await database.close();
    await testing.drop();
  });

  async function run(
    query: string,
    schema = "app",
  ): Promise<{ data: Record<string, unknown> | null; errors?: { extensions: { code: string } }[] }> {
    const served = await registry.schemaFor(database, schema);
    return JSON.parse((await executeGraphql(registry, served, { query }, { identity })).text);
  }

  it("differ for two schemas that reach the same tables", async () => {
    await testing.client.query(`
create schema ships; create schema crews;
create table ships.boats (id int primary key);
create table crews.people (id int primary key, boat int references ships.boats);`);
    const fieldsOf = async (schema: string): Promise<readonly string[]> =>
      Object.keys((await registry.schemaFor(database, schema)).schema.getQueryType()?.getFields() ?? {});
    const [ships, crews] = [await fieldsOf("ships"), await fieldsOf("crews")];
    assert.ok(ships.includes("getBoats") && !ships.includes("getPeople"), ships.join());
    assert.ok(crews.includes("getPeople") && !crews.includes("getBoats"), crews.join());
  });

  it("are shared by databases that are copies of each other, until one of them is altered", async () => {
    const source = await testDatabase();
    const name = `${source.name}_copy`;
    await source.client.query("create schema app; create table app.things (id int primary key, name text)");
    await source.client.end();
    await testing.client.query(`create database ${name} template ${source.name}`);
    const [first, copy] = [source.name, name].map((one) => {
      const url = source.url.replace(source.name, one);
      return openDatabase({ name: one, url, poolSize: 1, connectTimeoutMs: 5000, statementTimeoutMs: 10_000 });
    }) as [Database, Database];
    const ask = async (of: Database, query = "{ getThings { name } }"): Promise<string> => {
      const served = await registry.schemaFor(of, "app");
      return (await executeGraphql(registry, served, { query }, { identity })).text;
    };
    const schemaOf = (of: Database) => registry.current(of, "app")?.schema;
    const known = (of: Database) => registry.current(of, "app")?.documents.read("{ getThings { name } }").document;
    try {
      await copy.db.none("insert into app.things values (1, 'of the copy')");
      const answers = await Promise.all([ask(first), ask(copy)]);
      assert.deepEqual(answers, ['{"data":{"getThings":[]}}', '{"data":{"getThings":[{"name":"of the copy"}]}}']);
      assert.equal(schemaOf(copy), schemaOf(first));
      const planned = 'mutation { insertThings(objects: [{ id: 2, name: "new" }]) { name } }';
      assert.equal(await ask(copy, planned), '{"data":{"insertThings":[{"name":"new"}]}}');
      assert.equal(await ask(first), answers[0]);
      assert.equal(await ask(first, planned), '{"data":{"insertThings":[{"name":"new"}]}}'); // by the same plan
      assert.ok(known(copy) !== undefined && known(copy) === known(first), "plans are kept by parsed documents");
      await copy.db.none("alter table app.things rename name to title");
      await registry.refresh(copy);
      assert.notEqual(schemaOf(copy), schemaOf(first));
      assert.equal(await ask(first), '{"data":{"getThings":[{"name":"new"}]}}');
      assert.match(await ask(copy), /Cannot query field/);
    } finally {
      for (const one of [first, copy]) {
        await registry.forget(one);
        await one.close();
      }
      await testing.client.query(`drop database ${name}`);
      await source.drop();
    }
  });

  it("read from the catalogue the objects of a schema, as pg-introspection does, without those of PostGIS", async () => {
    await testing.client.query(
      "create function app.late(app.things) returns text language sql return $1.name || 'late'",
    );
    const [few, all] = [await introspect(database), await introspect(database, {}, makeIntrospectionQuery())];
    assert.equal(prune(few, "app", () => true)?.text, prune(all, "app", () => true)?.text);
    assert.ok(few.procs.length > 0 && few.procs.length < 50, `${few.procs.length} functions of ${all.procs.length}`);
  });

  it("answer on another connection if a function has dropped prepared statements, and write once", async () => {
    const mutation = 'mutation { insertThings(data: { id: ID, name: "n" }) { id } }';
    const insert = (id: number) => run(mutation.replace("ID", String(id)));
    assert.deepEqual((await run("{ getThings { id } }")).data, { getThings: [{ id: "1" }] });
    assert.equal((await insert(2)).errors, undefined);
    await database.pool.query("deallocate all");
    assert.deepEqual(await run("{ getThings { id } }"), { data: { getThings: [{ id: "1" }, { id: "2" }] } });
    assert.equal((await insert(3)).errors, undefined);
    await database.pool.query("deallocate all");
    assert.equal((await insert(4)).errors, undefined);
    const { rows } = await testing.client.query("select count(*)::int as n from app.things");
    assert.deepEqual(rows, [{ n: 4 }]);
  });

  it("shows a new column after a refresh, and leaves other schemas alone", async () => {
    const app = await registry.schemaFor(database, "app");
    const other = await registry.schemaFor(database, "other");
    await testing.client.query("alter table app.things add extra int default 5");
    await registry.refresh(database);
    assert.notEqual(await registry.schemaFor(database, "app"), app);
    assert.equal(await registry.schemaFor(database, "other"), other);
    assert.deepEqual((await run("{ getThings { extra } }")).data, { getThings: [{ extra: 5 }] });
    assert.deepEqual(registry.schemas(database), ["app", "other"]);
  });

  it("does not rebuild for rows, grants and statistics", async () => {
    const app = await registry.schemaFor(database, "app");
    await testing.client.query(
      "insert into app.things values (2, 'two'); grant select on app.things to public; analyze app.things",
    );
    await registry.refresh(database);
    assert.equal(await registry.schemaFor(database, "app"), app);
  });

  it("shows a changed comment", async () => {
    await registry.schemaFor(database, "app");
    await testing.client.query("comment on table app.things is 'Now with words.'");
    await registry.refresh(database);
    assert.match(printSchemaOf(await registry.schemaFor(database, "app")), /Now with words/);
  });

  it("names both ends of a key by its comment, in answers, filters and data", async () => {
    await registry.schemaFor(database, "app");
    await testing.client.query(`
      create table app.parts (id int primary key, thing_id int, constraint whole foreign key (thing_id) references app.things);
      comment on constraint whole on app.parts is E'@fieldName whole\n@foreignFieldName pieces'`);
    await registry.refresh(database);
    const written = await run(
      'mutation { insertThings(data: { id: 2, name: "two", pieces: [{ id: 3 }] }) { pieces { id whole { name } } } }',
    );
    assert.deepEqual(written, { data: { insertThings: [{ pieces: [{ id: "3", whole: { name: "two" } }] }] } });
    assert.deepEqual(
      await run('{ getParts(where: { whole: { name: "two", pieces: {} } }) { whole { pieces { id } } } }'),
      {
        data: { getParts: [{ whole: { pieces: [{ id: "3" }] } }] },
      },
    );
  });

  it("serves requests from the old schema while the new one is built", async () => {
    await registry.schemaFor(database, "app");
    await testing.client.query("create table app.more (id int primary key)");
    const refreshed = registry.refresh(database);
    const answers = await Promise.all(Array.from({ length: 20 }, () => run("{ getThings { name } }")));
    assert.ok(answers.every(({ errors }) => errors === undefined));
    await refreshed;
    assert.deepEqual((await run("{ getMore { id } }")).data, { getMore: [] });
  });

  it("makes the last requested schema first, and a request that met a removed object does not wait for others", async () => {
    const made: unknown[] = [];
    const listing = {
      name: "ListingPlugin",
      schema: {
        hooks: { build: (build: GraphileBuild.Build) => (made.push(build.options.portolanSchemas?.[0]), build) },
      },
    };
    await registry.close();
    const config = { ...makeConfig(), preset: { plugins: [listing] } };
    registry = createSchemaRegistry({ config, log: createLog("silent") });
    for (const schema of ["app", "other", "app", "other"]) await registry.schemaFor(database, schema);
    const served = await registry.schemaFor(database, "other");
    await testing.client.query("alter table app.things add at date; alter table other.things add at date");
    assert.deepEqual(made.splice(0), ["app", "other"]);
    const fresh = await registry.afterStale(served);
    assert.match(printSchemaOf(fresh), /at: Date/);
    assert.deepEqual(made, ["other"]);
    await registry.refresh(database);
    assert.deepEqual(made, ["other", "app"]);
  });

  it("builds a schema once, however many ask for it first", async () => {
    const first = await Promise.all(Array.from({ length: 10 }, () => registry.schemaFor(database, "app")));
    assert.equal(new Set(first).size, 1);
  });

  it("forgets a schema that is gone", async () => {
    await registry.schemaFor(database, "other");
    await testing.client.query("drop schema other cascade");
    await registry.refresh(database);
    await assert.rejects(registry.schemaFor(database, "other"), { code: "NOT_FOUND" });
    assert.deepEqual(registry.schemas(database), []);
  });

  it("shows a schema that was empty at first, and continues when one becomes empty", async () => {
    await testing.client.query("create schema late");
    await assert.rejects(registry.schemaFor(database, "late"), { code: "NOT_FOUND" });
    await testing.client.query("create table late.things (id int primary key)");
    await registry.refresh(database);
    assert.deepEqual((await run("{ getThings { id } }", "late")).data, { getThings: [] });
  });

  it("reads again when a column was dropped without notice", async () => {
    assert.deepEqual((await run("{ getThings { id } }")).data, { getThings: [{ id: "1" }] });
    const served = await registry.schemaFor(database, "app");
    await testing.client.query(
      "alter table app.things rename to things_old; create view app.things as select id, name || '!' as name from app.things_old",
    );
    const { text } = await executeGraphql(registry, served, { query: "{ getThings { name } }" }, { identity });
    assert.deepEqual(JSON.parse(text), { data: { getThings: [{ name: "one!" }] } });
    await testing.client.query(
      "drop view app.things; alter table app.things_old rename to things; alter table app.things drop name; alter table app.things add name2 text",
    );
    const answer = await run("{ getThings { name } }");
    assert.equal(staleCalls, 1);
    assert.equal(answer.errors?.[0]?.extensions.code, "BAD_USER_INPUT"); // the new schema has no such field
  });

  it("says of a write what is gone when a column or the table was dropped without notice, and writes nothing", async () => {
    const change = 'mutation { updateThings(where: { id: 1 }, data: { name: "new" }) { id } }';
    await testing.client.query("create table app.others (id int primary key)");
    const remove = "mutation { deleteThings(where: { id: 1 }) { id _version } }"; // a version asks for rights first
    assert.deepEqual((await run(change)).data, { updateThings: [{ id: "1" }] });
    for (const [drop, write] of [
      ["alter table app.things drop name", change],
      ["drop table app.things", remove],
    ] as const) {
      await testing.client.query(drop);
      const { errors } = await run(write);
      assert.equal(errors?.[0]?.extensions.code, "BAD_USER_INPUT", drop);
    }
    assert.equal(staleCalls, 2);
  });

  it("says what is gone when a function was dropped, or one that fits its call too was made, without notice", async () => {
    const { client } = testing;
    const changes = {
      "drop function app.act(int, int)": "Mutation",
      "create function app.act(a int) returns int language sql as 'select 2'": "Mutation",
      "drop function app.count_of(int)": "Query",
    };
    for (const [change, type] of Object.entries(changes)) {
      await client.query(`
create or replace function app.act(a int, b int default 1) returns int language sql volatile as 'select 1';
create or replace function app.count_of(a int) returns int language sql stable as 'select 1'`);
      await registry.refresh(database);
      const query = type === "Query" ? "{ countOf(a: 1) }" : "mutation { act(a: 1) }";
      assert.deepEqual((await run(query)).errors, undefined, change);
      await client.query(change);
      const { errors } = await run(query);
      assert.equal(errors?.[0]?.extensions.code, "BAD_USER_INPUT", `${change}: ${JSON.stringify(errors)}`);
      await client.query("drop function if exists app.act(int)");
    }
  });

  it("answers after a column changed its type under a prepared statement", async () => {
    for (let time = 0; time < 3; time++) await run("{ getThings { name } }");
    await testing.client.query("alter table app.things alter name type varchar(50)");
    for (let time = 0; time < 3; time++)
      assert.deepEqual((await run("{ getThings { name } }")).data, { getThings: [{ name: "one" }] });
  });

  it("writes after a column has come under a prepared statement that returns whole rows", async () => {
    const insert = (id: number) => run(`mutation { insertThings(data: { id: ${id}, name: "n" }) { id name } }`);
    for (let id = 2; id < 5; id++) assert.equal((await insert(id)).errors, undefined);
    await testing.client.query("alter table app.things add extra int default 5");
    assert.deepEqual(await insert(5), { data: { insertThings: [{ id: "5", name: "n" }] } });
    const { rows } = await testing.client.query("select count(*)::int as n from app.things where extra = 5");
    assert.deepEqual(rows, [{ n: 5 }]);
  });

  it("writes after a column changed its type under a prepared statement that takes whole rows", async () => {
    const insert = (id: number) => run(`mutation { insertThings(data: { id: ${id}, name: "n" }) { id name } }`);
    for (let id = 2; id < 5; id++) assert.equal((await insert(id)).errors, undefined);
    await testing.client.query("alter table app.things alter name type varchar(50)");
    for (let id = 5; id < 8; id++)
      assert.deepEqual(await insert(id), { data: { insertThings: [{ id: String(id), name: "n" }] } });
  });

  it("builds a chain of many tables", async () => {
    await testing.client.query(`
      create schema chain; create table chain.t0 (id int primary key);
      do $$ begin
        for i in 1..300 loop
          execute format('create table chain.t%s (id int primary key, t_id int references chain.t%s)', i, i - 1);
        end loop;
      end $$`);
    assert.deepEqual((await run("{ countT299 }", "chain")).data, { countT299: 0 });
  });
});
