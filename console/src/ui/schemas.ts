/** The exposed schemas of the database that one is signed in to, and the one that lists show alone. */
import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { schemas } from "../service/address.ts";
import type { Schema } from "../service/openapi.ts";
import { read } from "../service/rest.ts";
import { useAccount } from "./useAccount.ts";

const KEY = "portolan:schema";
const changed = new Set<() => void>();

/** Undefined: all of them. It outlives the window. */
export function chooseSchema(schema: string | undefined): void {
  if (schema === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, schema);
  for (const tell of changed) tell();
}

function onChange(tell: () => void): () => void {
  changed.add(tell);
  return () => changed.delete(tell);
}

/** All of them. Those of a database that the page does not name, since it is nobody else's business, are asked for. */
export function useAllSchemas(): readonly string[] {
  const { data: account } = useAccount();
  const named = schemas[account?.database ?? ""];
  const { data: asked } = useQuery({
    queryKey: ["schemas"],
    queryFn: ({ signal }) => read<readonly Schema[]>("/schemas", signal),
    select: (all) => all.map(({ name }) => name),
    staleTime: Infinity,
    enabled: account != null && named === undefined,
  });
  return named ?? asked ?? NONE;
}

/** The one that was chosen, if there still is one; else all. */
export function useSchemas(): readonly string[] {
  const all = useAllSchemas();
  const chosen = useSyncExternalStore(onChange, () => localStorage.getItem(KEY));
  return chosen !== null && all.includes(chosen) ? [chosen] : all;
}

const NONE: readonly string[] = [];
