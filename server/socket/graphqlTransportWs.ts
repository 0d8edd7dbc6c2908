/**
 * The protocol `graphql-transport-ws`, which Apollo, urql and Relay use. The library applies its rules; delivered events are
 * text already, and bypass it.
 */
import { GraphQLError, Kind, OperationTypeNode, type DocumentNode } from "graphql";
import { makeServer, type Context } from "graphql-ws";
import { parsePosition, ReadPoint } from "../kernel/database/database.ts";
import { GatewayError, toGatewayError, toGraphqlError } from "../ground/errors.ts";
import { logFailure } from "../ground/log.ts";
import { requestIdMember } from "../ground/requestIds.ts";
import { keepIntegers } from "../types/exactJson.ts";
import { DocumentError, type LiveOperation, type OperationListener } from "../events/liveOperation.ts";
import { CLOSE } from "./closeCodes.ts";
import { nonceOf } from "./nonce.ts";
import type { Connection } from "./connection.ts";
import { sharedFrame } from "./frame.ts";
import { RequestQueue } from "./requestQueue.ts";
import { admitSubscriptions, type Running, type Session } from "./session.ts";

export const GRAPHQL_TRANSPORT_WS = "graphql-transport-ws";

export interface TransportOptions extends Session {
  /** The schema in the path. */
  readonly schema: string;
}

/** Speaks with a client until the socket ends. */
export function speakGraphqlTransportWs(options: TransportOptions): void {
  new Transport(options);
}

interface Payload {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly id?: unknown;
  readonly doc_id?: unknown;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName?: string | null | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

const CONNECTION_INIT_MS = 10_000;
/** The library asks for the kind of an operation; here every operation is a subscription to it, and it waits for the end. */
const ANY: DocumentNode = {
  kind: Kind.DOCUMENT,
  definitions: [
    {
      kind: Kind.OPERATION_DEFINITION,
      operation: OperationTypeNode.SUBSCRIPTION,
      selectionSet: { kind: Kind.SELECTION_SET, selections: [] },
    },
  ],
};

class Transport {
  readonly #options: TransportOptions;
  readonly #connection: Connection;
  readonly #queue: RequestQueue;
  readonly #running = new Set<Running>();

  constructor(options: TransportOptions) {
    const { webSocket, connection } = options;
    this.#options = options;
    this.#connection = connection;
    this.#queue = new RequestQueue(connection);
    const restartAll = (): void => {
      for (const { restart } of this.#running) restart?.();
    };
    connection.login.onIdentity = restartAll;
    const server = makeServer<Record<string, unknown>, unknown>({
      connectionInitWaitTimeout: CONNECTION_INIT_MS,
      jsonMessageReviver: keepIntegers,
      onConnect: (context) => this.#connect(context),
      onSubscribe: (_context, id, payload) => this.#subscribe(id, payload as Payload),
      subscribe: ({ rootValue }) => rootValue as OperationEnd,
    });
    const closed = server.opened(
      {
        protocol: webSocket.protocol,
        send: (text) => connection.outbox.send(text),
        close: (code = 1000, reason = "") => connection.close([code, reason]),
        onMessage: (receive) => {
          webSocket.on("message", (data, isBinary) => {
            if (isBinary) return connection.close(CLOSE.unsupportedData);
            receive((data as Buffer).toString("utf8")).catch(() => connection.close(CLOSE.badRequest));
          });
        },
      },
      undefined,
    );
    webSocket.once("close", (code, reason) => void closed(code, reason.toString("utf8")));
  }

  async #connect({ connectionParams }: Context<Record<string, unknown>>): Promise<boolean> {
    const token = tokenOf(connectionParams) ?? this.#options.token;
    const { path, proof } = this.#options;
    const shown = { proof: typeof connectionParams?.["dpop"] === "string" ? connectionParams["dpop"] : proof, path };
    const refuse = (reason: string): false => {
      this.#connection.close(CLOSE.unauthenticated, reason);
      return false;
    };
    if (!token) return refuse("missing_token");
    try {
      const verified = await this.#options.verify(token, shown);
      await this.#options.admit(verified.identity);
      this.#connection.login.authenticate(token, verified);
      return true;
    } catch (thrown) {
      const error = toGatewayError(thrown);
      const nonce = nonceOf(error);
      if (nonce !== undefined) return refuse(`use_dpop_nonce ${nonce}`);
      if (error.code !== "LIMIT_EXCEEDED")
        return refuse(error.code === "UNAUTHENTICATED" ? "invalid_token" : error.code);
      this.#connection.close(CLOSE.limitExceeded, error.message);
      return false;
    }
  }

  /** Errors, or the operation that has started. */
  #subscribe(id: string, payload: Payload) {
    return new Promise<readonly GraphQLError[] | { document: DocumentNode; schema: never; rootValue: OperationEnd }>(
      (resolve) =>
        this.#queue.add(async () => {
          const end = new OperationEnd();
          try {
            const { name, database } = this.#connection.login.identity ?? {};
            await this.#options.count(`account ${name}@${database}`);
            await this.#run(id, payload, end);
            resolve({ document: ANY, schema: undefined as never, rootValue: end });
          } catch (error) {
            end.stop.abort();
            resolve(this.#shown(error));
          }
        }),
    );
  }

  async #run(id: string, payload: Payload, end: OperationEnd, from?: string): Promise<void> {
    const { login, address, operations, signal } = this.#connection;
    const { identity } = login;
    const requestId = operations.next();
    if (!identity || signal.aborted) throw new GatewayError("UNAUTHENTICATED");
    const { query, variables, operationName, extensions } = payload;
    const documentId = payload.documentId ?? payload.id ?? payload.doc_id;
    const after = from ?? extensions?.["after"] ?? undefined;
    if (after !== undefined && typeof after !== "string")
      throw new GatewayError("BAD_USER_INPUT", "extensions.after must be a position");
    let written = "";
    const point = new ReadPoint(seenBy(extensions), (lsn) => (written = `,"extensions":{"lsn":"${lsn}"}`));
    const running: Running = { subscriptions: 0, restart: undefined };
    const stop = new AbortController();
    const finish = (): void => {
      stop.abort();
      this.#running.delete(running);
    };
    this.#running.add(running);
    end.stop.signal.addEventListener("abort", finish, { once: true });
    signal.addEventListener("abort", () => end.stop.abort(), { once: true, signal: stop.signal });
    if (end.stop.signal.aborted) finish();
    const head = `{"id":${JSON.stringify(id)},"type":"next","payload":{`;
    const next = (shared: string, tail: string): void => {
      if (!stop.signal.aborted) this.#connection.outbox.sendFrame(sharedFrame(head, shared, tail));
    };
    const listener: OperationListener = {
      admit: (subscriptions) => admitSubscriptions(this.#options, this.#running, running, subscriptions),
      live: () => undefined,
      answer: (text) => {
        next(text.slice(1, -1), `${written}}}`);
        end.resolve();
        finish();
      },
      rows: ({ data, errors, position, more }) => {
        const place =
          position === undefined
            ? ""
            : `,"extensions":{"position":${JSON.stringify(position)}${more ? ',"more":true' : ""}}`;
        next(`"data":${data}`, `${errors === undefined ? "" : `,"errors":${errors}`}${place}}}`);
        return this.#connection.outbox.drained();
      },
      gap: (gap) => {
        const words = "Events are gone: read again, and subscribe without after";
        end.reject(new GraphQLError(words, { extensions: { code: "GAP", ...gap } }));
        end.stop.abort();
      },
      end: (error) => {
        if (error) end.reject(this.#shown(error)[0] as GraphQLError);
        else end.resolve();
        end.stop.abort();
      },
    };
    const caller = { identity, address, requestId, signal: stop.signal, point };
    let operation: LiveOperation | undefined;
    try {
      const { schema } = this.#options;
      const request = { schema, query, documentId, extensions, variables, operationName, after };
      operation = await this.#options.run(request, caller, listener);
    } catch (error) {
      finish();
      throw error;
    }
    if (!operation || stop.signal.aborted) return;
    const restart = (): void => {
      const position = operation.position;
      finish();
      this.#run(id, payload, end, position).catch((error: unknown) => listener.end(toGatewayError(error)));
    };
    running.restart = restart;
  }

  #shown(thrown: unknown): readonly GraphQLError[] {
    const error = toGatewayError(thrown);
    if (error instanceof DocumentError) return error.errors.map((entry) => new ShownError(entry));
    const requestId = this.#connection.operations.next();
    logFailure(this.#options.log, error, requestId);
    const { message, extensions } = toGraphqlError(error);
    return [new ShownError({ message, extensions: { ...extensions, ...requestIdMember(error.code, requestId) } })];
  }
}

/** An error that is an entry of `errors` already. */
class ShownError extends GraphQLError {
  readonly #entry: object;

  constructor(entry: object) {
    const { message, extensions } = entry as { message?: string; extensions?: Record<string, unknown> };
    super(message ?? "", { extensions });
    this.#entry = entry;
  }

  override toJSON(): ReturnType<GraphQLError["toJSON"]> {
    return this.#entry as ReturnType<GraphQLError["toJSON"]>;
  }
}

/** The iterator that the library waits for: it gives nothing but the end of the operation. */
class OperationEnd implements AsyncGenerator<never, void> {
  /** Fires when the operation is not wanted any more, or over. */
  readonly stop = new AbortController();
  readonly #end = Promise.withResolvers<IteratorResult<never, void>>();

  constructor() {
    this.#end.promise.catch(() => undefined); // the library takes it when it asks
  }

  resolve(): void {
    this.#end.resolve({ done: true, value: undefined });
  }

  reject(error: GraphQLError): void {
    this.#end.reject(error);
  }

  next(): Promise<IteratorResult<never, void>> {
    return this.#end.promise;
  }

  return(): Promise<IteratorResult<never, void>> {
    this.stop.abort();
    this.resolve();
    return Promise.resolve({ done: true, value: undefined });
  }

  throw(): Promise<IteratorResult<never, void>> {
    return this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  get [Symbol.toStringTag](): string {
    return "AsyncGenerator";
  }
}

/** The writes that a query must see. Throws `BAD_USER_INPUT`. */
function seenBy(extensions: Payload["extensions"]): ReadPoint["position"] {
  const lsn = extensions?.["lsn"] ?? undefined;
  return lsn === undefined ? undefined : parsePosition(String(lsn), "extensions.lsn");
}

/** `{token}`, or `{Authorization: "Bearer …"}` in any letter case. */
function tokenOf(parameters: Readonly<Record<string, unknown>> | undefined): string | undefined {
  for (const [name, value] of Object.entries(parameters ?? {})) {
    if (typeof value !== "string") continue;
    if (name === "token") return value;
    if (name.toLowerCase() === "authorization") return value.replace(/^(bearer|dpop) +/i, "");
  }
  return undefined;
}
