/**
 * The interfaces through which requests come, as rules and policies name them: the one list. Doors say theirs where they ask
 * the database. `ows` (pictures) and `wfst` (features) are the two parts of `ogc`; a description of both is `ogc` alone. It stands beneath them, since the kernel's type has it; `sql/access/rule_record.sql` has the same names.
 */
export const SERVICES = ["graphql", "rpc", "sql", "events", "ogc", "ows", "wfst", "mcp"] as const;

export type Service = (typeof SERVICES)[number];

/** An agent's SQL comes through two interfaces at once. The rules of both apply. */
export const AGENTS_SQL = "mcp sql";

/** The interface of a caller's own SQL, by the interface that it came through. */
export function serviceOfOwnSql(service: Service): string {
  return service === "mcp" ? AGENTS_SQL : "sql";
}
