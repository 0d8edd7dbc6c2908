/** Which rows a grid shows and in which order, as the address says it. */
import { readLook, type Look } from "./look.ts";
import type { Choice } from "./rows.ts";

export interface GridSearch {
  /** A filter of the filter language, as JSON. */
  readonly where?: string;
  /** `column` or `-column`. */
  readonly sort?: string;
  readonly look?: Look;
  /** Whether the map is beside the rows. */
  readonly map?: true;
}

export interface HistorySearch extends GridSearch {
  /** The instant whose rows are shown, and until when changes are; now where it is left out. */
  readonly at?: string;
  /** From when on changes are shown; where it is left out the rows are. */
  readonly from?: string;
  /** The row whose life is shown. */
  readonly key?: string;
}

export function readGridSearch({ where, sort, look: told, map }: Record<string, unknown>): GridSearch {
  const look = readLook(told);
  return {
    ...(look && { look }),
    ...(map === true && { map }),
    ...(where !== undefined && { where: typeof where === "string" ? where : JSON.stringify(where) }),
    ...(typeof sort === "string" && { sort }),
  };
}

/** What the address says; a filter that is no JSON is none. */
export function toChoice({ where, sort }: GridSearch): Choice {
  const column = sort?.replace(/^-/, "");
  let filter: object | undefined;
  try {
    filter = where === undefined ? undefined : (JSON.parse(where) as object);
  } catch {
    // the address was cut
  }
  return {
    where: filter,
    sort: column ? { column, direction: sort?.startsWith("-") ? "desc" : "asc" } : undefined,
  };
}

/** The address with another filter. */
export function withFilter<Search extends GridSearch>(search: Search, where: object | undefined): Search {
  const { where: _before, ...others } = search;
  return { ...others, ...(where && { where: JSON.stringify(where) }) } as Search;
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
