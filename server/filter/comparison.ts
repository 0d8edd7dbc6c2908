/** How the values of a type are compared: by which operators, and as which type. */
import { sql, type SQL } from "pg-sql2";
import { baseOf, isBuiltIn, JSONB, operatorSchema, TEXT, type OperatorSymbol } from "./sqlTypes.ts";
import type { ColumnType, TypeKind } from "./tree.ts";

export interface Comparison {
  readonly equality: OperatorSymbol;
  readonly schema: string;
  /** The type that both sides are cast to, where their own has no equality. */
  readonly as?: SQL;
  /** Whether `<` and the like put the values in order. */
  readonly isOrdered: boolean;
}

/** Types of `pg_catalog` without an operator `=`. */
const WITHOUT_EQUALITY = ["xml", "jsonpath", "refcursor", "pg_snapshot", "txid_snapshot", "pg_node_tree"];
/** Equality, but no order: of kind text. */
const WITHOUT_ORDER = ["xid", "cid", "aclitem"];
/** Their `=` compares areas, or is missing; `~=` says whether they are the same. */
const SAME = ["point", "box", "polygon", "circle"];
const ORDERED: ReadonlySet<TypeKind> = new Set<TypeKind>([
  "boolean",
  "integer",
  "bigint",
  "float",
  "text",
  "bytes",
  "datetime",
  "interval",
  "range",
  "multirange",
  "array",
]);

/** Whether PostgreSQL finds an equality for the type by itself, as it must for the elements of an array. */
export function hasDefaultEquality(type: ColumnType): boolean {
  switch (type.kind) {
    case "json":
      return !isBuiltIn(type, "json");
    case "geometric":
      return false;
    case "array":
      return type.element !== undefined && hasDefaultEquality(type.element);
    case "composite":
      return (type.attributes ?? []).every((attribute) => hasDefaultEquality(attribute.type));
    default:
      return !WITHOUT_EQUALITY.some((name) => isBuiltIn(type, name));
  }
}

/** json compares as jsonb; what has no equality, as text. */
export function comparisonOf(type: ColumnType): Comparison {
  const catalog = { equality: "=", schema: "pg_catalog", isOrdered: false } as const;
  if (type.kind === "json") return isBuiltIn(type, "json") ? { ...catalog, as: JSONB } : catalog;
  if (type.kind === "geometric" && SAME.includes(baseOf(type).name)) return { ...catalog, equality: "~=" };
  // line and lseg: `=` is exact.
  if (type.kind === "geometric" && !isBuiltIn(type, "path")) return catalog;
  if (!hasDefaultEquality(type)) return { ...catalog, as: TEXT };
  const isOrdered = ORDERED.has(type.kind) && !WITHOUT_ORDER.some((name) => isBuiltIn(type, name));
  return { equality: "=", schema: operatorSchema(type), isOrdered };
}

/** `operand` as the type that is compared. */
export function comparable(operand: SQL, { as }: Comparison): SQL {
  return as ? sql`${operand}::${as}` : operand;
}
