/**
 * `npm run test:mocha [options of Mocha]`: all test files, in as many processes as there are processors. With one more the
 * run took as long, and promises of time failed. The folders whose files take long come first, because they start programs,
 * browsers or clusters of their own: at the end all processes are busy with short ones.
 */
import { availableParallelism } from "node:os";
import { runMocha, testFiles } from "./mocha.ts";

const LONG = /^test\/(cli|console|docs|faults|package|localCluster|tiles|access|maps|sql|traps)\//;

/** Each process has a cluster of its own, and its memory. */
const MOST = 8;

const files = testFiles();
const isLong = (file: string): boolean => LONG.test(file);
runMocha(
  ["--parallel", "--jobs", String(Math.min(availableParallelism(), MOST)), ...process.argv.slice(2)],
  [...files.filter(isLong), ...files.filter((file) => !isLong(file))],
);
