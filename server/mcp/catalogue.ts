/** The tables that an agent may see, by its account's rights. */
import { CATALOGUE, type Identity } from "../kernel/database/database.ts";
import { GatewayError } from "../ground/errors.ts";
import { contextOf, type Agent } from "./agent.ts";

export interface Table {
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  readonly description: string | null;
  readonly rights: readonly Right[];
  readonly geometry: boolean;
  /** PostgreSQL's last estimate; null where there is none, and where row security hides some rows. */
  readonly rows: number | null;
}

export type Right = "select" | "insert" | "update" | "delete";

/** How long a list is kept. PostgreSQL checks the rights again whenever a table is used. */
const REMEMBER_MS = 5000;

interface Known {
  readonly version: number;
  readonly atMs: number;
  readonly tables: Promise<readonly Table[]>;
}

/** Identities are replaced when an account changes. */
const known = new WeakMap<Identity, Known>();

/** The tables on which the account has any right. */
export function tablesOf(agent: Agent, isNew = false): Promise<readonly Table[]> {
  const { identity } = agent.caller;
  const { version } = agent.database.memory;
  const last = known.get(identity);
  if (!isNew && last?.version === version && performance.now() - last.atMs < REMEMBER_MS) return last.tables;
  const tables = searchTables(agent, []);
  known.set(identity, { version, atMs: performance.now(), tables });
  tables.catch(() => known.delete(identity)); // the caller gets the error
  return tables;
}

/** The tables whose name, comment or columns contain each of the words. */
export async function searchTables(agent: Agent, words: readonly string[]): Promise<readonly Table[]> {
  const { rows } = await agent.database.withIdentity(
    agent.caller.identity,
    { ...contextOf(agent), reach: CATALOGUE },
    (transaction) =>
      transaction.query<{ tables: string }>({
        text: "select coalesce(json_agg(t), '[]')::text as tables from portolan.agent_tables($1, $2) t",
        values: [agent.schemas, words],
        last: true,
      }),
  );
  return JSON.parse(rows[0]!.tables) as Table[];
}

/**
 * The table of this name: `schema.table`, or the name alone where one schema has it. Throws `NOT_FOUND`, which suggests
 * tables with similar names.
 */
export async function findTable(agent: Agent, name: string): Promise<Table> {
  const found = pick(await tablesOf(agent), name);
  if (found) return found;
  const [schema = "", ...rest] = name.split(".");
  await agent.lookFor({ schema, name: rest.join(".") });
  const all = await tablesOf(agent, true);
  const table = pick(all, name);
  if (table) return table;
  const alike = all.filter((one) => isAlike(one, name)).map(qualified);
  const hint =
    alike.length > 0 ? `Did you mean ${alike.slice(0, 5).join(", ")}?` : "describe lists all, and can search";
  throw new GatewayError("NOT_FOUND", `There is no table ${JSON.stringify(name)} that the account may see. ${hint}`);
}

function pick(tables: readonly Table[], name: string): Table | undefined {
  let byName = named.get(tables);
  if (!byName) named.set(tables, (byName = new Map(tables.map((table) => [qualified(table), table]))));
  const exact = byName.get(name);
  if (exact) return exact;
  const bare = tables.filter((table) => table.name === name);
  return bare.length === 1 ? bare[0] : undefined;
}

const named = new WeakMap<readonly Table[], ReadonlyMap<string, Table>>();

export function qualified({ schema, name }: Pick<Table, "schema" | "name">): string {
  return `${schema}.${name}`;
}

function isAlike({ name }: Table, asked: string): boolean {
  const wanted = (asked.split(".").at(-1) ?? "").toLowerCase();
  const own = name.toLowerCase();
  return wanted.length > 2 && (own.includes(wanted) || wanted.includes(own));
}
