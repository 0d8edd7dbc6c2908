import { sql, type SQL } from "postgraphile/pg-sql2";
import { badInput } from "../server/kernel/errors.ts";
import type { Column, Shape } from "../server/filter/tree.ts";
import { hasParts } from "../server/types/columnType.ts";
import { rowOf, type Compared } from "../server/types/table.ts";

export interface Order {
  readonly column: Column;
  readonly direction: "ASC" | "DESC";
  readonly nulls?: "FIRST" | "LAST";
}

const DIRECTION = /^(asc|desc)(?:_nulls_(first|last))?$/i;
const UNORDERED: ReadonlySet<Compared> = new Set<Compared>(["operator", "same", "json", "text"]);

/** Reads `{"name": "asc"}` or a list of such. Throws `BAD_USER_INPUT` naming what it cannot use. */
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

/** A term of `order by` over rows of `alias`. */
export function orderToSql(
  { column, direction, nulls }: Omit<Order, "column"> & { readonly column: { readonly name: string } },
  alias: SQL,
): SQL {
  const last = nulls === "FIRST" ? sql` nulls first` : nulls === "LAST" ? sql` nulls last` : sql.blank;
  return sql`${alias}.${sql.identifier(column.name)}${direction === "ASC" ? sql` asc` : sql` desc`}${last}`;
}
