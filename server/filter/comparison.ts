/** How the values of a type are compared: by which operators, and as which type. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { JSONB, operatorSchema, TEXT, typeName, type OperatorSymbol } from "./sqlTypes.ts";
import type { Column } from "./tree.ts";
import { rowOf } from "../types/table.ts";
import { hasParts, type ColumnType, type TypeKind } from "../types/columnType.ts";

export interface Comparison {
  readonly equality: OperatorSymbol;
  readonly schema: string;
  /** The type that both sides are cast to, where their own has no equality. */
  readonly as?: SQL;
  /** Whether `<` and similar operators order the values. */
  readonly isOrdered: boolean;
}

/** The two sides of a comparison. */
export interface Operands {
  /** The column in SQL. */
  readonly target: SQL;
  readonly type: ColumnType;
  readonly value: unknown;
  /** The place of the comparison in its filter, for messages. */
  readonly path: string;
  readonly column: Omit<Column, "type">;
}

const ORDERED: ReadonlySet<TypeKind> = new Set<TypeKind>(["range", "multirange", "array"]);

/** Whether PostgreSQL finds an equality operator for the type without help, as array operators require. */
export function hasDefaultEquality(type: ColumnType): boolean {
  switch (type.kind) {
    case "range":
    case "multirange":
      return true;
    case "array":
      return type.element !== undefined && hasDefaultEquality(type.element);
    case "composite":
      return (type.attributes ?? []).every((attribute) => hasDefaultEquality(attribute.type));
    default:
      return ["ordered", "equal"].includes(rowOf(type).compared);
  }
}

/** A domain over an enum: PostgreSQL finds the operators of enums for them alone. Types that C code made have `operators`. */
function isOverEnum({ kind, base, operators }: ColumnType): boolean {
  return kind === "text" && base !== undefined && base.schema !== "pg_catalog" && operators === undefined;
}

/** json compares as jsonb; a type without equality, as text. */
export function comparisonOf(type: ColumnType): Comparison {
  const catalog = { equality: "=", schema: "pg_catalog", isOrdered: false } as const;
  const own = { ...catalog, schema: operatorSchema(type) };
  if (hasParts(type))
    return hasDefaultEquality(type) ? { ...own, isOrdered: ORDERED.has(type.kind) } : { ...catalog, as: TEXT };
  switch (rowOf(type).compared) {
    case "ordered":
      return { ...own, isOrdered: true, ...(isOverEnum(type) && { as: typeName(type) }) };
    case "equal":
    case "operator":
      return own;
    case "same":
      return { ...catalog, equality: "~=" };
    case "json":
      return { ...catalog, as: JSONB };
    case "text":
      return { ...catalog, as: TEXT };
  }
}

/** `operand` as the type that is compared. */
export function comparable(operand: SQL, { as }: Comparison): SQL {
  return as ? sql`${operand}::${as}` : operand;
}
