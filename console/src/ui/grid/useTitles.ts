/** The names of the rows that the foreign keys of loaded rows refer to. */
import { useQueries } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { readTitles } from "../../service/rows/references.ts";
import type { Column, Relation } from "../../service/rows/relations.ts";
import type { Rows } from "../../service/rows/useRows.ts";
import { relationsOf } from "../relations.tsx";
import type { Titles } from "./GridRow.tsx";

/** The most foreign keys of a table with names. Others show their values. */
const MOST = 20;
/** The time for which a name counts as current, in ms. */
const FRESH_MS = 60_000;

export function useTitles({ columns }: Pick<Relation, "columns">, rows: Rows): Titles {
  const references = columns.filter(({ reference }) => reference).slice(0, MOST);
  const schemas = [...new Set(references.map(({ reference }) => reference!.schema))];
  const relations = useQueries({ queries: schemas.map(relationsOf) }).flatMap(({ data = [] }) => data);
  const found = useQueries({
    queries: references.map((column) => {
      const { relation, key } = endOf(column, relations);
      const values = valuesOf(column, rows);
      return {
        queryKey: ["titles", column.reference, values],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => readTitles(relation!, key!, values, signal),
        enabled: key !== undefined && values.length > 0,
        staleTime: FRESH_MS,
        retry: false,
      };
    }),
    combine: together,
  });
  return useKeptTitles(references, found);
}

function endOf({ reference }: Column, relations: readonly Relation[]) {
  const relation = relations.find(({ schema, table }) => schema === reference!.schema && table === reference!.table);
  return { relation, key: relation?.columns.find(({ column }) => column === reference!.column) };
}

function valuesOf({ name }: Column, { there }: Rows): readonly unknown[] {
  const all = there.map(({ values }) => values[name]).filter((value) => value !== null && value !== undefined);
  return [...new Set(all)].sort();
}

function together(results: readonly { readonly data: ReadonlyMap<string, string> | undefined }[]) {
  return results.map(({ data }) => data);
}

/** Keeps names that were read while those of other rows are loading. */
function useKeptTitles(
  references: readonly Column[],
  found: readonly (ReadonlyMap<string, string> | undefined)[],
): Titles {
  const kept = useRef<Titles>(new Map());
  return useMemo(() => {
    const next = references.map(
      ({ name }, index) => [name, found[index] ?? kept.current.get(name) ?? new Map<string, string>()] as const,
    );
    return (kept.current = new Map(next));
  }, [found]);
}
