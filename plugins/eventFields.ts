/**
 * What subscription fields stand for, for a server that delivers change events without planning them for each
 * subscriber. A field whose `subscribePlan` somebody replaced stands for nothing any more.
 */
import type { GraphQLField } from "postgraphile/graphql";
import type { TableResource } from "./resources.ts";
import type { TableShape } from "./shapes.ts";

export const EVENT_OPERATIONS = [
  ["MessageAdded", "INSERT"],
  ["MessageUpdated", "UPDATE"],
  ["MessageDeleted", "DELETE"],
] as const;
export type EventOperation = (typeof EVENT_OPERATIONS)[number][1];

export interface EventField {
  readonly resource: TableResource;
  readonly operation: EventOperation;
  /** What its `where` may name. */
  readonly shape: TableShape;
}

/** Rows of an event, as `SubscriptionsPlugin` wants them from the subscriber in the context. */
export interface EventRows {
  /** Texts of arrays of the table's row type. */
  readonly batches: readonly string[];
  readonly columns: undefined;
}

const fields = new WeakMap<object, EventField>();

/** Gives a `subscribePlan` a meaning. Gives the plan back. */
export function meansEvents<Plan extends object>(subscribePlan: Plan, field: EventField): Plan {
  fields.set(subscribePlan, field);
  return subscribePlan;
}

export function eventFieldOf(field: GraphQLField<unknown, unknown>): EventField | undefined {
  const { subscribePlan } = (field.extensions["grafast"] ?? {}) as { subscribePlan?: object };
  return subscribePlan && fields.get(subscribePlan);
}
