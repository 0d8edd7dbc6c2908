/**
 * The parameters `filter`, `filter-lang` and `filter-crs` (OGC 19-079r2) with the names that they may contain, and `q` (OGC
 * 20-004r1 §7.10).
 */
import { LRUCache } from "lru-cache";
import { GatewayError } from "../../server/ground/errors.ts";
import { parseCql2, type FilterLanguage } from "../../server/filter/cql2/parse.ts";
import { and, or } from "../../server/filter/nodes.ts";
import type { Filter, Operand, Shape } from "../../server/filter/tree.ts";
import { rowOf } from "../../server/types/table.ts";
import { readableColumns, type Asker } from "../collections/access.ts";
import type { Collection, CollectionColumn, Readable } from "../collections/collections.ts";
import { CRS84, type Crs } from "../crs/crs.ts";
import { unfit } from "../exchange/parameters/parameter.ts";

export interface FilterParameters {
  readonly filter?: string | undefined;
  readonly "filter-lang"?: FilterLanguage | undefined;
  readonly "filter-crs"?: Crs | undefined;
  readonly q?: readonly string[] | undefined;
}

/** The most terms of `q`. */
export const MAX_TERMS = 20;

/** Terms with commas between them, the words of each with one space. */
export function readTerms(text: string): readonly string[] {
  const terms = text.split(",").map((term) => term.trim().replaceAll(/\s+/g, " "));
  return terms.length > MAX_TERMS || terms.includes("") ? unfit(`1 to ${MAX_TERMS} terms joined by commas`) : terms;
}

/** Kinds of types whose values have no order, no equality and no schema. */
const UNKNOWN_KINDS: ReadonlySet<string> = new Set(["composite", "geometric", "bytes"]);

/** The columns that a filter may name, of those that the caller may read. */
export function queryableColumns({ columns }: Pick<Readable, "columns">): readonly CollectionColumn[] {
  return columns.filter(({ type, queryable }) => queryable && !UNKNOWN_KINDS.has(type.kind));
}

const hasColumn = ({ columns }: Readable, name: string): boolean => columns.some((column) => column.name === name);

/**
 * The names for a filter on a table. A related table is included for callers who may read the joining columns.
 * `columnsOf`: the columns of a related table that the caller may read.
 */
function shapeOf(table: Readable, columnsOf: (table: Readable) => readonly CollectionColumn[]): Shape {
  const { schema, relation, postgis, unaccent, related } = table;
  const columns = new Map(queryableColumns(table).map((column) => [column.name, column]));
  return {
    schema,
    relation,
    column: (name) => columns.get(name),
    related(name) {
      const { target, on = [] } = related.get(name) ?? {};
      if (!target || !on.every(([here]) => hasColumn(table, here))) return undefined;
      const theirs = { ...target, columns: columnsOf(target) };
      return on.every(([, there]) => hasColumn(theirs, there))
        ? { name, on, target: shapeOf(theirs, columnsOf) }
        : undefined;
    },
    extensions: { postgis, ...(unaccent !== undefined && { unaccent }) },
  };
}

/**
 * The filter of a request on a collection; undefined where there is none. Throws `INVALID_PARAMETER`, with the member
 * `position`, for a filter that is wrong, goes beyond a limit, or names something that the caller may not read, and
 * `FORBIDDEN` where a rule denies a related table.
 */
export async function filterOf(
  { parameters, ...asker }: Asker & { readonly parameters: FilterParameters },
  collection: Collection,
): Promise<Filter | undefined> {
  const { filter: text, q: terms } = parameters;
  const found = terms && withTerm(collection, terms);
  const filter = text === undefined ? undefined : await filterOfText({ ...asker, parameters }, collection, text);
  return found && filter ? and([filter, found]) : (found ?? filter);
}

async function filterOfText(
  { parameters, ...asker }: Asker & { readonly parameters: FilterParameters },
  collection: Collection,
  text: string,
): Promise<Filter | undefined> {
  const { "filter-lang": language, "filter-crs": crs } = parameters;
  const key = `${language} ${crs?.uri} ${text}`;
  const kept = keptOf(collection);
  const before = kept.get(key);
  if (before) return before.filter;
  return readFilter(
    asker,
    collection,
    (shape) => parse(text, shape, parameters),
    (filter) => kept.set(key, { filter }),
  );
}

/** The most comparisons of `q`: as many as a filter may have. */
const MAX_COMPARISONS = 1_000;

/** The features that have one of the terms in a column of text. Throws `INVALID_PARAMETER`. */
function withTerm(collection: Collection, terms: readonly string[]): Filter {
  const columns = queryableColumns(collection).filter(
    ({ type }) => type.kind === "text" && rowOf(type).searched === "text",
  );
  if (columns.length * terms.length > MAX_COMPARISONS)
    throw new GatewayError("INVALID_PARAMETER", `q: too many terms for the ${columns.length} properties of text`);
  return or(
    columns.flatMap((column) =>
      terms.map((term): Filter => {
        const value = `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
        return { kind: "compare", column, operator: "ilike", value };
      }),
    ),
  );
}

/**
 * Reads a filter by `read`, with the names that the caller may use. `keep` receives a filter that depends on no table
 * but the collection's. Throws what `read` throws, and `FORBIDDEN` where a rule denies a related table.
 */
export async function readFilter(
  asker: Asker,
  collection: Collection,
  read: (shape: Shape) => Filter | undefined,
  keep?: (filter: Filter | undefined) => void,
): Promise<Filter | undefined> {
  const known = new Map<Readable, readonly CollectionColumn[]>();
  for (;;) {
    const unknown = new Set<Readable>();
    // a related table whose rights are not known yet has no columns; if the filter names it, it is read a second time
    const shape = shapeOf(collection, (table) => {
      const columns = known.get(table);
      if (!columns) unknown.add(table);
      return columns ?? [];
    });
    try {
      const filter = read(shape);
      if (known.size === 0 && unknown.size === 0) keep?.(filter);
      if (unknown.size === 0) return filter;
    } catch (error) {
      if (unknown.size === 0) throw error;
    }
    for (const [table, columns] of await readableColumns(asker, [...unknown])) known.set(table, columns);
  }
}

/** The size of the kept filters. A viewer requests many tiles with the same filter. */
const KEPT_BYTES = 20_000;

type KeptFilters = LRUCache<string, { readonly filter: Filter | undefined }>;

/**
 * Parsed and checked filters, by collection. The key is the object with the columns that a caller may read, which is
 * replaced when the catalogue or the rights change. Filters on other tables depend on the rights on those, and are not
 * kept.
 */
const keptFilters = new WeakMap<Collection, KeptFilters>();

function keptOf(collection: Collection): KeptFilters {
  let kept = keptFilters.get(collection);
  if (!kept)
    keptFilters.set(
      collection,
      (kept = new LRUCache({ maxSize: KEPT_BYTES, sizeCalculation: (_, { length }) => length })),
    );
  return kept;
}

function parse(filter: string, shape: Shape, parameters: FilterParameters): Filter | undefined {
  const { "filter-lang": language = "cql2-text", "filter-crs": crs = CRS84 } = parameters;
  try {
    return parseCql2(filter, shape, { language, axes: crs });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new GatewayError("INVALID_PARAMETER", error.message, { cause: error, members: error.members });
  }
}

/** Functions whose results change from moment to moment. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(["now", "today"]);

/** Whether the result depends only on the rows of the collection, and not on related rows or the clock. */
export function isOfOwnRows(filter: Filter | Operand | undefined): boolean {
  switch (filter?.kind) {
    case "and":
    case "or":
      return filter.filters.every(isOfOwnRows);
    case "not":
      return isOfOwnRows(filter.filter);
    case "call":
      return !OF_THE_MOMENT.has(filter.name) && filter.operands.every(isOfOwnRows);
    case "related":
      return false;
    default:
      return true;
  }
}
