/**
 * The fields that each community plugin adds to Amber's schema and to Portolan's, in whichever order a preset names
 * them.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PgManyToManyPreset } from "@graphile-contrib/pg-many-to-many";
import { PgAggregatesPreset } from "@graphile/pg-aggregates";
import { PgSimplifyInflectionPreset } from "@graphile/simplify-inflection";
import { isInputObjectType, isObjectType, type GraphQLNamedType } from "graphql";
import { PostGraphileConnectionFilterPreset } from "postgraphile-plugin-connection-filter";
import { makePgService } from "postgraphile/adaptors/pg";
import { makeSchema } from "postgraphile/graphile-build";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { PortolanPreset } from "../../plugins/preset.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

const PLUGINS: Readonly<Record<string, GraphileConfig.Preset>> = {
  "connection-filter": PostGraphileConnectionFilterPreset,
  "pg-many-to-many": PgManyToManyPreset,
  "pg-aggregates": PgAggregatesPreset,
  "simplify-inflection": PgSimplifyInflectionPreset,
};
const BASES: Readonly<Record<string, GraphileConfig.Preset>> = {
  amber: PostGraphileAmberPreset,
  portolan: PortolanPreset,
};

/** One line for each field of an object, and one for each other type. */
function outline(types: readonly GraphQLNamedType[]): string[] {
  return types.flatMap((type) => {
    if (type.name.startsWith("__")) return [];
    if (!isObjectType(type)) return [`${isInputObjectType(type) ? "input " : ""}${type.name}`];
    return Object.values(type.getFields()).map(
      (field) => `${type.name}.${field.name}(${field.args.map(({ name }) => name).join(", ")}): ${String(field.type)}`,
    );
  });
}

describe("plugins of the community beside the preset", () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
    await database.client.query(`
create schema app;
create table app.owners (id int primary key, name text not null);
create table app.ships (id int primary key, name text not null, owner_id int not null references app.owners);
create table app.crews (ship_id int references app.ships, owner_id int references app.owners, primary key (ship_id, owner_id));
create index on app.ships (owner_id);
create index on app.crews (owner_id);
create function app.ships_label(ship app.ships, suffix text) returns text language sql stable as $$ select ship.name || suffix $$;`);
  });
  after(() => database.drop());

  async function outlineOf(...presets: GraphileConfig.Preset[]): Promise<string[]> {
    const service = makePgService({ connectionString: database.url, schemas: ["app"], pubsub: false });
    const { warn } = console;
    console.warn = () => undefined; // simplify-inflection's, about missing inflectors
    try {
      const { schema } = await makeSchema({ extends: presets, pgServices: [service] });
      return outline(Object.values(schema.getTypeMap())).sort();
    } finally {
      console.warn = warn;
      await service.release?.();
    }
  }

  for (const [base, preset] of Object.entries(BASES)) {
    for (const [name, plugin] of Object.entries(PLUGINS))
      it(`${name} adds to ${base} the lines of plugins/${base}.${name}.diff, before and after it`, async () => {
        const plain = await outlineOf(preset);
        const after = await outlineOf(preset, plugin);
        const lines = [
          ...plain.filter((line) => !after.includes(line)).map((line) => `-${line}\n`),
          ...after.filter((line) => !plain.includes(line)).map((line) => `+${line}\n`),
        ];
        const expected = join(import.meta.dirname, "plugins", `${base}.${name}.diff`);
        if (process.env["UPDATE_SNAPSHOTS"]) writeFileSync(expected, lines.join(""));
        assert.equal(lines.join(""), readFileSync(expected, "utf8"));
        if (base === "portolan") assert.deepEqual(await outlineOf(plugin, preset), after);
      });

    it(`all of them build a schema with ${base}, in two orders`, async () => {
      const all = Object.values(PLUGINS);
      const forth = await outlineOf(preset, ...all);
      if (base === "portolan") assert.deepEqual(await outlineOf(...all.toReversed(), preset), forth);
      assert.ok(forth.some((line) => line.includes("filter")));
    });
  }
});
