import { GatewayError } from "../../ground/errors.ts";
import { needsFactor } from "../../kernel/identity/secondFactor.ts";
import { verifyAccount } from "../../kernel/identity/signIn.ts";
import type { OAuthContext, Step } from "../context.ts";
import { textsOf } from "../pages/texts.ts";
import { endSession } from "../sessions.ts";
import { noticeOfWait } from "./notices.ts";
import { askForFactor, finishSignIn } from "./secondFactor.ts";

/** Signs in the account of the sign-in form; an error becomes the notice of the next page. */
export const signInByForm: Step = async (context) => {
  const { form, database, address } = context;
  if (form["action"] !== "sign-in") return;
  const { username, password } = form;
  const { signIn: texts } = textsOf(context);
  if (username === undefined) return notice(context, 400, "username", texts.nameMissing);
  if (password === undefined) return notice(context, 400, "password", texts.passwordMissing);
  try {
    const account = await verifyAccount(database, { name: username, password, address, via: "page" });
    if (needsFactor(context.kernel.config.mfa, account)) await askForFactor(context, account);
    else await finishSignIn(context, account, ["pwd"]);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.code === "UNAUTHENTICATED") return notice(context, 401, "password", texts.wrong);
    noticeOfWait(context, error);
  }
};

/** Signs out a person who wants to use another account. */
export const switchAccount: Step = async (context) => {
  if (context.form["action"] !== "switch") return;
  await endSession(context);
  context.account = undefined;
  context.session = undefined;
};

function notice(context: OAuthContext, status: number, field: string | undefined, text: string): void {
  context.notice = { status, text, ...(field !== undefined && { field }) };
}
