/** Long work: who began it, how far it is, and stopping it. */
import { queryOptions } from "@tanstack/react-query";
import type { Job } from "./http/openapi.ts";
import { read, send } from "./http/rest.ts";

export type { Job };

/** The interval for the progress of a running job, which no event reports. */
const LOOK_MS = 1000;

export const isGoing = ({ state }: Job): boolean => state === "queued" || state === "running";

/** Latest first: all for super users, for others those that they have begun. */
export const jobs = queryOptions({
  queryKey: ["jobs"],
  queryFn: ({ signal }) => read<readonly Job[]>("/jobs", signal),
  refetchInterval: ({ state }) => (state.data?.some(isGoing) ? LOOK_MS : false),
});

export function isOf({ relation }: Job, table: { readonly schema: string; readonly name: string }): boolean {
  const plain = (text: string): string => text.replaceAll('"', "");
  return plain(relation) === plain(`${table.schema}.${table.name}`);
}

export async function stopJob({ id }: Job): Promise<void> {
  await send("DELETE", `/jobs/${id}`);
}

export async function continueJob({ id }: Job): Promise<void> {
  await send("PATCH", `/jobs/${id}`, { state: "queued" });
}
