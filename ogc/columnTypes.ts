/** PostgreSQL's types, as the catalogue has them → as the filter language sees them. */
import { baseKind } from "../server/filter/baseKind.ts";
import type { ColumnType } from "../server/filter/tree.ts";

/** A row of pg_type, with what it is made of. */
export interface CatalogueType {
  readonly schema: string;
  readonly name: string;
  /** `typtype`: b base, d domain, e enum, c composite, r range, m multirange. */
  readonly class: string;
  /** domain: the type modifier of its base. */
  readonly modifier: number;
  readonly base: number | null;
  /** array: its element; range, multirange: the bound. */
  readonly element: number | null;
  readonly attributes: readonly { readonly name: string; readonly type: number }[] | null;
}

/** The SRID in a geometry column's type modifier: bits 8 to 28, signed. */
function sridOf(modifier: number): number {
  return modifier < 0 ? 0 : ((modifier & 0x0fffff00) - (modifier & 0x10000000)) >> 8;
}

/** The scale in the type modifier of a numeric: the 11 lowest bits, signed, of what is 4 less. */
function scaleOf(modifier: number): number {
  return (((modifier - 4) & 0x7ff) ^ 0x400) - 0x400;
}

/** `modifier`: the column's own, -1 for none; that of an array is its elements'. */
export function columnType(oid: number, modifier: number, types: Readonly<Record<string, CatalogueType>>): ColumnType {
  const type = types[oid];
  if (!type) throw new Error(`the catalogue has no type ${oid}`);
  const { schema, name } = type;
  const inner = (id: number): ColumnType => columnType(id, -1, types);
  const element = type.element === null ? undefined : columnType(type.element, modifier, types);
  switch (type.class) {
    case "d": {
      if (type.base === null) break;
      const base = columnType(type.base, modifier < 0 ? type.modifier : modifier, types);
      return { ...base, schema, name, base: base.base ?? { schema: base.schema, name: base.name } };
    }
    case "r":
      return { kind: "range", schema, name, ...(element && { element }) };
    case "m":
      return { kind: "multirange", schema, name, ...(element && { element }) };
    case "c":
      return {
        kind: "composite",
        schema,
        name,
        attributes: (type.attributes ?? []).map((attribute) => ({ name: attribute.name, type: inner(attribute.type) })),
      };
    case "e":
      return { kind: "text", schema, name };
  }
  if (element) return { kind: "array", schema, name, element };
  if (schema === "pg_catalog" && name === "numeric" && modifier >= 0)
    return { kind: "bigint", schema, name, scale: scaleOf(modifier) };
  if (schema === "pg_catalog") return { kind: baseKind(name) ?? "text", schema, name };
  // PostGIS may be in any schema
  if (name === "geometry" || name === "geography") return { kind: "geometry", schema, name, srid: sridOf(modifier) };
  return { kind: "text", schema, name, operators: schema };
}
