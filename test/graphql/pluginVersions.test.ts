import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

describe("graphql: the plugins of the preset", () => {
  it("have the version of the package", async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
    const names = globSync("plugins/*Plugin.ts", { cwd: ROOT }).map((path) => basename(path, ".ts"));
    assert.ok(names.length > 20);
    for (const name of names) {
      const module = (await import(`../../plugins/${name}.ts`)) as Record<string, GraphileConfig.Plugin>;
      assert.equal(module[name]?.version, version, name);
    }
  });
});
