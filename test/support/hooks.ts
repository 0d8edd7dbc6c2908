/** What mocha does around the tests: once in the process that runs them all, and in each that runs files of them. */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import { runningLocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { idleTestCluster, stopTestCluster } from "./databases.ts";
import { KeptAlive } from "./keptAlive.ts";
import { choosePixelRatio, tellPixelRatio } from "./pixelRatio.ts";
import { until } from "./until.ts";

// Grafast reads it when it is loaded, which is after this file: its checks of plans are on
process.env["GRAPHILE_ENV"] ??= "test";

/** With `--parallel` the tests run in processes of mocha's, which inherit where their clusters are made. */
export function mochaGlobalSetup(): void {
  const folder = mkdtempSync(join(tmpdir(), "portolan-test-"));
  chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user
  process.env["TEST_CLUSTERS"] = folder;
  process.env["NODE_COMPILE_CACHE"] ??= join(folder, "compiled"); // hundreds of times the tests start one and the same program
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopTestCluster();
  const folder = process.env["TEST_CLUSTERS"]!;
  // those of mocha's processes end by themselves, soon after the processes
  for (const name of readdirSync(folder)) await until(() => !runningLocalCluster(join(folder, name, "cluster")));
  rmSync(folder, { recursive: true, force: true });
  // the failures have been told by then; where nothing is left, the process has ended by itself before
  setTimeout(() => process.exit(), 1000).unref();
}

let kept: KeptAlive;

/** With `--parallel` around each file, otherwise around them all. */
export const mochaHooks = {
  async beforeAll(): Promise<void> {
    await setImmediate(); // mocha has set the time limit of this hook by then, as of the other
    kept = new KeptAlive();
  },
  beforeEach(this: Mocha.Context): void {
    choosePixelRatio(this.currentTest?.fullTitle() ?? "");
  },
  afterEach(this: Mocha.Context): void {
    tellPixelRatio(this.currentTest?.err);
  },
  async afterAll(this: Mocha.Context): Promise<void> {
    await idleTestCluster();
    const { suites = [], tests = [] } = this.test?.parent ?? {};
    const files = new Set([...suites, ...tests].map(({ file = "" }) => relative(process.cwd(), file)));
    await kept.assertNothing(files.size === 1 ? [...files].join() : "a file");
  },
};
