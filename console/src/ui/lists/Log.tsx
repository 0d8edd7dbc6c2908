/** A log that is read from its end, page by page. The filters are in the address. */
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { read } from "../../service/http/rest.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { t } from "../../words/words.ts";

export interface LogProps<Entry> {
  readonly title: string;
  readonly hint: string;
  /** The path below `/api/v4`. It accepts `limit` and `before`, the number of an entry. */
  readonly path: string;
  readonly search: Readonly<Record<string, string>>;
  readonly numberOf: (entry: Entry) => number;
  readonly filters: ReactNode;
  /** The text of an empty log. */
  readonly empty: string;
  /** The label of the list. */
  readonly label: string;
  readonly children: (entries: readonly Entry[]) => ReactNode;
}

const PAGE = 100;

export function Log<Entry>({ title, hint, path, search, numberOf, filters, empty, label, children }: LogProps<Entry>) {
  const found = useInfiniteQuery({
    queryKey: [path, search],
    queryFn: ({ pageParam, signal }) => {
      const parameters = new URLSearchParams({
        ...search,
        limit: String(PAGE),
        ...(pageParam !== undefined && { before: String(pageParam) }),
      });
      return read<readonly Entry[]>(`${path}?${parameters}`, signal);
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : numberOf(page.at(-1)!)),
  });
  const all = found.data?.pages.flat() ?? [];
  return (
    <section className="relation" aria-label={title}>
      <div className="head">
        <h1>{title}</h1>
        <span className="quiet">{hint}</span>
        <span className="tools">
          <button type="button" aria-disabled={found.isFetching} onClick={() => void found.refetch()}>
            {t("Reload")}
          </button>
        </span>
      </div>
      {filters}
      <ErrorNote error={found.error} />
      {found.data && all.length === 0 && <p className="empty">{empty}</p>}
      {all.length > 0 && (
        <div className="scroll" role="region" aria-label={label} tabIndex={0}>
          {children(all)}
          {found.hasNextPage && (
            <button type="button" aria-disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              {t("Earlier")}
            </button>
          )}
        </div>
      )}
    </section>
  );
}

interface LogFiltersProps {
  /** Whether a filter is set. */
  readonly isFiltered: boolean;
  readonly onSubmit: () => void;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

export function LogFilters({ isFiltered, onSubmit, onClear, children }: LogFiltersProps) {
  return (
    <form
      className="filter"
      role="search"
      aria-label={t("Filter")}
      onSubmit={(submitted) => {
        submitted.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <button type="submit">{t("Filter")}</button>
      {isFiltered && (
        <button type="button" className="plain" onClick={onClear}>
          {t("Show all")}
        </button>
      )}
    </form>
  );
}
