/** One table in full, as the account may see it. */
import { CATALOGUE, type Identity } from "../kernel/database/database.ts";
import { GatewayError } from "../ground/errors.ts";
import { contextOf, type Agent, type TableFields } from "./agent.ts";
import { qualified, type Right, type Table } from "./catalogue.ts";

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly has_default: boolean;
  readonly default: string | null;
  readonly generated: boolean;
  readonly description: string | null;
  /** Of an enum. */
  readonly values: readonly string[] | null;
  readonly rights: readonly Right[];
}

export interface TableDetail {
  readonly key: readonly string[];
  readonly columns: readonly Column[];
  readonly versioned_since: string | null;
  readonly workflow: string | null;
}

const REMEMBER_MS = 5000;
const known = new WeakMap<Identity, Map<string, { version: number; atMs: number; detail: Promise<TableDetail> }>>();

/**
 * `isNew`: as it is at this moment. Throws `NOT_FOUND` for a table that was dropped, or on which the account has lost
 * its rights.
 */
export function detailOf(agent: Agent, table: Table, isNew = false): Promise<TableDetail> {
  const { identity } = agent.caller;
  const { version } = agent.database.memory;
  let all = known.get(identity);
  if (!all) known.set(identity, (all = new Map()));
  const last = all.get(qualified(table));
  if (!isNew && last?.version === version && performance.now() - last.atMs < REMEMBER_MS) return last.detail;
  const detail = readDetail(agent, table);
  all.set(qualified(table), { version, atMs: performance.now(), detail });
  detail.catch(() => all.delete(qualified(table))); // the caller gets the error
  return detail;
}

async function readDetail(agent: Agent, { schema, name }: Table): Promise<TableDetail> {
  const { rows } = await agent.database.withIdentity(
    agent.caller.identity,
    { ...contextOf(agent), reach: CATALOGUE },
    (transaction) =>
      transaction.query<{ table: string }>({
        text: "select row_to_json(t)::text as table from portolan.list_tables($1, $2) t",
        values: [schema, name],
        last: true,
      }),
  );
  const [row] = rows;
  if (!row) throw gone(`${schema}.${name}`);
  return JSON.parse(row.table) as TableDetail;
}

/** Throws `NOT_FOUND` where the table has no list in GraphQL. */
export async function fieldsOf(agent: Agent, table: Table): Promise<TableFields> {
  const { graphql } = agent.doors;
  const find = async (): Promise<TableFields | undefined> =>
    (await graphql.tableFields(agent.caller.identity, table.schema)).get(table.name);
  let fields = await find();
  if (!fields) {
    await agent.lookFor(table);
    fields = await find();
  }
  if (!fields) throw gone(qualified(table));
  return fields;
}

function gone(name: string): GatewayError {
  return new GatewayError("NOT_FOUND", `The table ${name} no longer exists, or this tool cannot read it`);
}

/** Whether values of a column are geometries, which are left out unless they are requested. */
export function isGeometry({ type }: Pick<Column, "type">): boolean {
  return /^(\w+\.)?(geometry|geography)\b/.test(type);
}
