/** Reads the types from PostgreSQL's catalogue. */
import type { ColumnType, TypeName } from "./columnType.ts";
import { baseRow, delimiterOf } from "./table.ts";

/** A type as `portolan.type_catalogue` has it. */
export interface CatalogueType extends TypeName {
  readonly oid: number;
  /** b base, e enum, c composite, d domain, a array, r range, m multirange, p pseudo. */
  readonly kind: string;
  /** array: its elements; domain: its base; range: its bounds; multirange: its range. */
  readonly element: number | null;
  readonly labels: readonly string[] | null;
  readonly attributes: readonly { readonly name: string; readonly type: number }[] | null;
  readonly delimiter: string;
  /** domain: the type modifier of its base, if it was asked for; -1 for none. */
  readonly modifier?: number;
}

export const TEXT: ColumnType = { kind: "text", schema: "pg_catalog", name: "text" };

/** A base type. */
export function baseType({ schema, name }: TypeName): ColumnType {
  const { kind } = baseRow({ schema, name });
  const isForeign = schema !== "pg_catalog" && kind !== "geometry";
  return { kind, schema, name, ...(isForeign && { operators: schema }) };
}

/** A domain: its values look like those of its base type. */
export function domainType({ schema, name }: TypeName, inner: ColumnType): ColumnType {
  const { base = { schema: inner.schema, name: inner.name }, ...rest } = inner;
  return { ...rest, schema, name, base };
}

/** The SRID in a geometry's type modifier: bits 8 to 28, signed. 0: none. */
export function sridOf(modifier: number | null | undefined): number {
  if (modifier === null || modifier === undefined || modifier < 0) return 0;
  return ((modifier & 0x0fffff00) - (modifier & 0x10000000)) >> 8;
}

/** The scale in a numeric's type modifier: the 11 lowest bits, signed, of the modifier less 4. */
function scaleOf(modifier: number): number {
  return (((modifier - 4) & 0x7ff) ^ 0x400) - 0x400;
}

/**
 * The type with that number. If it is gone, so that `find` does not know it, it counts as text. `modifier`: the
 * column's own, -1 for none; for an array that of its elements.
 */
export function readType(oid: number, find: (oid: number) => CatalogueType | undefined, modifier = -1): ColumnType {
  const row = find(oid);
  if (!row) return TEXT;
  const { schema, name } = row;
  const part = (own: number): ColumnType => (row.element === null ? TEXT : readType(row.element, find, own));
  switch (row.kind) {
    case "d":
      return domainType(row, part(modifier < 0 ? (row.modifier ?? -1) : modifier));
    case "a":
      return { kind: "array", schema, name, element: part(modifier) };
    case "r":
      return { kind: "range", schema, name, element: part(-1) };
    case "m":
      return { kind: "multirange", schema, name, element: part(-1).element ?? TEXT };
    case "c": {
      const attributes = (row.attributes ?? []).map((each) => ({ name: each.name, type: readType(each.type, find) }));
      return { kind: "composite", schema, name, attributes };
    }
    case "b": {
      const type = baseType(row);
      return {
        ...type,
        ...(row.delimiter !== delimiterOf(type) && { delimiter: row.delimiter }),
        ...(type.kind === "geometry" && { srid: sridOf(modifier) }),
        ...(type.kind === "bigint" && name === "numeric" && modifier >= 0 && { scale: scaleOf(modifier) }),
      };
    }
    default:
      return { kind: "text", schema, name, ...(row.labels && { labels: row.labels }) };
  }
}
