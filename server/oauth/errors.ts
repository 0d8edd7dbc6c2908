/** The errors of this door: RFC 6749 §5.2, and the same for a redirect (§4.1.2.1). */
import OAuth2Server from "@node-oauth/oauth2-server";
import { GatewayError, isForNow, toGatewayError } from "../ground/errors.ts";
import { setHeaders, type Headers } from "../kernel/http/answer.ts";
import { logFailure } from "../ground/log.ts";
import { sendJson, type ErrorRenderer, type OAuthContext } from "./context.ts";

const { OAuthError } = OAuth2Server;

/** Code of RFC 6749, 6750, 7009, 7591, 9449, 7636, 8628, 8693, 9396 or OpenID Connect → HTTP status. */
const STATUSES = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_token: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  access_denied: 400,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  mfa_required: 400,
  login_required: 400,
  consent_required: 400,
  account_selection_required: 400,
  unmet_authentication_requirements: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  registration_not_supported: 400,
  invalid_authorization_details: 400,
  invalid_client_metadata: 400,
  invalid_redirect_uri: 400,
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
} as const;

export type OAuthErrorCode = keyof typeof STATUSES;

const CHALLENGES: Readonly<Partial<Record<OAuthErrorCode, string>>> = {
  invalid_client: 'Basic realm="Portolan", charset="UTF-8"',
  invalid_token: 'Bearer error="invalid_token"',
};

/** An error of the standard. `description` is for the client's developer. */
export function oauthError(code: OAuthErrorCode, description: string): Error {
  return new OAuthError(description, { code: STATUSES[code], name: code });
}

export interface OAuthErrorAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly error: string; readonly error_description: string };
}

/** Our own codes as those of the standard; the others by their status. */
const GATEWAY_CODES: Readonly<Record<string, readonly [error: string, status: number]>> = {
  BAD_USER_INPUT: ["invalid_request", 400],
  INVALID_PARAMETER: ["invalid_request", 400],
  NOT_FOUND: ["invalid_request", 404],
  METHOD_NOT_ALLOWED: ["invalid_request", 405],
  TOO_LARGE: ["invalid_request", 413],
  UNSUPPORTED_MEDIA_TYPE: ["invalid_request", 400],
  UNAUTHENTICATED: ["invalid_grant", 400],
  RATE_LIMITED: ["invalid_grant", 429],
  UNAVAILABLE: ["temporarily_unavailable", 503],
  TIMEOUT: ["temporarily_unavailable", 503],
  FORBIDDEN: ["access_denied", 403],
  CONFLICT: ["temporarily_unavailable", 503], // another transaction holds the lock; the next try can succeed
};

/** Converts any thrown value to an answer of RFC 6749 §5.2. */
export function toOAuthError(thrown: unknown): OAuthErrorAnswer {
  const cause = rootOf(thrown);
  if (cause instanceof OAuthError && Object.hasOwn(STATUSES, cause.name)) {
    const code = cause.name as OAuthErrorCode;
    return {
      status: STATUSES[code],
      // RFC 6749 §5.2 asks for this header where the client tried Basic; RFC 9110 §15.5.2 with every 401
      headers: CHALLENGES[code] === undefined ? {} : { "WWW-Authenticate": CHALLENGES[code] },
      body: { error: code, error_description: toDescription(cause.message) },
    };
  }
  const error = toGatewayError(cause);
  const [code, status] = GATEWAY_CODES[error.code] ?? byStatus(error);
  const { errorId } = error.members;
  const text = typeof errorId === "string" ? `${error.message} (${errorId})` : error.message;
  return {
    status,
    headers: { ...(status === 503 && { "Retry-After": "1" }), ...withoutChallenge(error.headers) },
    body: { error: code, error_description: toDescription(text) },
  };
}

function byStatus({ code, status }: GatewayError): readonly [error: string, status: number] {
  if (isForNow(code)) return ["temporarily_unavailable", 503];
  return status < 500 ? ["invalid_request", status] : ["server_error", 500];
}

/** The challenge of the other doors is for a bearer token. */
function withoutChallenge({ "WWW-Authenticate": _, ...headers }: Headers): Headers {
  return headers;
}

/** The library wraps unknown errors in one of its own. */
function rootOf(thrown: unknown): unknown {
  const { inner } = (thrown ?? {}) as { inner?: unknown };
  return thrown instanceof OAuthError && inner !== undefined ? rootOf(inner) : thrown;
}

/**
 * RFC 6749 §5.2 allows neither quotation marks nor backslashes; and an existing client splits the text at a colon and a
 * space.
 */
function toDescription(text: string): string {
  return text
    .replaceAll(/["`]/g, "'")
    .replaceAll("\\", "/")
    .replaceAll(/[^\x20-\x7e]/g, "?")
    .replaceAll(/:\s+/g, " ");
}

/** The renderer of the endpoints for machines. */
export const renderOAuthError: ErrorRenderer = ({ response, request, kernel }, thrown) => {
  const { status, headers, body } = toOAuthError(thrown);
  logServerFault({ request, kernel }, thrown);
  setHeaders(response, headers);
  sendJson(response, status, body);
};

/** Logs failures of the service with their causes. */
export function logServerFault({ request, kernel }: Pick<OAuthContext, "request" | "kernel">, thrown: unknown): void {
  const cause = rootOf(thrown);
  if (cause instanceof OAuthError && Object.hasOwn(STATUSES, cause.name)) return;
  const error = cause instanceof GatewayError ? cause : toGatewayError(cause);
  logFailure(kernel.log, error, request.requestId);
}
