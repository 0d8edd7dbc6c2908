/** A subscription operation, taken apart: each root field is a subscription of its own. */
import {
  GraphQLError,
  Kind,
  getArgumentValues,
  getVariableValues,
  type DocumentNode,
  type GraphQLField,
  type OperationDefinitionNode,
} from "graphql";
import { eventFieldOf, type EventOperation } from "../../../plugins/rows/eventFields.ts";
import { badInput } from "../../ground/errors.ts";
import { readEventFilter } from "../../filter/eventFilter.ts";
import type { EventFilter } from "../../events/types.ts";
import { DocumentError } from "../../events/liveOperation.ts";
import { chooseOperation } from "../documents.ts";
import { readSelection, type RowEncoder } from "./eventSelection.ts";
import type { ServedSchema } from "../build/schemaRegistry.ts";
import { collectFields, fragmentsOf } from "../rootFields.ts";

export interface SubscriptionRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName?: string | null | undefined;
}

/** A field that `SubscriptionsPlugin` made. */
export interface EventsField {
  readonly kind: "events";
  readonly key: string;
  /** The operation with this field alone. The same object for the same operation and field. */
  readonly document: DocumentNode;
  readonly schema: string;
  readonly relation: string;
  readonly operation: EventOperation;
  readonly filter: EventFilter | undefined;
  readonly columns: readonly string[];
  readonly encoder: RowEncoder | undefined;
}

/** A subscription field of a user's own plugin. */
export interface CustomField {
  readonly kind: "custom";
  readonly key: string;
  readonly document: DocumentNode;
}

export type SubscriptionField = EventsField | CustomField;

const documents = new WeakMap<OperationDefinitionNode, Map<string, DocumentNode>>();

/**
 * The root fields of the subscription that the request chooses, in the present schema. Throws `DocumentError`, and
 * `BAD_USER_INPUT` for a fault in `where` or the variables.
 */
export function readSubscription(
  { schema, documents: known }: ServedSchema,
  { query, variables, operationName }: SubscriptionRequest,
): readonly SubscriptionField[] {
  const read = known.read(query);
  if (read.errors) throw new DocumentError(read.errors.map(toEntry));
  const { document } = read;
  const operation = chooseOperation(document, operationName);
  const type = schema.getSubscriptionType();
  if (!type) return badInput("This schema has no subscriptions");
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {});
  if (errors) throw new DocumentError(errors.map(toEntry));
  const fragments = fragmentsOf(document);
  const fields = [...collectFields([operation.selectionSet], fragments, coerced)];
  if (fields.length === 0) return badInput("The subscription has no field");
  return fields.map(([key, nodes]): SubscriptionField => {
    const [node] = nodes;
    const field: GraphQLField<unknown, unknown> | undefined = type.getFields()[node!.name.value];
    if (!field) return badInput(`${node!.name.value} cannot be subscribed to`);
    const single = { key, document: singleField(document, operation, key, nodes) };
    const events = eventFieldOf(field);
    if (!events) return { kind: "custom", ...single };
    const { where } = getArgumentValues(field, node!, coerced);
    const { columns, encoder } = readSelection({ field, nodes, fragments, variables: coerced }, events.resource);
    return {
      kind: "events",
      ...single,
      schema: events.shape.schema,
      relation: events.shape.relation,
      operation: events.operation,
      filter: readEventFilter(where, events.shape),
      columns,
      encoder: events.isOurs ? encoder : undefined,
    };
  });
}

function toEntry(error: Error): Readonly<Record<string, unknown>> {
  const { locations } = error instanceof GraphQLError ? error : {};
  return { message: error.message, ...(locations ? { locations } : {}), extensions: { code: "BAD_USER_INPUT" } };
}

/** Grafast plans one root field, and remembers its plan by the identity of the document. */
function singleField(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  key: string,
  nodes: readonly (typeof operation.selectionSet.selections)[number][],
): DocumentNode {
  let ofOperation = documents.get(operation);
  if (!ofOperation) documents.set(operation, (ofOperation = new Map()));
  let single = ofOperation.get(key);
  if (!single) {
    const selectionSet = { kind: Kind.SELECTION_SET, selections: nodes } as const;
    const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
    single = { kind: Kind.DOCUMENT, definitions: [{ ...operation, selectionSet }, ...fragments] };
    ofOperation.set(key, single);
  }
  return single;
}
