/**
 * `npm run test:some <pattern> [options of Mocha]`: the test files whose path contains the pattern, such as `filter`,
 * `ogc/items` or `test/oauth/cli.test.ts`.
 */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const [pattern = "", ...options] = process.argv.slice(2);
const files = globSync("test/**/*.test.ts", { cwd: ROOT }).filter((file) => file.includes(pattern));

if (pattern === "" || files.length === 0) {
  console.error(
    pattern === "" ? "npm run test:some <pattern> [-- options of Mocha]" : `No test file has ${pattern} in its path.`,
  );
  process.exit(1);
}
const mocha = [join(ROOT, "node_modules/mocha/bin/mocha.js"), ...options, ...files.sort()];
spawn(process.execPath, ["--stack-size=3900", ...mocha], { cwd: ROOT, stdio: "inherit" }).on("exit", (code, signal) =>
  process.exit(code ?? 128 + constants.signals[signal!]),
);
