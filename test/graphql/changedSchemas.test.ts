import assert from "node:assert/strict";
import { introspect, prune } from "../../server/graphql/build/introspection.ts";
import { createSchemaRegistry, printSchemaOf, type SchemaRegistry } from "../../server/graphql/build/schemaRegistry.ts";
import { createLog } from "../../server/ground/log.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import type { GatewayError } from "../../server/ground/errors.ts";
import { openDatabase, type Database } from "../../server/kernel/database/database.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

/** Each exposed schema of a database with one kind of dependency between schemas. */
const SCHEMAS = `
create schema kinds; create schema quays; create schema ships; create schema crews; create schema logs; create schema alone;
create type kinds.flag as enum ('red', 'green');
create domain kinds.length as numeric;
create type kinds.span as range (subtype = int);
create type kinds.place as (port text, flag kinds.flag);
create table quays.berths (id int primary key, at geometry(point, 4326));
create table ships.boats (
  id int primary key, name text, flag kinds.flag, length kinds.length, span kinds.span, place kinds.place,
  berth int references quays.berths, shape geometry(polygon, 4326));
create table crews.people (id int primary key, boat int references ships.boats);
create view crews.fleet as select id, name from ships.boats;
create view logs.fleet as select * from crews.fleet;
create function logs.flag_of(boat int) returns kinds.flag language sql stable return 'red'::kinds.flag;
create table alone.rocks (id int primary key);
create schema tones;
create type tones.tone as enum ('high');
create schema reefs;
create table reefs.shoals (id int primary key)`;

/** DDL, each with what it shows in which schema. */
const STEPS: readonly (readonly [what: string, ddl: string, shown: readonly (readonly [string, RegExp])[]])[] = [
  ["a column", "alter table alone.rocks add height int", [["alone", /height: Int/]]],
  ["a label of another schema's enum", "alter type kinds.flag add value 'blue'", []],
  ["a column of another schema's type", "alter type kinds.place add attribute pier text", [["ships", /pier: String/]]],
  [
    "a key to a table",
    "create table quays.bills (id int primary key, boat int references ships.boats)",
    [
      ["ships", /Bills/],
      ["quays", /type Bills\b[^}]*boat/],
    ],
  ],
  ["the end of that key", "drop table quays.bills", [["quays", /^(?![^]*Bills)/]]],
  [
    "a key to a schema that was not reached before",
    "alter table alone.rocks add boat int references ships.boats",
    [
      ["alone", /Boats/],
      ["ships", /Rocks/],
    ],
  ],
  [
    "a column of a type of a schema that was not reached before",
    "alter table reefs.shoals add tone tones.tone",
    [["reefs", /type ShoalsBy {[^}]*tone: /]],
  ],
  [
    "a view that another schema's view makes read-only",
    "create or replace view crews.fleet as select distinct id, name from ships.boats",
    [
      ["crews", /^(?![^]*insertFleet)/],
      ["logs", /^(?![^]*insertFleet)/],
    ],
  ],
  [
    "a comment on a column of another schema",
    "comment on column ships.boats.name is 'On the bow.'",
    [["ships", /On the bow/]],
  ],
  ["another schema's name", "alter schema quays rename to docks", [["ships", /Berths/]]],
  [
    "a type that an extension brings",
    "create extension citext; alter table alone.rocks add name citext",
    [["alone", /name: String/]],
  ],
  ["a table with history", "select portolan.enable_versioning('alone.rocks')", []],
  ["a schema that is gone", "drop schema crews cascade", [["ships", /^(?![^]*People)/]]],
  ["an empty schema", "drop table docks.berths cascade", [["ships", /^(?![^]*Berths)/]]],
];

describe("graphql: schemas that DDL may have changed", () => {
  let testing: TestDatabase;
  let database: Database;
  let registry: SchemaRegistry;
  let fingerprints: ReadonlyMap<string, string> | undefined;
  const config = makeConfig();
  const log = createLog("silent");

  /** As the gateway does it when it has seen other fingerprints. */
  async function look(): Promise<void> {
    const rows = await database.db.any<{ schema: string; fingerprint: string }>(
      "select schema, fingerprint from portolan.catalogue(portolan.exposed_schemas())",
    );
    fingerprints = new Map(rows.map(({ schema, fingerprint }) => [schema, fingerprint]));
  }

  async function printed(of: SchemaRegistry): Promise<Record<string, string>> {
    const schemas = await database.db.one<{ all: string[] }>("select portolan.exposed_schemas() as all");
    const texts: Record<string, string> = {};
    for (const schema of schemas.all)
      // what has functions of a range only cannot be built
      texts[schema] = await of.schemaFor(database, schema).then(printSchemaOf, ({ code }: GatewayError) => code);
    return texts;
  }

  /** One that has read the catalogue, and built one schema of it. */
  async function lateRegistry(): Promise<SchemaRegistry> {
    const late = createSchemaRegistry({ config, log, fingerprints: () => fingerprints });
    await late.schemaFor(database, "logs");
    return late;
  }

  before(async () => {
    testing = await testDatabase({ kind: "portolan" });
    await testing.client.query(SCHEMAS);
    const limits = { poolSize: 3, connectTimeoutMs: 5000, statementTimeoutMs: 10_000 };
    database = openDatabase({ name: "test", url: testing.url, ...limits });
    registry = createSchemaRegistry({ config, log, fingerprints: () => fingerprints });
    await look();
    await printed(registry);
  });

  after(async () => {
    await registry.close();
    await database.close();
    await testing.drop();
  });

  it("are read with the schemas that they need, and as if all were read", async () => {
    const whole = await introspect(database);
    for (const schema of ["ships", "crews", "logs", "quays", "alone"]) {
      const all = prune(whole, schema, () => true)!;
      const few = await introspect(database, { schemas: all.sources.read });
      assert.equal(prune(few, schema, () => true)?.text, all.text, schema);
    }
    const { classes } = await introspect(database, { schemas: ["alone"] });
    assert.deepEqual(
      classes.map(({ relname }) => relname),
      ["rocks"],
    );
    const { read, shown } = prune(whole, "ships", () => true)!.sources;
    assert.deepEqual([...shown].sort(), ["crews", "kinds", "quays", "ships"]);
    assert.deepEqual([...read].sort(), ["crews", "kinds", "public", "quays", "ships"]); // with the types of PostGIS
    assert.ok(prune(await introspect(database, { schemas: ["ships"] }), "ships", () => true)?.sources.isIncomplete);
  });

  it("are the only ones that are read again", async () => {
    await look();
    await registry.refresh(database);
    const old = fingerprints!;
    await testing.client.query("alter table reefs.shoals add wet boolean; alter table ships.boats add wet boolean");
    await look();
    fingerprints = new Map([...fingerprints!, ["reefs", old.get("reefs")!]]);
    await registry.refresh(database);
    const texts = await printed(registry);
    assert.match(texts["ships"]!, /wet: Boolean/);
    assert.doesNotMatch(texts["reefs"]!, /wet: Boolean/);
    await look();
    await registry.refresh(database);
    assert.match((await printed(registry))["reefs"]!, /wet: Boolean/);
  });

  it("leave others to be built from the catalogue that was read before", async () => {
    const late = await lateRegistry();
    try {
      const old = fingerprints!;
      await testing.client.query("alter table reefs.shoals add deep boolean; alter table alone.rocks add deep boolean");
      await look();
      fingerprints = new Map([...fingerprints!, ["reefs", old.get("reefs")!]]);
      await late.refresh(database);
      assert.doesNotMatch(printSchemaOf(await late.schemaFor(database, "reefs")), /deep: Boolean/);
      assert.match(printSchemaOf(await late.schemaFor(database, "alone")), /deep: Boolean/);
      await look();
      await late.refresh(database);
      assert.match((await printed(late))["reefs"]!, /deep: Boolean/);
    } finally {
      await late.close();
    }
  });

  describe("one DDL after the other", () => {
    /** Begun before the last step. */
    let late: SchemaRegistry;

    before(async () => {
      await look();
      await registry.refresh(database);
      late = await lateRegistry();
    });

    after(() => late.close());

    for (const [what, ddl, shown] of STEPS)
      it(`show ${what}, as schemas do that are built anew`, async () => {
        const later = await lateRegistry();
        await testing.client.query(ddl);
        await look();
        for (const each of [registry, late, later]) await each.refresh(database);
        const fresh = createSchemaRegistry({ config, log });
        try {
          const texts = await printed(registry);
          const anew = await printed(fresh);
          assert.deepEqual(texts, anew);
          assert.deepEqual(await printed(late), anew, "the others built after two DDL");
          for (const [schema, pattern] of shown) assert.match(texts[schema] ?? "", pattern);
        } finally {
          await Promise.all([fresh.close(), late.close()]);
          late = later;
        }
      });
  });

  it("are all read again where it is not known what has changed", async () => {
    fingerprints = undefined;
    await testing.client.query("alter table alone.rocks add depth int");
    await registry.refresh(database);
    assert.match((await printed(registry))["alone"]!, /depth: Int/);
  });
});
