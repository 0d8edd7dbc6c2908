/**
 * `npm run test:mocha [options of Mocha]`: all test files, in as many processes as there are processors. The folders whose
 * files take long come first, because they start programs, browsers or clusters of their own: at the end all processes are
 * busy with short ones. One process more runs the files that wait most of their time, one after the other.
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

/** They wait, for time limits or for other processes, for most of their time. */
const WAITING = new Set(
  [
    ...["access/locked", "cli/workers", "database/byteRows", "database/move", "database/shares", "docs/backup"],
    ...["events/fleet", "events/reader", "faults/fleet", "management/import", "mcp/listen", "oauth/lockout"],
    ...["oauth/passwords", "ogc/editing", "pages/publicDashboard", "tiles/pyramids", "tracing/tracing"],
  ].map((name) => `test/${name}.test.ts`),
);

/** Each process has a cluster of its own, and its memory. */
const MOST = 8;

/** Files that run again. More fail only where something is broken. On a slow machine with other work seven have failed by chance. */
const MOST_AGAIN = 8;

interface Ended {
  readonly code: number;
  readonly results: Results | undefined;
}

const files = testFiles();
const missing = [...WAITING].filter((file) => !files.includes(file));
if (missing.length > 0) throw new Error(`test/support/all.ts names files that are not there: ${missing.join(", ")}`);
const busy = files.filter((file) => !WAITING.has(file));
const isLong = (file: string): boolean => LONG.test(file);
const folder = mkdtempSync(join(tmpdir(), "portolan-results-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.env["NODE_COMPILE_CACHE"] ??= join(folder, "compiled");

const options = process.argv.slice(2);
const jobs = Math.min(availableParallelism(), MOST);
const first = both(
  ...(await Promise.all([
    run(
      "busy",
      ["--parallel", "--jobs", String(jobs), ...options],
      [...busy.filter(isLong), ...busy.filter((file) => !isLong(file))],
    ),
    run("waiting", options, [...WAITING], { atTheEnd: true }),
  ])),
);
const failed = Object.entries(first.results ?? {}).flatMap(([file, { failed: count }]) => (count > 0 ? [file] : []));
if (first.code === 0 || failed.length === 0 || failed.length > MOST_AGAIN || failed.includes("")) end(first);

console.log(`\nRun again alone:\n${failed.map((file) => `  ${file}\n`).join("")}`);
const again = await run("again", options, failed);
if (again.code === 0)
  console.log(`\nFailed beside others, passed alone:\n${failed.map((file) => `  ${file}\n`).join("")}`);
end({ code: again.code, results: again.results && { ...first.results, ...again.results } });

/** Of two runs of different files. */
function both(one: Ended, other: Ended): Ended {
  const results = one.results && other.results && { ...one.results, ...other.results };
  return { code: one.code || other.code, results };
}

function end({ code, results }: Ended): never {
  if (results) console.log(`\n${closingLine(results)}`);
  process.exit(code);
}

async function run(
  name: string,
  mochaOptions: readonly string[],
  paths: readonly string[],
  { atTheEnd = false } = {},
): Promise<Ended> {
  const resultsFile = join(folder, name);
  const code = await runMocha(mochaOptions, paths, { resultsFile, atTheEnd });
  try {
    return { code, results: JSON.parse(readFileSync(resultsFile, "utf8")) as Results };
  } catch {
    return { code, results: undefined }; // Mocha itself has failed
  }
}
