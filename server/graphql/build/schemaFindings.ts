import type { Finding } from "../../ground/finding.ts";

/** The message about schemas that cannot be built: name → reason. */
export function schemaFindings(failures: ReadonlyMap<string, string>): Finding[] {
  if (failures.size === 0) return [{ ok: true, text: "every GraphQL schema can be built", remedy: [] }];
  return [...failures].map(([schema, reason]) => ({
    ok: false,
    page: "postgraphile.md",
    text: `the GraphQL schema ${schema} cannot be built: ${reason}`,
    remedy: [
      "take the plugins out of graphile.config.ts one by one: with the right one gone, doctor says that all can be built",
    ],
  }));
}
