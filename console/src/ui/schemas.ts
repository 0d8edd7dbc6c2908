/** The exposed schemas of the signed-in database, and the one that lists are limited to. */
import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { schemas } from "../service/http/address.ts";
import { answer, rest } from "../service/http/rest.ts";
import { useAccount } from "./hooks/useAccount.ts";

const KEY = "portolan:schema";
const changed = new Set<() => void>();

/** Chooses a schema; undefined for all. The choice survives the window. */
export function chooseSchema(schema: string | undefined): void {
  if (schema === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, schema);
  for (const tell of changed) tell();
}

function onChange(tell: () => void): () => void {
  changed.add(tell);
  return () => changed.delete(tell);
}

/**
 * All schemas. The page does not name those of every database, because names may be confidential; in that case they are
 * requested.
 */
export function useAllSchemas(): readonly string[] {
  const { data: account } = useAccount();
  const named = schemas[account?.database ?? ""];
  const { data: asked } = useQuery({
    queryKey: ["schemas"],
    queryFn: ({ signal }) => answer(rest.GET("/schemas", { signal })),
    select: (all) => all.map(({ name }) => name),
    staleTime: Infinity,
    enabled: account != null && named === undefined,
  });
  return named ?? asked ?? NONE;
}

/** The chosen schema, if it still exists; otherwise all. */
export function useSchemas(): readonly string[] {
  const all = useAllSchemas();
  const chosen = useSyncExternalStore(onChange, () => localStorage.getItem(KEY));
  return chosen !== null && all.includes(chosen) ? [chosen] : all;
}

const NONE: readonly string[] = [];
