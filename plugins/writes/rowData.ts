/** Rows of data as callers write them: an object of column (or field) name → value. */
import { badInput } from "../../server/ground/errors.ts";
import type { Column } from "../../server/filter/tree.ts";
import { convertValue, type Converted } from "../../server/filter/values.ts";
import { columnBehaves } from "../tables/behaviors.ts";
import type { TableResource } from "../tables/resources.ts";
import { shapeOf } from "../tables/shapes.ts";

export type Row = ReadonlyMap<Column, Converted>;

/** The columns of a table that smart comments allow to be written. */
export function writableColumns(
  build: GraphileBuild.Build,
  resource: TableResource,
  operation: "insert" | "update",
): Column[] {
  return shapeOf(build, resource).columns.filter((column) =>
    columnBehaves(build, resource.codec, column.name, `attribute:${operation}`),
  );
}

/**
 * Reads one row. `path` names it in messages. `takeOther`: receives each member that is not a column, and returns
 * whether it accepts it. Throws `BAD_USER_INPUT` with the name of the member for an unknown column, one that may not be
 * written, and a value of the wrong type.
 */
export function makeRowReader(build: GraphileBuild.Build, resource: TableResource, operation: "insert" | "update") {
  const shape = shapeOf(build, resource);
  const writable = new Set(writableColumns(build, resource, operation));
  return (
    json: unknown,
    path: string,
    takeOther?: (name: string, value: unknown) => boolean,
  ): Map<Column, Converted> => {
    if (typeof json !== "object" || json === null || Array.isArray(json))
      return badInput(`${path}: must be an object of column names and values`);
    const row = new Map<Column, Converted>();
    for (const [name, value] of Object.entries(json)) {
      const column = shape.column(name);
      if (!column && takeOther?.(name, value)) continue;
      if (!column) return badInput(`${path}: unknown column ${JSON.stringify(name)}`);
      if (!writable.has(column)) return badInput(`${path}.${name}: the column cannot be written`);
      if (row.has(column)) return badInput(`${path}.${name}: the column is given twice`);
      if (value !== undefined) row.set(column, convertValue(value, column.type, `${path}.${name}`));
    }
    return row;
  };
}
