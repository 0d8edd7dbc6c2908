/** The interface between sockets and the GraphQL door: an operation that may run as long as the socket does. */
import type { Identity, ReadPoint } from "../kernel/database/database.ts";
import { GatewayError } from "../ground/errors.ts";

export interface OperationRequest {
  readonly schema: string;
  /** The document, or what names it: see `server/graphql/http/namedDocuments.ts`. */
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: unknown;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName?: string | null | undefined;
  /** A position from which a subscription resumes. */
  readonly after?: string | undefined;
}

export interface OperationCaller {
  readonly identity: Identity;
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  /** Fires when the operation is not wanted any more: the client ended it, or is gone. */
  readonly signal: AbortSignal;
  /** The writes that its reads must see; records how far its own writes have come. */
  readonly point?: ReadPoint | undefined;
}

/** A delivery of a subscription: the rows of one transaction, or a part of them. */
export interface LiveRows {
  /** JSON text of an object with a member for each root field; it is null for fields without a change. */
  readonly data: string;
  /** JSON text of the list of GraphQL errors, if there are any. */
  readonly errors: string | undefined;
  /** The position for `after`; undefined for events that are not stored. */
  readonly position: string | undefined;
  /** Whether further parts of the same transaction follow. */
  readonly more: boolean;
}

/** How an operation sends its messages. After `answer`, `end` or the caller's signal it sends nothing more. */
export interface OperationListener {
  /** Announces new subscriptions. Throws `LIMIT_EXCEEDED` when there are too many. */
  admit(subscriptions: number): void;
  /** The subscription is live: later commits are delivered. Comes before the first `rows`. */
  live(): void;
  /** The GraphQL response of a query or mutation, as JSON text. */
  answer(text: string): void;
  /** While a returned promise is pending, the same field sends nothing more. */
  rows(rows: LiveRows): void | Promise<void>;
  /** Events between the two positions are lost. The subscription continues. */
  gap(gap: { readonly after: string; readonly position: string }): void;
  /** The subscription has ended, with an error or without one. */
  end(error: GatewayError | undefined): void;
}

export interface LiveOperation {
  /** The last delivered position; undefined for a subscription that cannot be resumed. */
  readonly position: string | undefined;
  /** Ends a subscription without a message. */
  close(): void;
}

/**
 * Runs an operation. Resolves when a subscription is live, or with undefined when a query or mutation was answered.
 * Rejects with the error of the request; a `DocumentError` is about the document itself.
 */
export type RunOperation = (
  request: OperationRequest,
  caller: OperationCaller,
  listener: OperationListener,
) => Promise<LiveOperation | undefined>;

/** The document cannot be read, or is not valid in its schema. `errors`: entries as in a GraphQL response. */
export class DocumentError extends GatewayError {
  readonly errors: readonly Readonly<Record<string, unknown>>[];

  constructor(errors: readonly Readonly<Record<string, unknown>>[]) {
    const [first] = errors;
    const { code } = (first?.["extensions"] ?? {}) as { code?: string };
    super(
      code === "LIMIT_EXCEEDED" ? code : "BAD_USER_INPUT",
      String(first?.["message"] ?? "The document is not valid"),
    );
    this.errors = errors;
  }
}
