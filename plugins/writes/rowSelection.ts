import { sql, type SQL } from "postgraphile/pg-sql2";
import { badInput } from "../../server/ground/errors.ts";
import { parseFilter } from "../../server/filter/parse.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import type { Filter } from "../../server/filter/tree.ts";
import { keyToSql } from "../rows/keyText.ts";
import { primaryKeyOf, type TableResource } from "../tables/resources.ts";
import { shapeOf } from "../tables/shapes.ts";

/** Whether the filter has no condition, such as `{and: []}`. */
function isEmpty(filter: Filter): boolean {
  return filter.kind === "and" && filter.filters.every(isEmpty);
}

/**
 * The condition on rows of `alias` that `id` and `where` make. If both are given, both must hold. Throws
 * `BAD_USER_INPUT` if neither has a condition, so that a forgotten argument never changes a whole table.
 */
export function makeRowSelection(build: GraphileBuild.Build, resource: TableResource, alias: SQL) {
  const shape = shapeOf(build, resource);
  const key = primaryKeyOf(resource)?.map((column) => shape.column(column)!);
  return (id: unknown, where: unknown): SQL => {
    const filter = where === undefined || where === null ? undefined : parseFilter(where, shape);
    const conditions: SQL[] = [];
    if (id !== undefined && id !== null) conditions.push(keyToSql(key, String(id), alias));
    if (filter && !isEmpty(filter)) conditions.push(filterToSql(filter, alias));
    if (conditions.length === 0) return badInput("give id, or where with at least one condition");
    return sql.join(
      conditions.map((condition) => sql`(${condition})`),
      " and ",
    );
  };
}
