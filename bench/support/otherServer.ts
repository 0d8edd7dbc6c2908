/** Servers of others that a benchmark starts where a variable names their program: pg_featureserv, pg_tileserv, tipg and Martin. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { TestDatabase } from "../../test/support/databases.ts";
import { freePort } from "../../test/support/freePort.ts";

export interface OtherServer {
  /** Its address, with a slash at the end. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

interface OtherServerOptions {
  /** The variable of the environment that names its program. */
  readonly named: string;
  /** Default none. */
  args?(port: number): readonly string[];
  /** Further settings besides the database. */
  env(port: number): Readonly<Record<string, string>>;
  /** A path that answers once it serves. */
  readonly readyAt: string;
}

/** Undefined if its program is not named. It reads as the owner of the tables. */
export async function startOther(
  { url }: Pick<TestDatabase, "url">,
  { named, args, env, readyAt }: OtherServerOptions,
): Promise<OtherServer | undefined> {
  const program = process.env[named];
  if (program === undefined) return undefined;
  const port = await freePort();
  const child = spawn(program, args?.(port) ?? [], {
    env: { PATH: process.env["PATH"], DATABASE_URL: keywordsOf(url), ...env(port) },
    stdio: "ignore",
  });
  const own = `http://127.0.0.1:${port}/`;
  while ((await fetch(`${own}${readyAt}`).catch(() => undefined))?.ok !== true) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url: own,
    pid: child.pid ?? 0,
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

/** tipg, a server of the OGC API in Python; its program is the `uvicorn` of an environment that has it. */
export function startTipg(database: Pick<TestDatabase, "url">): Promise<OtherServer | undefined> {
  return startOther(database, {
    named: "TIPG",
    readyAt: "healthz",
    args: (own) => ["tipg.main:app", "--host", "127.0.0.1", "--port", String(own), "--no-access-log"],
    env: () => ({
      DATABASE_URL: database.url,
      TIPG_DB_SCHEMAS: '["bench"]',
      TIPG_MAX_FEATURES_PER_TILE: "100000",
    }),
  });
}

/** Martin, a server of tiles in Rust. It keeps tiles in so many megabytes. */
export function startMartin(
  database: Pick<TestDatabase, "url">,
  cacheMegabytes: number,
): Promise<OtherServer | undefined> {
  return startOther(database, {
    named: "MARTIN",
    readyAt: "health",
    args: (port) => ["--listen-addresses", `127.0.0.1:${port}`, "--cache-size", String(cacheMegabytes), database.url],
    env: () => ({}),
  });
}

/** A connection string as keywords: Go cannot read a socket folder as the host of a URL. */
function keywordsOf(url: string): string {
  const { hostname, port, username, password, pathname } = new URL(url);
  const given = { host: hostname, port, user: username, password, dbname: pathname.slice(1) };
  return Object.entries(given)
    .map(([name, value]) => `${name}=${decodeURIComponent(value)}`)
    .join(" ");
}
