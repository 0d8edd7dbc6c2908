/** Saved SQL, which accounts share. */
import { queryOptions } from "@tanstack/react-query";
import type { Query } from "./http/openapi.ts";
import { read, send } from "./http/rest.ts";

export type { Query };

/** Shares with everybody. */
export const EVERYBODY = "*";

export const savedQueries = queryOptions({
  queryKey: ["queries"],
  queryFn: ({ signal }) => read<readonly Query[]>("/queries", signal),
});

export interface QueryToSave {
  readonly name: string;
  readonly title: string | null;
  readonly q: string;
  readonly shared: readonly string[];
}

/** `version`: of the query that is changed, undefined for a new one. Throws `ServiceError`, where it has been changed since too. */
export async function saveQuery({ name, ...members }: QueryToSave, version: number | undefined): Promise<void> {
  if (version === undefined) await send("POST", "/queries", { name, ...members });
  else await send("PATCH", `/queries/${name}`, { ...members, version });
}

export function removeQuery(name: string): Promise<void> {
  return send("DELETE", `/queries/${name}`);
}
