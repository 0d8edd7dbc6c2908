import { useEffect, useRef, useState } from "react";
import type { Relation } from "../../service/rows/relations.ts";
import { useWritten } from "../../ui/hooks/useWritten.ts";

const FLASH_MS = 2000;

const NONE: ReadonlySet<string> = new Set();

/**
 * The keys of rows that anyone has just written. They have been read again by then. Empty where the events of the table
 * are off.
 */
export function useFlash(relation: Relation, reload: () => Promise<void>): ReadonlySet<string> {
  const [keys, setKeys] = useState(NONE);
  const written = useRef(new Set<string>());
  const again = useRef(reload);
  again.current = reload;
  const count = useWritten(relation.schema, relation.table, true, (events) => {
    for (const { row } of events) written.current.add(keyIn(row, relation));
  });

  useEffect(() => {
    if (count === 0) return;
    const now = written.current;
    written.current = new Set();
    void again.current().then(() => setKeys(now));
  }, [count]);
  useEffect(() => {
    const timer = setTimeout(() => setKeys(NONE), FLASH_MS);
    return () => clearTimeout(timer);
  }, [keys]);
  return keys;
}

/** The key of a row, in the form of GraphQL's `id`. */
function keyIn(row: Readonly<Record<string, unknown>>, { key }: Relation): string {
  const values = key.map(({ column }) => String(row[column]));
  return values.length === 1 ? values[0]! : values.map(encodeURIComponent).join(",");
}
