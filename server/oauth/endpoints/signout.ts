/**
 * `/signout`: ends the session of this browser, and returns to the client or to the page that asked for it. With the
 * parameters of OpenID Connect RP-Initiated Logout 1.0 it is the end_session_endpoint.
 */
import { GatewayError } from "../../ground/errors.ts";
import { sendNothing } from "../../kernel/http/answer.ts";
import { findClient } from "../clients.ts";
import { oauthError } from "../errors.ts";
import type { OAuthContext, Parameters, Step } from "../context.ts";
import { subjectOf } from "../openid/claims.ts";
import { readIdToken } from "../openid/request.ts";
import { messagePage } from "../pages/message.ts";
import { signOutPage } from "../pages/signOut.ts";
import { textsOf } from "../pages/texts.ts";
import { checkForm, checkReturn, chooseDatabase, findSession, readForm, readQuery } from "../steps/browser.ts";
import { endSession } from "../sessions.ts";

/** An image or a script of another page must not sign anybody out (Fetch Metadata §2.2); clients that send no such header may. */
const onlyNavigations: Step = ({ request }) => {
  const mode = request.headers["sec-fetch-mode"];
  if (mode !== undefined && mode !== "navigate")
    throw new GatewayError("FORBIDDEN", "You are still signed in; only a page that you open yourself signs you out");
};

/** §2: a client may POST. That request carries none of our cookies; the GET that follows does. */
const followPost: Step = ({ request, response, form, parameters }) => {
  if (request.method !== "POST" || form["form_token"] !== undefined) return;
  const query = new URLSearchParams(given({ ...parameters, ...form }));
  sendNothing(response, 303, { "Cache-Control": "no-store", Location: `?${query}` });
};

function given(parameters: Parameters): [string, string][] {
  return Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

/** Checks the parameters of RP-Initiated Logout before anything ends. */
const checkLogout: Step = async (context) => {
  const { parameters, database } = context;
  const { id_token_hint: hint, post_logout_redirect_uri: uri, client_id: id } = parameters;
  if (hint === undefined && uri === undefined) return;
  const token = hint === undefined ? undefined : await readIdToken(context, hint);
  if (hint !== undefined && !token) throw refused("'id_token_hint' is not an ID token of this service");
  const named = id ?? (typeof token?.aud === "string" ? token.aud : undefined);
  if (token && token.aud !== named) throw refused("'id_token_hint' was given to another client than 'client_id'");
  if (uri !== undefined && named === undefined)
    throw refused("'post_logout_redirect_uri' needs 'id_token_hint' or 'client_id', which name its client");
  const client = named === undefined ? undefined : await findClient(database, named);
  if (uri !== undefined && !client?.postLogoutRedirectUris.includes(uri))
    throw refused("'post_logout_redirect_uri' is not registered for the client");
  if (uri !== undefined) context.redirectUri = uri; // the form of the page may lead there
  const { session } = context;
  if (session && context.form["action"] !== "sign-out") {
    const isTheirs = token?.["sid"] === session.sid || (client && token && (await isOf(context, token.sub)));
    if (!isTheirs) signOutPage(context, session.account, client?.name);
  }

  async function isOf({ kernel }: OAuthContext, sub: string | undefined): Promise<boolean> {
    if (!session || !client) return false;
    return sub === (await subjectOf(database, session.account.name, client, kernel.config.subjectType));
  }
};

function refused(text: string): Error {
  return oauthError("invalid_request", `You are still signed in; ${text}`);
}

const end: Step = endSession;

/** Redirects only to an address that the client has registered. */
const goBack: Step = async (context) => {
  const { parameters, database, response, returnTo } = context;
  const { client_id: clientId, state, post_logout_redirect_uri: afterwards } = parameters;
  const uri = afterwards ?? parameters["redirect_uri"];
  if (uri === undefined && returnTo !== undefined)
    return sendNothing(response, 303, { "Cache-Control": "no-store", Location: returnTo });
  const { signOut } = textsOf(context);
  if (uri === undefined) return messagePage(context, 200, signOut.done, signOut.doneText);
  const { registered } = await database.db.one<{ registered: boolean }>(
    `
select $3 or exists (
  select from portolan.clients c
  where (c.redirect_uri @> array[$1::text] or c.homepage = $1) and c.id = coalesce($2, c.id)) as registered`,
    [uri, clientId ?? null, afterwards !== undefined], // already checked
  );
  if (!registered)
    throw oauthError("invalid_request", "You are signed out; 'redirect_uri' is not registered for a client");
  const location = new URL(uri); // a homepage may have a fragment, and characters that a header cannot hold
  if (state !== undefined) location.searchParams.append("state", state);
  sendNothing(response, context.request.method === "POST" ? 303 : 302, {
    "Cache-Control": "no-store",
    Location: location.href,
  });
};

export const signout: readonly Step[] = [
  onlyNavigations,
  readQuery,
  readForm,
  followPost,
  checkReturn,
  chooseDatabase,
  checkForm,
  findSession,
  checkLogout,
  end,
  goBack,
];
