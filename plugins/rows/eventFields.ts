/**
 * Metadata of subscription fields, for a server that delivers change events without planning them for each subscriber.
 * A field loses them if its `subscribePlan` is replaced.
 */
import type { GraphQLField } from "postgraphile/graphql";
import type { TableResource } from "../tables/resources.ts";
import type { TableShape } from "../tables/shapes.ts";

export const EVENT_OPERATIONS = [
  ["MessageAdded", "INSERT"],
  ["MessageUpdated", "UPDATE"],
  ["MessageDeleted", "DELETE"],
] as const;
export type EventOperation = (typeof EVENT_OPERATIONS)[number][1];

export interface EventField {
  readonly resource: TableResource;
  readonly operation: EventOperation;
  /** The names for its `where`. */
  readonly shape: TableShape;
}

/** Rows of an event, in the form in which `SubscriptionsPlugin` takes them from the subscriber in the context. */
export interface EventRows {
  /** Texts of arrays of the table's row type. */
  readonly batches: readonly string[];
  readonly columns: undefined;
}

const fields = new WeakMap<object, { readonly field: EventField; readonly plan: object }>();

/** Records the events that the plans of a field are for. Returns the plans. */
export function annotateEvents<Plans extends { readonly subscribePlan: object; readonly plan: object }>(
  plans: Plans,
  field: EventField,
): Plans {
  fields.set(plans.subscribePlan, { field, plan: plans.plan });
  return plans;
}

/**
 * The metadata of a field. `isOurs`: whether the field's rows are exactly the written rows, since nothing has wrapped
 * its `plan`.
 */
export function eventFieldOf(
  field: GraphQLField<unknown, unknown>,
): (EventField & { readonly isOurs: boolean }) | undefined {
  const { subscribePlan, plan } = (field.extensions["grafast"] ?? {}) as { subscribePlan?: object; plan?: object };
  const known = subscribePlan && fields.get(subscribePlan);
  return known && { ...known.field, isOurs: known.plan === plan };
}
