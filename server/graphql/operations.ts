/** GraphQL for sockets: queries and mutations as over HTTP, and subscriptions, which go on. */
import { OperationTypeNode } from "graphql";
import type { Database } from "../kernel/database/database.ts";
import { GatewayError } from "../kernel/errors.ts";
import type { EventHub } from "../events/types.ts";
import { DocumentError, type RunOperation } from "../kernel/liveOperation.ts";
import type { TopicSubscriber } from "../kernel/catalogue/topics.ts";
import { chooseOperation } from "./documents.ts";
import { executeGraphql } from "./execute.ts";
import { findInstance, type FindInstanceOptions } from "./findInstance.ts";
import { startSubscription } from "./liveSubscription.ts";
import { renderError } from "./operationErrors.ts";

export interface GraphqlOperationsOptions extends FindInstanceOptions {
  eventsOf(database: Database): EventHub;
  /** NOTIFY for the subscription fields of a team's own plugins. */
  topicsOf(database: Database): TopicSubscriber;
}

export function createGraphqlOperations(options: GraphqlOperationsOptions): RunOperation {
  const { instances } = options;
  return async (request, caller, listener) => {
    const instance = await findInstance(caller.identity, request.schema, options);
    const read = instance.documents.read(request.query);
    if (read.errors)
      throw new DocumentError(read.errors.map((error) => renderError(error, instances.log, caller.requestId)));
    const operation = chooseOperation(read.document, request.operationName);
    if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
      const { database } = instance;
      const hub = options.eventsOf(database);
      return startSubscription({
        instances,
        hub,
        topics: options.topicsOf(database),
        instance,
        request,
        caller,
        listener,
      });
    }
    if (request.after !== undefined) throw new GatewayError("BAD_USER_INPUT", "after is for subscriptions");
    const { text } = await executeGraphql(instances, instance, request, caller);
    if (!caller.signal.aborted) listener.answer(text);
    return undefined;
  };
}
