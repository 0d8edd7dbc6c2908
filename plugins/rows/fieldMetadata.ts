/**
 * Metadata of Portolan's fields, for a server that answers plain reads without planning them. A field loses them if its
 * plan is replaced or wrapped, or its arguments are changed.
 */
import type { GraphQLArgument, GraphQLArgumentConfig, GraphQLField } from "postgraphile/graphql";
import type { SQL } from "postgraphile/pg-sql2";
import type { Column, Relation } from "../../server/filter/tree.ts";
import type { AggregateQuery } from "../aggregates/aggregateQuery.ts";
import type { Operation } from "../aggregates/aggregateResults.ts";
import type { Order } from "../tables/orderBy.ts";
import type { ReadPage } from "./pageQuery.ts";
import type { AnyCodec, AnyRelation, TableResource } from "../tables/resources.ts";
import type { TableShape } from "../tables/shapes.ts";

/** The rows that a caller asked for. */
export interface RowsQuery {
  readonly orders: readonly Order[];
  readonly limit: number;
  readonly offset: number | null;
  /** The source in place of the table; undefined for the table. */
  readonly from?: SQL | undefined;
  /** The condition on rows of `alias`; undefined for all rows. `join`: a further condition. */
  condition(alias: SQL, join?: (rows: SQL) => SQL | undefined): SQL | undefined;
}

/** Reads the arguments of a field. Throws `BAD_USER_INPUT` as the field's plan does. */
export type ReadArguments = (args: Readonly<Record<string, unknown>>) => RowsQuery;

/** The names of a table that a list at the root can use. */
export interface RowsOfTable {
  readonly shape: TableShape;
  /** The columns of the primary key; undefined unless all of them are shown. */
  readonly key: readonly Column[] | undefined;
  /** Whether `asOf` is an argument. */
  readonly hasHistory: boolean;
  /** Reads the arguments of a list without a limit. Throws `BAD_USER_INPUT` as the field's plan does. */
  readAll(
    args: Readonly<Partial<Record<"where" | "orderBy" | "asOf", unknown>>>,
  ): Pick<RowsQuery, "condition" | "orders" | "from">;
}

/** Reads the arguments of an aggregate. Throws `BAD_USER_INPUT` as the field's plan does. */
export type ReadAggregate = (args: Readonly<Record<string, unknown>>) => AggregateQuery;

export type FieldMetadata =
  | { readonly kind: "column"; readonly column: string; readonly codec: AnyCodec }
  /** A column whose value has fields of its own, or that is a list of such values. */
  | { readonly kind: "composite"; readonly column: string }
  | { readonly kind: "parent"; readonly relation: AnyRelation }
  /** The id of a row, unique in the schema, made of these columns. */
  | { readonly kind: "nodeId"; readonly typeName: string; readonly columns: readonly string[] }
  /** The version that `ifMatch` compares; for a copy of a row, made of the columns that the caller may select. */
  | { readonly kind: "version"; readonly resource: TableResource }
  | { readonly kind: "children"; readonly relation: AnyRelation; readonly read: ReadArguments }
  /** Groups of rows, at the root or, with `relation`, of a row's children. */
  | { readonly kind: "aggregate"; readonly read: ReadAggregate; readonly relation?: AnyRelation }
  | { readonly kind: "groupCount" | "groups" }
  | { readonly kind: "results"; readonly operation: Operation }
  | { readonly kind: "result" | "group"; readonly column: Column }
  | { readonly kind: "groupParent"; readonly relation: Relation }
  | { readonly kind: "page"; readonly resource: TableResource; readonly read: ReadPage }
  | { readonly kind: "pageNodes" | "pageEdges" | "pageInfo" | "pageTotal" | "edgeCursor" | "edgeNode" }
  | { readonly kind: "pageMore"; readonly side: "next" | "previous" }
  | { readonly kind: "pageCursor"; readonly end: "start" | "end" }
  | { readonly kind: "count"; readonly resource: TableResource; readonly read: ReadArguments }
  | ({ readonly kind: "rows"; readonly resource: TableResource; readonly read: ReadArguments } & RowsOfTable);

/** Arguments as a plugin gives them to a field. */
type Arguments = Readonly<Record<string, Pick<GraphQLArgumentConfig, "type" | "defaultValue">>>;

const byPlan = new WeakMap<object, { readonly metadata: FieldMetadata; readonly args: Arguments }>();

/** Stores the metadata of a field, for this plan and these arguments. Returns the plan. */
export function annotate<Plan extends object>(plan: Plan, metadata: FieldMetadata, args: Arguments = {}): Plan {
  byPlan.set(plan, { metadata, args });
  return plan;
}

export function metadataOf(field: GraphQLField<unknown, unknown>): FieldMetadata | undefined {
  const { plan, subscribePlan } = (field.extensions["grafast"] ?? {}) as { plan?: object; subscribePlan?: object };
  const known = plan && byPlan.get(plan);
  if (!known || subscribePlan || field.args.length !== Object.keys(known.args).length) return undefined;
  return field.args.every((argument) => isGiven(argument, known.args[argument.name])) ? known.metadata : undefined;
}

function isGiven({ type, defaultValue, extensions }: GraphQLArgument, given: Arguments[string] | undefined): boolean {
  return type === given?.type && defaultValue === given.defaultValue && extensions["grafast"] === undefined;
}
