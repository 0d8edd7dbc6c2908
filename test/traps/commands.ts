/** Every command of the command line, one after the other in one process: a line of JSON in, and one out for each. */
import { createInterface } from "node:readline";
import { makeProgram } from "../../server/cli/program.ts";

const print = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true; // their output is not read
for await (const line of createInterface({ input: process.stdin })) {
  let error: string | undefined;
  try {
    await makeProgram().parseAsync(JSON.parse(line) as string[], { from: "user" });
  } catch (failure) {
    error = (failure as Error).message;
  }
  print(`${JSON.stringify({ error })}\n`);
}
