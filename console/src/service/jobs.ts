/** Jobs: who started each, its progress, and stopping it. */
import { queryOptions } from "@tanstack/react-query";
import type { Job } from "./http/openapi.ts";
import { answer, rest } from "./http/rest.ts";

export type { Job };

/** The interval for the progress of a running job, in ms; no event reports it. */
const LOOK_MS = 1000;

export const isGoing = ({ state }: Job): boolean => state === "queued" || state === "running";

/** The jobs, latest first. Super users see all, others those that they have started. */
export const jobs = queryOptions({
  queryKey: ["jobs"],
  queryFn: ({ signal }) => answer(rest.GET("/jobs", { signal })),
  refetchInterval: ({ state }) => (state.data?.some(isGoing) ? LOOK_MS : false),
});

export function isOf({ relation }: Job, table: { readonly schema: string; readonly name: string }): boolean {
  const plain = (text: string): string => text.replaceAll('"', "");
  return plain(relation) === plain(`${table.schema}.${table.name}`);
}

export async function stopJob({ id }: Job): Promise<void> {
  await rest.DELETE("/jobs/{id}", { params: { path: { id: String(id) } } });
}

export async function continueJob({ id }: Job): Promise<void> {
  await rest.PATCH("/jobs/{id}", { params: { path: { id: String(id) } }, body: { state: "queued" } });
}
