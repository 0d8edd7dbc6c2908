/** The settings of an operator as one document, for keeping, comparing and applying to this database. */
import type { ConfigurationChange } from "./http/openapi.ts";
import { answer, rest } from "./http/rest.ts";

export type { ConfigurationChange };

export function readConfiguration(): Promise<object> {
  return answer(rest.GET("/configuration"));
}

/** The changes that a document would make, or with `dry: false` has made. Throws `ServiceError`. */
export function applyConfiguration(
  configuration: object,
  { prune, dry }: Readonly<Record<"prune" | "dry", boolean>>,
): Promise<readonly ConfigurationChange[]> {
  const query = { dry: `${dry}`, prune: `${prune}` } as const;
  return answer(rest.POST("/configuration", { params: { query }, body: configuration }));
}
