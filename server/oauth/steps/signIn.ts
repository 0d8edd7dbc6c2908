import { GatewayError } from "../../ground/errors.ts";
import { setHeaders } from "../../kernel/http/answer.ts";
import { isNewPlace, signIn } from "../../kernel/identity/signIn.ts";
import { inMail } from "../../kernel/mail/mailer.ts";
import type { Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext, Step } from "../context.ts";
import { endSession, startSession } from "../sessions.ts";

/** Signs in the account of the sign-in form; an error becomes the notice of the next page. */
export const signInByForm: Step = async (context) => {
  const { form, database, address } = context;
  if (form["action"] !== "sign-in") return;
  const { username, password } = form;
  if (username === undefined) return notice(context, 400, "username", "Your user name is missing.");
  if (password === undefined) return notice(context, 400, "password", "Your password is missing.");
  try {
    const isNew = context.kernel.mail !== undefined && (await isNewPlace(database, username, address));
    const account = await signIn(database, { name: username, password, address, via: "page" });
    context.session = await startSession(context, account);
    context.account = account;
    if (isNew) tellOfNewPlace(context, account);
    context.isFresh = true;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.code === "UNAUTHENTICATED")
      return notice(context, 401, "password", "The user name or the password is not right.");
    noticeOfWait(context, error);
  }
};

/** Tells an account by mail that it has signed in from an address that it has not used lately. */
function tellOfNewPlace({ kernel, request, address }: OAuthContext, { name, email }: Account): void {
  if (email === null) return;
  kernel.mail?.send({
    kind: "newPlace",
    to: email,
    language: request.headers["accept-language"],
    values: {
      name,
      service: kernel.baseUrl,
      when: inMail(new Date()),
      address: address ?? "?",
      agent: request.headers["user-agent"] ?? "?",
    },
  });
}

/** Signs out a person who wants to use another account. */
export const switchAccount: Step = async (context) => {
  if (context.form["action"] !== "switch") return;
  await endSession(context);
  context.account = undefined;
  context.session = undefined;
};

/** Tells a person to wait, on the next page. Throws an error that is another one. */
export function noticeOfWait(context: OAuthContext, error: unknown): void {
  if (!(error instanceof GatewayError && error.code === "RATE_LIMITED")) throw error;
  setHeaders(context.response, error.headers);
  notice(context, 429, undefined, tryAgain(error));
}

function tryAgain({ headers }: GatewayError): string {
  const seconds = Number(headers["Retry-After"] ?? 1);
  const wait = seconds < 90 ? `${seconds} second${seconds === 1 ? "" : "s"}` : `${Math.ceil(seconds / 60)} minutes`;
  return `Too many attempts failed. Try again in ${wait}.`;
}

function notice(context: OAuthContext, status: number, field: string | undefined, text: string): void {
  context.notice = { status, text, ...(field !== undefined && { field }) };
}
