/** Signing in at another provider: sending the browser there, and the pending sign-in when it has come back. */
import { sendNothing } from "../../kernel/http/answer.ts";
import { addressAsked } from "../../kernel/http/localName.ts";
import { countAddress } from "../../kernel/http/rateLimit.ts";
import { prefixOf } from "../../kernel/http/routes.ts";
import { audit } from "../../kernel/identity/audit.ts";
import { findAccount, type Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext, Step } from "../context.ts";
import { PATHS } from "../endpoints/metadata.ts";
import { beginWaiting, findWaiting } from "../factors/waiting.ts";
import { count } from "../metrics.ts";
import { link, offeredProviders } from "../providers/identities.ts";
import { authorizationAddress, ProviderFailure } from "../providers/provider.ts";
import { textsOf } from "../pages/texts.ts";
import { makeCode, randomText } from "../secrets.ts";
import { browserMark, formToken } from "../sessions.ts";
import { noticeOfWait } from "./notices.ts";

/** How an account has signed in at another provider. RFC 8176 has no word for that; others use this one. */
export const FEDERATED = ["fed"];

/** Sign-ins that one network may begin in a minute. Each may stay unfinished for ten minutes. */
const SIGN_INS_PER_MINUTE = 60;

/** Sends the browser to the provider that the person has chosen. */
export const signInByProvider: Step = async (context) => {
  const { form, kernel, parameters } = context;
  if (form["action"] !== "provider") return;
  const provider = (await offeredProviders(context)).find(({ id }) => id === form["provider"]);
  if (!provider) return;
  const { address } = context;
  try {
    await countAddress(kernel.host, { what: "provider", address, perMinute: SIGN_INS_PER_MINUTE });
  } catch (error) {
    return noticeOfWait(context, error);
  }
  formToken(context); // the call gives the browser its mark
  const asked = { state: makeCode(context.database.name), nonce: randomText(), verifier: randomText() };
  const hint = form["username"] ?? parameters["login_hint"];
  const more = {
    ...(hint !== undefined && { login_hint: hint.slice(0, 200) }),
    // a request that demands a fresh sign-in demands it at the provider too
    ...((context.account || asksAgain(context)) && { prompt: "login" }),
  };
  try {
    const location = await authorizationAddress(kernel, provider, { asked, more });
    await beginWaiting(context, {
      id: asked.state,
      upstream: {
        provider: provider.id,
        browser: browserMark(context) ?? "",
        at: addressAsked(kernel.baseUrl, context.request),
        returnTo: ownAddress(context),
        nonce: asked.nonce,
        verifier: asked.verifier,
      },
    });
    sendNothing(context.response, 303, { "Cache-Control": "no-store", Location: location });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    kernel.log.warn({ err: error, provider: provider.id }, "a provider cannot be asked");
    count(kernel, "providers", { provider: provider.id, outcome: "failed" });
    context.notice = { status: 502, text: textsOf(context).provider.unreachable(provider.title ?? provider.id) };
  }
};

function asksAgain({ openid }: OAuthContext): boolean {
  return openid !== undefined && (openid.prompts.has("login") || openid.maxAge !== undefined);
}

/** The path of the page that the form is on, to which the person comes back. */
function ownAddress({ request, kernel, form }: OAuthContext): string {
  const url = new URL(request.url ?? "/", kernel.baseUrl);
  const prefix = prefixOf(kernel.baseUrl);
  if (form["user_code"] !== undefined) url.searchParams.set("user_code", form["user_code"]);
  return (url.pathname.startsWith(`${prefix}/`) ? url.pathname : prefix + url.pathname) + url.search;
}

/** Reads the pending sign-in of a person whom a provider has sent back, if it belongs to this browser. */
export const readPending: Step = async (context) => {
  const waiting = await findWaiting(context, context.parameters["sign_in"]);
  const { identity, amr, browser } = waiting?.upstream ?? {};
  if (waiting && (identity || amr) && browser === browserMark(context)) context.pending = waiting;
};

/** Links the person to the account that has just signed in to agree. Called when a session begins. */
export async function linkPending(context: OAuthContext, account: Account): Promise<void> {
  const { pending, parameters, database, address, kernel } = context;
  const identity = pending?.upstream?.identity;
  if (!identity) return;
  const isLinked =
    (await findWaiting(context, parameters["sign_in"], true)) !== undefined && (await link(context, account, identity));
  if (isLinked) return count(kernel, "providers", { provider: identity.provider, outcome: "linked" });
  count(kernel, "providers", { provider: identity.provider, outcome: "refused" });
  context.isNotLinked = true;
  await audit(database, {
    event: "sign_in.refused",
    account: account.name,
    address,
    details: { via: `provider ${identity.provider}`, reason: "other_address" },
  });
}

/** The account that waits for its second step. */
export async function pendingAccount({ pending, database }: OAuthContext): Promise<Account | undefined> {
  return pending?.account ? findAccount(database, pending.account) : undefined;
}

/**
 * The address that a person returns to after a sign-in on another page than the one that asked for it. Where the client
 * has asked for a fresh sign-in, the address tells `/auth` that there was one.
 */
export async function addressAfterSignIn(context: OAuthContext, returnTo: string): Promise<string> {
  const { account, kernel } = context;
  const url = new URL(returnTo, kernel.baseUrl);
  if (!account || url.pathname !== prefixOf(kernel.baseUrl) + PATHS.authorization) return returnTo;
  url.searchParams.set("signed_in", await markSignIn(context, account, returnTo));
  return url.pathname + url.search;
}

/**
 * Hidden fields of a page of `/auth` after a sign-in that the request demanded: they show that the person has just
 * signed in. Empty where nobody has.
 */
export async function signedInFields(context: OAuthContext): Promise<Readonly<Record<string, string>>> {
  const { account, isFresh, request } = context;
  if (!account || !isFresh || !asksAgain(context)) return {};
  return { signed_in: await markSignIn(context, account, request.url ?? "/") };
}

/** A proof of the sign-in that has just happened, for the next step of the same request in the same browser. */
function markSignIn(context: OAuthContext, { name }: Account, returnTo: string): Promise<string> {
  return beginWaiting(context, { account: name, upstream: { browser: browserMark(context) ?? "", returnTo } });
}

/** Counts a sign-in on another page as one of this request, once. */
export const takeSignIn: Step = async (context) => {
  const { request, form, account, session } = context;
  const address = request.url ?? "/";
  const id = form["signed_in"] ?? new URL(address, "http://localhost").searchParams.get("signed_in") ?? undefined;
  if (id === undefined || !account || !session) return;
  const waiting = await findWaiting(context, id, true);
  const { browser, returnTo } = waiting?.upstream ?? {};
  if (waiting?.account !== account.name || browser !== browserMark(context) || returnTo === undefined) return;
  if (requestIn(returnTo) === requestIn(address)) context.isFresh = true;
};

/** The parameters of a request at `/auth`, without the proof of a sign-in. */
function requestIn(address: string): string {
  const { searchParams } = new URL(address, "http://localhost");
  searchParams.delete("signed_in");
  return searchParams.toString();
}
