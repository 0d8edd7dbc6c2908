/**
 * The hooks around the tests: mocha runs them once in the process of all tests, and in each process that runs files.
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import { runningLocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { idleTestCluster, stopTestCluster } from "./databases.ts";
import { KeptAlive } from "./keptAlive.ts";
import { choosePixelRatio, tellPixelRatio } from "./pixelRatio.ts";
import { leaveOut, noteShards, seeShards } from "./onShards.ts";
import { lookAtProcessorTime, noteProcessorTime } from "./processorTime.ts";
import { ARE_DISTRIBUTED } from "./testServers.ts";
import { until } from "./until.ts";

// Grafast reads it when it is loaded, after this file: it switches on the checks of plans
process.env["GRAPHILE_ENV"] ??= "test";

/** Linux keeps its files in memory: hundreds of databases are made and dropped, and none need outlive the tests. */
const MEMORY = "/dev/shm";
const NEEDED_BYTES = 4 * 1024 ** 3;
const NAMESPACE = "/proc/self/ns/pid";

/** A container has a small one, or none. */
function hasMemoryFolder(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > NEEDED_BYTES && freemem() > NEEDED_BYTES;
}

/** Containers may share the folder in memory, and each numbers its processes for itself. */
function folderPrefix(): string {
  const [namespace = ""] = /\d+/.exec(existsSync(NAMESPACE) ? readlinkSync(NAMESPACE) : "") ?? [];
  return `portolan-test-in${namespace}-`;
}

/** A run that was killed leaves its folder, which would keep its memory. */
function removeAbandoned(): void {
  if (!existsSync(MEMORY)) return;
  const prefix = folderPrefix();
  for (const name of readdirSync(MEMORY)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0;
    if (pid > 0 && !existsSync(`/proc/${pid}`)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/** With `--parallel` the tests run in mocha's processes, which inherit the folder of the clusters. */
export function mochaGlobalSetup(): void {
  removeAbandoned();
  const folder = mkdtempSync(join(hasMemoryFolder() ? MEMORY : tmpdir(), `${folderPrefix()}${process.pid}-`));
  chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user
  process.env["TEST_CLUSTERS"] = folder;
  process.env["NODE_COMPILE_CACHE"] ??= join(folder, "compiled"); // the tests start one program hundreds of times
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopTestCluster();
  const folder = process.env["TEST_CLUSTERS"]!;
  // clusters of mocha's processes end by themselves, soon after the processes
  for (const name of readdirSync(folder)) await until(() => !runningLocalCluster(join(folder, name, "cluster")));
  rmSync(folder, { recursive: true, force: true });
  // the failures have been reported by then; if nothing is left, the process has ended before
  setTimeout(() => process.exit(), 1000).unref();
}

let kept: KeptAlive;

/** With `--parallel` around each file, otherwise around all of them. */
export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    await setImmediate(); // mocha has set the time limit of this hook by then, as for the other one
    kept = new KeptAlive();
    if (ARE_DISTRIBUTED) leaveOut(this.test!.parent!);
  },
  async beforeEach(this: Mocha.Context): Promise<void> {
    choosePixelRatio(this.currentTest?.fullTitle() ?? "");
    if (ARE_DISTRIBUTED) await seeShards();
  },
  async afterEach(this: Mocha.Context): Promise<void> {
    tellPixelRatio(this.currentTest?.err);
    lookAtProcessorTime();
    if (ARE_DISTRIBUTED) await noteShards(this.currentTest!);
  },
  async afterAll(this: Mocha.Context): Promise<void> {
    await idleTestCluster();
    const { suites = [], tests = [] } = this.test?.parent ?? {};
    const files = new Set([...suites, ...tests].map(({ file = "" }) => relative(process.cwd(), file)));
    if (files.size === 1) noteProcessorTime(process.env["TEST_CLUSTERS"]!, [...files].join());
    await kept.assertNothing(files.size === 1 ? [...files].join() : "a file");
  },
};
