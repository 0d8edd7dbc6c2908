/** What the catalogue says of a type → the filter language's view of it, where no GraphQL schema has one. */
import { baseKind } from "./baseKind.ts";
import type { ColumnType, TypeKind } from "./tree.ts";

export interface CatalogType {
  /** Of the type at the bottom of a domain. */
  readonly schema: string;
  readonly name: string;
  /** `pg_type.typtype`: b base, c composite, e enum, p pseudo, r range, m multirange. */
  readonly kind: string;
  /** array: the name of its element's type. */
  readonly element: string | null;
  /** enum: its labels in order. */
  readonly labels: readonly string[] | null;
}

function kindOf({ schema, name, kind, element }: CatalogType): TypeKind {
  if (element !== null) return "array";
  switch (kind) {
    case "c":
      return "composite";
    case "r":
      return "range";
    case "m":
      return "multirange";
    case "b":
      if (schema === "pg_catalog") return baseKind(name) ?? "text";
      return name === "geometry" || name === "geography" ? "geometry" : "text";
    default:
      return "text";
  }
}

/** The parts of containers are not told: enough to filter in process, where they are refused. */
export function catalogType(type: CatalogType): ColumnType {
  const { schema, name, kind, element, labels } = type;
  return {
    kind: kindOf(type),
    schema,
    name,
    ...(kind === "b" && schema !== "pg_catalog" ? { operators: schema } : {}),
    ...(labels === null ? {} : { labels }),
    ...(element === null ? {} : { element: { kind: "text", schema, name: element } }),
  };
}
