/** `where`, `limit`, `offset` and `orderBy`, the arguments of every list of rows. */
import { pgSelect, TYPES, type PgSelectQueryBuilderCallback, type PgSelectStep } from "postgraphile/@dataplan/pg";
import { ConstantStep, constant, lambda, list, type FieldArgs, type Step } from "postgraphile/grafast";
import type { GraphQLFieldConfigArgumentMap } from "postgraphile/graphql";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { parseFilter } from "../server/filter/parse.ts";
import { filterToSql } from "../server/filter/toSql.ts";
import type { Shape } from "../server/filter/tree.ts";
import { accessesAlong } from "./columnPath.ts";
import { keyToSql } from "./keyText.ts";
import { checkLimit, checkOffset, limitsOf } from "./limits.ts";
import type { ReadArguments, RowsQuery } from "./fieldMetadata.ts";
import { orderedValue, parseOrderBy, type Order } from "./orderBy.ts";
import { primaryKeyOf, type AnyResource, type TableResource } from "./resources.ts";
import { shapeOf } from "./shapes.ts";
import { filters, reads } from "./relationAccess.ts";
import { sourceAt, type SourceAt } from "./versions.ts";

// PgSelectStep is generic in its resource, which is any table here.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnySelect = PgSelectStep<any>;

export interface ListArguments {
  readonly args: GraphQLFieldConfigArgumentMap;
  readonly read: ReadArguments;
  /** For a list at the root, of a table with history. */
  readonly source: SourceAt | undefined;
  /** Applies the arguments of a field to the rows that it selects. */
  apply($rows: AnySelect, fieldArgs: FieldArgs): void;
}

/** As lambda, but what is known while planning is computed then, once. */
function compute<In, Out>($input: Step<In>, callback: (input: In) => Out): Step<Out> {
  if (isAbsent($input)) return constant(callback(undefined as In));
  return lambda($input, callback, true);
}

/** Whether nothing was given, as is known while planning. */
export function isAbsent($step: Step): boolean {
  return $step instanceof ConstantStep && $step.data === undefined;
}

/** The rows of a table, or with `asOf` those that it had then. */
export function findRows(
  resource: TableResource,
  $asOf: Step | undefined,
  source: SourceAt | undefined,
  mode: "normal" | "aggregate" = "normal",
): AnySelect {
  if (!source || !$asOf || isAbsent($asOf)) return pgSelect({ resource, identifiers: [], mode }) as AnySelect;
  const toFrom = (instant: unknown): SQL => source(instant) ?? (resource.from as SQL);
  return pgSelect({
    resource,
    identifiers: [],
    mode,
    from: { callback: ($root) => $root.deferredSQL(lambda($asOf, toFrom, true)) },
  }) as AnySelect;
}

/** The argument `asOf`, for tables with history. */
export function asOfArgument(build: GraphileBuild.Build, source: SourceAt | undefined): GraphQLFieldConfigArgumentMap {
  const type = build.getInputTypeByName("DateTime");
  return source ? { asOf: { type, description: "The rows as they were at this instant." } } : {};
}

/** The argument `where` over a table. Its extensions have what it may name, so that a server can ask which relations it reads. */
export function whereArgument(build: GraphileBuild.Build, resource: TableResource): GraphQLFieldConfigArgumentMap {
  const type = build.getInputTypeByName("JSON");
  return { where: { type, description: "Which rows.", extensions: filters(shapeOf(build, resource)) } };
}

/** The extensions of an argument that is an order over `shape`. */
export function orders(shape: Shape): ReturnType<typeof reads> {
  return reads((orderBy) => parseOrderBy(orderBy, shape).flatMap(accessesAlong));
}

type Given<Value> = Value | null | undefined;

/** How the arguments of rows of `resource` are read, one by one and all together. */
export function rowArguments(build: GraphileBuild.Build, resource: TableResource) {
  const shape = shapeOf(build, resource);
  const key = primaryKeyOf(resource)?.map((column) => shape.column(column)!);
  const limits = limitsOf(build.options, resource as AnyResource);
  const source = sourceAt(build, resource);
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
    source,
    read: (({ id, where, orderBy, limit, offset, asOf }) => ({
      from: source?.(asOf),
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
        for (const order of orders) {
          const { column, relations, direction, nulls, near } = order;
          const value =
            near || relations.length > 0 || column.computed
              ? { fragment: orderedValue(order, query.alias), codec: near ? TYPES.float : TYPES.text }
              : { attribute: column.name };
          query.orderBy({ ...value, direction, ...(nulls ? { nulls } : {}) });
        }
      };
    },
  };
}

/** How many rows the arguments `where` and `asOf` of a field select. */
export function countRows(
  resource: TableResource,
  { source, toCallback }: ReturnType<typeof rowArguments>,
  fieldArgs: FieldArgs,
): Step<number> {
  const $rows = findRows(resource, source && fieldArgs.getRaw("asOf"), source, "aggregate");
  const $arguments = list([constant(null), fieldArgs.getRaw("where"), constant(null)]);
  $rows.apply(lambda($arguments as Step<readonly [null, unknown, null]>, toCallback, true));
  return $rows.singleAsRecord().select(sql`count(*)`, TYPES.bigint, true) as unknown as Step<number>;
}

/** The arguments of a list of `resource`'s rows. `withId`: also `id`, for the list at the root. */
export function listArguments(build: GraphileBuild.Build, resource: TableResource, withId = false): ListArguments {
  const { GraphQLInt, GraphQLID } = build.graphql;
  const JSONType = build.getInputTypeByName("JSON");
  const { limits, read, readLimit, source, toCallback } = rowArguments(build, resource);
  return {
    source: withId ? source : undefined,
    args: {
      ...(withId ? { id: { type: GraphQLID, description: "The key of one row." } } : {}),
      ...whereArgument(build, resource),
      limit: {
        type: GraphQLInt,
        description: `At most so many rows. Default ${limits.default}, maximum ${limits.max}.`,
      },
      offset: { type: GraphQLInt, description: "So many rows are left out first." },
      orderBy: {
        type: JSONType,
        description: 'Such as {"name": "asc"}. Default: by the key.',
        extensions: orders(shapeOf(build, resource)),
      },
      ...(withId ? asOfArgument(build, source) : {}),
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
