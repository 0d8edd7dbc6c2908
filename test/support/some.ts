/**
 * `npm run test:some <pattern> [options of Mocha]`: the test files whose path contains the pattern, such as `filter`,
 * `ogc/items` or `test/oauth/cli.test.ts`.
 */
import { runMocha, testFiles } from "./mocha.ts";

const [pattern = "", ...options] = process.argv.slice(2);
const files = testFiles().filter((file) => file.includes(pattern));

if (pattern === "" || files.length === 0) {
  console.error(
    pattern === "" ? "npm run test:some <pattern> [-- options of Mocha]" : `No test file has ${pattern} in its path.`,
  );
  process.exit(1);
}
runMocha(options, files);
