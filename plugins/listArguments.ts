/** `where`, `limit`, `offset` and `orderBy`, the arguments of every list of rows. */
import type { PgSelectQueryBuilderCallback, PgSelectStep } from "postgraphile/@dataplan/pg";
import { ConstantStep, constant, lambda, list, type FieldArgs, type Step } from "postgraphile/grafast";
import type { GraphQLFieldConfigArgumentMap } from "postgraphile/graphql";
import { sql } from "postgraphile/pg-sql2";
import { parseFilter } from "../server/filter/parse.ts";
import { filterToSql } from "../server/filter/toSql.ts";
import { keyToSql } from "./keyText.ts";
import { checkLimit, checkOffset, limitsOf } from "./limits.ts";
import type { ReadArguments, RowsQuery } from "./meaning.ts";
import { parseOrderBy, type Order } from "./orderBy.ts";
import { primaryKeyOf, type AnyResource, type TableResource } from "./resources.ts";
import { shapeOf } from "./shapes.ts";

// PgSelectStep is generic in its resource, which is any table here.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnySelect = PgSelectStep<any>;

export interface ListArguments {
  readonly args: GraphQLFieldConfigArgumentMap;
  readonly read: ReadArguments;
  /** Applies the arguments of a field to the rows that it selects. */
  apply($rows: AnySelect, fieldArgs: FieldArgs): void;
}

/** As lambda, but what is known while planning is computed then, once. */
function compute<In, Out>($input: Step<In>, callback: (input: In) => Out): Step<Out> {
  if (isAbsent($input)) return constant(callback(undefined as In));
  return lambda($input, callback, true);
}

function isAbsent($step: Step): boolean {
  return $step instanceof ConstantStep && $step.data === undefined;
}

type Given<Value> = Value | null | undefined;

/** How the arguments of rows of `resource` are read, one by one and all together. */
export function rowArguments(build: GraphileBuild.Build, resource: TableResource) {
  const shape = shapeOf(build, resource);
  const key = primaryKeyOf(resource)?.map((column) => shape.column(column)!);
  const limits = limitsOf(build.options, resource as AnyResource);
  const readCondition = (id: unknown, where: unknown): RowsQuery["condition"] => {
    const filter = where === undefined || where === null ? undefined : parseFilter(where, shape);
    return (alias) => {
      const byKey = id === undefined || id === null ? undefined : keyToSql(key, String(id), alias);
      const byFilter = filter && filterToSql(filter, alias);
      return byKey && byFilter ? sql`(${byKey}) and (${byFilter})` : (byKey ?? byFilter);
    };
  };
  const readOrders = (orderBy: unknown): Order[] => parseOrderBy(orderBy, shape);
  const readLimit = (limit: Given<number>): number => checkLimit(limit, limits);
  return {
    limits,
    readLimit,
    read: (({ id, where, orderBy, limit, offset }) => ({
      condition: readCondition(id, where),
      orders: readOrders(orderBy),
      limit: readLimit(limit as Given<number>),
      offset: checkOffset(offset as Given<number>),
    })) satisfies ReadArguments as ReadArguments,
    /** The condition and the order, to be applied to a select. */
    toCallback: ([id, where, orderBy]: readonly [unknown, unknown, unknown]): PgSelectQueryBuilderCallback => {
      const condition = readCondition(id, where);
      const orders = readOrders(orderBy);
      return (query) => {
        const fragment = condition(query.alias);
        if (fragment) query.where(fragment);
        for (const { column, direction, nulls } of orders)
          query.orderBy({ attribute: column.name, direction, ...(nulls ? { nulls } : {}) });
      };
    },
  };
}

/** The arguments of a list of `resource`'s rows. `withId`: also `id`, for the list at the root. */
export function listArguments(build: GraphileBuild.Build, resource: TableResource, withId = false): ListArguments {
  const { GraphQLInt, GraphQLID } = build.graphql;
  const JSONType = build.getInputTypeByName("JSON");
  const { limits, read, readLimit, toCallback } = rowArguments(build, resource);
  return {
    args: {
      ...(withId ? { id: { type: GraphQLID, description: "The key of one row." } } : {}),
      where: { type: JSONType, description: "Which rows." },
      limit: {
        type: GraphQLInt,
        description: `At most so many rows. Default ${limits.default}, maximum ${limits.max}.`,
      },
      offset: { type: GraphQLInt, description: "So many rows are left out first." },
      orderBy: { type: JSONType, description: 'Such as {"name": "asc"}. Default: by the key.' },
    },
    read,
    apply($rows, fieldArgs) {
      const $id = withId ? fieldArgs.getRaw("id") : constant(undefined);
      const $where = fieldArgs.getRaw("where");
      const $orderBy = fieldArgs.getRaw("orderBy");
      if (![$id, $where, $orderBy].every(isAbsent))
        $rows.apply(
          lambda(list([$id, $where, $orderBy]) as Step<readonly [unknown, unknown, unknown]>, toCallback, true),
        );
      $rows.setFirst(compute(fieldArgs.getRaw("limit") as Step<Given<number>>, readLimit));
      const $offset = fieldArgs.getRaw("offset") as Step<Given<number>>;
      if (!isAbsent($offset)) $rows.setOffset(compute($offset, checkOffset));
    },
  };
}
