/**
 * `npm run test:some <pattern> [options of Mocha]`: the test files whose path contains the pattern, such as `filter`,
 * `ogc/items` or `test/oauth/cli.test.ts`.
 */
import { isClusterKept } from "./keptCluster.ts";
import { KEPT_CODE, runMocha, testFiles } from "./mocha.ts";

const [pattern = "", ...options] = process.argv.slice(2);
const files = testFiles().filter((file) => file.includes(pattern));

if (pattern === "" || files.length === 0) {
  console.error(
    pattern === "" ? "npm run test:some <pattern> [-- options of Mocha]" : `No test file has ${pattern} in its path.`,
  );
  process.exit(1);
}
process.env["NODE_COMPILE_CACHE"] ??= KEPT_CODE;
if (!isClusterKept()) {
  const { keepTestCluster } = await import("./databases.ts");
  await keepTestCluster();
}
process.exit(await runMocha(options, files));
