/**
 * Databases for tests, on one private cluster for everything in this process: real PostgreSQL with PostGIS, fresh for
 * each caller.
 */
import { mkdtempSync, chmodSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import argon2 from "argon2";
import pg from "pg";
import { openDatabase, type Database, type DatabaseOptions } from "../../server/kernel/database/database.ts";
import { loadDemo, type DemoPasswords } from "../../server/demo/demo.ts";
import type { LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { findPostgres } from "../../server/setup/programs.mjs";
import { makeSigningKey } from "../../server/kernel/identity/tokens.ts";
import { migrate } from "../../server/operate/migrate.ts";
import { keepCluster, takeKeptCluster } from "./keptCluster.ts";
import { PreparedDatabases } from "./preparedDatabases.ts";
import { ARE_DISTRIBUTED, distributesNew, TestServers } from "./testServers.ts";

/** The login role of the gateways under test; it owns nothing. */
export const GATEWAY_LOGIN = "gateway";
const GATEWAY_PASSWORD = "gateway";

export interface TestDatabase {
  readonly name: string;
  /** As the cluster's superuser. */
  readonly url: string;
  /** As the gateway's login role. */
  readonly gatewayUrl: string;
  /** A connection as the cluster's superuser. */
  readonly client: pg.Client;
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** postgis: nothing else; portolan: migrated; demo: with the demo, passwords "captain" and "guest". Default postgis. */
  readonly kind?: Kind;
  /** Whether `withOwner` keeps its connection. Default true; false where the subject is a database without connections. */
  readonly keepsOwner?: boolean;
}

/** Opens the database as a gateway does, under its login role, with one connection by default. The caller closes it. */
export function openAsGateway(
  { name, gatewayUrl }: Pick<TestDatabase, "name" | "gatewayUrl">,
  options: Partial<DatabaseOptions> = {},
): Database {
  return openDatabase({
    name,
    url: gatewayUrl,
    poolSize: 1,
    connectTimeoutMs: 5000,
    statementTimeoutMs: 5000,
    ...options,
  });
}

const MAJOR = findPostgres()?.major ?? 0;
/** PostgreSQL 14 has no other. */
const STRATEGY = MAJOR >= 15 ? " strategy file_copy" : "";
const CAN_PREPARE = MAJOR >= 15 && !ARE_DISTRIBUTED;
/** The kinds of databases, of which each is made of the one before. */
const KINDS = ["postgis", "portolan", "demo"] as const;
type Kind = (typeof KINDS)[number];
let servers: Promise<TestServers> | undefined;
const PREFIX = "test";
let count = 0;
let prepared: PreparedDatabases | undefined;
const templates = new Map<Kind, Promise<string>>();
/** The databases of `testDatabase` by address, as `withOwner` has opened them. */
const made = new Map<string, Database | undefined>();

/** The cluster of this process; started by the first test that needs one. */
export async function testCluster(): Promise<LocalCluster> {
  return (await open()).cluster;
}

/**
 * Runs `work` on the database as its owner. One of `testDatabase` stays open until it is dropped, since a connection takes ten
 * times as long as what most tests ask; what was remembered of it is forgotten first.
 */
export async function withOwner<T>(
  { name, url }: Pick<TestDatabase, "name" | "url">,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database =
    made.get(url) ?? openDatabase({ name, url, poolSize: 1, connectTimeoutMs: 5000, statementTimeoutMs: 5000 });
  if (made.has(url)) made.set(url, database);
  database.memory.forget();
  try {
    return await work(database);
  } finally {
    if (!made.has(url)) await database.close();
  }
}

/** How often Citus has asked shards since the cluster was started. */
export async function shardQueries(): Promise<number> {
  const { admin } = await open();
  const { rows } = await admin.query<{ count: string }>(
    "select sum(query_execution_single_shard + query_execution_multi_shard) as count from citus_stat_counters",
  );
  return Number(rows[0]!.count);
}

/** Lets the process end while the cluster waits for the next file of tests. */
export async function idleTestCluster(): Promise<void> {
  const { admin } = (await servers) ?? {};
  (admin as { unref(): void } | undefined)?.unref(); // missing in the types
}

/** Ends the cluster of this process, if there is one. */
export async function stopTestCluster(): Promise<void> {
  if (!servers) return;
  const all = await servers;
  (all.admin as unknown as { ref(): void }).ref(); // nothing else may keep the process until all of this is done
  await all.stop();
  rmSync(join(all.cluster.directory, ".."), { recursive: true, force: true });
}

/**
 * A fresh database for the caller, who drops it. Its name, and what is in it beside the rows of the caller, may be those of a
 * database that was dropped before.
 */
export async function testDatabase({
  kind = "postgis",
  keepsOwner = true,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const all = await open();
  const { cluster } = all;
  const place = kind !== "postgis" && CAN_PREPARE ? await preparedIn(all).take(kind) : undefined;
  const name = place?.name ?? (await copyTemplate(all, kind));
  const url = cluster.url(name);
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined); // tests that end the server end this connection too
  await client.connect();
  if (!place) await prepare(client, kind, name);
  if (ARE_DISTRIBUTED && kind !== "postgis") {
    await client.query("select portolan.join_nodes()");
    await distributesNew(client);
  }
  if (keepsOwner) made.set(url, undefined);
  return {
    name,
    url,
    gatewayUrl: cluster.url(name, GATEWAY_LOGIN, GATEWAY_PASSWORD),
    client,
    async drop() {
      const open = made.get(url);
      made.delete(url);
      await open?.close();
      await client.end();
      await all.run(`drop database ${name} with (force)`);
      if (place) await prepared?.giveBack(kind, place);
    },
  };
}

async function copyTemplate(all: TestServers, kind: Kind): Promise<string> {
  const template = await (templates.get(kind) ?? remember(kind, makeTemplate(kind)));
  const name = `${PREFIX}${++count}`;
  await all.run(`create database ${name} template ${template}${STRATEGY}`);
  return name;
}

/** Gives a copy of a template what is its own. */
async function prepare(client: pg.Client, kind: Kind, name: string): Promise<void> {
  if (kind === "portolan") await client.query("select portolan.repair_roles()");
  if (kind === "demo") await becomeOwnDemo(client, Number(name.slice(PREFIX.length)));
}

function preparedIn(all: TestServers): PreparedDatabases {
  return (prepared ??= new PreparedDatabases(all.admin, async (kind) => {
    const name = await copyTemplate(all, kind as Kind);
    await using client = await connected(all.cluster.url(name));
    await prepare(client, kind as Kind, name);
    return name;
  }));
}

/** Hashes as the gateway does, with a hundredth of the work, since hundreds of databases are made and signed in to. */
async function hashCheaply(): Promise<DemoPasswords> {
  const options = { type: argon2.argon2id, memoryCost: 64, timeCost: 2, parallelism: 1 } as const;
  return { captain: await argon2.hash("captain", options), guest: await argon2.hash("guest", options) };
}

/**
 * As `portolan database add --template` does it, without the steps of a migration that find nothing to do: a copy is made in
 * a fifth of the time of a fresh demo. `number`: of the database.
 */
async function becomeOwnDemo(client: pg.Client, number: number): Promise<void> {
  await client.query(`
select portolan.harden();
select portolan.repair_roles(true);
select portolan.part_from('template_demo');
delete from portolan.audit where event = 'rights.repaired';
insert into portolan.settings (name, value) values ('own_sql_secret', to_jsonb(encode(sha256(uuid_send(gen_random_uuid())), 'hex')))`);
  for (const [alg, key] of [["ES256", makeSigningKey("ES256")] as const, ["RS256", rsaKey(number)] as const]) {
    const { kid, publicJwk, privateJwk } = await key;
    await client.query(
      "insert into portolan.signing_keys (kid, alg, public_jwk, private_jwk) values ($1, $2, $3, $4)",
      [kid, alg, publicJwk, privateJwk],
    );
  }
}

/** An RSA key takes as long as several databases: neighbours have different ones, and others share them. */
const RSA_KEYS = 8;
const rsaKeys = new Map<number, ReturnType<typeof makeSigningKey>>();
function rsaKey(number: number): ReturnType<typeof makeSigningKey> {
  const at = number % RSA_KEYS;
  const key = rsaKeys.get(at) ?? makeSigningKey("RS256");
  rsaKeys.set(at, key);
  return key;
}

function remember(kind: Kind, template: Promise<string>): Promise<string> {
  templates.set(kind, template);
  return template;
}

async function makeTemplate(kind: Kind): Promise<string> {
  const all = await open();
  const before = KINDS[KINDS.indexOf(kind) - 1];
  const template = before ? await (templates.get(before) ?? remember(before, makeTemplate(before))) : "template0";
  const name = `template_${kind}`;
  await all.run(`create database ${name} template ${template}`);
  await fillTemplate[kind](all, name);
  await all.close(name);
  return name;
}

const fillTemplate: Readonly<Record<Kind, (all: TestServers, name: string) => Promise<void>>> = {
  async postgis(all, name) {
    await all.join(name);
    await using client = await connected(all.cluster.url(name));
    await client.query("create extension postgis with schema public");
    await client.query("revoke create on schema public from public"); // the default since PostgreSQL 15
  },
  async portolan({ cluster }, name) {
    await migrate({ ownerUrl: cluster.url(name), gatewayLogin: GATEWAY_LOGIN, legacyClient: true });
  },
  async demo({ cluster }, name) {
    await migrate({ ownerUrl: cluster.url(name), gatewayLogin: GATEWAY_LOGIN, legacyClient: true });
    await using client = await connected(cluster.url(name));
    // its owner@ cannot log in on the workers, which get to know of it with the tables
    if (ARE_DISTRIBUTED) await client.query("set citus.enable_ddl_propagation to off");
    await loadDemo(client, await hashCheaply());
    if (ARE_DISTRIBUTED) await client.query("reset citus.enable_ddl_propagation");
    // as a gateway leaves a database that it has served: each copy would make the triggers of events for itself
    await client.query("select portolan.sync_events(portolan.exposed_schemas(), false)");
    await client.query("select portolan.note_rights()");
    await client.query("delete from portolan.signing_keys"); // each copy gets its own
    await client.query("delete from portolan.settings where name = 'own_sql_secret'");
  },
};

function open(): Promise<TestServers> {
  return (servers ??= start());
}

/**
 * To compile a statement of a test takes longer than to run it; the gateway's own connections do without too. A connection
 * that asks PostGIS something would load it first, in 13 ms of processor time: there are thousands in a run.
 */
export const SETTINGS = { jit: "off", shared_preload_libraries: "postgis-3" };

async function start(): Promise<TestServers> {
  const parent = mkdtempSync(join(process.env["TEST_CLUSTERS"] ?? tmpdir(), "portolan-test-"));
  chmodSync(parent, 0o755); // as root, PostgreSQL runs as another user
  const directory = join(parent, "cluster");
  const isKept = !ARE_DISTRIBUTED && takeKeptCluster(directory);
  const all = await TestServers.start(directory, SETTINGS);
  if (isKept) for (const kind of KINDS) templates.set(kind, Promise.resolve(`template_${kind}`));
  else await all.admin.query(`create role ${GATEWAY_LOGIN} login noinherit password '${GATEWAY_PASSWORD}'`);
  return all;
}

/** Makes the templates of all kinds, for later runs: they start with a copy. Called in a process that ends afterwards. */
export async function keepTestCluster(): Promise<void> {
  const all = await open();
  const { directory } = all.cluster;
  for (const kind of KINDS) await (templates.get(kind) ?? remember(kind, makeTemplate(kind)));
  await all.stop();
  keepCluster(directory);
  rmSync(join(directory, ".."), { recursive: true, force: true });
}

async function connected(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
