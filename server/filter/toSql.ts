/** The syntax tree of a filter → SQL. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { callToSql, type FilterSqlOptions } from "./cql2/calls.ts";
import { compareToSql } from "./operators.ts";
import { operatorIn, operatorSchema } from "./sqlTypes.ts";
import type { Filter, Relation } from "./tree.ts";

/** The condition that a row of `there` is related to one of `here`. */
export function joinOfRelation({ target, on }: Relation, here: SQL, there: SQL): SQL {
  const pairs = on.map(([hereName, thereName]) => {
    const type = target.column(thereName)?.type;
    const operator = operatorIn(type ? operatorSchema(type) : "pg_catalog", "=");
    return sql`${there}.${sql.identifier(thereName)} ${operator} ${here}.${sql.identifier(hereName)}`;
  });
  return sql.join(pairs, " and ");
}

function related(relation: Relation, filter: Filter, alias: SQL, options: FilterSqlOptions): SQL {
  const { target } = relation;
  const there = sql.identifier(Symbol(target.relation));
  const from = sql.identifier(target.schema, target.relation);
  return sql`(exists (select 1 from ${from} as ${there} where ${joinOfRelation(relation, alias, there)} and ${filterToSql(filter, there, options)}))`;
}

/**
 * The filter as one boolean SQL expression, in parentheses. `alias`: the name of the filtered rows in the statement. Every
 * value of the caller is a parameter, every name comes from the catalogue.
 */
export function filterToSql(filter: Filter, alias: SQL, options: FilterSqlOptions = {}): SQL {
  switch (filter.kind) {
    case "and":
    case "or": {
      if (filter.filters.length === 0) return filter.kind === "and" ? sql.true : sql.false;
      const parts = filter.filters.map((part) => filterToSql(part, alias, options));
      return sql`(${sql.join(parts, filter.kind === "and" ? " and " : " or ")})`;
    }
    case "not":
      return sql`(not ${filterToSql(filter.filter, alias, options)})`;
    case "related":
      return related(filter.relation, filter.filter, alias, options);
    case "call":
      return sql`(${callToSql(filter, alias, options)})`;
    case "compare": {
      const { column } = filter;
      const target = column.computed?.(alias) ?? sql`${alias}.${sql.identifier(column.name)}`;
      return sql`(${compareToSql(filter, target, `where.${column.name}`)})`;
    }
  }
}
