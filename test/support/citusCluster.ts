/** A Citus cluster: a coordinator and two workers, private servers of this machine, which connect to each other by TCP. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startLocalCluster, type LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { migrate } from "../../server/operate/migrate.ts";
import { findPostgres } from "../../server/setup/programs.mjs";
import { GATEWAY_LOGIN, SETTINGS, type TestDatabase } from "./databases.ts";
import { freePort } from "./freePort.ts";

const PASSWORD = "gateway";

/** What postgresql.conf of a node has. */
export function citusSettings(): Readonly<Record<string, string>> {
  const { bin } = findPostgres()!;
  const known = execFileSync(join(bin, "postgres"), ["--describe-config"], { encoding: "utf8", maxBuffer: 10_000_000 });
  return {
    shared_preload_libraries: "citus",
    "citus.node_conninfo": "sslmode=prefer",
    "citus.shard_count": "4",
    // without it Citus may not read the log; older releases do not have it
    ...(known.includes("output_plugin_libraries") && { output_plugin_libraries: "pgoutput, citus" }),
  };
}
const OWNER_PASSWORD = "owner";

/** Whether the PostgreSQL of the tests has Citus (`test/citus/build.sh` builds it). */
export function hasCitus(): boolean {
  const bin = findPostgres()?.bin;
  if (bin === undefined || !existsSync(join(bin, "pg_config"))) return false;
  const share = execFileSync(join(bin, "pg_config"), ["--sharedir"], { encoding: "utf8" }).trim();
  return existsSync(join(share, "extension", "citus.control"));
}

export interface CitusNode {
  readonly cluster: LocalCluster;
  readonly port: number;
  /** As the super user of the node, in the database of the tests. */
  readonly client: pg.Client;
  /** Crashes the server, and starts it again: `client` is another then. */
  restart(): Promise<void>;
  /** Crashes the server, and leaves it down until the returned function is called. */
  crash(): Promise<() => Promise<void>>;
  /** Ends the server, and starts it with further settings: `client` is another then. */
  configure(settings: Readonly<Record<string, string>>): Promise<void>;
}

export interface CitusCluster {
  /** At the coordinator. */
  readonly database: TestDatabase;
  readonly coordinator: CitusNode;
  readonly workers: readonly CitusNode[];
  /** Starts one more worker, which the coordinator does not know yet. */
  addWorker(): Promise<CitusNode>;
  stop(): Promise<void>;
}

export interface CitusOptions {
  /** Lines of postgresql.conf, for all nodes. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Runs before Portolan is installed, as the super user at the coordinator. */
  readonly prepare?: (client: pg.Client) => Promise<unknown>;
}

/** Starts it with one migrated database, `town`. Nothing is synced to disk. */
export async function citusCluster({ settings = {}, prepare }: CitusOptions = {}): Promise<CitusCluster> {
  const parent = mkdtempSync(join(tmpdir(), "portolan-citus-"));
  chmodSync(parent, 0o755); // as root, PostgreSQL runs as another user
  const nodes: CitusNode[] = [];
  const addNode = async (): Promise<CitusNode> => {
    const node = await citusNode(join(parent, `node${nodes.length}`), settings);
    nodes.push(node);
    return node;
  };
  const stop = async (): Promise<void> => {
    for (const { client } of nodes) await client.end().catch(() => undefined); // a test may have ended the server
    await Promise.all(nodes.map((node) => node.cluster.stop()));
    rmSync(parent, { recursive: true, force: true });
  };
  try {
    const coordinator = await addNode();
    const workers = [await addNode(), await addNode()];
    const { client, port: at } = coordinator;
    await client.query("select citus_set_coordinator_host('127.0.0.1', $1)", [at]);
    for (const { port } of workers) await client.query("select citus_add_node('127.0.0.1', $1)", [port]);
    await client.query("create extension postgis");
    await client.query(`create role ${GATEWAY_LOGIN} login noinherit password '${PASSWORD}'`);
    await prepare?.(client);
    const url = urlOf(at, "town", "postgres", OWNER_PASSWORD);
    await migrate({ ownerUrl: url, gatewayLogin: GATEWAY_LOGIN });
    return {
      database: {
        name: "town",
        url,
        gatewayUrl: urlOf(at, "town", GATEWAY_LOGIN, PASSWORD),
        client,
        drop: () => Promise.resolve(),
      },
      coordinator,
      workers,
      addWorker: addNode,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** One server with Citus and the database `town`, of which no other knows. The super users of all nodes have one password. */
async function citusNode(directory: string, settings: Readonly<Record<string, string>>): Promise<CitusNode> {
  const node = await bareNode(directory, { ...citusSettings(), ...settings });
  await node.client.query("create extension citus");
  await node.client.query("insert into pg_dist_authinfo values (0, 'postgres', $1)", [`password=${OWNER_PASSWORD}`]);
  return node;
}

/** The address of its database `town` for the owner of Portolan, or for a gateway. */
export function urlAt(port: number, login: "owner" | "gateway"): string {
  return login === "owner"
    ? urlOf(port, "town", "postgres", OWNER_PASSWORD)
    : urlOf(port, "town", GATEWAY_LOGIN, PASSWORD);
}

/** One server with the empty database `town`. */
export async function bareNode(directory: string, settings: Readonly<Record<string, string>> = {}): Promise<CitusNode> {
  const port = await freePort();
  let all: Record<string, string> = { ...SETTINGS, listen_addresses: "127.0.0.1", port: String(port), ...settings };
  const start = () => startLocalCluster({ directory, durable: false, settings: all });
  let cluster = await start();
  const connect = async (database: string, password: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: urlOf(port, database, "postgres", password) });
    client.on("error", () => undefined); // a test may end the server
    await client.connect();
    return client;
  };
  const admin = await connect("postgres", decodeURIComponent(new URL(cluster.url("postgres")).password));
  await admin.query(`alter role postgres password '${OWNER_PASSWORD}'`);
  await admin.query("create database town");
  await admin.end();
  let client = await connect("town", OWNER_PASSWORD);
  const again = async (): Promise<void> => {
    cluster = await start();
    client = await connect("town", OWNER_PASSWORD);
  };
  const crash = async (): Promise<() => Promise<void>> => {
    process.kill(cluster.pid, "SIGQUIT");
    await cluster.exited;
    return again;
  };
  return {
    get cluster() {
      return cluster;
    },
    port,
    get client() {
      return client;
    },
    crash,
    restart: async () => (await crash())(),
    async configure(more) {
      await client.end();
      await cluster.stop();
      all = { ...all, ...more };
      await again();
    },
  };
}

function urlOf(port: number, database: string, user: string, password: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}
