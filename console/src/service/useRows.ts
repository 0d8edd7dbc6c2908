import { useQueries, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useCallback, useLayoutEffect, useMemo, useState } from "react";
import type { Relation } from "./relations.ts";
import { countRows, PAGE_SIZE, readPage, type Choice, type Row, type RowPage } from "./rows.ts";

/** So many rows before and after those in sight are read too. */
const AHEAD = 100;
/** For how long a page out of sight is kept: the memory of a page that is scrolled for hours stays flat. */
const KEPT_MS = 5000;

/** The rows of a relation: those near the ones in sight are there, others are read again when they come into sight. */
export interface Rows {
  /** So many are known of; scrolling to their end finds more. */
  readonly length: number;
  /** Undefined where it is not there at the moment. */
  at(index: number): Row | undefined;
  /** The place of a row that is there; -1 of another one. */
  indexOf(key: string): number;
  /** Those that are there, in their order. */
  readonly there: readonly Row[];
}

interface Page extends RowPage {
  readonly number: number;
}

/** What is known of all pages, of which few are there. */
interface Known {
  /** Of which choice, as JSON. */
  readonly of: string;
  /** Where each page begins. */
  readonly starts: readonly RowPage["next"][];
  readonly length: number;
  /** The numbers of the first and last page that are wanted. */
  readonly wanted: readonly [first: number, last: number];
}

/** The rows of a relation that are chosen, by pages, and how many there are in all. */
export function useRows(schema: string, relation: Relation, choice: Choice) {
  const client = useQueryClient();
  const of = JSON.stringify(choice);
  const beginning: Known = { of, starts: [undefined], length: 0, wanted: [0, 0] };
  const [before, setKnown] = useState(beginning);
  const known = before.of === of ? before : beginning;
  const queryKey = ["rows", schema, relation.type, choice] as const;
  const [first, last] = known.wanted;
  const { pages, error, isPending } = useQueries({
    queries: known.starts.slice(first, last + 1).map((start, index) => ({
      queryKey: [...queryKey, first + index, start ?? null],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Page> => ({
        ...(await readPage(schema, relation, choice, start, signal)),
        number: first + index,
      }),
      gcTime: KEPT_MS,
    })),
    combine: together,
  });
  useLayoutEffect(
    () =>
      setKnown((now) => [...pages.values()].reduce(withPage, now.of === of ? now : { ...beginning, wanted: [0, 0] })),
    [pages, of],
  );
  const { where, at } = choice;
  const count = useQuery({
    queryKey: ["count", schema, relation.type, where, at],
    queryFn: ({ signal }) => countRows(schema, relation, { where, at }, signal),
  });
  return {
    rows: useMemo(() => toRows(pages, known.length), [pages, known.length]),
    count: count.data,
    error,
    /** Also for the moment between the answer and what is made of it. */
    isPending: isPending || (known.length === 0 && [...pages.values()].some(({ rows }) => rows.length > 0)),
    /** Says which rows are in sight, by their places. */
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
    /** Reads what is in sight again, whatever was chosen. */
    async reload(): Promise<void> {
      await Promise.all(
        ["rows", "count"].map((what) => client.invalidateQueries({ queryKey: [what, schema, relation.type] })),
      );
    },
  };
}

/** A map, which the library passes on as it is. */
function together(results: readonly UseQueryResult<Page>[]) {
  return {
    pages: new Map(results.flatMap(({ data }) => (data ? [[data.number, data] as const] : []))),
    error: results.find(({ error }) => error)?.error ?? null,
    isPending: results.some(({ isPending }) => isPending),
  };
}

/** A page that was read tells where the next one begins, which rows that came or went have moved perhaps. */
function withPage(known: Known, { number, rows, next }: Page): Known {
  const end = number * PAGE_SIZE + rows.length;
  if (next === undefined) {
    const isLast = known.starts.length === number + 1 && known.length === end;
    return isLast ? known : { ...known, starts: known.starts.slice(0, number + 1), length: end };
  }
  const length = Math.max(known.length, end);
  if (known.starts[number + 1] === next && known.length === length) return known;
  return { ...known, starts: [...known.starts.slice(0, number + 1), next, ...known.starts.slice(number + 2)], length };
}

function withSight(known: Known, from: number, to: number): Known {
  const last = Math.min(known.starts.length - 1, Math.floor((to + AHEAD) / PAGE_SIZE));
  const first = Math.min(last, Math.max(0, Math.floor((from - AHEAD) / PAGE_SIZE)));
  return first === known.wanted[0] && last === known.wanted[1] ? known : { ...known, wanted: [first, last] };
}

function toRows(pages: ReadonlyMap<number, Page>, length: number): Rows {
  const places = new Map(
    [...pages.values()].flatMap(({ number, rows }) => rows.map(({ key }, index) => [key, number * PAGE_SIZE + index])),
  );
  return {
    length,
    at: (index) => pages.get(Math.floor(index / PAGE_SIZE))?.rows[index % PAGE_SIZE],
    indexOf: (key) => places.get(key) ?? -1,
    there: [...pages.values()].toSorted((one, other) => one.number - other.number).flatMap(({ rows }) => rows),
  };
}

/** How many, in words: `1 row`, `1,234 rows`. */
export function rowsText(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? "row" : "rows"}`;
}
