/** Which rows a grid shows and in which order, as the address says it. */
import { readLook, type Look } from "./look.ts";
import type { Choice } from "./rows.ts";

export interface GridSearch {
  /** A filter of the filter language. */
  readonly where?: object;
  /** `column` or `-column`. */
  readonly sort?: string;
  readonly look?: Look;
  /** Whether the map is beside the rows. */
  readonly map?: true;
}

export interface HistorySearch extends GridSearch {
  /** The instant of the shown rows, and the end of changes; now where it is missing. */
  readonly at?: string;
  /** From when on changes are shown; where it is left out the rows are. */
  readonly from?: string;
  /** The row whose history is shown. */
  readonly key?: string;
}

/** A filter may also be JSON, as in older addresses and views; a text that is no JSON is ignored. */
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
    return undefined; // the address was cut
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

/** The address with columns that look otherwise; undefined: as the table has them. */
export function withLook<Search extends GridSearch>(search: Search, look: Look | undefined): Search {
  const { look: _before, ...others } = search;
  return { ...others, ...(look && { look }) } as Search;
}

/** The address with the next order by a column: up, down, none. */
export function withNextSort<Search extends GridSearch>(search: Search, column: string): Search {
  const { sort, ...others } = search;
  const next = sort === column ? `-${column}` : sort === `-${column}` ? undefined : column;
  return { ...others, ...(next !== undefined && { sort: next }) } as Search;
}
