/** Subscription fields of a team's own plugins: Grafast follows their `subscribePlan`. */
import type { GraphQLError } from "graphql";
import { subscribe as subscribePlan } from "postgraphile/grafast";
import { GatewayError, toGatewayError } from "../../ground/errors.ts";
import type { OperationCaller } from "../../events/liveOperation.ts";
import type { TopicSubscriber } from "../../kernel/catalogue/topics.ts";
import type { FieldRequest, PlannedEvent } from "./eventPlan.ts";
import { clientOver } from "../execute.ts";
import type { ServedSchema } from "../build/schemaRegistry.ts";
import { causeOf } from "../operationErrors.ts";

/** Each statement is a transaction of its own: the stream may go on for days. Rejects when the field refuses. */
export async function followCustomField(
  { database, schema, resolvedPreset }: ServedSchema,
  { document, variables }: FieldRequest,
  { identity, address }: Pick<OperationCaller, "identity" | "address">,
  { topics, signal }: { readonly topics: TopicSubscriber; readonly signal: AbortSignal },
): Promise<AsyncIterable<PlannedEvent>> {
  const withPgClient = (settings: unknown, callback: (client: never) => unknown): Promise<unknown> =>
    database.withIdentity(identity, { service: "graphql", address }, async (transaction) =>
      clientOver(transaction, true)(settings, callback as never),
    );
  const stream = await subscribePlan({
    schema,
    document,
    variableValues: variables ?? null,
    contextValue: { withPgClient, pgSettings: null, pgSubscriber: topics } as unknown as Grafast.Context,
    resolvedPreset,
    middleware: null,
    outputDataAsString: true,
  });
  if (!(Symbol.asyncIterator in stream)) {
    const [error] = (stream as { errors?: readonly GraphQLError[] }).errors ?? [];
    throw error ? toGatewayError(causeOf(error)) : new GatewayError("BAD_USER_INPUT", "That cannot be subscribed to");
  }
  const results = stream as AsyncGenerator<{ data?: string | null; errors?: readonly GraphQLError[] }>;
  const stop = (): void => void results.return(undefined);
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return (async function* () {
    for await (const { data = null, errors = [] } of results) yield { data, errors };
  })();
}
