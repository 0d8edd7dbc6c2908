/** The second step of a sign-in: a code, or the second factor that the account must add. */
import { ACR_MFA } from "../../ground/errors.ts";
import { needsFactor, mayHaveFactor } from "../../kernel/identity/secondFactor.ts";
import { noteSignIn } from "../../kernel/identity/signIn.ts";
import { findAccount, type Account } from "../../kernel/identity/tokens.ts";
import { tellOfNewPlace } from "../../kernel/mail/newPlace.ts";
import { oauthError } from "../errors.ts";
import type { Client } from "../clients.ts";
import type { OAuthContext, Step } from "../context.ts";
import { isCodeOf, stepOfNew } from "../factors/codes.ts";
import { accountOfPasskey, addPasskey, creationOptions, passkeyPlace } from "../factors/passkeys.ts";
import { makeRecoveryCodes } from "../factors/recoveryCodes.ts";
import { beginWaiting, findWaiting, type Waiting } from "../factors/waiting.ts";
import { ACR_PASSWORD } from "../openid/acr.ts";
import { unmetAcr } from "../openid/request.ts";
import { enrolPage, factorPage, recoveryPage } from "../pages/factor.ts";
import { textsOf } from "../pages/texts.ts";
import { startSession } from "../sessions.ts";
import { noticeOfWait } from "./notices.ts";
import { linkPending, signedInFields } from "./provider.ts";

const PASSWORD = ["pwd"];
/** Characters of the name of a passkey. */
const MAX_NAME = 100;

/** A second factor as RFC 8176 names it: a code, or a passkey that was made just now. */
export const CODE = ["otp", "mfa"];
export const NEW_PASSKEY = ["user", "mfa"];

/** How an account has signed in, when it has given a further factor. */
export function withFactor(amr: readonly string[], factor: readonly string[]): readonly string[] {
  return [...new Set([...amr, ...factor])];
}

/**
 * Asks for a code of an account whose first step was right, or asks it to add a second factor if it has none. `amr`: the
 * first step (RFC 8176).
 */
export async function askForFactor(
  context: OAuthContext,
  account: Account,
  amr: readonly string[] = PASSWORD,
): Promise<void> {
  const waiting = { account: account.name, upstream: { amr, returnTo: "" } };
  if (account.hasFactor) return factorPage(context, account, await beginWaiting(context, waiting));
  const { makeSecret } = await import("../factors/totp.ts");
  const secret = await makeSecret();
  const place = passkeyPlace(context);
  const passkey = place && (await creationOptions(context, account, place));
  const id = await beginWaiting(context, { ...waiting, secret, challenge: passkey?.challenge ?? null });
  return enrolPage(context, account, { id, secret, needed: { passkey: passkey?.options } });
}

/** Shows the page again on which the account adds the factor that it must have. */
async function askAgain(context: OAuthContext, account: Account, id: string, waiting: Waiting): Promise<void> {
  const { secret, challenge } = waiting;
  if (secret === null) return factorPage(context, account, id);
  const place = passkeyPlace(context);
  const passkey = challenge !== null && place && (await creationOptions(context, account, place, challenge));
  return enrolPage(context, account, { id, secret, needed: { passkey: passkey ? passkey.options : undefined } });
}

/** Signs in the account whose code, or whose new passkey, the form has. */
export const signInByFactor: Step = async (context) => {
  const { form, database, kernel } = context;
  const { action, sign_in: id = "", code = "" } = form;
  if (action === "passkey") return signInByPasskey(context);
  if (action !== "factor" && action !== "enrol" && action !== "enrol-passkey") return;
  const waiting = await findWaiting(context, id);
  const account = waiting?.account ? await findAccount(database, waiting.account) : undefined;
  const amr = waiting?.upstream?.amr; // without a first step this is not a sign-in: a signed-in account adds a factor
  if (context.account && action === "enrol" && !amr) return; // for the page of the account
  if (!waiting || !account || !amr || (waiting.secret === null) !== (action === "factor")) {
    context.notice = { status: 400, text: textsOf(context).tooLong };
    return;
  }
  // an account that has got a factor meanwhile adds another one on its own page
  if (waiting.secret !== null && (account.hasFactor || !mayHaveFactor(kernel.config.mfa, account)))
    return askForFactor(context, account, amr);
  if (action === "enrol-passkey") return enrolPasskey(context, account, { amr, via: wayOf(waiting) });
  try {
    const codes = await acceptCode(context, account, { secret: waiting.secret, code });
    if (codes === undefined) return again();
    await findWaiting(context, id, true);
    await finishSignIn(context, account, withFactor(amr, CODE), wayOf(waiting));
    if (codes.length > 0) recoveryPage(context, codes, await signedInFields(context));
  } catch (error) {
    noticeOfWait(context, error);
    await again();
  }

  async function again(): Promise<void> {
    const { factor, enrol } = textsOf(context);
    const text = action === "enrol" ? enrol.wrong : factor.wrong;
    context.notice ??= { status: 401, field: "code", text };
    await askAgain(context, account!, id, waiting!);
  }
};

/** Signs in the account that has just made the passkey that it must have. */
async function enrolPasskey(
  context: OAuthContext,
  account: Account,
  { amr, via }: { readonly amr: readonly string[]; readonly via: string },
): Promise<void> {
  const codes = await addNamedPasskey(context, account);
  if (codes === undefined) {
    context.notice = { status: 400, text: textsOf(context).passkey.wrong };
    return askForFactor(context, account, amr);
  }
  await finishSignIn(context, account, withFactor(amr, NEW_PASSKEY), via);
  if (codes.length > 0) recoveryPage(context, codes, await signedInFields(context));
}

/**
 * Adds the passkey that the form has, by the name that it has. Returns the recovery codes that the account got with its first
 * factor; undefined where the passkey does not count.
 */
export async function addNamedPasskey(context: OAuthContext, account: Account): Promise<readonly string[] | undefined> {
  const { sign_in: id = "", passkey: answer = "", name } = context.form;
  const { codes, hashes } = makeRecoveryCodes();
  const label = (name ?? textsOf(context).passkey.nameDefault).slice(0, MAX_NAME);
  const outcome = await addPasskey(context, account, { id, answer, name: label, hashes });
  if (outcome === "refused") return undefined;
  return outcome === "addedWithCodes" ? codes : [];
}

/** Signs in the account whose passkey the browser has used: without a password, or as its second step. */
async function signInByPasskey(context: OAuthContext): Promise<void> {
  const { form } = context;
  const { passkey, tooLong } = textsOf(context);
  const found = await accountOfPasskey(context, form["passkey"] ?? "");
  const id = form["sign_in"];
  const waiting = await findWaiting(context, id, true);
  if (!found || (id !== undefined && waiting?.account !== found.account.name)) {
    context.notice = { status: 401, text: found ? tooLong : passkey.wrong };
    return;
  }
  const via = id === undefined ? "passkey" : wayOf(waiting);
  await finishSignIn(context, found.account, withFactor(waiting?.upstream?.amr ?? [], found.amr), via);
}

/** New recovery codes of the account, if it got some; undefined where the code is not right. Throws `RATE_LIMITED`. */
async function acceptCode(
  context: OAuthContext,
  account: Account,
  { secret, code }: { readonly secret: string | null; readonly code: string },
): Promise<readonly string[] | undefined> {
  if (secret === null) return (await isCodeOf(context, account, code)) ? [] : undefined;
  return addAuthenticator(context, account, { secret, code });
}

/**
 * Adds an authenticator whose first code is right. Returns the recovery codes that the account got with its first factor;
 * undefined where the code is not right. Throws `RATE_LIMITED`.
 */
export async function addAuthenticator(
  context: OAuthContext,
  account: Account,
  { secret, code }: { readonly secret: string; readonly code: string },
): Promise<readonly string[] | undefined> {
  const { database, address } = context;
  const step = await stepOfNew(context, account, { secret, code });
  if (step === undefined) return undefined;
  const { codes, hashes } = makeRecoveryCodes();
  const { isNew } = await database.db.one<{ isNew: boolean }>(
    'select portolan.add_totp($1, $2, $3, $4, $5) as "isNew"',
    [account.name, secret, step, hashes, address ?? null],
  );
  return isNew ? codes : [];
}

/** For the audit: the provider from which the person came, or our page. */
function wayOf(waiting: Waiting | undefined): string {
  const provider = waiting?.upstream?.provider;
  return provider === undefined ? "page" : `provider ${provider}`;
}

/** Begins the session of an account that has given all that its sign-in asks for. `via`: for the audit. */
export async function finishSignIn(
  context: OAuthContext,
  account: Account,
  amr: readonly string[],
  via = "page",
): Promise<void> {
  const { database, address, kernel, request } = context;
  const isNewPlace = await noteSignIn(database, account, { address, via, amr });
  await linkPending(context, account);
  context.session = await startSession(context, account, amr);
  context.account = account;
  context.isFresh = true;
  if (isNewPlace) tellOfNewPlace({ mail: kernel.mail, baseUrl: kernel.baseUrl, request }, account);
}

/** The session must have a second factor where the account needs one, or the client asks for one (RFC 9470). */
export const requireFactor: Step = async (context) => {
  const { account, session, kernel, parameters, openid } = context;
  const client = context.client as Client | undefined; // the pages of the account set no such condition
  if (!account || !session || session.amr.includes("mfa")) return;
  const { mfa } = kernel.config;
  const essential = openid?.claims.acr;
  if (essential && !essential.includes(ACR_PASSWORD) && !mayHaveFactor(mfa, account)) throw unmetAcr();
  const values = essential ?? parameters["acr_values"]?.split(" ") ?? client?.defaultAcrValues;
  const isWanted = mayHaveFactor(mfa, account) && wantsFactor(values ?? []);
  if (!isWanted && !needsFactor(mfa, account)) return;
  if (parameters["prompt"] === "none")
    throw oauthError("login_required", "The account has not signed in with a second factor");
  await askForFactor(context, account, session.amr);
};

/** Whether the class that the client prefers, of those known here, has a second factor. */
function wantsFactor(values: readonly string[]): boolean {
  return values.find((acr) => acr === ACR_MFA || acr === ACR_PASSWORD) === ACR_MFA;
}
