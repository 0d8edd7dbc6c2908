/** The rows and the order of a grid, as the address has them. */
import { readLook, type Look } from "./look.ts";
import type { Choice } from "./rows.ts";

export interface GridSearch {
  /** A filter of the filter language. */
  readonly where?: object;
  /** `column` or `-column`. */
  readonly sort?: string;
  readonly look?: Look;
  /** Whether the map is shown next to the rows. */
  readonly map?: true;
}

export interface HistorySearch extends GridSearch {
  /** The instant of the shown rows, and the end of changes. Default: now. */
  readonly at?: string;
  /** The beginning of the shown changes. Without it, rows are shown. */
  readonly from?: string;
  /** The row whose history is shown. */
  readonly key?: string;
}

/** Reads the address. A filter may also be JSON text, as in older addresses and views. Invalid JSON is ignored. */
export function readGridSearch({ where: given, sort, look: told, map }: Record<string, unknown>): GridSearch {
  const look = readLook(told);
  const where = readFilter(given);
  return {
    ...(look && { look }),
    ...(map === true && { map }),
    ...(where && { where }),
    ...(typeof sort === "string" && { sort }),
  };
}

function readFilter(given: unknown): object | undefined {
  if (typeof given !== "string") return typeof given === "object" && given !== null ? given : undefined;
  try {
    return readFilter(JSON.parse(given));
  } catch {
    return undefined; // the address was truncated
  }
}

/** The settings in the address. */
export function toChoice({ where, sort }: GridSearch): Choice {
  const column = sort?.replace(/^-/, "");
  return {
    where,
    sort: column ? { column, direction: sort?.startsWith("-") ? "desc" : "asc" } : undefined,
  };
}

/** The address with another filter. */
export function withFilter<Search extends GridSearch>(search: Search, where: object | undefined): Search {
  const { where: _before, ...others } = search;
  return { ...others, ...(where && { where }) } as Search;
}

/** The address with other column settings; undefined for those of the table. */
export function withLook<Search extends GridSearch>(search: Search, look: Look | undefined): Search {
  const { look: _before, ...others } = search;
  return { ...others, ...(look && { look }) } as Search;
}

/** The address with the next order by a column: ascending, descending, none. */
export function withNextSort<Search extends GridSearch>(search: Search, column: string): Search {
  const { sort, ...others } = search;
  const next = sort === column ? `-${column}` : sort === `-${column}` ? undefined : column;
  return { ...others, ...(next !== undefined && { sort: next }) } as Search;
}
