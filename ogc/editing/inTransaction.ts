/** Steps of a write within a transaction, for every interface that writes features. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { GatewayError } from "../../server/ground/errors.ts";
import type { Transaction } from "../../server/kernel/database/database.ts";
import type { Collection, CollectionColumn } from "../collections/collections.ts";
import { featureIdOf } from "../features/feature.ts";
import type { Change } from "./featureBody.ts";
import type { WriteRights } from "./writeRights.ts";
import { insertRows, type Attempted } from "./writeSql.ts";

export function isKey({ key }: Pick<Collection, "key">, { number }: Pick<CollectionColumn, "number">): boolean {
  return key.some((column) => column.number === number);
}

/**
 * Drops null values of columns that the caller may not set: clients that send every field send null for unknown ones.
 * Throws `FORBIDDEN` for another value of such a column.
 */
export function dropAbsent(texts: Change["texts"], collection: Collection, rights: WriteRights): void {
  for (const [column, text] of texts) {
    const mayInsert = rights.mayInsert(column);
    const isAbsent = !mayInsert || (column.notNull && column.hasDefault) || isKey(collection, column);
    if (text === null && isAbsent) texts.delete(column);
    else if (!mayInsert) refuseColumn(column);
  }
}

/** Throws `FORBIDDEN`; typed `never` so that it can stand in an expression. */
export function refuseColumn({ name }: CollectionColumn): never {
  throw new GatewayError("FORBIDDEN", `${name}: the account may not write it`, { members: { columns: [name] } });
}

export async function rowsOf<Row>(transaction: Transaction, query: SQL): Promise<Row[]> {
  const { text, values } = sql.compile(query);
  return (await transaction.query<Row>({ text, values })).rows;
}

/** Keys of the rows that a statement wrote. */
export async function keysOf(transaction: Transaction, query: SQL): Promise<string[]> {
  const { text, values } = sql.compile(query);
  const ids: string[] = [];
  await transaction.read({ text, values }, (row) => {
    const key = Array.from({ length: row.size }, (_, index) => row.text(index));
    ids.push(featureIdOf(key) ?? "");
  });
  return ids;
}

/** Inserts rows. Returns the ids of their features, by their places in the body. */
export async function insertAll(
  transaction: Transaction,
  { collection, crs, rows }: Pick<Attempted, "collection" | "crs" | "rows">,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const group of rows) {
    const keys: string[] = [];
    for (const statement of insertRows(collection, group, crs))
      for (const key of await keysOf(transaction, statement)) keys.push(key); // more than a call can have arguments
    if (keys.length !== group.places.length)
      throw new GatewayError("CONFLICT", "A trigger of the table has skipped a feature");
    for (const [index, place] of group.places.entries()) ids[place] = keys[index]!;
  }
  return ids;
}
