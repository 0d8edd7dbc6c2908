/**
 * What our fields mean, for a server that answers plain reads without planning them. A field whose plan somebody
 * replaced or wrapped, or that somebody gave arguments of their own, has no meaning any more.
 */
import type { GraphQLField } from "postgraphile/graphql";
import type { SQL } from "postgraphile/pg-sql2";
import type { Order } from "./orderBy.ts";
import type { AnyCodec, AnyRelation, TableResource } from "./resources.ts";

/** Which rows, as a caller asked for them. */
export interface RowsQuery {
  readonly orders: readonly Order[];
  readonly limit: number;
  readonly offset: number | null;
  /** What is read instead of the table; undefined: the table. */
  readonly from?: SQL | undefined;
  /** The condition on rows of `alias`; undefined for all. */
  condition(alias: SQL): SQL | undefined;
}

/** Reads the arguments of a field. Throws `BAD_USER_INPUT` as the field's plan does. */
export type ReadArguments = (args: Readonly<Record<string, unknown>>) => RowsQuery;

export type Meaning =
  | { readonly kind: "column"; readonly column: string; readonly codec: AnyCodec }
  | { readonly kind: "parent"; readonly relation: AnyRelation }
  | { readonly kind: "children"; readonly relation: AnyRelation; readonly read: ReadArguments }
  | {
      readonly kind: "rows" | "count";
      readonly resource: TableResource;
      readonly read: ReadArguments;
      /** Whether the field also takes `asOf`. */
      readonly versioned: boolean;
    };

/** How many arguments a field of each kind has. */
const ARGUMENT_COUNTS: Readonly<Record<Meaning["kind"], number>> = {
  column: 0,
  parent: 0,
  children: 4,
  rows: 5,
  count: 1,
};

const meanings = new WeakMap<object, Meaning>();

/** Gives a plan a meaning. Gives the plan back. */
export function means<Plan extends object>(plan: Plan, meaning: Meaning): Plan {
  meanings.set(plan, meaning);
  return plan;
}

function argumentCount(meaning: Meaning): number {
  return ARGUMENT_COUNTS[meaning.kind] + ("versioned" in meaning && meaning.versioned ? 1 : 0);
}

export function meaningOf(field: GraphQLField<unknown, unknown>): Meaning | undefined {
  const { plan, subscribePlan } = (field.extensions["grafast"] ?? {}) as { plan?: object; subscribePlan?: object };
  const meaning = plan && meanings.get(plan);
  if (!meaning || subscribePlan || field.args.length !== argumentCount(meaning)) return undefined;
  return field.args.every((argument) => argument.extensions["grafast"] === undefined) ? meaning : undefined;
}
