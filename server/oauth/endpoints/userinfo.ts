/** `/api/v4/oauth/userinfo` (OpenID Connect Core 1.0 §5.3): what the client of a token may know of its account. */
import { GatewayError, toGatewayError } from "../../ground/errors.ts";
import { sendText, setErrorHeaders } from "../../kernel/http/answer.ts";
import { readText } from "../../kernel/http/body.ts";
import { findAccount, sign } from "../../kernel/identity/tokens.ts";
import { findClient } from "../clients.ts";
import { sendJson, type ErrorRenderer, type Step } from "../context.ts";
import { logServerFault } from "../errors.ts";
import { claimsOf, subjectOf } from "../openid/claims.ts";
import { FORM, MAX_BODY_BYTES, fromForm, isOf } from "../steps/readBody.ts";
import { toScopes, type Asked } from "../tokenAnswer.ts";

/** RFC 6750 §2.2: a form may carry the token. */
const readFormToken: Step = async ({ request }) => {
  if (request.method !== "POST" || request.headers.authorization !== undefined || !isOf(request, FORM)) return;
  const { access_token: token } = fromForm(await readText(request, MAX_BODY_BYTES));
  if (token !== undefined) request.headers.authorization = `Bearer ${token}`;
};

/** Lifetime of a signed answer. */
const LIFETIME_SECONDS = 300;

const answer: Step = async ({ kernel, request, response }) => {
  const identity = await kernel.identify(request);
  const database = kernel.databaseOf(identity);
  const { scope, client_id: clientId, fam: family } = identity.claims;
  const scopes = toScopes(typeof scope === "string" ? scope : "");
  const client = typeof clientId === "string" ? await findClient(database, clientId) : undefined;
  const account = await findAccount(database, identity.name);
  if (!client || !account || !scopes.includes("openid") || typeof family !== "string")
    throw new GatewayError("FORBIDDEN", "The access token was not asked for with the scope openid", {
      headers: { "WWW-Authenticate": 'Bearer error="insufficient_scope", scope="openid"' },
    });
  const { asked } = await database.db.one<{ asked: Asked }>("select asked from portolan.token_families where id = $1", [
    family,
  ]);
  const claims = {
    sub: await subjectOf(database, account.name, client, kernel.config.subjectType),
    ...(await claimsOf(database, account, { scopes, named: asked.claims?.userinfo })),
  };
  if (client.userinfoAlg === null) return sendJson(response, 200, claims);
  // §5.3.2: signed, it says who it is from and for whom
  const from = { alg: client.userinfoAlg, iss: kernel.baseUrl, aud: client.id };
  sendText(response, await sign(database, "JWT", LIFETIME_SECONDS, { ...claims, ...from }), {
    type: "application/jwt",
    headers: { "Cache-Control": "no-store" },
  });
};

export const userinfo: readonly Step[] = [readFormToken, answer];

/** RFC 6750 §3: the error is in the challenge; a body says the same. */
export const renderUserinfoError: ErrorRenderer = (context, thrown) => {
  const error = toGatewayError(thrown);
  logServerFault(context, thrown);
  setErrorHeaders(context, error);
  const code = error.status === 401 ? "invalid_token" : error.status === 403 ? "insufficient_scope" : "server_error";
  sendJson(context.response, error.status, { error: code, error_description: error.message });
};
