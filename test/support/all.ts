/**
 * `npm run test:mocha [options of Mocha]`: all test files, in two processes. The folders whose files take long come first,
 * because they start programs, browsers or clusters of their own: at the end both processes are busy with short ones.
 */
import { runMocha, testFiles } from "./mocha.ts";

const LONG = /^test\/(cli|console|docs|faults|package|localCluster|tiles|access|maps|sql|traps)\//;

const files = testFiles();
const isLong = (file: string): boolean => LONG.test(file);
runMocha(
  ["--parallel", "--jobs", "2", ...process.argv.slice(2)],
  [...files.filter(isLong), ...files.filter((file) => !isLong(file))],
);
