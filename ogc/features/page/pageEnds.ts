/** The numbers of features on a page and on all pages, where the page was not read completely. */
import { sql } from "postgraphile/pg-sql2";
import type { Transaction } from "../../../server/kernel/database/database.ts";
import { SQLSTATE, sqlstateOf } from "../../../server/ground/errors.ts";
import type { Collection } from "../../collections/collections.ts";
import type { CollectionExchange } from "../../exchange/exchange.ts";
import type { FeaturePlace } from "../feature.ts";
import { GEOMETRY_ERROR } from "../../crs/geometryJson.ts";
import { selectEnd, type Asked } from "./featureSql.ts";
import type { PageEnds } from "./paging.ts";

/** The number of features on all pages; undefined where counting would take longer than allowed. */
export async function countMatched(
  transaction: Transaction,
  exchange: CollectionExchange,
  { selection, page }: Asked,
  { returned, hasMore, isTolerant }: PageEnds & { readonly isTolerant: boolean },
): Promise<number | undefined> {
  // on the last page of a count by offset, the numbers so far give the total
  if (!page.after && !page.before && !hasMore && (returned > 0 || page.offset === 0)) return page.offset + returned;
  const { countBudgetMs } = exchange.config;
  const count = (tolerant: boolean, lenient: boolean): Promise<number> =>
    exchange.counts.of(transaction, exchange, selection, { tolerant, lenient, budgetMs: countBudgetMs });
  try {
    return await withoutFailing(isTolerant, count);
  } catch (error) {
    if (countBudgetMs !== undefined && sqlstateOf(error) === SQLSTATE.queryCanceled) return undefined;
    throw error;
  }
}

/** The end of a page before all of it was read. Only the places of its features are read. */
export async function endsOf(
  transaction: Transaction,
  collection: Collection,
  { selection, page }: Asked,
  isTolerant: boolean,
): Promise<Omit<PageEnds, "first">> {
  let rows = 0;
  let last: FeaturePlace | undefined;
  await withoutFailing(isTolerant, async (tolerant, lenient) => {
    const { text, values } = sql.compile(selectEnd(collection, selection, page, { tolerant, lenient }));
    await transaction.read({ text, values }, (row) => {
      rows = Number(row.text(0));
      last = Array.from({ length: row.size - 1 }, (_, index) => row.text(index + 1));
    });
  });
  return { last, returned: Math.min(rows, page.limit), hasMore: rows > page.limit };
}

/**
 * Repeats without errors: features after the page may have a geometry that PostGIS cannot process, though none on the
 * page has.
 */
async function withoutFailing<Result>(
  isTolerant: boolean,
  read: (tolerant: boolean, lenient: boolean) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(isTolerant, false);
  } catch (error) {
    if (sqlstateOf(error) !== GEOMETRY_ERROR) throw error;
    return read(true, true);
  }
}
