/** PostgreSQL's own programs, as commands run them. */
import { spawn, type StdioOptions } from "node:child_process";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { forLibpq } from "../kernel/connectionString.ts";
import { OperatorError } from "../ground/errors.ts";

export type ProgramName = "psql" | "pg_dump" | "pg_restore";

/** The exit status, and the output where it was captured. */
export interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

/**
 * Runs a program on a database. The password is passed by the environment, because everybody on the machine can see
 * arguments. The program handles Ctrl-C itself. Throws `OperatorError` where it is not installed.
 */
export async function runProgram(
  name: ProgramName,
  url: string | undefined,
  args: readonly string[],
  stdio: StdioOptions = "inherit",
): Promise<Ended> {
  const { findPsql } = await import("../setup/programs.mjs");
  const psql = findPsql();
  if (psql === undefined)
    throw new OperatorError(`${name} is not installed: it comes with PostgreSQL's client package`);
  const { password, address } = withoutPassword(forLibpq(url ?? "postgres://"));
  const child = spawn(
    name === "psql" ? psql : join(dirname(psql), name),
    [...(url === undefined ? [] : ["--dbname", address]), ...args],
    { stdio, env: { ...environment(), ...(password !== undefined && { PGPASSWORD: password }) } },
  );
  const letBe = (): void => undefined;
  process.on("SIGINT", letBe);
  try {
    const [code, stderr] = await Promise.all([
      new Promise<number | null>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", resolve);
      }),
      child.stderr ? text(child.stderr) : "",
    ]);
    return { code, stderr };
  } catch (error) {
    throw new OperatorError(`${name} cannot be run: ${(error as Error).message}`, { cause: error });
  } finally {
    process.off("SIGINT", letBe);
  }
}

function withoutPassword(url: string): { readonly address: string; readonly password: string | undefined } {
  const [, before = "", encoded] = /^([^:]+:\/\/[^:@/]*):([^@/]*)@/.exec(url) ?? [];
  if (encoded === undefined) return { address: url, password: undefined };
  return { address: before + url.slice(before.length + 1 + encoded.length), password: decodeURIComponent(encoded) };
}

function environment(): NodeJS.ProcessEnv {
  return process.env; // oxlint-disable-line no-restricted-properties -- handed on to the program as it is
}
