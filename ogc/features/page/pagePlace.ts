/** The place of a page in the order of its features. */
import type { SQL } from "postgraphile/pg-sql2";
import { beyond, conditionsFrom, reversed, type KeysetTerm } from "../../../server/filter/keyset.ts";
import { GatewayError } from "../../../server/ground/errors.ts";
import { sourceOf, type Collection, type CollectionColumn } from "../../collections/collections.ts";
import type { Keyset } from "./keyset.ts";
import { orderName, sortableColumns } from "./sorting.ts";

/** The part of the selected features that a page shows. */
export interface Page {
  /** The order before the key. */
  readonly order: readonly KeysetTerm[];
  readonly limit: number;
  readonly offset: number;
  readonly after?: Keyset | undefined;
  readonly before?: Keyset | undefined;
  /** Whether the page has the last features before `before`, instead of the first ones. */
  readonly last?: boolean;
}

/** The complete order of a page. Without a key it has all sortable columns, so that the order is the same each time. */
export function orderTerms(collection: Collection, { order }: Pick<Page, "order">): KeysetTerm[] {
  const { key } = collection;
  return [...order, ...(key.length > 0 ? key : sortableColumns(collection)).map(byKey)];
}

/** The columns of the key are never null. */
const byKey = (each: CollectionColumn): KeysetTerm => ({ column: { ...each, notNull: true } });

interface Read {
  readonly others: readonly SQL[];
  /** The number of features that are read. */
  readonly limit: SQL;
}

/**
 * The conditions on the features of a page, on rows called `row`: `others`, and those of its places. Throws
 * `INVALID_PARAMETER` for a place in another order.
 */
export function placeConditions(collection: Collection, page: Page, row: SQL, { others, limit }: Read): SQL[] {
  const [after, before] = [placeIn(collection, page, "after"), placeIn(collection, page, "before")];
  const terms = orderTerms(collection, page);
  const [read, begin, end] = page.last ? [reversed(terms), before, after] : [terms, after, before];
  const conditions = end ? [...others, beyond(reversed(read), end, row)] : [...others];
  if (!begin) return conditions;
  // no index has the order of past rows
  if (collection.instant !== undefined) return [...conditions, beyond(read, begin, row)];
  return conditionsFrom(read, begin, row, {
    from: sourceOf(collection),
    key: collection.key,
    limit,
    conditions,
  });
}

function placeIn({ key }: Collection, page: Page, side: "after" | "before"): Keyset | undefined {
  const place = page[side];
  if (!place) return undefined;
  const { order } = page;
  const isWhole = place.values.length === order.length + key.length && !place.values.slice(order.length).includes(null);
  if (!isWhole || key.length === 0 || place.order !== orderName(order))
    throw new GatewayError("INVALID_PARAMETER", `${side}: belongs to another collection or order`);
  return place;
}
