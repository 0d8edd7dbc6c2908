/** `/signin`: signs in in this browser for our own pages, and goes back to the page that asked. No client is involved. */
import { sendNothing } from "../../kernel/http/answer.ts";
import type { Step } from "../context.ts";
import { findWaiting } from "../factors/waiting.ts";
import { factorPage } from "../pages/factor.ts";
import { endedPage } from "../pages/providers.ts";
import { signInPage } from "../pages/signIn.ts";
import { textsOf } from "../pages/texts.ts";
import { chooseDatabase, checkForm, checkReturn, findSession, readForm, readQuery } from "../steps/browser.ts";
import { addressAfterSignIn, pendingAccount, readPending, signInByProvider } from "../steps/provider.ts";
import { askForFactor, requireFactor, signInByFactor } from "../steps/secondFactor.ts";
import { signInByForm, switchAccount } from "../steps/signIn.ts";
import { openConsole } from "../sessions.ts";

/** A person whom a provider has sent back: asked for a second factor, or to sign in here once more to agree. */
const goOn: Step = async (context) => {
  const { pending, parameters, session, isFresh } = context;
  if (!pending?.upstream || isFresh) return;
  const { identity, amr } = pending.upstream;
  if (identity) {
    context.notice ??= { status: 200, text: textsOf(context).provider.agree(identity.email ?? "") };
    return signInPage(context, { ...destinationOf(context), withProviders: false });
  }
  const account = await pendingAccount(context);
  if (!account || (context.account?.name === account.name && session?.amr.includes("mfa"))) return;
  if (account.hasFactor) await factorPage(context, account, parameters["sign_in"] ?? "");
  else await askForFactor(context, account, amr);
};

/** The page that follows, by its path; the console and the root have the name of the service instead. */
function destinationOf({ returnTo = "/" }: Parameters<Step>[0]): { readonly destination: string } {
  const path = returnTo.split(/[?#]/)[0]!;
  return { destination: /^\/(console(\/.*)?)?$/.test(path) ? "Portolan" : returnTo };
}

const askToSignIn: Step = async (context) => {
  if (!context.account) await signInPage(context, destinationOf(context));
};

/** The sign-in has done it already. */
const openToPages: Step = async (context) => {
  if (!context.isFresh) await openConsole(context);
};

const tellNotLinked: Step = (context) => {
  const { isNotLinked, returnTo = "/", pending } = context;
  if (!isNotLinked) return;
  const { failedTitle, otherAddress } = textsOf(context).provider;
  const text = otherAddress(pending?.upstream?.identity?.email ?? "");
  endedPage(context, { status: 409, title: failedTitle, text, returnTo });
};

/** Redirects with GET, so that going back or reloading sends no password twice. A pending sign-in can be used once. */
const goBack: Step = async (context) => {
  const { response, returnTo = "/", pending, parameters, isFresh } = context;
  const isWaiting = pending && (await findWaiting(context, parameters["sign_in"], true)) !== undefined;
  const Location = isWaiting || (pending && isFresh) ? await addressAfterSignIn(context, returnTo) : returnTo;
  sendNothing(response, 303, { "Cache-Control": "no-store", Location });
};

export const signin: readonly Step[] = [
  readQuery,
  readForm,
  checkReturn,
  chooseDatabase,
  checkForm,
  findSession,
  readPending,
  switchAccount,
  signInByProvider,
  signInByForm,
  signInByFactor,
  goOn,
  askToSignIn,
  requireFactor,
  openToPages,
  tellNotLinked,
  goBack,
];
