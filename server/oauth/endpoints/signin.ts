/** `/signin`: signs in in this browser for our own pages, and goes back to the page that asked. No client has a part in it. */
import { sendNothing } from "../../kernel/http/answer.ts";
import type { Step } from "../context.ts";
import { signInPage } from "../pages/signIn.ts";
import { chooseDatabase, checkForm, checkReturn, findSession, readForm, readQuery } from "../steps/browser.ts";
import { requireFactor, signInByFactor } from "../steps/secondFactor.ts";
import { signInByForm, switchAccount } from "../steps/signIn.ts";
import { openConsole } from "../sessions.ts";

const askToSignIn: Step = async (context) => {
  if (!context.account) await signInPage(context, { destination: context.returnTo ?? "/" });
};

/** A sign-in has done it already. */
const openToPages: Step = async (context) => {
  if (!context.isFresh) await openConsole(context);
};

/** By GET, so that going back or reloading sends no password twice. */
const goBack: Step = ({ response, returnTo = "/" }) =>
  sendNothing(response, 303, { "Cache-Control": "no-store", Location: returnTo });

export const signin: readonly Step[] = [
  readQuery,
  readForm,
  checkReturn,
  chooseDatabase,
  checkForm,
  findSession,
  switchAccount,
  signInByForm,
  signInByFactor,
  askToSignIn,
  requireFactor,
  openToPages,
  goBack,
];
