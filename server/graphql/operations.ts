/** GraphQL for sockets: queries and mutations as over HTTP, and subscriptions, which go on. */
import { OperationTypeNode } from "graphql";
import type { Database } from "../kernel/database/database.ts";
import { GatewayError } from "../ground/errors.ts";
import type { EventHub } from "../events/types.ts";
import { DocumentError, type RunOperation } from "../events/liveOperation.ts";
import type { TopicSubscriber } from "../kernel/catalogue/topics.ts";
import { chooseOperation } from "./documents.ts";
import { executeGraphql } from "./execute.ts";
import { findDocument, findSchema, type FindSchemaOptions } from "./build/findSchema.ts";
import { startSubscription } from "./live/liveSubscription.ts";
import { NamedDocuments } from "./http/namedDocuments.ts";
import { renderError } from "./operationErrors.ts";

export interface GraphqlOperationsOptions extends FindSchemaOptions {
  eventsOf(database: Database): EventHub;
  /** NOTIFY for the subscription fields of a team's own plugins. */
  topicsOf(database: Database): TopicSubscriber;
  /** Documents that requests may name. Default none. */
  readonly named?: NamedDocuments;
}

export function createGraphqlOperations(options: GraphqlOperationsOptions): RunOperation {
  const { registry } = options;
  const { named = new NamedDocuments() } = options;
  return async (asked, caller, listener) => {
    const found = await findSchema(caller.identity, asked.schema, options);
    const { query, documentId, extensions } = asked;
    const request = { ...asked, ...named.find({ query, documentId, extensions }) };
    const { served, read } = await findDocument(registry, found, request.query);
    if (read.errors)
      throw new DocumentError(read.errors.map((error) => renderError(error, registry.log, caller.requestId)));
    request.remember?.();
    const operation = chooseOperation(read.document, request.operationName);
    if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
      const { database } = served;
      const hub = options.eventsOf(database);
      return startSubscription({
        registry,
        hub,
        topics: options.topicsOf(database),
        served,
        request,
        caller,
        listener,
      });
    }
    if (request.after !== undefined) throw new GatewayError("BAD_USER_INPUT", "after is for subscriptions");
    const { text } = await executeGraphql(registry, served, request, caller);
    if (!caller.signal.aborted) listener.answer(text);
    return undefined;
  };
}
