/** Notices that a person sees instead of being signed in. */
import { GatewayError } from "../../ground/errors.ts";
import { setHeaders } from "../../kernel/http/answer.ts";
import type { OAuthContext } from "../context.ts";
import { textsOf } from "../pages/texts.ts";

/** Asks the person, on the next page, to wait. Throws any other error. */
export function noticeOfWait(context: OAuthContext, error: unknown): void {
  if (!(error instanceof GatewayError && error.code === "RATE_LIMITED")) throw error;
  setHeaders(context.response, error.headers);
  context.notice = { status: 429, text: textsOf(context).tryAgain(Number(error.headers["Retry-After"] ?? 1)) };
}
