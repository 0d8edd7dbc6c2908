/** The parameters `filter`, `filter-lang` and `filter-crs` (OGC 19-079r2), and what they may name. */
import { GatewayError } from "../server/kernel/errors.ts";
import { parseCql2, type FilterLanguage } from "../server/filter/cql2/parse.ts";
import type { Filter, Shape } from "../server/filter/tree.ts";
import type { Collection, CollectionColumn } from "./collections.ts";
import { CRS84, type Crs } from "./crs.ts";

export interface FilterParameters {
  readonly filter?: string | undefined;
  readonly "filter-lang"?: FilterLanguage | undefined;
  readonly "filter-crs"?: Crs | undefined;
}

/** What values of the type have no order, no equality and no form in a schema. */
const UNKNOWN_KINDS: ReadonlySet<string> = new Set(["composite", "geometric", "bytes"]);

/** The columns that a filter may name, of those that the caller may read. */
export function queryableColumns({ columns }: Pick<Collection, "columns">): readonly CollectionColumn[] {
  return columns.filter(({ type, queryable }) => queryable && !UNKNOWN_KINDS.has(type.kind));
}

function shapeOf(collection: Collection): Shape {
  const { schema, relation, postgis, unaccent } = collection;
  const columns = new Map(queryableColumns(collection).map((column) => [column.name, column]));
  return {
    schema,
    relation,
    column: (name) => columns.get(name),
    related: () => undefined,
    extensions: { postgis, ...(unaccent !== undefined && { unaccent }) },
  };
}

/**
 * What a request filters a collection by; undefined: all. Throws `INVALID_PARAMETER`, with the member `position`, for a
 * filter that is wrong, goes beyond a limit, or names what the caller may not read.
 */
export function filterOf(collection: Collection, parameters: FilterParameters): Filter | undefined {
  const { filter, "filter-lang": language = "cql2-text", "filter-crs": crs = CRS84 } = parameters;
  if (filter === undefined) return undefined;
  try {
    return parseCql2(filter, shapeOf(collection), { language, axes: crs });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new GatewayError("INVALID_PARAMETER", error.message, { cause: error, members: error.members });
  }
}
