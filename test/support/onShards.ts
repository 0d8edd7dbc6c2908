/** What a run over distributed tables leaves out, and which of its tests asked shards. */
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { shardQueries } from "./databases.ts";
import { LEFT_OUT } from "./leftOut.ts";

/** A line of the file that TEST_SHARDS names. */
export interface Noted {
  readonly file: string;
  readonly title: string;
  readonly state: "passed" | "failed" | "left out";
  /** Statements that Citus ran on shards during the test. */
  readonly queries: number;
}

let before = 0;

/** Tests of the list must fail, with the error that is expected there, and count as skipped then. */
export function leaveOut(root: Mocha.Suite): void {
  for (const suite of root.suites) {
    for (const test of suite.tests) {
      const file = relative(process.cwd(), test.file ?? "");
      const entry = LEFT_OUT.find((one) => one.file === file && one.test.test(test.fullTitle()));
      if (!entry || test.pending) continue;
      const run = test.fn as Mocha.AsyncFunc;
      test.title = `${test.title} (left out: ${entry.reason})`;
      test.fn = async function (this: Mocha.Context): Promise<void> {
        const failed = await (async () => run.call(this))().then(
          () => false,
          () => true,
        );
        if (!failed) throw new Error("it passes over distributed tables: remove it from leftOut.ts");
        this.skip();
      };
    }
    leaveOut(suite);
  }
}

export async function seeShards(): Promise<void> {
  before = await shardQueries();
}

export async function noteShards(test: Mocha.Test): Promise<void> {
  const noted: Noted = {
    file: relative(process.cwd(), test.file ?? ""),
    title: test.fullTitle(),
    state: test.state === "passed" || test.state === "failed" ? test.state : "left out",
    queries: (await shardQueries()) - before,
  };
  const file = process.env["TEST_SHARDS"];
  if (file) appendFileSync(file, `${JSON.stringify(noted)}\n`);
}
