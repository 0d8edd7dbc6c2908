/** The parameter `sortby` (OGC API Features Part 8, draft), and the columns that it may name. */
import { GatewayError } from "../../../server/ground/errors.ts";
import { comparisonOf } from "../../../server/filter/comparison.ts";
import type { KeysetTerm } from "../../../server/filter/keyset.ts";
import { hasParts } from "../../../server/types/columnType.ts";
import { quote } from "../../../server/types/show.ts";
import type { Collection, CollectionColumn } from "../../collections/collections.ts";
import { splitNames, unfit } from "../../exchange/parameters/parameter.ts";

/** A column's name, and whether its order descends. */
export interface SortKey {
  readonly name: string;
  readonly descending: boolean;
}

/** Reads `+a,-b,c,"d,e"`. A `+` that was not percent-encoded arrives as a space. */
export function readSortby(text: string): readonly SortKey[] {
  const keys = splitNames(text, true)?.map(({ sign, name }) => ({ name, descending: sign === "-" }));
  if (!keys) return unfit("names of sortables joined by commas, each with + or - before it");
  if (new Set(keys.map(({ name }) => name)).size < keys.length) return unfit("each name once");
  return keys;
}

/** The columns whose values have an order. */
export function sortableColumns({ columns }: Pick<Collection, "columns">): readonly CollectionColumn[] {
  return columns.filter(({ type }) => !hasParts(type) && !type.operators && comparisonOf(type).isOrdered);
}

/**
 * The order that a request asks for, without the key, which ends every order. Nulls are last in ascending order and
 * first in descending order. Throws `INVALID_PARAMETER` for a column that is not sortable.
 */
export function orderOf(collection: Collection, sortby: readonly SortKey[] = []): readonly KeysetTerm[] {
  const columns = new Map(sortableColumns(collection).map((column) => [column.name, column]));
  return sortby.map(({ name, descending }) => {
    const column = columns.get(name);
    if (!column) throw new GatewayError("INVALID_PARAMETER", `sortby: there is no sortable ${quote(name)}`);
    return { column, direction: descending ? "DESC" : "ASC" };
  });
}

/** The name of the order. A place contains it, so that it is not used with another order. */
export function orderName(order: readonly KeysetTerm[]): string {
  return order.map(({ column, direction }) => `${direction === "DESC" ? "-" : "+"}${column.name}`).join(",");
}
