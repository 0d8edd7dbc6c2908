/** `where`, `limit`, `offset` and `orderBy`, the arguments of every list of rows. */
import { pgSelect, TYPES, type PgSelectQueryBuilderCallback, type PgSelectStep } from "postgraphile/@dataplan/pg";
import { ConstantStep, constant, context, lambda, object, type FieldArgs, type Step } from "postgraphile/grafast";
import type { GraphQLFieldConfigArgumentMap } from "postgraphile/graphql";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { parseFilter } from "../../server/filter/parse.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import type { Shape } from "../../server/filter/tree.ts";
import { accessesAlong } from "../tables/columnPath.ts";
import { isFirst, isNear, parseDistinctOn } from "./chosenRows.ts";
import { keyToSql } from "./keyText.ts";
import { checkLimit, checkOffset, limitsOf } from "../tables/limits.ts";
import { lastOrders, type HiddenColumns } from "../tables/hiddenColumns.ts";
import type { ReadArguments, RowsOfTable, RowsQuery } from "./fieldMetadata.ts";
import { orderedValue, parseOrderBy } from "../tables/orderBy.ts";
import { primaryKeyOf, type AnyResource, type TableResource } from "../tables/resources.ts";
import { shapeOf, shownKeyOf } from "../tables/shapes.ts";
import { filters, reads } from "../tables/relationAccess.ts";
import { sourceAt, type SourceAt } from "../tables/versions.ts";

// PgSelectStep has its resource as a type parameter; here it is any table.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnySelect = PgSelectStep<any>;

export interface ListArguments {
  readonly args: GraphQLFieldConfigArgumentMap;
  readonly read: ReadArguments;
  readonly ofTable: RowsOfTable;
  /** For a list at the root, of a table with history. */
  readonly source: SourceAt | undefined;
  /** Applies the arguments of a field to the rows that it selects. */
  apply($rows: AnySelect, fieldArgs: FieldArgs): void;
}

/** Like lambda, but computes the value while planning, and only once, if the input is known then. */
function compute<In, Out>($input: Step<In>, callback: (input: In) => Out): Step<Out> {
  if (isAbsent($input)) return constant(callback(undefined as In));
  return lambda($input, callback, true);
}

/** Whether the argument is known to be missing while planning. */
export function isAbsent($step: Step): boolean {
  return $step instanceof ConstantStep && $step.data === undefined;
}

/** The rows of a table; with `asOf`, its rows at that time. */
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

/**
 * The argument `where` over a table. Its extensions contain the names that it may use, from which a server can tell
 * which relations it reads.
 */
export function whereArgument(build: GraphileBuild.Build, resource: TableResource): GraphQLFieldConfigArgumentMap {
  const type = build.getInputTypeByName("JSON");
  return { where: { type, description: "A filter of the rows.", extensions: filters(shapeOf(build, resource)) } };
}

/** The extensions of an argument that is an order over `shape`. */
export function orders(shape: Shape): ReturnType<typeof reads> {
  return reads((orderBy) => parseOrderBy(orderBy, shape).flatMap(accessesAlong));
}

/** The argument `distinctOn`, for rows with a key, which decides which of the equal rows is the first. */
export function distinctArgument(build: GraphileBuild.Build, resource: TableResource): GraphQLFieldConfigArgumentMap {
  const { GraphQLList, GraphQLNonNull, GraphQLString } = build.graphql;
  if (!shownKeyOf(build, resource)) return {};
  const description = "Keeps only the first of the rows that have the same values in these columns.";
  return { distinctOn: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)), description } };
}

type Given<Value> = Value | null | undefined;

/**
 * False for every row, in a form that PostgreSQL does not evaluate while planning. With a plain `false` it would not
 * check the caller's rights.
 */
const NEVER = sql`pg_catalog.now() is null`;

/** The requested rows, by the names of the arguments. */
type Wanted = Readonly<Partial<Record<"id" | "where" | "orderBy" | "distinctOn" | "asOf" | "limit", unknown>>>;

/**
 * Readers for the arguments of rows of `resource`, one by one and all together. `partition`: columns in which the rows
 * of one list are equal, empty for a list of all rows; undefined where the rows may not be in the table.
 */
export function rowArguments(build: GraphileBuild.Build, resource: TableResource, partition?: readonly string[]) {
  const shape = shapeOf(build, resource);
  const key = primaryKeyOf(resource)?.map((column) => shape.column(column)!);
  const shownKey = shownKeyOf(build, resource);
  const limits = limitsOf(build.options, resource as AnyResource);
  const source = sourceAt(build, resource);
  const readCondition = ({ id, where }: Wanted): ((alias: SQL) => SQL | undefined) => {
    const filter = where === undefined || where === null ? undefined : parseFilter(where, shape);
    return (alias) => {
      const byKey = id === undefined || id === null ? undefined : keyToSql(key, String(id), alias);
      const byFilter = filter && filterToSql(filter, alias);
      return byKey && byFilter ? sql`(${byKey}) and (${byFilter})` : (byKey ?? byFilter);
    };
  };
  /** `most`: the number of rows to take of all that match, if no other argument decides which. */
  const readRows = (wanted: Wanted, most?: number): Pick<RowsQuery, "condition" | "orders"> => {
    const orders = parseOrderBy(wanted.orderBy, shape);
    const distinct = parseDistinctOn(wanted.distinctOn, orders, shape);
    const condition = readCondition(wanted);
    if (!shownKey || !partition) return { condition, orders };
    const chosen = { from: source?.(wanted.asOf) ?? (resource.from as SQL), key: shownKey };
    if (distinct)
      return {
        condition: (alias, join) =>
          isFirst(distinct, { ...chosen, partition }, (rows) => [join?.(rows), condition(rows)], alias),
        orders: distinct.orders,
      };
    const [first] = orders;
    if (!first?.near || first.relations.length > 0 || partition.length > 0 || most === undefined)
      return { condition, orders };
    return {
      condition: (alias) => isNear({ order: first, count: most }, chosen, (rows) => [condition(rows)], alias),
      orders,
    };
  };
  const readLimit = (limit: Given<number>): number => checkLimit(limit, limits);
  return {
    limits,
    readLimit,
    source,
    ofTable: {
      shape,
      key: shownKey,
      hasHistory: source !== undefined,
      readAll: (wanted) => ({ from: source?.(wanted.asOf), ...readRows(wanted) }),
    } satisfies RowsOfTable as RowsOfTable,
    read: ((given) => {
      const limit = readLimit(given["limit"] as Given<number>);
      const offset = checkOffset(given["offset"] as Given<number>);
      return { from: source?.(given["asOf"]), ...readRows(given, limit + (offset ?? 0)), limit, offset };
    }) satisfies ReadArguments as ReadArguments,
    /** A callback that applies the condition and the order to a select. */
    toCallback: (wanted: Wanted): PgSelectQueryBuilderCallback => {
      const { condition, orders } = readRows(wanted);
      return (query) => {
        const fragment = condition(query.alias);
        if (fragment) query.where(fragment);
        if (wanted.limit === 0) query.where(NEVER);
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

interface OrderEnd {
  readonly hidden: HiddenColumns | undefined;
  readonly orderBy: unknown;
}

/** Ends the order of a list with the visible columns of its key. Grafast's own order would end with the whole key. */
const orderEnd =
  (resource: TableResource, shape: Shape) =>
  ({ hidden, orderBy }: OrderEnd): PgSelectQueryBuilderCallback =>
  (query) => {
    if (!hidden) return;
    const direction = parseOrderBy(orderBy, shape)[0]?.direction ?? "ASC";
    for (const attribute of lastOrders(resource, hidden)) query.orderBy({ attribute, direction });
    query.setOrderIsUnique();
  };

/** The number of rows that the arguments `where`, `distinctOn` and `asOf` of a field select. */
export function countRows(
  resource: TableResource,
  args: GraphQLFieldConfigArgumentMap,
  { source, toCallback }: ReturnType<typeof rowArguments>,
  fieldArgs: FieldArgs,
): Step<number> {
  const $rows = findRows(resource, source && fieldArgs.getRaw("asOf"), source, "aggregate");
  const $wanted = stepsOf(["where", "distinctOn", "asOf"], args, fieldArgs);
  $rows.apply(lambda(object($wanted) as Step<Wanted>, toCallback, true));
  return $rows.singleAsRecord().select(sql`count(*)`, TYPES.bigint, true) as unknown as Step<number>;
}

/** The steps of the given arguments that a field has. */
function stepsOf(
  names: readonly (keyof Wanted)[],
  args: GraphQLFieldConfigArgumentMap,
  fieldArgs: FieldArgs,
): Record<string, Step> {
  const known = names.filter((name) => name in args);
  return Object.fromEntries(known.map((name) => [name, fieldArgs.getRaw(name)]));
}

/**
 * The arguments of a list of `resource`'s rows. `withId`: also `id` and `asOf`, for the list at the root. `partition`:
 * columns in which the rows of one list are equal; undefined where that is not known, which leaves out `distinctOn`.
 */
export function listArguments(
  build: GraphileBuild.Build,
  resource: TableResource,
  { withId = false, partition }: { readonly withId?: boolean; readonly partition?: readonly string[] } = {},
): ListArguments {
  const { GraphQLInt, GraphQLID } = build.graphql;
  const JSONType = build.getInputTypeByName("JSON");
  const { limits, ofTable, read, readLimit, source, toCallback } = rowArguments(build, resource, partition);
  const endOrder = orderEnd(resource, shapeOf(build, resource));
  const args: GraphQLFieldConfigArgumentMap = {
    ...(withId ? { id: { type: GraphQLID, description: "The key of one row." } } : {}),
    ...whereArgument(build, resource),
    limit: {
      type: GraphQLInt,
      description: `The largest number of rows. Default: ${limits.default}, maximum ${limits.max}.`,
    },
    offset: { type: GraphQLInt, description: "The number of rows to skip." },
    orderBy: {
      type: JSONType,
      description: 'Such as {"name": "asc"}. Default: by the key.',
      extensions: orders(shapeOf(build, resource)),
    },
    ...(partition ? distinctArgument(build, resource) : {}),
    ...(withId ? asOfArgument(build, source) : {}),
  };
  return {
    source: withId ? source : undefined,
    args,
    read,
    ofTable,
    apply($rows, fieldArgs) {
      const wanted = stepsOf(["id", "where", "orderBy", "distinctOn"], args, fieldArgs);
      const isPlain = Object.values(wanted).every(isAbsent);
      if (!isPlain) {
        const $wanted = object({ ...wanted, ...stepsOf(["asOf", "limit"], args, fieldArgs) });
        $rows.apply(lambda($wanted as Step<Wanted>, toCallback, true));
      }
      const $end = object({ hidden: context().get("portolanHidden"), orderBy: fieldArgs.getRaw("orderBy") });
      $rows.apply(lambda($end as Step<OrderEnd>, endOrder, true));
      // A select with limit 0 is never sent, so PostgreSQL would not check the caller's rights to the columns in the
      // arguments.
      const fewest = isPlain ? 0 : 1;
      const toFirst = (limit: Given<number>): number => Math.max(fewest, readLimit(limit));
      $rows.setFirst(compute(fieldArgs.getRaw("limit") as Step<Given<number>>, toFirst));
      const $offset = fieldArgs.getRaw("offset") as Step<Given<number>>;
      if (!isAbsent($offset)) $rows.setOffset(compute($offset, checkOffset));
    },
  };
}
