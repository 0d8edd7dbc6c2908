/** The form of an error for the caller of a method, or the writer of a statement. */
import { GatewayError, isServerFault, sqlstateOf, toGatewayError, toJsonRpcError } from "../../ground/errors.ts";
import { logFailure, type Log } from "../../ground/log.ts";
import type { CallContext } from "../method.ts";

/** The `error` of a JSON-RPC response. Failures of the service are logged. */
export function render(thrown: unknown, { requestId }: CallContext, { log }: { readonly log: Log }): object {
  const error = explain(thrown);
  if (sqlstateOf(error) === undefined) logFailure(log, error, requestId);
  else if (!isServerFault(error)) log.onFailure?.(error, requestId);
  return toJsonRpcError(error);
}

/** PostgreSQL's error with SQLSTATE, the place in the statement as it was written, and the hint. */
function explain(thrown: unknown): GatewayError {
  const sqlstate = sqlstateOf(thrown);
  const known = toGatewayError(thrown);
  if (sqlstate === undefined) return known;
  const { position, hint } = ((thrown instanceof GatewayError ? thrown.cause : thrown) ?? {}) as {
    position?: string;
    hint?: string;
  };
  const { errorId: _errorId, ...shown } = known.members; // PostgreSQL's message about an account's SQL is not a failure of the service
  const members = {
    ...shown,
    ...(hint !== undefined && { hint }),
    ...(position !== undefined && { position: Number(position) }),
  };
  return new GatewayError(known.code, known.message, { sqlstate, members, cause: known.cause ?? thrown });
}

/** The same for the writer of the statement, who gets PostgreSQL's whole message. */
export function explainToWriter(thrown: unknown): GatewayError {
  const error = explain(thrown);
  const sqlstate = sqlstateOf(error);
  const { code, message, members, cause } = error;
  const isOfStatement =
    code === "INVALID_PARAMS" || (["INTERNAL", "CONFLICT"].includes(code) && sqlstate !== undefined);
  if (!isOfStatement) return error;
  const said = code === "INTERNAL" ? (toGatewayError(cause).cause as Error).message : message;
  return new GatewayError("BAD_USER_INPUT", said, { sqlstate, members, cause });
}
