/** The rows of a page, whatever its geometries are. */
import type { Transaction } from "../server/database.ts";
import { sqlstateOf } from "../server/errors.ts";
import type { Collection } from "./collections.ts";
import { CRS84 } from "./crs.ts";
import { GEOMETRY_ERROR } from "./geometryJson.ts";
import type { CollectionExchange } from "./exchange.ts";
import { keysetOf } from "./feature.ts";
import { selectPage, type FeatureRow, type Page, type Selection } from "./featureSql.ts";
import { readRows } from "./featureStream.ts";

/** Intervals as ISO 8601 durations, where there are any. */
export async function useIsoIntervals(transaction: Transaction, { columns }: Collection): Promise<void> {
  if (columns.some(({ type }) => [type, type.element].some((each) => each?.kind === "interval")))
    await transaction.query({ text: "select set_config('intervalstyle', 'iso_8601', true)" });
}

/** Takes rows; `isLast`: they are the last ones. Gives back whether more are wanted. */
type Take = (rows: readonly FeatureRow[], isLast: boolean) => Promise<boolean>;

/**
 * Gives the rows of the page to `take`, in its order, and one more than its limit where there are more. A geometry that
 * PostGIS cannot work with fails the whole statement: it is then read on from there in the slower way, in which that
 * one alone is missing. Gives back whether that was needed.
 */
export async function readPage(
  transaction: Transaction,
  { collection, parameters }: Pick<CollectionExchange, "collection" | "parameters">,
  selection: Selection,
  page: Page,
  take: Take,
): Promise<boolean> {
  const crs = parameters.crs ?? CRS84;
  const most = page.limit + 1;
  let done = 0;
  let last: FeatureRow | undefined;
  const read = async (tolerant: boolean): Promise<void> => {
    const after = last && keysetOf(last);
    const place = after ? { after, offset: 0 } : { offset: page.offset + done };
    const query = selectPage(collection, selection, { ...page, ...place, limit: most - done }, { crs, tolerant });
    for await (const { rows, isLast } of readRows(transaction, query, most - done)) {
      done += rows.length;
      last = rows.at(-1) ?? last;
      if (!(await take(rows, isLast))) return;
    }
  };
  try {
    await read(false);
    return false;
  } catch (error) {
    if (sqlstateOf(error) !== GEOMETRY_ERROR) throw error;
    await read(true);
    return true;
  }
}
