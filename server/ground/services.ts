/**
 * The interfaces through which requests come, as rules and policies name them: the one list. Doors say theirs where they ask
 * the database. It stands beneath them, since the kernel's type has it; `sql/access/rule_record.sql` has the same names.
 */
export const SERVICES = ["graphql", "rpc", "sql", "events", "ogc"] as const;

export type Service = (typeof SERVICES)[number];
