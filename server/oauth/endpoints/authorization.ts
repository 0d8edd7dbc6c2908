/** `/auth`: the authorization endpoint (RFC 6749 §4.1.1), and the pages between it and the redirect. */
import type { ServerResponse } from "node:http";
import { audit } from "../../kernel/identity/audit.ts";
import { sendNothing, setHeaders } from "../../kernel/http/answer.ts";
import { hashOf } from "../../kernel/identity/hash.ts";
import { agentsResource } from "../../kernel/identity/resources.ts";
import { logServerFault, oauthError, toOAuthError } from "../errors.ts";
import type { ErrorRenderer, OAuthContext, Step } from "../context.ts";
import { makeAuthorizationCode } from "../oauthServer.ts";
import { findOrReadClient, keepDocumentClient } from "../registration/documents.ts";
import { signInDetailsOf } from "../openid/idToken.ts";
import { isSignInEnough } from "../openid/signInAgain.ts";
import { accountPage } from "../pages/account.ts";
import { consentPage } from "../pages/consent.ts";
import { formPostPage } from "../pages/formPost.ts";
import { renderPageError } from "../pages/message.ts";
import { signInPage } from "../pages/signIn.ts";
import { checkForm, chooseDatabase, findSession, readForm, readQuery } from "../steps/browser.ts";
import { checkRequest } from "../steps/authorizationRequest.ts";
import { requirePushedRequest, takePushedRequest, usePushedRequest } from "../steps/pushedRequest.ts";
import { signedInFields, signInByProvider, takeSignIn } from "../steps/provider.ts";
import { requireFactor, signInByFactor } from "../steps/secondFactor.ts";
import { signInByForm, switchAccount } from "../steps/signIn.ts";

/** Parameters that are read from the query only, not from a form: name → what it is, for the OpenAPI document. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  client_id: "The client",
  response_type: "`code`",
  redirect_uri: "One that the client has registered, letter for letter",
  response_mode: "`query` (default), or `form_post`",
  scope: "Names, with a space between each. `openid` asks for an ID token",
  state: "Comes back unchanged",
  code_challenge: "RFC 7636 §4.2; needed unless an administrator has exempted the client",
  code_challenge_method: "`S256`",
  resource: "What the tokens are for (RFC 8707): the service (default), or the agents' door of a database",
  database: "The database whose account signs in; needed where there are several",
  issuer: "The issuer by which the client knows this server, as its metadata name it: `iss` of the answer",
  prompt: "OpenID Connect Core §3.1.2.1: `none`, or some of `login`, `consent`, `select_account`",
  nonce: "Comes back in the ID token",
  max_age: "Seconds since the sign-in, at most",
  login_hint: "Name or mail address of the account",
  id_token_hint: "An earlier ID token of the account",
  claims: "OpenID Connect Core §5.5, as JSON",
  acr_values: "Classes of the sign-in that the client wants, the best first",
  ui_locales: "Languages of the pages, the best first",
  dpop_jkt: "The thumbprint of the key that the code is bound to (RFC 9449 §10)",
  request_uri: "From a pushed request (RFC 9126): beside `client_id` it needs no other parameter",
};

const MAX_QUERY = 16_000;

/**
 * OpenID Connect Core 1.0 §3.1.2.1: a client may send its request as a form. A POST from another site carries no
 * cookies, so a GET follows it.
 */
const followPost: Step = ({ request, response, form, parameters }) => {
  if (request.method !== "POST" || form["form_token"] !== undefined || form["client_id"] === undefined) return;
  if (Object.keys(parameters).length > 0) return;
  const given = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  if (query.length > MAX_QUERY) throw oauthError("invalid_request", `The request is over ${MAX_QUERY} bytes`);
  sendNothing(response, 303, { "Cache-Control": "no-store", Location: `?${query}` });
};

const rejectParametersInForm: Step = ({ form }) => {
  const twice = Object.keys(PARAMETERS).find((name) => form[name] !== undefined);
  if (twice !== undefined) throw oauthError("invalid_request", `'${twice}' must be in the query`);
};

/** The issuer by which the client knows this server. Throws `invalid_request`. */
const readIssuer: Step = (context) => {
  const { issuer } = context.parameters;
  if (issuer === undefined) return;
  const { baseUrl } = context.kernel;
  if (issuer !== baseUrl && issuer !== agentsResource(baseUrl, context.database.name))
    throw oauthError("invalid_request", "'issuer' is not an issuer of this database");
  context.issuer = issuer;
};

const loadClient: Step = async (context) => {
  const { client_id: id } = context.parameters;
  if (id === undefined) throw oauthError("invalid_request", "The parameter 'client_id' is missing");
  const client = await findOrReadClient(context, id);
  if (!client) throw oauthError("invalid_request", "There is no such client");
  if (client.disabled) throw oauthError("unauthorized_client", "The client is disabled");
  context.client = client;
};

/**
 * `prompt=none` (OpenID Connect Core 1.0 §3.1.2.1): no page is shown. Where one would be needed, the client gets an
 * error.
 */
const isSilent = ({ parameters: { prompt } }: OAuthContext): boolean => prompt === "none";

const askToSignIn: Step = async (context) => {
  if (context.account && (await isSignInEnough(context))) return;
  if (isSilent(context))
    throw oauthError("login_required", "Nobody is signed in in this browser, or the sign-in does not meet the request");
  await signInPage(context);
};

/**
 * Redirects to the page after a sign-in, so that going back or reloading sends no password twice. It does not redirect
 * where the request itself demands a sign-in, because it would demand another.
 */
const forgetForm: Step = ({ form, account, response, openid }) => {
  if (openid && (openid.maxAge !== undefined || openid.prompts.has("login") || openid.prompts.has("select_account")))
    return;
  if (account && SENDS_SECRETS.has(form["action"] ?? "")) reload(response);
};

/** Forms with a password or a code, or that sign out. */
const SENDS_SECRETS: ReadonlySet<string> = new Set(["sign-in", "factor", "enrol", "passkey", "switch"]);

const askForAccount: Step = (context) => {
  const { account, openid } = context;
  if (account && openid?.prompts.has("select_account") && !context.isFresh && !hasAnswered(context))
    accountPage(context, account);
};

/** The person has answered a page that names the account; its form is bound to the session. */
function hasAnswered({ form }: OAuthContext): boolean {
  return ["allow", "deny", "continue"].includes(form["action"] ?? "");
}

function reload(response: ServerResponse): void {
  const { search } = new URL(response.req.url ?? "", "http://localhost");
  sendNothing(response, 303, { "Cache-Control": "no-store", Location: search });
}

/** The account must do this before it can give consent or get a code. */
const keepClient: Step = async (context) => {
  if (context.account) await keepDocumentClient(context);
};

const deny: Step = async ({ form, account, client, database, address }) => {
  if (form["action"] !== "deny") return;
  await audit(database, { event: "consent.denied", account: account?.name, clientId: client.id, address });
  throw oauthError("access_denied", "The account has refused the request");
};

const allow: Step = async ({ form, account, client, database, scopes, resource, address }) => {
  if (form["action"] !== "allow" || !account) return;
  await database.db.none(
    `
insert into portolan.consents as c (user_name, client_id, scopes, resources) values ($1, $2, $3, $4)
on conflict (user_name, client_id) do update
set
  scopes = array(select distinct s from unnest(c.scopes || excluded.scopes) s),
  resources = array(select distinct r from unnest(c.resources || excluded.resources) r),
  given_at = now()`,
    [account.name, client.id, scopes, [resource ?? ""]],
  );
  await audit(database, {
    event: "consent.given",
    account: account.name,
    clientId: client.id,
    address,
    details: { scopes, ...(resource !== undefined && { resource }) },
  });
};

const askForConsent: Step = async (context) => {
  const { account, scopes, redirectUri = "" } = context;
  if (!account || (!context.notice && !mustConsent(context) && (await isConsentKnown(context, account.name)))) return;
  if (isSilent(context)) throw oauthError("consent_required", "The account has not allowed the request yet");
  const hidden = await signedInFields(context);
  await consentPage(context, { account, scopes, hidden, destination: new URL(redirectUri).host });
};

/** `prompt=consent`, until the account has answered. */
function mustConsent({ openid, form }: OAuthContext): boolean {
  return openid?.prompts.has("consent") === true && form["action"] !== "allow";
}

async function isConsentKnown(context: OAuthContext, name: string): Promise<boolean> {
  return !context.client.confirm || hasConsented(context, name);
}

async function hasConsented({ database, client, scopes, resource }: OAuthContext, name: string): Promise<boolean> {
  const { given } = await database.db.one<{ given: boolean }>(
    `
select exists (
  select from portolan.consents c
  where c.user_name = $1 and c.client_id = $2 and c.scopes @> $3::text[] and $4 = any (c.resources)) as given`,
    [name, client.id, scopes, resource ?? ""],
  );
  return given;
}

const redirectWithCode: Step = async (context) => {
  const { account, client, database, parameters, redirectUri, scopes, resource } = context;
  if (!account) return;
  await usePushedRequest(context);
  const code = await makeAuthorizationCode(context, account, async (code) => {
    await database.db.none(
      `
insert into portolan.authorization_codes
  (hash, client_id, user_name, redirect_uri, scope, code_challenge, token_version, expires_at, asked)
values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + make_interval(secs => $8), $9)`,
      [
        hashOf(code),
        client.id,
        account.name,
        redirectUri,
        scopes.join(" "),
        parameters["code_challenge"] ?? null,
        account.tokenVersion,
        client.codeLifetimeSeconds,
        { resource, dpop_jkt: parameters["dpop_jkt"], ...signInDetailsOf(context) },
      ],
    );
  });
  if (client.origin !== "administrator") await database.db.func("portolan.note_client_use", [client.id]);
  redirect(context, { code });
};

/** RFC 6749 §4.1.2, with `iss` (RFC 9207). The registered address stays as it is written. */
function redirect(context: OAuthContext, answer: Readonly<Record<string, string>>): void {
  const { redirectUri = "", parameters, kernel, request, response } = context;
  const query = new URLSearchParams(answer);
  if (parameters["state"] !== undefined) query.set("state", parameters["state"]);
  query.set("iss", context.issuer ?? kernel.baseUrl);
  if (parameters["response_mode"] === "form_post") return formPostPage(context, redirectUri, query);
  sendNothing(response, request.method === "POST" ? 303 : 302, {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    Location: `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${query}`,
  });
}

export const authorization: readonly Step[] = [
  readQuery,
  readForm,
  followPost,
  rejectParametersInForm,
  chooseDatabase,
  readIssuer,
  loadClient,
  takePushedRequest,
  ...checkRequest, // once the redirect URI is checked, errors go to the client
  requirePushedRequest,
  checkForm,
  findSession,
  takeSignIn,
  switchAccount,
  signInByProvider,
  signInByForm,
  signInByFactor,
  askToSignIn,
  requireFactor,
  forgetForm,
  askForAccount,
  keepClient,
  deny,
  allow,
  askForConsent,
  redirectWithCode,
];

/** On the page while the redirect URI is not trusted, then by redirect (RFC 6749 §4.1.2.1). */
export const renderAuthorizationError: ErrorRenderer = (context, thrown) => {
  if (context.redirectUri === undefined) return renderPageError(context, thrown);
  const { headers, body } = toOAuthError(thrown);
  logServerFault(context, thrown);
  setHeaders(context.response, headers);
  redirect(context, body);
};
