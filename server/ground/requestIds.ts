/** Ids of requests over a socket: that of the connection, and a number of its own. Over HTTP a request has X-Request-Id. */
export class OperationIds {
  readonly #connection: string;
  #last = 0;

  constructor(connection: string) {
    this.#connection = connection;
  }

  next(): string {
    return `${this.#connection}.${++this.#last}`;
  }
}

/** The connection of an operation; the id itself if it is not an operation. */
export function connectionOf(requestId: string): string {
  const [connection = requestId] = requestId.split(".", 1);
  return connection;
}

/** The request id as a member of a FORBIDDEN error over a socket. HTTP has a header for it. */
export function requestIdMember(code: unknown, requestId: string | undefined): { readonly requestId?: string } {
  const isTold = code === "FORBIDDEN" && requestId !== undefined && connectionOf(requestId) !== requestId;
  return isTold ? { requestId } : {};
}
