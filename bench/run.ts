/** `npm run bench [name …]`: every benchmark of this folder, or those whose file names contain one of the words. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { stopTestCluster } from "../test/support/databases.ts";
import type { Benchmark } from "./support/benchmark.ts";

const words = process.argv.slice(2);
const files = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".ts") && name !== "run.ts")
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
  .sort();

process.stdout.write("| what | Portolan | against | ratio | to reach |\n|---|---|---|---|---|\n");
for (const file of files) {
  const { benchmark } = (await import(join(import.meta.dirname, file))) as { benchmark: Benchmark };
  process.stderr.write(`${benchmark.name} …\n`);
  for (const { what, ours, peer, ratio, target } of await benchmark.run())
    process.stdout.write(`| ${what} | ${ours} | ${peer} | ${ratio} | ${target} |\n`);
}
await stopTestCluster();
