/** Agents that ask through the agents' interface: one's own, and all for super users. */
import { queryOptions } from "@tanstack/react-query";
import type { Agent } from "./http/openapi.ts";
import { answer, rest } from "./http/rest.ts";
import { t } from "../words/words.ts";

export type { Agent };

export const agents = queryOptions({
  queryKey: ["agents"],
  queryFn: ({ signal }) => answer(rest.GET("/agents", { signal })),
});

export const agentsOf = (account: string) =>
  queryOptions({
    queryKey: ["agents", "of", account],
    queryFn: ({ signal }) => answer(rest.GET("/agents", { params: { query: { account } }, signal })),
    enabled: account !== "",
  });

/** The path below `/api/v4`. */
export function requestsPath(id: string): string {
  return `/agents/${encodeURIComponent(id)}/requests`;
}

export async function endAgent({ id }: Agent): Promise<void> {
  await rest.DELETE("/agents/{id}", { params: { path: { id } } });
}

/** The name of the client. */
export function nameOf({ client, software, client_id: id }: Agent): string {
  return client ?? software ?? id ?? t("Without a token");
}

export function mayWrite({ scope }: Agent): boolean {
  return scope?.split(" ").includes("mcp:write") ?? false;
}
