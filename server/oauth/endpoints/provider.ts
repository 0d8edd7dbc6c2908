/** `/signin/{provider}`: a person comes back from another OpenID provider. */
import { sendNothing } from "../../kernel/http/answer.ts";
import { addressAsked } from "../../kernel/http/localName.ts";
import { audit } from "../../kernel/identity/audit.ts";
import type { IdentityProvider } from "../../kernel/config/identityProviders.ts";
import { needsFactor } from "../../kernel/identity/secondFactor.ts";
import type { Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext, Step } from "../context.ts";
import { oauthError } from "../errors.ts";
import { beginWaiting, findWaiting, type UpstreamState } from "../factors/waiting.ts";
import { linkedAccount } from "../linkedAccount.ts";
import { addressState, makeAccount, noteUse, offeredProviders, type Pending } from "../providers/identities.ts";
import { count, type ProviderOutcome } from "../metrics.ts";
import { ProviderFailure, readAnswer, type Upstream } from "../providers/provider.ts";
import { endedPage } from "../pages/providers.ts";
import { textsOf, type Texts } from "../pages/texts.ts";
import { databaseOfCode } from "../secrets.ts";
import { browserMark } from "../sessions.ts";
import { readQuery } from "../steps/browser.ts";
import { FEDERATED, addressAfterSignIn } from "../steps/provider.ts";
import { finishSignIn } from "../steps/secondFactor.ts";
import { PATHS } from "./metadata.ts";

interface Return {
  readonly provider: IdentityProvider;
  readonly upstream: UpstreamState;
}

const findDatabase: Step = async (context) => {
  const { kernel, parameters } = context;
  const database = await kernel.directory.find(databaseOfCode(parameters["state"] ?? ""));
  if (!database) throw oauthError("invalid_request", "No sign-in at another provider is waiting in this browser");
  context.database = database;
};

/** The provider sends everybody to the address of the service. A browser that began at `localhost` has its cookies there. */
const goWhereItBegan: Step = async (context) => {
  const { kernel, parameters, path, request } = context;
  const waiting = await findWaiting(context, parameters["state"]);
  const { at = kernel.baseUrl, provider } = waiting?.upstream ?? {};
  if (at === addressAsked(kernel.baseUrl, request) || provider !== path["provider"]) return;
  goTo(context, `${at}${PATHS.signin}/${provider}?${queryOf(context)}`);
};

const answer: Step = async (context) => {
  const { parameters, path } = context;
  const waiting = await findWaiting(context, parameters["state"], true);
  const upstream = waiting?.upstream;
  const provider = (await offeredProviders(context)).find(({ id }) => id === path["provider"]);
  // an answer to another browser's request would sign in somebody else here
  if (!upstream || !provider || upstream.provider !== provider.id || upstream.browser !== browserMark(context)) {
    const { errorTitle, tooLong } = textsOf(context);
    return endedPage(context, { status: 400, title: errorTitle, text: tooLong, returnTo: undefined });
  }
  const back = { provider, upstream };
  if (parameters["error"] === "access_denied") return goTo(context, upstream.returnTo);
  try {
    await receive(context, back, await readUpstream(context, back));
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    context.kernel.log.warn({ err: error, provider: provider.id }, "the answer of a provider is not valid");
    await refuse(context, back, { outcome: "failed", status: 502, reason: "answer", text: "failed" });
  }
};

function readUpstream(context: OAuthContext, { provider, upstream }: Return): Promise<Upstream> {
  const { parameters, kernel } = context;
  const { nonce = "", verifier = "" } = upstream;
  const asked = { state: parameters["state"] ?? "", nonce, verifier };
  return readAnswer(kernel, provider, { asked, query: queryOf(context) });
}

function queryOf({ request }: OAuthContext): string {
  return new URL(request.url ?? "", "http://localhost").search.slice(1);
}

/** The person already has an account here, or may be linked to one if its owner agrees, or gets a new account. */
async function receive(context: OAuthContext, back: Return, person: Upstream): Promise<void> {
  const { database, kernel } = context;
  const known = await linkedAccount(database, person);
  if (known) return enter(context, back, { account: known, person, outcome: "signed_in" });
  const state = person.email === null ? undefined : await addressState(database, person.email);
  if (state === "verified") {
    const { provider, issuer, subject, email } = person;
    count(kernel, "providers", { provider, outcome: "link_asked" });
    return continueAt(context, back, { identity: { provider, issuer, subject, email } });
  }
  if (state === "unverified")
    return refuse(context, back, { outcome: "refused", status: 403, reason: "unverified", text: "unverified" });
  const made = await makeAccount(context, person);
  if (made) count(kernel, "signUps", { way: "provider", outcome: made === "no_group" ? "refused" : "made" });
  if (made === "no_group")
    return refuse(context, back, { outcome: "failed", status: 503, reason: "no_group", text: "noGroup" });
  if (made) return enter(context, back, { account: made, person, outcome: "new_account" });
  await refuse(context, back, { outcome: "refused", status: 403, reason: "no_account", text: "noAccount" });
}

async function enter(
  context: OAuthContext,
  back: Return,
  {
    account,
    person,
    outcome,
  }: { readonly account: Account; readonly person: Upstream; readonly outcome: ProviderOutcome },
): Promise<void> {
  const { kernel } = context;
  await noteUse(context, account, { provider: back.provider, person });
  count(kernel, "providers", { provider: person.provider, outcome });
  if (needsFactor(kernel.config.mfa, account)) return continueAt(context, back, { account: account.name });
  await finishSignIn(context, account, FEDERATED, `provider ${person.provider}`);
  goTo(context, await addressAfterSignIn(context, back.upstream.returnTo));
}

/** Continues at `/signin`, whose forms the person needs now: for a second factor, or to agree. */
async function continueAt(
  context: OAuthContext,
  { upstream }: Return,
  { account, identity }: { readonly account?: string; readonly identity?: Pending },
): Promise<void> {
  const { nonce: _nonce, verifier: _verifier, ...kept } = upstream;
  const id = await beginWaiting(context, {
    ...(account !== undefined && { account }),
    upstream: { ...kept, ...(identity ? { identity } : { amr: FEDERATED }) },
  });
  const query = new URLSearchParams({ database: context.database.name, return_to: upstream.returnTo, sign_in: id });
  goTo(context, `${addressAsked(context.kernel.baseUrl, context.request)}${PATHS.signin}?${query}`);
}

async function refuse(
  context: OAuthContext,
  { provider, upstream }: Return,
  why: {
    readonly outcome: ProviderOutcome;
    readonly status: number;
    readonly reason: string;
    readonly text: "failed" | "unverified" | "noAccount" | "noGroup";
  },
): Promise<void> {
  const { kernel, database, address } = context;
  count(kernel, "providers", { provider: provider.id, outcome: why.outcome });
  await audit(database, {
    event: "sign_in.refused",
    address,
    details: { via: `provider ${provider.id}`, reason: why.reason },
  });
  const texts: Texts["provider"] = textsOf(context).provider;
  endedPage(context, {
    status: why.status,
    title: texts.failedTitle,
    text: texts[why.text](provider.title ?? provider.id),
    returnTo: upstream.returnTo,
  });
}

function goTo({ response }: OAuthContext, address: string): void {
  sendNothing(response, 303, { "Cache-Control": "no-store", Location: address });
}

export const provider: readonly Step[] = [readQuery, findDatabase, goWhereItBegan, answer];
