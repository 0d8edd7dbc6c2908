/**
 * `TEST_TABLES=distributed`: the databases of the tests are on a cluster of Citus, a coordinator and two workers, which keeps the
 * tables that the tests make. `test/soak/distributed.soak.ts` runs test files so.
 */
import { join } from "node:path";
import pg from "pg";
import { startLocalCluster, type LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { citusSettings } from "./citusCluster.ts";
import { freePort } from "./freePort.ts";

export const ARE_DISTRIBUTED = process.env["TEST_TABLES"] === "distributed";

/** Of the super users of all nodes. */
const PASSWORD = "owner";

/** The servers of the tests: one, or the coordinator and the workers of a cluster of Citus. */
export class TestServers {
  /** The one in which the tests ask. */
  readonly cluster: LocalCluster;
  /** There, in the database `postgres`. */
  readonly admin: pg.Client;
  readonly #workers: readonly LocalCluster[];

  private constructor(cluster: LocalCluster, admin: pg.Client, workers: readonly LocalCluster[]) {
    this.cluster = cluster;
    this.admin = admin;
    this.#workers = workers;
  }

  /** Starts them in folders beside `directory`, in which the coordinator is. */
  static async start(directory: string, settings: Record<string, string>): Promise<TestServers> {
    const cluster = ARE_DISTRIBUTED
      ? await startNode(directory, settings)
      : await startLocalCluster({ directory, durable: false, settings });
    const admin = new pg.Client({ connectionString: cluster.url("postgres") });
    await admin.connect();
    if (!ARE_DISTRIBUTED) return new TestServers(cluster, admin, []);
    await admin.query("create extension citus"); // for the counters
    const workers = ["worker1", "worker2"].map((name) => startNode(join(directory, "..", name), settings));
    return new TestServers(cluster, admin, await Promise.all(workers));
  }

  /** Runs a statement on all servers. */
  async run(text: string): Promise<void> {
    await Promise.all([this.admin.query(text), ...this.#workers.map(({ url }) => run(url("postgres"), text))]);
  }

  /** Makes the servers one cluster in their database of this name. */
  async join(database: string): Promise<void> {
    if (!ARE_DISTRIBUTED) return;
    const urls = [this.cluster, ...this.#workers].map(({ url }) => url(database));
    for (const url of urls)
      await run(
        url,
        "create extension citus",
        `insert into pg_dist_authinfo values (0, 'postgres', 'password=${PASSWORD}')`,
      );
    const [coordinator, ...workers] = urls.map((url) => `'127.0.0.1', ${new URL(url).port}`);
    await run(
      urls[0]!,
      `select citus_set_coordinator_host(${coordinator})`,
      ...workers.map((worker) => `select citus_add_node(${worker})`),
    );
  }

  /** Ends what Citus runs in a database, of which copies shall be made. */
  async close(database: string): Promise<void> {
    if (!ARE_DISTRIBUTED) return;
    await this.run(`alter database ${database} allow_connections false`);
    await this.run(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${database}'`);
  }

  async stop(): Promise<void> {
    await this.admin.end();
    await Promise.all([this.cluster, ...this.#workers].map((server) => server.stop()));
  }
}

async function startNode(directory: string, settings: Record<string, string>): Promise<LocalCluster> {
  const port = await freePort();
  const cluster = await startLocalCluster({
    directory,
    durable: false,
    settings: {
      ...settings,
      ...citusSettings(),
      shared_preload_libraries: `citus,${settings["shared_preload_libraries"]}`,
      "citus.enable_stat_counters": "on",
      max_worker_processes: "100", // Citus has one for each database
      listen_addresses: "127.0.0.1",
      port: String(port),
    },
  });
  const url = (database: string, user = "postgres", password = PASSWORD): string =>
    `postgresql://${[user, password].map(encodeURIComponent).join(":")}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  const first = decodeURIComponent(new URL(cluster.url("postgres")).password);
  await run(url("postgres", "postgres", first), `alter role postgres password '${PASSWORD}'`);
  return { ...cluster, url };
}

/** Tells all nodes the password of a role that the test has made, which is its name, so that it can read shards. */
export async function letIn(query: (text: string) => Promise<unknown>, role: string): Promise<void> {
  const text = `delete from pg_dist_authinfo where rolename = '${role}'; insert into pg_dist_authinfo values (0, '${role}', 'password=${role}')`;
  await query(`select run_command_on_all_nodes($$${text}$$)`);
}

async function run(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of statements) await client.query(text);
  } finally {
    await client.end();
  }
}

/** A table that Citus does not know yet, and does not have to leave alone. */
interface Table {
  readonly relation: string;
  /** Columns of its primary key. */
  readonly key: readonly string[];
  /** Its foreign keys. `by`: the column by which the target is distributed. */
  readonly references: readonly {
    readonly target: string;
    readonly columns: readonly string[];
    readonly targetColumns: readonly string[];
    readonly by: string | null;
  }[];
}

const NEW_TABLES = `
select c.oid::regclass::text as relation, coalesce(k.key, '{}') as key, coalesce(f.keys, '[]') as "references"
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
cross join lateral (
  select array_agg(a.attname::text order by k.at) as key
  from pg_index i cross join lateral unnest(i.indkey::smallint[]) with ordinality k (number, at)
  join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
  where i.indrelid = c.oid and i.indisprimary) k
cross join lateral (
  select jsonb_agg(jsonb_build_object('target', o.confrelid::regclass::text,
    'columns', array(select attname from unnest(o.conkey) with ordinality u (n, at)
      join pg_attribute on attrelid = o.conrelid and attnum = u.n order by u.at),
    'targetColumns', array(select attname from unnest(o.confkey) with ordinality u (n, at)
      join pg_attribute on attrelid = o.confrelid and attnum = u.n order by u.at),
    'by', portolan.shards_of(o.confrelid::regclass) ->> 'column')) as keys
  from pg_constraint o where o.conrelid = c.oid and o.contype = 'f') f
where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
  and n.nspname !~ '^(pg_|information_schema$|portolan)' and portolan.shard_kind(c.oid) is null
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  and pg_current_xact_id_if_assigned() is null and not c.oid::regclass::text = any ($1)`;

/** Each new table is distributed by a column of its key where that is possible, or is a reference table where that is. */
async function distribute(client: Pick<pg.Client, "query">, known: Set<string>): Promise<void> {
  const { rows } = await client.query<Table>(NEW_TABLES, [[...known]]);
  const pending = new Map(rows.map((table) => [table.relation, table]));
  const shared = sharedOf(rows);
  while (pending.size > 0) {
    const all = [...pending.values()];
    const table =
      all.find((one) => one.references.every(({ target }) => target === one.relation || !pending.has(target))) ??
      all[0]!;
    pending.delete(table.relation);
    known.add(table.relation);
    for (const change of changesFor(table, shared)) {
      try {
        await client.query("select portolan.set_shards($1, $2)", [table.relation, JSON.stringify(change)]);
        break;
      } catch (error) {
        if (process.env["TEST_LOG_LEVEL"])
          console.error(`${table.relation} ${JSON.stringify(change)}: ${String(error)}`);
      }
    }
  }
}

/** Tables to which others refer in a way that only reference tables allow. */
function sharedOf(tables: readonly Table[]): ReadonlySet<string> {
  const keys = new Map(tables.map(({ relation, key }) => [relation, key]));
  const shared = new Set<string>();
  for (let before = -1; before < shared.size;) {
    before = shared.size;
    for (const { relation, key, references } of tables)
      for (const { target, columns, targetColumns } of references) {
        const column = columns[targetColumns.indexOf(keys.get(target)?.[0] ?? "")];
        if (shared.has(relation) || column === undefined || !key.includes(column)) shared.add(target);
      }
  }
  return shared;
}

/** The first that is possible is made. */
function changesFor({ relation, key, references }: Table, shared: ReadonlySet<string>): object[] {
  const reference = { kind: "reference" };
  const [first] = key;
  if (shared.has(relation) || first === undefined) return [reference];
  for (const { target, columns, targetColumns, by } of references) {
    const column = by === null ? undefined : columns[targetColumns.indexOf(by)];
    if (column !== undefined && key.includes(column))
      return [{ kind: "distributed", column, colocate_with: target }, reference];
  }
  return [{ kind: "distributed", column: first }, reference];
}

/**
 * Distributes the tables that the client makes, after each statement that makes some. Those of the demo, which are there, stay on
 * the coordinator: foreign keys connect them with one whose policies have sub-selects, which Citus refuses.
 */
export async function distributesNew(client: pg.Client): Promise<void> {
  const query = client.query.bind(client) as (...of: unknown[]) => Promise<unknown>;
  const plain = { query } as Pick<pg.Client, "query">;
  const { rows } = await client.query<Table>(NEW_TABLES, [[]]);
  const known = new Set(rows.map(({ relation }) => relation));
  client.query = ((asked: unknown, ...more: unknown[]) => {
    const text = typeof asked === "string" ? asked : "";
    const answer = query(asked, ...more);
    if (!/\bcreate\b.*\btable\b/is.test(text)) return answer;
    return (async () => {
      const result = await answer;
      await distribute(plain, known);
      return result;
    })();
  }) as typeof client.query;
}
