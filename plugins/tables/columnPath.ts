/** Columns of a row and of its parents. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { joinOfRelation } from "../../server/filter/toSql.ts";
import type { Column, Relation, Shape } from "../../server/filter/tree.ts";
import type { RelationAccess } from "./relationAccess.ts";

/** The longest chain of foreign keys in a path. */
const MAX_STEPS = 4;

/** A column of the table, or one that foreign keys to single rows lead to. */
export interface ColumnPath {
  readonly relations: readonly Relation[];
  readonly column: Column;
}

/**
 * The column that `name` means: one of the table, or one after the names of relations to parents and dots. Column names
 * may contain dots, so the longest name of the table itself takes precedence. `withComputed`: the name may be that of a
 * function of the row.
 */
export function findPath(
  name: string,
  shape: Shape,
  relations: readonly Relation[] = [],
  withComputed = false,
): ColumnPath | undefined {
  const column = shape.column(name) ?? (withComputed ? shape.computed?.(name) : undefined);
  if (column) return { relations, column };
  if (relations.length >= MAX_STEPS) return undefined;
  for (let dot = name.indexOf("."); dot > 0; dot = name.indexOf(".", dot + 1)) {
    const relation = shape.related(name.slice(0, dot));
    if (relation?.toOne) return findPath(name.slice(dot + 1), relation.target, [...relations, relation], withComputed);
  }
  return undefined;
}

/** The relations that a path reads, besides the table itself. */
export function accessesAlong({ relations }: Pick<ColumnPath, "relations">): RelationAccess[] {
  return relations.map(({ target }) => ({ schema: target.schema, name: target.relation, request: "select" }));
}

/** The value at the end of a path from a row of `alias`; null where the caller may not see a row on the path. */
export function columnAt({ relations: [relation, ...relations], column }: ColumnPath, alias: SQL): SQL {
  if (!relation) return column.computed?.(alias) ?? sql`${alias}.${sql.identifier(column.name)}`;
  const { schema, relation: name } = relation.target;
  const there = sql.identifier(Symbol(name));
  return sql`(select ${columnAt({ relations, column }, there)} from ${sql.identifier(schema, name)} as ${there} where ${joinOfRelation(relation, alias, there)} limit 1)`;
}
