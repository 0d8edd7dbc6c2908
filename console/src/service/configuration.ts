/** The settings of an operator as one document: to keep, to compare, and to apply to this database. */
import type { ConfigurationChange } from "./http/openapi.ts";
import { read, send } from "./http/rest.ts";

export type { ConfigurationChange };

export function readConfiguration(): Promise<object> {
  return read("/configuration");
}

/** What would be changed, or with `dry: false` what was. Throws `ServiceError`. */
export function applyConfiguration(
  configuration: object,
  { prune, dry }: Readonly<Record<"prune" | "dry", boolean>>,
): Promise<readonly ConfigurationChange[]> {
  return send("POST", `/configuration?dry=${dry}&prune=${prune}`, configuration);
}
