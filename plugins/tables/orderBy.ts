import { sql, type SQL } from "postgraphile/pg-sql2";
import { columnAt, findPath, type ColumnPath } from "./columnPath.ts";
import { ordered } from "../../server/filter/keyset.ts";
import { toSqlValue } from "../../server/filter/values.ts";
import { badInput } from "../../server/ground/errors.ts";
import { operatorIn, operatorSchema } from "../../server/filter/sqlTypes.ts";
import type { Column, Shape } from "../../server/filter/tree.ts";
import { hasParts } from "../../server/types/columnType.ts";
import { rowOf, type Compared } from "../../server/types/table.ts";

export interface Order extends ColumnPath {
  readonly direction: "ASC" | "DESC";
  readonly nulls?: "FIRST" | "LAST";
  /**
   * For a geometry column: the rows are ordered by the distance to this value of its type, not by the column's value.
   */
  readonly near?: SQL;
}

const DIRECTION = /^(asc|desc)(?:_nulls_(first|last))?$/i;
/** The deepest nesting of objects. All names but the last are names of relations. */
const MAX_NESTED = 5;
const UNORDERED: ReadonlySet<Compared> = new Set<Compared>(["operator", "same", "json", "text"]);

/**
 * Reads `{"name": "asc"}`, `{"countries": {"name": "asc"}}`, `{"geom": {"near": <GeoJSON>}}`, or a list of these. Throws
 * `BAD_USER_INPUT` with the name of the part that it cannot use.
 */
export function parseOrderBy(json: unknown, shape: Shape): Order[] {
  if (json === undefined || json === null) return [];
  const entries = Array.isArray(json) ? (json as unknown[]) : [json];
  return entries.flatMap((entry) => {
    if (typeof entry !== "object" || entry === null || Array.isArray(entry))
      return badInput('orderBy: must be an object such as {"name": "asc"}, or a list of these');
    return Object.entries(entry).flatMap(([name, value]) => toOrders(name, value, shape));
  });
}

/**
 * The orders by a column. A parent's column may be inside an object under the name of its relation, or follow that name
 * and a dot.
 */
function toOrders(name: string, value: unknown, shape: Shape): Order[] {
  const path = findPath(name, shape, [], true);
  if (path) return [toOrder(name, value, path)];
  const inner = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  if (inner.length === 0 || name.split(".").length > MAX_NESTED)
    return badInput(`orderBy: unknown column ${JSON.stringify(name)}`);
  return inner.flatMap(([column, order]) => toOrders(`${name}.${column}`, order, shape));
}

function toOrder(name: string, value: unknown, path: ColumnPath): Order {
  const { column } = path;
  if (typeof value === "object" && value !== null && "near" in value)
    return { ...path, direction: "ASC", near: nearest(column, value, `orderBy.${name}`) };
  const [, direction, nulls] = (typeof value === "string" && DIRECTION.exec(value)) || [];
  if (direction === undefined)
    return badInput(`orderBy.${name}: must be asc or desc, optionally followed by _nulls_first or _nulls_last`);
  checkOrdered(column, `orderBy.${name}`);
  return {
    ...path,
    direction: direction.toUpperCase() as "ASC" | "DESC",
    ...(nulls === undefined ? {} : { nulls: nulls.toUpperCase() as "FIRST" | "LAST" }),
  };
}

/** Throws `BAD_USER_INPUT` for a column whose values have no order. `path`: of the argument. */
export function checkOrdered({ type }: Column, path: string): void {
  if (!hasParts(type) && UNORDERED.has(rowOf(type).compared))
    badInput(`${path}: values of type ${type.name} have no order`);
}

function nearest(column: Column, { near, ...more }: { readonly near: unknown }, path: string): SQL {
  for (const name of Object.keys(more)) return badInput(`${path}: unknown member ${JSON.stringify(name)}`);
  if (column.type.kind !== "geometry") return badInput(`${path}.near: ${column.type.name} is not a geometry`);
  if (near === null || near === undefined) return badInput(`${path}.near: expected a geometry`);
  return toSqlValue(near, column.type, `${path}.near`);
}

/** The expression to order by, for a row of `alias`. A GiST index of the column finds a distance. */
export function orderedValue({ near, ...path }: Omit<Order, "direction">, alias: SQL): SQL {
  const value = columnAt(path, alias);
  return near ? sql`${value} ${operatorIn(operatorSchema(path.column.type), "<->")} ${near}` : value;
}

/** A term of `order by` over rows of `alias`. */
export function orderToSql(order: Order, alias: SQL): SQL {
  return ordered(orderedValue(order, alias), order);
}
