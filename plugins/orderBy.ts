import { sql, type SQL } from "postgraphile/pg-sql2";
import { toSqlValue } from "../server/filter/values.ts";
import { badInput } from "../server/kernel/errors.ts";
import { operatorIn, operatorSchema } from "../server/filter/sqlTypes.ts";
import type { Column, Shape } from "../server/filter/tree.ts";
import { hasParts } from "../server/types/columnType.ts";
import { rowOf, type Compared } from "../server/types/table.ts";

export interface Order {
  readonly column: Column;
  readonly direction: "ASC" | "DESC";
  readonly nulls?: "FIRST" | "LAST";
  /** A geometry column: by the distance to this value of its type, and not by its own. */
  readonly near?: SQL;
}

const DIRECTION = /^(asc|desc)(?:_nulls_(first|last))?$/i;
const UNORDERED: ReadonlySet<Compared> = new Set<Compared>(["operator", "same", "json", "text"]);

/** Reads `{"name": "asc"}`, `{"geom": {"near": <GeoJSON>}}`, or a list of such. Throws `BAD_USER_INPUT` naming what it cannot use. */
export function parseOrderBy(json: unknown, shape: Shape): Order[] {
  if (json === undefined || json === null) return [];
  const entries = Array.isArray(json) ? (json as unknown[]) : [json];
  return entries.flatMap((entry) => {
    if (typeof entry !== "object" || entry === null || Array.isArray(entry))
      return badInput('orderBy: must be an object such as {"name": "asc"}, or a list of such');
    return Object.entries(entry).map(([name, value]) => toOrder(name, value, shape));
  });
}

function toOrder(name: string, value: unknown, shape: Shape): Order {
  const column = shape.column(name);
  if (!column) return badInput(`orderBy: unknown column ${JSON.stringify(name)}`);
  if (typeof value === "object" && value !== null && "near" in value) return nearest(column, value, `orderBy.${name}`);
  const [, direction, nulls] = (typeof value === "string" && DIRECTION.exec(value)) || [];
  if (direction === undefined)
    return badInput(`orderBy.${name}: must be asc or desc, with _nulls_first or _nulls_last if you like`);
  if (!hasParts(column.type) && UNORDERED.has(rowOf(column.type).compared))
    return badInput(`orderBy.${name}: values of type ${column.type.name} have no order`);
  return {
    column,
    direction: direction.toUpperCase() as "ASC" | "DESC",
    ...(nulls === undefined ? {} : { nulls: nulls.toUpperCase() as "FIRST" | "LAST" }),
  };
}

function nearest(column: Column, { near, ...more }: { readonly near: unknown }, path: string): Order {
  for (const name of Object.keys(more)) return badInput(`${path}: unknown member ${JSON.stringify(name)}`);
  if (column.type.kind !== "geometry") return badInput(`${path}.near: ${column.type.name} is no geometry`);
  if (near === null || near === undefined) return badInput(`${path}.near: expected a geometry`);
  return { column, direction: "ASC", near: toSqlValue(near, column.type, `${path}.near`) };
}

/** What is ordered by, of a row of `alias`. A distance is found by a GiST index of the column. */
export function orderedValue({ column, near }: Pick<Order, "near"> & { column: { name: string } }, alias: SQL): SQL {
  const value = sql`${alias}.${sql.identifier(column.name)}`;
  const { type } = column as Column;
  return near ? sql`${value} ${operatorIn(operatorSchema(type), "<->")} ${near}` : value;
}

/** A term of `order by` over rows of `alias`. */
export function orderToSql(
  order: Omit<Order, "column"> & { readonly column: { readonly name: string } },
  alias: SQL,
): SQL {
  const { direction, nulls } = order;
  const last = nulls === "FIRST" ? sql` nulls first` : nulls === "LAST" ? sql` nulls last` : sql.blank;
  return sql`${orderedValue(order, alias)}${direction === "ASC" ? sql` asc` : sql` desc`}${last}`;
}
