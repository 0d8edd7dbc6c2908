/**
 * The argument `path` of json and jsonb columns: the field returns the matches of an SQL/JSON path in the value,
 * instead of the value.
 */
import { pgClassExpression, TYPES } from "postgraphile/@dataplan/pg";
import { lambda, operationPlan, type FieldArgs, type Step } from "postgraphile/grafast";
import type { GraphQLFieldConfigArgumentMap } from "postgraphile/graphql";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { pathOperand } from "../../server/filter/operators.ts";
import { JSONB } from "../../server/filter/sqlTypes.ts";
import { isAbsent } from "./listArguments.ts";
import type { AnyCodec, AnyRecord } from "../tables/resources.ts";

export function pathArguments({ graphql }: GraphileBuild.Build): GraphQLFieldConfigArgumentMap {
  return {
    path: {
      type: graphql.GraphQLString,
      description: "An SQL/JSON path: gives the list of its matches instead of the value.",
    },
  };
}

/**
 * The matches of a path, as a list, since a path can have any number of matches. The list is null only if the column
 * is. As in filters, a path that raises an error inside a value has no match. Throws `BAD_USER_INPUT` for a path with
 * characters that PostgreSQL's text cannot hold.
 */
export function foundBy(path: unknown, value: SQL): SQL {
  return sql`pg_catalog.jsonb_path_query_array(${value}::${JSONB}, ${pathOperand(path, "path")}, '{}', true)`;
}

/** Plans the value of a column, or the matches of a path in it. */
export function planPath(column: string): (($record: AnyRecord, fieldArgs: FieldArgs) => Step) & object {
  return ($record, fieldArgs) => {
    const $path = fieldArgs.getRaw("path");
    if (isAbsent($path)) return $record.get(column) as Step;
    const value = sql`${$record.getClassStep().alias}.${sql.identifier(column)}`;
    const $sql = operationPlan().withRootLayerPlan(() =>
      lambda(
        fieldArgs.getRaw("path"),
        (path): SQL => (path === undefined || path === null ? sql`${value}::${JSONB}` : foundBy(path, value)),
        true,
      ),
    );
    return pgClassExpression($record, TYPES.jsonb as AnyCodec, true)`${$record.deferredSQL($sql)}`;
  };
}
