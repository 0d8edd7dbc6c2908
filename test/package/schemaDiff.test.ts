import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printSchema } from "graphql";
import { makePgService } from "postgraphile/adaptors/pg";
import { makeSchema } from "postgraphile/graphile-build";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { PortolanPreset } from "../../plugins/preset.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

const EXPECTED = join(import.meta.dirname, "postgraphile.diff");

/** The differences for a team that comes from PostGraphile's Amber preset; UPDATE_SNAPSHOTS=1 writes the file again. */
describe("the schema of a PostGraphile server that becomes Portolan's", () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
    await database.client.query(`
create schema app;
create table app.owners (id int primary key, name text not null);
create table app.ships (id int primary key, name text not null, built date, tonnage numeric, owner_id int references app.owners);
create index on app.ships (owner_id);`);
  });
  after(() => database.drop());

  const schemaOf = (preset: GraphileConfig.Preset) => printed(database, "app", preset);

  it("is in postgraphile.diff", async () => {
    const folder = mkdtempSync(join(tmpdir(), "portolan-diff-"));
    try {
      writeFileSync(join(folder, "amber.graphql"), await schemaOf(PostGraphileAmberPreset));
      writeFileSync(join(folder, "portolan.graphql"), await schemaOf(PortolanPreset));
      const { stdout } = spawnSync(
        "diff",
        [
          "-U",
          "100000",
          "--label",
          "PostGraphileAmberPreset",
          "--label",
          "PortolanPreset",
          "amber.graphql",
          "portolan.graphql",
        ],
        {
          cwd: folder,
          encoding: "utf8",
        },
      );
      if (process.env["UPDATE_SNAPSHOTS"]) writeFileSync(EXPECTED, stdout);
      assert.equal(stdout, readFileSync(EXPECTED, "utf8"));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("leaves out aggregates and pages if a table says so", async () => {
    for (const name of ["owners", "ships"])
      await database.client.query(`comment on table app.${name} is '@behavior -aggregate -page'`);
    assert.doesNotMatch(await schemaOf(PortolanPreset), /Aggregate|Connection|PageInfo/);
  });
});

describe("the printed schema of the demo", () => {
  it("is at most 2.5 times as large with aggregates, pages, ids of nodes and versions as without", async () => {
    const database = await testDatabase({ kind: "demo" });
    try {
      const size = async (preset: GraphileConfig.Preset): Promise<number> =>
        (await printed(database, "world", preset)).length;
      const disablePlugins = ["AggregatePlugin", "PagePlugin", "NodeIdPlugin", "VersionPlugin"];
      const without = await size({ extends: [PortolanPreset], disablePlugins });
      const whole = await size(PortolanPreset);
      assert.ok(whole > without && whole <= 2.5 * without, `${without} became ${whole}`);
    } finally {
      await database.drop();
    }
  });
});

/** Without descriptions. */
async function printed({ url }: TestDatabase, schemaName: string, preset: GraphileConfig.Preset): Promise<string> {
  const service = makePgService({ connectionString: url, schemas: [schemaName], pubsub: false });
  try {
    const { schema } = await makeSchema({ extends: [preset], pgServices: [service] });
    return `${printSchema(schema).replace(/^ *"""[^]*?"""\n/gm, "")}\n`;
  } finally {
    await service.release?.();
  }
}
