import { queryOptions, useQueries, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useCallback, useLayoutEffect, useMemo, useState } from "react";
import type { Relation } from "./relations.ts";
import { countRows, PAGE_SIZE, readPage, type Choice, type From, type Row, type RowPage } from "./rows.ts";
import { plural } from "../../words/words.ts";

/** The number of rows that are loaded before and after the visible ones. */
const AHEAD = 100;
/** The time for which an invisible page is kept, in ms, so that memory does not grow during hours of scrolling. */
const KEPT_MS = 5000;

/** The rows of a relation. Those near the visible ones are loaded; others are read again when they become visible. */
export interface Rows {
  /** The number of known rows. Scrolling to their end finds more, unless the last one is known. */
  readonly length: number;
  readonly hasLast: boolean;
  /** Makes the last row known, without loading those before it. */
  toLast(): Promise<void>;
  /** The row at an index; undefined where it is not loaded. */
  at(index: number): Row | undefined;
  /** This many rows from an index on, loaded or not; fewer at the end. */
  read(place: number, count: number): Promise<readonly Row[]>;
  /** The index of a loaded row; -1 if it is not loaded. */
  indexOf(key: string): number;
  /** The loaded rows, in order. */
  readonly there: readonly Row[];
}

interface Page extends RowPage {
  readonly number: number;
}

/** Facts about all pages, of which only a few are loaded. */
interface Known {
  /** The choice of rows, as JSON. */
  readonly of: string;
  /** The starts of pages, by number: of those read from the first row on, and of those that the user jumped to. */
  readonly starts: ReadonlyMap<number, From>;
  readonly length: number;
  readonly hasLast: boolean;
  /** The numbers of the first and the last needed page. */
  readonly wanted: readonly [first: number, last: number];
}

/** The chosen rows of a relation, in pages, and their total number. */
export function useRows(schema: string, relation: Relation, choice: Choice) {
  const client = useQueryClient();
  const of = JSON.stringify(choice);
  const beginning: Known = {
    of,
    starts: new Map([[0, relation.canPage ? { after: undefined } : { offset: 0 }]]),
    length: 0,
    hasLast: false,
    wanted: [0, 0],
  };
  const [before, setKnown] = useState(beginning);
  const known = before.of === of ? before : beginning;
  const queryKey = ["rows", schema, relation.type, choice] as const;
  const pageOf = (number: number, from: From) => ({
    queryKey: [...queryKey, number, from],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Page> => ({
      ...(await readPage(relation, choice, from, signal)),
      number,
    }),
    gcTime: KEPT_MS,
  });
  const { pages, error, isPending } = useQueries({
    queries: wantedOf(known).map(([number, from]) => pageOf(number, from)),
    combine: together,
  });
  useLayoutEffect(
    () =>
      setKnown((now) => [...pages.values()].reduce(withPage, now.of === of ? now : { ...beginning, wanted: [0, 0] })),
    [pages, of],
  );
  const { where, at } = choice;
  const counted = queryOptions({
    queryKey: ["count", schema, relation.type, where, at],
    queryFn: ({ signal }) => countRows(schema, relation, { where, at }, signal),
  });
  const count = useQuery(counted);
  const { length, hasLast } = known;
  const toLast = useCallback(async (): Promise<void> => {
    const all = await client.ensureQueryData(counted);
    setKnown((now) => (now.of === of && !now.hasLast ? withLast(now, all, relation.canPage) : now));
  }, [of]);
  const read = useCallback(
    async (place: number, wanted: number): Promise<readonly Row[]> => {
      const first = Math.floor(place / PAGE_SIZE);
      const found: Row[] = [];
      let from = known.starts.get(first);
      for (let number = first; from && number * PAGE_SIZE < place + wanted; number++) {
        // a loaded page stays as it was shown, so that other people's writes since then are noticed
        const page = await client.fetchQuery({ ...pageOf(number, from), staleTime: Infinity });
        found.push(...page.rows);
        from = known.starts.get(number + 1) ?? page.next;
      }
      return found.slice(place - first * PAGE_SIZE).slice(0, wanted);
    },
    [of, known.starts],
  );
  return {
    rows: useMemo(() => toRows(pages, { length, hasLast, toLast, read }), [pages, length, hasLast, toLast, read]),
    count: count.data,
    error,
    /** Also true between the answer and its processing. */
    isPending: isPending || (known.length === 0 && [...pages.values()].some(({ rows }) => rows.length > 0)),
    /** Sets which rows are visible, by their indexes. */
    onSight: useCallback(
      (from: number, to: number) => setKnown((now) => (now.of === of ? withSight(now, from, to) : now)),
      [of],
    ),
    replace(old: Row, now: Row): void {
      client.setQueriesData<Page>(
        { queryKey },
        (page) => page && { ...page, rows: page.rows.map((row) => (row.key === old.key ? now : row)) },
      );
    },
    /** Reads the visible rows again, even if the choice is the same. */
    async reload(): Promise<void> {
      await Promise.all(
        ["rows", "count"].map((what) => client.invalidateQueries({ queryKey: [what, schema, relation.type] })),
      );
    },
  };
}

/** The results as a map, which the library passes on unchanged. */
function together(results: readonly UseQueryResult<Page>[]) {
  return {
    pages: new Map(results.flatMap(({ data }) => (data ? [[data.number, data] as const] : []))),
    error: results.find(({ error }) => error)?.error ?? null,
    isPending: results.some(({ isPending }) => isPending),
  };
}

/** The needed pages whose start is known. After a jump to pages without one, the first of them is read by number. */
function wantedOf({ starts, wanted: [first, last] }: Known): readonly (readonly [number: number, from: From])[] {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const begun = numbers.flatMap((number) => {
    const from = starts.get(number);
    return from ? [[number, from] as const] : [];
  });
  return begun.length > 0 ? begun : [[first, { offset: first * PAGE_SIZE }]];
}

/**
 * A page that was read gives the start of the next one, which may have moved because rows were inserted or deleted. It
 * does not do so where the next page is being read backwards towards it, because the two would move each other for
 * ever.
 */
function withPage(known: Known, { number, rows, from, next, previous }: Page): Known {
  const end = number * PAGE_SIZE + rows.length;
  if (!known.starts.has(number)) known = withStart(known, number, from);
  const before = known.starts.get(number - 1);
  const isBack = "last" in from;
  if (previous && number > 0 && (isBack || "offset" in from) && (!before || (isBack && "last" in before)))
    known = withStart(known, number - 1, previous);
  if (next === undefined) {
    const isLast = known.hasLast && known.length === end;
    const starts = new Map([...known.starts].filter(([each]) => each <= number));
    return isLast && starts.size === known.starts.size ? known : { ...known, starts, length: end, hasLast: true };
  }
  const after = known.starts.get(number + 1);
  if (!isBack && !(after && "last" in after)) known = withStart(known, number + 1, next);
  if (known.length > end || (known.length === end && !known.hasLast)) return known;
  return { ...known, length: end, hasLast: false }; // there are more rows, of unknown number
}

function withStart(known: Known, number: number, from: From): Known {
  if (JSON.stringify(known.starts.get(number)) === JSON.stringify(from)) return known;
  return { ...known, starts: new Map(known.starts).set(number, from) };
}

/**
 * `length`: the number of all rows. The last rows of a relation without a key are read by number, others from the end.
 */
function withLast(known: Known, length: number, canPage: boolean): Known {
  if (length <= known.length) return { ...known, hasLast: true };
  const number = Math.ceil(length / PAGE_SIZE) - 1;
  const rest: From = { before: undefined, last: length - number * PAGE_SIZE };
  const whole = { ...known, length, hasLast: true };
  return canPage && !known.starts.has(number) ? withStart(whole, number, rest) : whole;
}

function withSight(known: Known, from: number, to: number): Known {
  const end = known.hasLast ? Math.ceil(known.length / PAGE_SIZE) - 1 : Math.floor(known.length / PAGE_SIZE);
  const last = Math.max(0, Math.min(end, Math.floor((to + AHEAD) / PAGE_SIZE)));
  const first = Math.min(last, Math.max(0, Math.floor((from - AHEAD) / PAGE_SIZE)));
  return first === known.wanted[0] && last === known.wanted[1] ? known : { ...known, wanted: [first, last] };
}

function toRows(pages: ReadonlyMap<number, Page>, known: Pick<Rows, "length" | "hasLast" | "toLast" | "read">): Rows {
  const places = new Map(
    [...pages.values()].flatMap(({ number, rows }) => rows.map(({ key }, index) => [key, number * PAGE_SIZE + index])),
  );
  return {
    ...known,
    at: (index) => pages.get(Math.floor(index / PAGE_SIZE))?.rows[index % PAGE_SIZE],
    indexOf: (key) => places.get(key) ?? -1,
    there: [...pages.values()].toSorted((one, other) => one.number - other.number).flatMap(({ rows }) => rows),
  };
}

/** A number of rows as text: `1 row`, `1,234 rows`. */
export function rowsText(count: number): string {
  return plural(count, "{count} row", "{count} rows");
}
