/**
 * `npm run test:mocha [options of Mocha]`: all test files, in one process more than there are processors, since a test waits
 * for PostgreSQL or a browser a third of its time. The folders whose files take long come first, because they start programs,
 * browsers or clusters of their own: at the end all processes are busy with short ones.
 */
import { availableParallelism } from "node:os";
import { runMocha, testFiles } from "./mocha.ts";

const LONG = /^test\/(cli|console|docs|faults|package|localCluster|tiles|access|maps|sql|traps)\//;

/** Each process has a cluster of its own, and its memory. */
const MOST = 7;

const files = testFiles();
const isLong = (file: string): boolean => LONG.test(file);
runMocha(
  ["--parallel", "--jobs", String(Math.min(availableParallelism(), MOST) + 1), ...process.argv.slice(2)],
  [...files.filter(isLong), ...files.filter((file) => !isLong(file))],
);
