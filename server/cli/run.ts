/** Runs one command line. Returns its output and the exit code of the process. */
import { CommanderError } from "commander";
import { OperatorError, isRefusedLock, passwordMissing, sqlstateOf, toGatewayError } from "../ground/errors.ts";
import { makeProgram } from "./program.ts";

/** `args`: the words after `portolan`. Prints an error as one message, and sets `process.exitCode`. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    await makeProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode;
    else {
      process.stderr.write(`portolan: ${explain(error)}\n`);
      process.exitCode = 1;
    }
  }
}

/** One sentence for a problem that an operator can solve; the stack trace for a defect of Portolan. */
function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  const missing = passwordMissing(error);
  if (missing !== undefined) return missing;
  const { path, syscall } = error as NodeJS.ErrnoException;
  if (path !== undefined && syscall !== undefined && syscall !== "connect") return (error as Error).message; // of a file
  const known = toGatewayError(error);
  if (known === error) return known.message;
  if (isRefusedLock(error)) return [known.message, known.detail].filter(Boolean).join(". ");
  if (known.code === "UNAVAILABLE")
    return `The database does not answer: ${(error as Error).message || (error as Error).name}`;
  if (sqlstateOf(error) !== undefined) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
