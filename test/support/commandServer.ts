/**
 * Runs the commands of tests one after the other, in one process that has read their code: `commands.ts` starts it. Its
 * arguments are two named pipes, of commands and of what came of them, each a line of JSON.
 */
import { createReadStream, openSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { run } from "../../server/cli/run.ts";
import type { Command, Outcome } from "./commands.ts";

const [commands = "", outcomes = ""] = process.argv.slice(2);
const told = openSync(outcomes, "w");
for await (const line of createInterface(createReadStream(commands))) {
  writeSync(told, `${JSON.stringify(await outcomeOf(JSON.parse(line) as Command))}\n`);
}

async function outcomeOf({ args, cwd, env }: Command): Promise<Outcome> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const [stdout, stderr] = [collect("stdout"), collect("stderr")];
  process.exitCode = undefined;
  await run(args);
  const status = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return { status, stdout: stdout(), stderr: stderr() };
}

/** From now on what is written there is kept; the answer gives it. */
function collect(name: "stdout" | "stderr"): () => string {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  Object.defineProperty(process, name, { value: stream, configurable: true });
  return () => Buffer.concat(chunks).toString();
}
