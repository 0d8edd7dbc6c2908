/** Which statements a connection keeps prepared; each costs memory in PostgreSQL. */
import pg from "pg";
import type { PreparedOn } from "./foreignQuery.ts";

const MAX_PREPARED = 200;
const prepared = new WeakMap<pg.PoolClient, Map<string, PreparedOn>>();

/** To be called before a statement of that name is sent: lets the least recently used one go when there are too many. */
export function rememberPrepared(client: pg.PoolClient, name: string): PreparedOn {
  let byName = prepared.get(client);
  if (!byName) prepared.set(client, (byName = new Map()));
  const one = byName.get(name) ?? {};
  byName.delete(name);
  byName.set(name, one);
  if (byName.size > MAX_PREPARED) {
    const [oldest] = byName.keys();
    if (oldest !== undefined) void forgetPrepared(client, oldest);
  }
  return one;
}

/** Whether PostgreSQL has the statement, on this connection. */
export function isPrepared(client: pg.PoolClient, name: string | undefined): boolean {
  return name !== undefined && parsedOn(client)[name] !== undefined;
}

/** node-postgres has no call to forget a statement; it looks here whether a name must be parsed. */
function parsedOn(client: pg.PoolClient): Record<string, string> {
  return (client as unknown as { connection: { parsedStatements: Record<string, string> } }).connection
    .parsedStatements;
}

/** Lets a statement go, e.g. because DDL has changed the types of its result. Never rejects. */
export async function forgetPrepared(client: pg.PoolClient, name: string): Promise<void> {
  prepared.get(client)?.delete(name);
  const parsedStatements = parsedOn(client);
  const text = parsedStatements[name];
  if (text === undefined) return;
  delete parsedStatements[name];
  try {
    await client.query(`deallocate ${pg.escapeIdentifier(name)}`);
  } catch {
    parsedStatements[name] = text; // the transaction had failed: PostgreSQL still has it
  }
}
