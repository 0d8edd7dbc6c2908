/** Finds which feature of a list a constraint refuses, since PostgreSQL does not say it. */
import { sql } from "postgraphile/pg-sql2";
import type { Transaction } from "../../server/kernel/database/database.ts";
import { sqlstateOf } from "../../server/ground/errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { withIsoIntervals } from "../features/page/readPage.ts";
import { insertRows, type Attempted, type Rows } from "./writeSql.ts";

/** PostgreSQL's errors about a violated constraint. */
export interface Refusal {
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
}

/**
 * The place of the refused feature in the body. It writes the rows once more, then half of those that fail, and so on,
 * and rolls everything back. Undefined where all rows can be written, as with a deferred constraint. Throws where a row
 * is refused for another reason, such as a reference to a row of a later half.
 */
export async function findRefused(
  { database, identity, context }: Exchange,
  attempted: Attempted,
  refusal: Refusal,
): Promise<number | undefined> {
  const options = { ...withIsoIntervals(context, attempted.collection), basis: undefined, readOnly: false };
  return database.withIdentity(identity, options, async (transaction) => {
    transaction.rollbackOnly();
    for (const rows of attempted.rows) {
      const count = rows.places.length;
      if (await canWrite(transaction, attempted, rows, refusal)) continue;
      let [start, end] = [0, count]; // the rows before `start` stay written, so that a key that is given twice is found
      while (end - start > 1) {
        const middle = (start + end) >> 1;
        if (await canWrite(transaction, attempted, part(rows, start, middle), refusal)) start = middle;
        else end = middle;
      }
      return rows.places[start];
    }
    return undefined;
  });
}

function part({ columns, texts, places }: Rows, start: number, end: number): Rows {
  return { columns, texts: texts.map((each) => each.slice(start, end)), places: places.slice(start, end) };
}

/** Tries to write the rows. Returns whether that worked. */
async function canWrite(
  transaction: Transaction,
  { collection, crs }: Attempted,
  rows: Rows,
  { table, column, constraint }: Refusal,
): Promise<boolean> {
  await transaction.query({ text: "savepoint portolan_part" });
  try {
    for (const statement of insertRows(collection, rows, crs)) await transaction.query(sql.compile(statement));
    await transaction.query({ text: "release savepoint portolan_part" });
    return true;
  } catch (error) {
    const found = error as Refusal;
    const isSame = found.table === table && found.column === column && found.constraint === constraint;
    if (!sqlstateOf(error)?.startsWith("23") || !isSame) throw error;
    await transaction.query({ text: "rollback to savepoint portolan_part" });
    return false;
  }
}
