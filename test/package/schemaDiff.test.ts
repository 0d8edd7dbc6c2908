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

/** What changes for a team that comes from PostGraphile's Amber preset; UPDATE_SNAPSHOTS=1 writes it anew. */
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

  async function schemaOf(preset: GraphileConfig.Preset): Promise<string> {
    const service = makePgService({ connectionString: database.url, schemas: ["app"], pubsub: false });
    try {
      const { schema } = await makeSchema({ extends: [preset], pgServices: [service] });
      return `${printSchema(schema).replace(/^ *"""[^]*?"""\n/gm, "")}\n`;
    } finally {
      await service.release?.();
    }
  }

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
});
