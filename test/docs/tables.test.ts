import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { README, withTables } from "../support/writeDocs.ts";

describe("README.md", () => {
  it("has the options and errors that the code has (npm run docs)", () => {
    const readme = readFileSync(README, "utf8");
    assert.match(readme, /<!-- options: made by npm run docs -->/);
    assert.match(readme, /<!-- errors: made by npm run docs -->/);
    assert.match(readme, /\| `poolSize` \| `POOL_SIZE` \| `10` \|/);
    assert.match(readme, /\| `LIMIT_EXCEEDED` \| 400 \|/);
    assert.equal(withTables(readme), readme);
    assert.notEqual(withTables(readme.replace("POOL_SIZE", "POOL")), readme.replace("POOL_SIZE", "POOL"));
  });

  it("says why each dependency is there", () => {
    const readme = readFileSync(README, "utf8");
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    ) as Record<string, Record<string, string>>;
    for (const name of Object.keys({ ...dependencies, ...devDependencies }))
      assert.ok(readme.includes(`\`${name}\``), `${name} has no reason`);
  });
});
