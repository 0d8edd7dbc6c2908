/** A streaming standby of a cluster, which can be promoted. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startLocalCluster, type LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { findPostgres } from "../../server/setup/programs.mjs";
import { until } from "./until.ts";

export interface Standby {
  readonly cluster: LocalCluster;
  /** Resolves when it accepts writes. */
  promote(): Promise<void>;
  /** Resolves when it has replayed everything that the primary has written by now. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** `from`: the address of the primary for a super user, where it is not that of its cluster. */
export async function startStandby(
  primary: LocalCluster,
  settings: Record<string, string> = {},
  from = primary.url("postgres"),
): Promise<Standby> {
  const parent = mkdtempSync(join(tmpdir(), "portolan-standby-"));
  chmodSync(parent, 0o755); // as root, PostgreSQL runs as another user
  const directory = join(parent, "cluster");
  const { uid, gid } = statSync(join(primary.directory, "cluster", "data"));
  mkdirSync(join(directory, "cluster"), { recursive: true });
  for (const folder of [directory, join(directory, "cluster")]) chownSync(folder, uid, gid);
  execFileSync(
    join(findPostgres()?.bin ?? "", "pg_basebackup"),
    ["-D", join(directory, "cluster", "data"), "-R", "-c", "fast", "-d", from],
    { ...(process.getuid?.() === 0 && { uid, gid }), cwd: directory, stdio: ["ignore", "ignore", "inherit"] },
  );
  copyFileSync(join(primary.directory, "cluster", "password"), join(directory, "cluster", "password"));
  chownSync(join(directory, "cluster", "password"), uid, gid);
  const cluster = await startLocalCluster({ directory, settings });
  const ask = async (from: LocalCluster, text: string): Promise<unknown> => {
    const client = new pg.Client({ connectionString: from.url("postgres") });
    await client.connect();
    try {
      const { rows } = await client.query<{ value: unknown }>(text);
      return rows[0]?.value;
    } finally {
      await client.end();
    }
  };
  return {
    cluster,
    async promote() {
      await ask(cluster, "select pg_promote(true, 30) as value");
      await until(async () => (await ask(cluster, "select pg_is_in_recovery() as value")) === false);
    },
    async caughtUp() {
      const written = await ask(primary, "select pg_current_wal_lsn()::text as value");
      await until(async () =>
        Boolean(await ask(cluster, `select pg_last_wal_replay_lsn() >= '${String(written)}' as value`)),
      );
    },
    async stop() {
      await cluster.stop();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

/** One connection string that names all these servers, in that order. */
export function severalServers(...urls: readonly string[]): string {
  const authorities = urls.map((url) => /@([^/]*)/.exec(url)?.[1] ?? "");
  return (urls[0] ?? "").replace(/@[^/]*/, `@${authorities.join(",")}`);
}
