/** How errors of an operation are shown. */
import { GraphQLError } from "graphql";
import { isSafeError } from "postgraphile/grafast";
import { GatewayError, toGatewayError, toGraphqlError } from "../ground/errors.ts";
import { requestIdMember } from "../ground/requestIds.ts";
import { DATE_FORMS } from "../types/dateForms.ts";
import { logFailure, type Log } from "../ground/log.ts";

/** PostgreSQL's message about a text that is no date. */
const REFUSED_DATE = /^(invalid input syntax for type (date|timestamp)|date\/time field value out of range: )/;

/** An entry of `errors` in a response. */
export type ErrorEntry = Readonly<Record<string, unknown>>;

/** The original error inside GraphQL's error. */
export function causeOf(error: Error): Error {
  return error instanceof GraphQLError ? (error.originalError ?? error) : error;
}

function noteRefusal(log: Log, requestId: string | undefined): void {
  log.onFailure?.(new GatewayError("BAD_USER_INPUT"), requestId);
}

/** An entry of `errors`. A failure that is not the caller's fault is masked, and logged with its causes. */
export function renderError(error: Error, log: Log, requestId: string | undefined): ErrorEntry {
  const { locations, path } = error instanceof GraphQLError ? error : {};
  const place = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) };
  const cause = causeOf(error);
  if (cause instanceof GraphQLError) {
    // GraphQL's own words about the request. With a path they are about a value that we gave.
    const own = typeof cause.extensions["code"] === "string";
    if (own || !path) noteRefusal(log, requestId);
    if (own) return { message: error.message, ...place, extensions: cause.extensions };
    if (!path) return { message: error.message, ...place, extensions: { code: "BAD_USER_INPUT" } };
  } else if (isSafeError(cause)) {
    noteRefusal(log, requestId);
    return { message: cause.message, ...place, extensions: { code: "BAD_USER_INPUT", ...cause.extensions } };
  }
  const gatewayError = toGatewayError(cause);
  logFailure(log, gatewayError, requestId, { path });
  const { message, extensions: own } = toGraphqlError(gatewayError);
  const extensions = { ...own, ...requestIdMember(gatewayError.code, requestId) };
  return { message: REFUSED_DATE.test(message) ? `${message}; ${DATE_FORMS}` : message, ...place, extensions };
}
