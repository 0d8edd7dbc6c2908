/** Turns PostgreSQL's error of a write into one that names the columns in question. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import {
  GatewayError,
  mayBeOfValue,
  sqlstateOf,
  toGatewayError,
  violated,
  type ErrorCode,
} from "../../server/ground/errors.ts";
import { arrayLiteral } from "../../server/types/literals.ts";
import { sourceOf, type CollectionColumn } from "../collections/collections.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { ofCatalogue } from "../collections/reach.ts";
import { findRefused, type Refusal } from "./findRefused.ts";
import { columnSql, crsOf } from "./values.ts";
import type { Attempted } from "./writeSql.ts";

const NOT_NULL_VIOLATION = "23502";
const FOREIGN_KEY_VIOLATION = "23503";
const CHECK_VIOLATION = "23514";

/** The fields of PostgreSQL's error. */
interface Fields extends Refusal {
  readonly message: string;
  readonly schema?: string;
}

/** The error for the client. It names only columns that the caller may read. */
export async function writeFailure(error: unknown, exchange: Exchange, attempted: Attempted): Promise<unknown> {
  if (error instanceof GatewayError) return error;
  const state = sqlstateOf(error);
  if (state === undefined || !isCallersFault(error, state)) return error;
  if (state.startsWith("23")) return await constraintFailure(error as Fields, state, exchange, attempted);
  return (await locate(exchange, attempted)) ?? error;
}

/** Whether the error is about the values, or possibly about them. */
function isCallersFault(error: unknown, state: string): boolean {
  return state.startsWith("23") || mayBeOfValue(error) || toGatewayError(error).code === "BAD_USER_INPUT";
}

async function constraintFailure(
  fields: Fields,
  state: string,
  exchange: Exchange,
  attempted: Attempted,
): Promise<GatewayError> {
  const { collection, isList } = attempted;
  const { schema = collection.schema, table = collection.relation } = fields;
  const { message, column, constraint } = violated(fields);
  const constrained =
    column === undefined ? await columnsOf([schema, table, constraint], exchange) : [{ name: column }];
  const names = new Set(constrained.map(({ name }) => name));
  const columns = collection.columns.filter(({ name }) => names.has(name)).map(({ name }) => name);
  const mayBeFound = isList && !constrained.some(({ isOwn }) => isOwn);
  // a failure while searching must not hide the error from the client
  const place = mayBeFound ? await findRefused(exchange, attempted, fields).catch(() => undefined) : undefined;
  const feature = place === undefined ? "" : `features[${place}]: `;
  const isReferredTo = state === FOREIGN_KEY_VIOLATION && message.startsWith("update or delete");
  const isInput = [NOT_NULL_VIOLATION, CHECK_VIOLATION].includes(state) || state === FOREIGN_KEY_VIOLATION;
  const code: ErrorCode = isInput && !isReferredTo ? "BAD_USER_INPUT" : toGatewayError(fields).code;
  const known = columns.length > 0 && !isReferredTo;
  return new GatewayError(code, `${feature}${known ? `${columns.join(", ")}: ` : ""}${message}`, {
    cause: fields,
    sqlstate: state,
    ...(known && { members: { columns } }),
  });
}

interface Constrained {
  readonly name: string;
  /** Whether the constraint refers to the same table, so that it may mean a later feature of the list. */
  readonly isOwn?: boolean;
}

const COLUMNS = `
select a.attname as name, bool_or(k.is_own) as "isOwn"
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join lateral (
  select k.conkey::int[] as keys, k.contype = 'f' and k.confrelid = k.conrelid as is_own
  from pg_constraint k
  where k.conrelid = c.oid and k.conname = $3
  union
  select string_to_array(i.indkey::text, ' ')::int[], false from pg_index i join pg_class x on x.oid = i.indexrelid
  where i.indrelid = c.oid and x.relname = $3
) k on true
join pg_attribute a on a.attrelid = c.oid and a.attnum = any (k.keys)
where n.nspname = $1 and c.relname = $2
group by a.attname, a.attnum
order by a.attnum`;

/** The columns of a constraint or unique index. */
async function columnsOf(
  names: readonly (string | undefined)[],
  { database, identity, context }: Exchange,
): Promise<readonly Constrained[]> {
  if (names.includes(undefined)) return [];
  const { rows } = await database.withIdentity(
    identity,
    ofCatalogue({ ...context, basis: undefined, readOnly: true }),
    (transaction) => transaction.query<Constrained>({ text: COLUMNS, values: [...names], last: true }),
  );
  return rows;
}

/**
 * Finds the value that PostgreSQL refused, since PostgreSQL does not say it. It reads the values of each column once
 * more, as for a row, then half of those that fail, and so on. Undefined where all of them can be read.
 */
async function locate(exchange: Exchange, attempted: Attempted): Promise<GatewayError | undefined> {
  const { database, identity, context } = exchange;
  return database.withIdentity(identity, { ...context, basis: undefined, readOnly: true }, async (transaction) => {
    const fault = async (query: SQL): Promise<Error | undefined> => {
      const { text, values } = sql.compile(query);
      try {
        await transaction.query({ text, values });
        return undefined;
      } catch (error) {
        const state = sqlstateOf(error);
        if (state === undefined || !isCallersFault(error, state)) throw error;
        return error as Error;
      }
    };
    for (const { columns, texts, places } of attempted.rows)
      for (const [index, column] of columns.entries()) {
        const all = texts[index]!;
        const read = (start: number, end: number): Promise<Error | undefined> =>
          fault(readAgain(column, all.slice(start, end), attempted));
        let error = await read(0, all.length);
        if (!error) continue;
        let [start, end] = [0, all.length];
        while (end - start > 1) {
          const middle = (start + end) >> 1;
          const inFirst = await read(start, middle);
          if (inFirst) [end, error] = [middle, inFirst];
          else start = middle;
        }
        return located(error, column, places[start]!, attempted);
      }
    return undefined;
  });
}

function readAgain(column: CollectionColumn, texts: readonly (string | null)[], { collection, crs }: Attempted): SQL {
  const each = sql.identifier(Symbol("each"));
  const list = sql`pg_catalog.unnest(${sql.value(arrayLiteral(texts))}::pg_catalog.text[]) ${each}`;
  if (column.type.kind === "geometry" || column.type.kind === "json")
    return sql`select pg_catalog.count(${columnSql(column, each, crsOf(column, collection, crs))}) from ${list}`;
  const row = sql`pg_catalog.jsonb_populate_record(null::${sourceOf(collection)}, pg_catalog.jsonb_build_object(${sql.literal(
    column.name,
  )}, ${each}))`;
  return sql`select pg_catalog.count((${row})::pg_catalog.text) from ${list}`;
}

function located(
  error: Error,
  column: CollectionColumn,
  place: number,
  { collection, isList }: Attempted,
): GatewayError {
  const isGeometry = column.number === collection.geometry?.number;
  const feature = isList ? `features[${place}].` : "";
  const path = `${feature}${isGeometry ? "geometry" : `properties.${column.name}`}`;
  return new GatewayError("BAD_USER_INPUT", `${path}: ${error.message}`, {
    cause: error,
    sqlstate: sqlstateOf(error),
    members: { columns: [column.name] },
  });
}
