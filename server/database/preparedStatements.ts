/** Which statements a connection keeps prepared; each costs memory in PostgreSQL. */
import pg from "pg";

const MAX_PREPARED = 200;
const preparedNames = new WeakMap<pg.PoolClient, Set<string>>();

/** To be called before a statement of that name is sent: lets the least recently used one go when there are too many. */
export function rememberPrepared(client: pg.PoolClient, name: string): void {
  let names = preparedNames.get(client);
  if (!names) preparedNames.set(client, (names = new Set()));
  names.delete(name);
  names.add(name);
  if (names.size <= MAX_PREPARED) return;
  const [oldest] = names;
  if (oldest !== undefined) void forgetPrepared(client, oldest);
}

/** Lets a statement go, e.g. because DDL has changed the types of its result. Never rejects. */
export async function forgetPrepared(client: pg.PoolClient, name: string): Promise<void> {
  preparedNames.get(client)?.delete(name);
  // node-postgres has no call to forget a statement; it looks here whether a name must be parsed
  const { parsedStatements } = (client as unknown as { connection: { parsedStatements: Record<string, string> } })
    .connection;
  const text = parsedStatements[name];
  if (text === undefined) return;
  delete parsedStatements[name];
  try {
    await client.query(`deallocate ${pg.escapeIdentifier(name)}`);
  } catch {
    parsedStatements[name] = text; // the transaction had failed: PostgreSQL still has it
  }
}
