/** The programs of PostgreSQL: starts them, waits for their end, reads their output. */
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import type { Account } from "./place.ts";

/** Our own environment holds secrets, and settings (PGOPTIONS, LC_ALL) that would change what PostgreSQL does and says. */
export function launch(
  command: string,
  args: string[],
  account: Account | undefined,
  options: { stdio: StdioOptions; detached?: boolean },
): ChildProcess {
  const env: NodeJS.ProcessEnv = { LC_ALL: "C", TZ: "UTC" };
  for (const name of ["PATH", "LD_LIBRARY_PATH", "PROJ_DATA", "PROJ_LIB", "GDAL_DATA"]) {
    if (process.env[name] !== undefined) env[name] = process.env[name];
  }
  const child = spawn(command, args, { ...options, ...account, env, cwd: "/" });
  // The other end may be gone; its exit is what counts.
  child.stdin?.on("error", () => {});
  return child;
}

/** Resolves with a description of how the process ended. */
export function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  });
}

/** The last error in what a program of PostgreSQL wrote. */
export function causeIn(output: string, levels = "FATAL|PANIC|ERROR|error"): string {
  const errors = [...output.matchAll(new RegExp(`(?:${levels}): +(.*)`, "g"))].map(([, message]) => message!.trim());
  return errors.at(-1) ?? (levels.includes("error") ? (output.trim().split("\n").at(-1) ?? "") : "");
}
