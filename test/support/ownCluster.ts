/** A separate PostgreSQL, synced to disk as in production, which can be killed and started again. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { startLocalCluster, type LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { migrate } from "../../server/operate/migrate.ts";
import { GATEWAY_LOGIN, SETTINGS, type TestDatabase } from "./databases.ts";

const PASSWORD = "gateway";

export interface OwnCluster {
  readonly database: TestDatabase;
  /** Its present server. */
  readonly cluster: LocalCluster;
  /**
   * Runs `stop -m immediate`: nothing is flushed, and committed rows must come back from the log. Then starts it again.
   */
  crash(downMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it with one migrated database, `town`. `settings`: lines of postgresql.conf. */
export async function ownCluster(settings: Record<string, string> = {}): Promise<OwnCluster> {
  const parent = mkdtempSync(join(tmpdir(), "portolan-own-"));
  chmodSync(parent, 0o755); // as root, PostgreSQL runs as another user
  const start = (): Promise<LocalCluster> =>
    startLocalCluster({ directory: join(parent, "cluster"), settings: { ...SETTINGS, ...settings } });
  let cluster = await start();
  const run = async (database: string, text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: cluster.url(database) });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  await run("postgres", `create role ${GATEWAY_LOGIN} login noinherit password '${PASSWORD}'`);
  await run("postgres", "create database town");
  await run("town", "create extension postgis");
  await migrate({ ownerUrl: cluster.url("town"), gatewayLogin: GATEWAY_LOGIN });
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: cluster.url("town") });
    client.on("error", () => undefined); // a crash takes it along
    await client.connect();
    return client;
  };
  let client = await connect();
  return {
    get cluster() {
      return cluster;
    },
    database: {
      name: "town",
      url: cluster.url("town"),
      gatewayUrl: cluster.url("town", GATEWAY_LOGIN, PASSWORD),
      get client() {
        return client;
      },
      drop: () => Promise.resolve(),
    },
    async crash(downMs = 500) {
      process.kill(cluster.pid, "SIGQUIT");
      await cluster.exited;
      await setTimeout(downMs);
      cluster = await start();
      client = await connect();
    },
    async stop() {
      await client.end().catch(() => undefined); // it may be gone
      await cluster.stop();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}
