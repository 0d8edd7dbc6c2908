/** Every code with which the service closes a socket (RFC 6455 §7.4; 4000 and above are ours). */
export const CLOSE = {
  /** The service shuts down: connect again. */
  goingAway: [1001, "The service is shutting down"],
  /** A binary message: only text is understood. */
  unsupportedData: [1003, "Only text is understood"],
  /** Text that is no UTF-8. */
  invalidText: [1007, "The text is not valid UTF-8"],
  /** A message over the limit. */
  tooLarge: [1009, "The message is too large"],
  /** A message that `graphql-transport-ws` does not know; our own dialect answers it with an error. */
  badRequest: [4400, "The message cannot be understood"],
  /** No token, a wrong one, one that has expired, or an account that is gone. */
  unauthenticated: [4401, "A valid access token is needed"],
  /** The client reads more slowly than events arrive, or has too many sockets. */
  limitExceeded: [4429, "A limit is exceeded"],
} as const satisfies Record<string, readonly [code: number, reason: string]>;

export type CloseReason = readonly [code: number, reason: string];
