/** Events of a table without GraphQL: the changes of each transaction in one message. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { Database } from "../kernel/database/database.ts";
import { badInput, type GatewayError } from "../ground/errors.ts";
import { readEventFilter } from "../filter/eventFilter.ts";
import type { Change, EventBatch, EventColumn, EventHub } from "../events/types.ts";
import type { Shape } from "../filter/tree.ts";
import type { LiveOperation, OperationCaller } from "../events/liveOperation.ts";
import { plainJsonOf, selectJson } from "./rowColumns.ts";
import type { RawSubscription } from "./messages.ts";

export interface RawListener {
  /** Throws `LIMIT_EXCEEDED`. */
  admit(subscriptions: number): void;
  live(): void;
  /** The rest of a message `batch`, after its id. */
  batch(text: string): void | Promise<void>;
  gap(gap: { after: string; position: string }): void;
  end(error: GatewayError | undefined): void;
}

export interface RawOptions {
  databaseOf(identity: OperationCaller["identity"]): Database;
  eventsOf(database: Database): EventHub;
}

/** Resolves when it is live. Rejects as `EventHub.subscribe` does, and for a fault in `where`. */
export async function startRawSubscription(
  { schema, rel, where, columns, op, after }: RawSubscription,
  caller: OperationCaller,
  { databaseOf, eventsOf }: RawOptions,
  listener: RawListener,
): Promise<LiveOperation> {
  const { identity, address } = caller;
  listener.admit(1);
  const database = databaseOf(identity);
  const hub = eventsOf(database);
  const ask = () => hub.describe({ identity, schema, relation: rel });
  let described = await ask();
  const live = Promise.withResolvers<void>();
  let isLive = false;
  const deliver = (batch: EventBatch): void | Promise<void> =>
    isLive ? show(batch) : live.promise.then(() => show(batch));
  const show = (batch: EventBatch, isKnown = false): void | Promise<void> => {
    const names = namesIn(batch);
    const shown = described.columns.filter(({ name }) => names.includes(name));
    // columns that were added since
    if (columns === undefined && shown.length < names.length && !isKnown)
      return ask().then((now) => ((described = now), show(batch, true)));
    if (shown.every((column) => plainJsonOf(column.type)))
      return listener.batch(batch.memo("raw", () => toText(database.name, batch, plainRows(batch, shown))));
    return batch
      .memo(JSON.stringify(["raw", identity.role]), () =>
        askRows(database, caller, batch, { schema, relation: rel, columns: shown }),
      )
      .then((rows) => listener.batch(batch.memo("raw text", () => toText(database.name, batch, rows))));
  };
  const subscription = await hub.subscribe({
    identity,
    address,
    schema,
    relation: rel,
    operations: op && [op],
    filter: readEventFilter(where, shapeOf(schema, rel, described.columns)),
    columns,
    after,
    deliver,
    gap: listener.gap,
    end: listener.end,
  });
  if (caller.signal.aborted) subscription.close();
  else {
    isLive = true;
    listener.live();
    live.resolve();
    caller.signal.addEventListener("abort", () => subscription.close(), { once: true });
  }
  return subscription;
}

function shapeOf(schema: string, relation: string, columns: readonly EventColumn[]): Shape {
  const byName = new Map(columns.map(({ name, type }) => [name, { name, type }]));
  return { schema, relation, column: (name) => byName.get(name), related: () => undefined };
}

/** The record to show of a change: a deleted row as it was, any other as it is now. */
const shownOf = (change: Change) => (change.new ?? change.old)!;

/** The columns that the subscriber may select now, which differ from those at the start if rights have changed. */
function namesIn({ changes: [first] }: EventBatch): readonly string[] {
  return first ? Object.keys(shownOf(first).values) : [];
}

function plainRows({ changes }: EventBatch, columns: readonly EventColumn[]): string {
  const members = columns.map(({ name, type }) => ({
    name,
    prefix: `${JSON.stringify(name)}:`,
    toJson: plainJsonOf(type)!,
  }));
  const rows = changes.map((change) => {
    const { values } = shownOf(change);
    const texts = members.flatMap(({ name, prefix, toJson }) => {
      const value = values[name];
      if (value === undefined) return [];
      return prefix + (value === null ? "null" : toJson(value));
    });
    return `{${texts.join(",")}}`;
  });
  return `[${rows.join(",")}]`;
}

interface ShownTable {
  readonly schema: string;
  readonly relation: string;
  readonly columns: readonly EventColumn[];
}

/** PostgreSQL makes the JSON of complex values, under the rights of the subscriber. */
async function askRows(
  database: Database,
  { identity, address }: OperationCaller,
  { changes }: EventBatch,
  { schema, relation, columns }: ShownTable,
): Promise<string> {
  const t = sql.identifier(Symbol("t"));
  const r = sql.identifier(Symbol("r"));
  const selected: SQL[] = columns.map(
    ({ name, type }) => sql`${selectJson(sql`${t}.${sql.identifier(name)}`, type)} as ${sql.identifier(name)}`,
  );
  const rows = sql.value(changes.map((change) => shownOf(change).row));
  const { text, values } = sql.compile(
    sql`select coalesce(json_agg(${r}), '[]')::text as rows from (select ${sql.join(selected, ", ")} from unnest(${rows}::text[]::${sql.identifier(schema, relation)}[]) as ${t}) as ${r}`,
  );
  const { rows: answered } = await database.withIdentity(
    identity,
    { service: "events", address, readOnly: true, reach: [{ schema, name: relation, request: "select" }] },
    (transaction) => transaction.query<{ rows: string }>({ text, values }),
  );
  return answered[0]?.rows ?? badInput("The rows cannot be shown");
}

function toText(database: string, { schema, relation, keyColumns, changes, position, more }: EventBatch, rows: string) {
  const key = JSON.stringify(keyColumns.join(","));
  const keys = { INSERT: [] as string[], UPDATE: [] as string[], DELETE: [] as string[] };
  for (const change of changes) keys[change.operation].push(`[${key},${JSON.stringify(change.key)}]`);
  const lists = Object.entries(keys).map(([operation, all]) => `"${operation}":[${all.join(",")}]`);
  const db = JSON.stringify(database);
  const batch = `{${db}:{${JSON.stringify(`${schema}.${relation}`)}:{${lists.join(",")},"full_data":${rows}}}}`;
  // with several rows, keys alone do not tell which row of full_data is which, and which came first
  const isMixed = changes.some(({ operation }) => operation !== changes[0]?.operation);
  const order = isMixed ? `,"order":${JSON.stringify(changes.map(({ operation }) => operation))}` : "";
  return `"db":${db},"batch":${batch}${order},"position":${JSON.stringify(position)}${more ? ',"more":true' : ""}}`;
}
