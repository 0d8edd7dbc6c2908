/** Notices to a person in place of a sign-in. */
import { GatewayError } from "../../ground/errors.ts";
import { setHeaders } from "../../kernel/http/answer.ts";
import type { OAuthContext } from "../context.ts";
import { textsOf } from "../pages/texts.ts";

/** Tells a person to wait, on the next page. Throws an error that is another one. */
export function noticeOfWait(context: OAuthContext, error: unknown): void {
  if (!(error instanceof GatewayError && error.code === "RATE_LIMITED")) throw error;
  setHeaders(context.response, error.headers);
  context.notice = { status: 429, text: textsOf(context).tryAgain(Number(error.headers["Retry-After"] ?? 1)) };
}
