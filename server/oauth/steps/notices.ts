/** Notices to a person after a sign-in, or in place of one. */
import { GatewayError } from "../../ground/errors.ts";
import { setHeaders } from "../../kernel/http/answer.ts";
import type { Account } from "../../kernel/identity/tokens.ts";
import { inMail } from "../../kernel/mail/mailer.ts";
import type { OAuthContext } from "../context.ts";
import { textsOf } from "../pages/texts.ts";

/** Tells an account by mail that it has signed in from an address that it has not used lately. */
export function tellOfNewPlace({ kernel, request, address }: OAuthContext, { name, email }: Account): void {
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

/** Tells a person to wait, on the next page. Throws an error that is another one. */
export function noticeOfWait(context: OAuthContext, error: unknown): void {
  if (!(error instanceof GatewayError && error.code === "RATE_LIMITED")) throw error;
  setHeaders(context.response, error.headers);
  context.notice = { status: 429, text: textsOf(context).tryAgain(Number(error.headers["Retry-After"] ?? 1)) };
}
