/** Checks a request to `/auth`, whether a browser brings it or the client has pushed it. */
import type { Client } from "../clients.ts";
import { oauthError } from "../errors.ts";
import type { Step } from "../context.ts";
import { readOpenid, refuseUnsupported } from "../openid/request.ts";
import { checkResource } from "./checkResource.ts";
import { checkScope } from "./checkScope.ts";

/** Character by character (RFC 9700 §4.1.3). Until then nothing is redirected. */
const checkRedirectUri: Step = (context) => {
  const { redirect_uri: uri } = context.parameters;
  if (uri === undefined) throw oauthError("invalid_request", "The parameter 'redirect_uri' is missing");
  if (!isRegistered(context.client, uri))
    throw oauthError("invalid_request", "'redirect_uri' is not registered for the client");
  context.redirectUri = uri;
};

/**
 * RFC 8252 §7.3: a program on a person's machine listens on any free port. A client that an administrator has
 * registered uses the registered port.
 */
function isRegistered({ redirectUris, origin }: Client, uri: string): boolean {
  if (redirectUris.includes(uri)) return true;
  if (origin === "administrator" || !LOOPBACK.test(uri)) return false;
  return redirectUris.some((one) => LOOPBACK.test(one) && one.replace(LOOPBACK, "$1") === uri.replace(LOOPBACK, "$1"));
}

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::[0-9]{1,5})?(?=[/?]|$)/;

const checkGrant: Step = ({ client }) => {
  if (!client.grants.includes("authorization_code"))
    throw oauthError("unauthorized_client", "The client may not use the authorization code flow");
};

const checkResponseType: Step = ({ parameters: { response_type: type, response_mode: mode } }) => {
  if (type === undefined) throw oauthError("invalid_request", "The parameter 'response_type' is missing");
  if (type !== "code") throw oauthError("unsupported_response_type", "'response_type' must be 'code'");
  if (mode !== undefined && mode !== "query" && mode !== "form_post")
    throw oauthError("invalid_request", "'response_mode' must be 'query' or 'form_post'");
};

/**
 * RFC 7636 §4.3: `plain`, the standard's default, is refused. A confidential client that an administrator exempts asks
 * for an ID token, and binds its code by `nonce` (RFC 9700 §2.1.1), which OpenID Connect leaves to the client.
 */
const checkPkce: Step = ({ client, parameters, scopes }) => {
  const { code_challenge: challenge, code_challenge_method: method } = parameters;
  const isFree = !client.requirePkce && scopes.includes("openid");
  if (challenge === undefined && method === undefined && isFree) return;
  if (challenge === undefined) throw oauthError("invalid_request", "The parameter 'code_challenge' is missing");
  if (method !== "S256") throw oauthError("invalid_request", "'code_challenge_method' must be 'S256'");
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw oauthError("invalid_request", "'code_challenge' must be 43 letters of base64url");
};

/** RFC 9449 §10: the thumbprint of the key that the code is to be bound to. */
const checkKey: Step = ({ parameters: { dpop_jkt: jkt } }) => {
  if (jkt !== undefined && !/^[A-Za-z0-9_-]{43}$/.test(jkt))
    throw oauthError("invalid_request", "'dpop_jkt' must be 43 letters of base64url");
};

export const checkRequest: readonly Step[] = [
  checkRedirectUri,
  checkGrant,
  refuseUnsupported,
  checkResponseType,
  checkScope,
  checkPkce,
  checkResource,
  checkKey,
  readOpenid,
];
