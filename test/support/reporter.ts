/** Mocha's spec reporter, with closing lines that count, and name the files that took longest. */
import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import Mocha from "mocha";
import { processorTimes } from "./processorTime.ts";
import { closingLine, type Counts } from "./results.ts";

/** How many files are named at the end, after a run of more than these. */
const NAMED = 15;

export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const seconds = new Map<string, number>();
    const add = ({ file = "", duration = 0 }: Mocha.Runnable): void => {
      seconds.set(file, (seconds.get(file) ?? 0) + duration / 1000);
    };
    const results: Record<string, Counts> = {};
    const count = ({ file }: Mocha.Runnable, kind: keyof Counts): void => {
      const path = file === undefined ? "" : relative(process.cwd(), file);
      (results[path] ??= { passed: 0, failed: 0, skipped: 0 })[kind]++;
    };
    runner.on("pass", (test) => count(test, "passed"));
    runner.on("fail", (test: Mocha.Runnable) => count(test, "failed"));
    runner.on("pending", (test) => count(test, "skipped"));
    runner.on("test end", add);
    runner.on("hook end", add);
    runner.once("end", () => {
      if (seconds.size > NAMED) process.stdout.write(`\n${longest(seconds).join("\n")}\n`);
      process.stdout.write(`\n${closingLine(results)}\n`);
      const file = process.env["TEST_RESULTS"]; // see `all.ts`
      if (file) writeFileSync(file, JSON.stringify(results));
    });
  }
}

/** A line for each of them, with its share of the time of all, and its processor time where that is known. */
function longest(seconds: ReadonlyMap<string, number>): string[] {
  const files = [...seconds].sort(([, one], [, other]) => other - one);
  const all = files.reduce((sum, [, each]) => sum + each, 0);
  const ofProcessor = processorTimes(process.env["TEST_CLUSTERS"]!);
  const lines = files.slice(0, NAMED).map(([file, each]) => {
    const path = relative(process.cwd(), file);
    const share = ((each / all) * 100).toFixed(1).padStart(4);
    const processor = ofProcessor.get(path)?.toFixed(0) ?? "?";
    return `${each.toFixed(0).padStart(6)} s ${share} % ${processor.padStart(5)} s of processor ${path}`;
  });
  const whole = [...ofProcessor.values()].reduce((sum, each) => sum + each, 0);
  return [...lines, `${all.toFixed(0).padStart(6)} s in all ${whole.toFixed(0).padStart(5)} s of processor`];
}
