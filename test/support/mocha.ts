/** Runs Mocha on test files in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
/** Node's compile cache, for runs of a few files: to read the code takes half of their time. */
export const KEPT_CODE = join(ROOT, "node_modules/.cache/portolan/code");

/** Of a process of tests, in MB: what one test leaves behind is collected less often, and less of it is copied meanwhile. */
const YOUNG = ["--min-semi-space-size=32", "--max-semi-space-size=64"];

/** All test files, as paths in the checkout, in the order of their names. */
export function testFiles(): string[] {
  return globSync("test/**/*.test.ts", { cwd: ROOT }).sort();
}

/**
 * Runs the files in this order, with options of Mocha. Resolves to the exit code. `resultsFile`: see the reporter. With
 * `atTheEnd` the output is printed when Mocha has ended, so that it does not mix with that of another one.
 */
export async function runMocha(
  options: readonly string[],
  files: readonly string[],
  { resultsFile = "", atTheEnd = false } = {},
): Promise<number> {
  const mocha = [join(ROOT, "node_modules/mocha/bin/mocha.js"), ...options, ...files];
  const running = spawn(process.execPath, ["--stack-size=3900", ...YOUNG, ...mocha], {
    cwd: ROOT,
    stdio: ["inherit", ...Array.from({ length: 2 }, () => (atTheEnd ? "pipe" : "inherit") as "pipe" | "inherit")],
    env: { ...process.env, ...(resultsFile && { TEST_RESULTS: resultsFile }) },
  });
  const output: Buffer[] = [];
  for (const stream of [running.stdout, running.stderr]) stream?.on("data", (chunk: Buffer) => output.push(chunk));
  const [code, signal] = (await once(running, "close")) as [number | null, NodeJS.Signals];
  process.stdout.write(Buffer.concat(output));
  return code ?? 128 + constants.signals[signal];
}
