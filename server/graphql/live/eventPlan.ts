/** Events that need more than their own columns: planned by Grafast over the rows that were written. */
import type { DocumentNode, GraphQLError } from "graphql";
import { subscribe as subscribePlan } from "postgraphile/grafast";
import type { EventRows } from "../../../plugins/rows/eventFields.ts";
import type { Transaction } from "../../kernel/database/database.ts";
import type { OperationCaller } from "../../events/liveOperation.ts";
import { chooseOperation } from "../documents.ts";
import { clientOver } from "../execute.ts";
import { reachOf } from "../rules.ts";
import type { ServedSchema } from "../build/schemaRegistry.ts";

/** Composite literals of the table's row type → what `SubscriptionsPlugin` selects from. */
export function toEventRows(rows: readonly string[]): EventRows {
  const elements = rows.map((row) => `"${row.replace(/["\\]/g, "\\$&")}"`);
  return { batches: [`{${elements.join(",")}}`], columns: undefined };
}

export interface PlannedEvent {
  /** JSON text of the `data` of the answer; null when a field that may not be null failed. */
  readonly data: string | null;
  readonly errors: readonly GraphQLError[];
}

/** One field of a subscription, as a document of its own. */
export interface FieldRequest {
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>> | null | undefined;
}

/** Answers a subscription for one event, under the caller's rights, in one transaction. */
export async function planEvent(
  served: ServedSchema,
  { document, variables }: FieldRequest,
  rows: EventRows,
  { identity, address }: Pick<OperationCaller, "identity" | "address">,
): Promise<PlannedEvent> {
  const { database, schema, resolvedPreset } = served;
  const run = async (transaction: Transaction): Promise<PlannedEvent> => {
    const stream = await subscribePlan({
      schema,
      document,
      variableValues: variables ?? null,
      contextValue: {
        withPgClient: clientOver(transaction, true),
        pgSettings: null,
        portolanEvents: { subscribe: () => once(true) },
        portolanEventRows: rows,
      } as unknown as Grafast.Context,
      resolvedPreset,
      middleware: null,
      outputDataAsString: true,
    });
    const result = Symbol.asyncIterator in stream ? await first(stream as AsyncGenerator<object>) : stream;
    const { data = null, errors = [] } = result as { data?: string | null; errors?: readonly GraphQLError[] };
    return { data, errors };
  };
  const reach = reachOf({
    served,
    document,
    operation: chooseOperation(document, undefined),
    variables: variables ?? {},
  });
  return database.withIdentity(identity, { service: "events", address, readOnly: true, reach }, run);
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

async function first<T>(stream: AsyncGenerator<T>): Promise<T> {
  const { value } = (await stream.next()) as { value: T };
  await stream.return(undefined);
  return value;
}
