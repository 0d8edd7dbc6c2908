#!/usr/bin/env node
/** `portolan …`: the gateway's commands for operators. */
import { CommanderError } from "commander";
import { OperatorError, passwordMissing, sqlstateOf, toGatewayError } from "../ground/errors.ts";
import { makeProgram } from "./program.ts";

/** One sentence for a problem that an operator can solve; the whole trace for a defect of ours. */
function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  const missing = passwordMissing(error);
  if (missing !== undefined) return missing;
  const { path, syscall } = error as NodeJS.ErrnoException;
  if (path !== undefined && syscall !== undefined && syscall !== "connect") return (error as Error).message; // of a file
  const known = toGatewayError(error);
  if (known === error) return known.message;
  if (known.code === "UNAVAILABLE")
    return `The database does not answer: ${(error as Error).message || (error as Error).name}`;
  if (sqlstateOf(error) !== undefined) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// the reader of the output may have seen enough, as `head` has
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});
try {
  await makeProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    process.stderr.write(`portolan: ${explain(error)}\n`);
    process.exitCode = 1;
  }
}
