import type { TypeKind } from "./tree.ts";

const GEOMETRIC = ["point", "line", "lseg", "box", "path", "polygon", "circle"] as const;
const KINDS: ReadonlyMap<string, TypeKind> = new Map<string, TypeKind>([
  ["bool", "boolean"],
  ["int2", "integer"],
  ["int4", "integer"],
  ["int8", "bigint"],
  ["numeric", "bigint"],
  ["money", "bigint"],
  ["float4", "float"],
  ["float8", "float"],
  ["bytea", "bytes"],
  ["date", "datetime"],
  ["time", "datetime"],
  ["timetz", "datetime"],
  ["timestamp", "datetime"],
  ["timestamptz", "datetime"],
  ["interval", "interval"],
  ["json", "json"],
  ["jsonb", "json"],
  ...GEOMETRIC.map((name) => [name, "geometric"] as const),
]);

/** The kind of a base type of PostgreSQL's own, by its name in `pg_catalog`; undefined for what is treated as text. */
export function baseKind(name: string): TypeKind | undefined {
  return KINDS.get(name);
}
