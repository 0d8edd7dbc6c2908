/**
 * `npm run test:mocha [options of Mocha]`: all test files, in as many processes as there are processors. With one more the
 * run took as long, and promises of time failed. The folders whose files take long come first, because they start programs,
 * browsers or clusters of their own: at the end all processes are busy with short ones.
 *
 * Where few files fail, they run again alone, which decides. A test that failed beside others and passes alone is named at
 * the end with its failure above: it waits for something in a wrong way, or the product does.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { runMocha, testFiles } from "./mocha.ts";
import { closingLine, type Results } from "./results.ts";

const LONG = /^test\/(cli|console|docs|faults|package|localCluster|tiles|access|maps|sql|traps)\//;

/** Each process has a cluster of its own, and its memory. */
const MOST = 8;

/** Files that run again. More fail only where something is broken. On a slow machine with other work seven have failed by chance. */
const MOST_AGAIN = 8;

const files = testFiles();
const isLong = (file: string): boolean => LONG.test(file);
const folder = mkdtempSync(join(tmpdir(), "portolan-results-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const options = process.argv.slice(2);
const first = await run(
  "first",
  ["--parallel", "--jobs", String(Math.min(availableParallelism(), MOST)), ...options],
  [...files.filter(isLong), ...files.filter((file) => !isLong(file))],
);
const failed = Object.entries(first.results ?? {}).flatMap(([file, { failed: count }]) => (count > 0 ? [file] : []));
if (first.code === 0 || failed.length === 0 || failed.length > MOST_AGAIN || failed.includes(""))
  process.exit(first.code);

console.log(`\nRun again alone:\n${failed.map((file) => `  ${file}\n`).join("")}`);
const again = await run("again", options, failed);
if (again.code === 0) {
  console.log(`\nFailed beside others, passed alone:\n${failed.map((file) => `  ${file}\n`).join("")}`);
  console.log(closingLine({ ...first.results, ...again.results }));
}
process.exit(again.code);

async function run(
  name: string,
  mochaOptions: readonly string[],
  paths: readonly string[],
): Promise<{ readonly code: number; readonly results: Results | undefined }> {
  const file = (process.env["TEST_RESULTS"] = join(folder, name));
  const code = await runMocha(mochaOptions, paths);
  try {
    return { code, results: JSON.parse(readFileSync(file, "utf8")) as Results };
  } catch {
    return { code, results: undefined }; // Mocha itself has failed
  }
}
