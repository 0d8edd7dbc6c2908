/** The tests of the doors, over tables that Citus keeps on two workers. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasCitus } from "../support/citusCluster.ts";
import { FILES, FILES_LEFT_OUT } from "../support/leftOut.ts";
import { runMocha } from "../support/mocha.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import type { Noted } from "../support/onShards.ts";

describeOnlyIf(hasCitus(), "Citus: test/citus/build.sh")(
  "the tests of the doors, over distributed tables",
  function () {
    this.timeout(7_200_000);
    const folder = mkdtempSync(join(tmpdir(), "portolan-shards-"));
    after(() => rmSync(folder, { recursive: true, force: true }));

    it("pass, except those of the list, and many of them ask shards", async () => {
      const file = join(folder, "noted");
      const before = { ...process.env };
      Object.assign(process.env, { TEST_TABLES: "distributed", TEST_SHARDS: file });
      const code = await runMocha([], FILES).finally(() => (process.env = before));
      const noted = readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Noted);
      const count = (which: (one: Noted) => boolean): number => noted.filter(which).length;
      const passed = count(({ state }) => state === "passed");
      const onShards = count(({ state, queries }) => state === "passed" && queries > 0);
      console.log(
        `    ${noted.length} tests: ${passed} passed, ${onShards} of them asked shards, ${count(({ state }) => state === "left out")} left out`,
      );
      for (const [left, reason] of FILES_LEFT_OUT) console.log(`    left out: ${left} (${reason})`);
      assert.equal(code, 0);
      assert.ok(onShards > 150, `only ${onShards} tests asked shards`);
    });
  },
);
