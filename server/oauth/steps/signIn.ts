import { GatewayError } from "../../kernel/errors.ts";
import { setHeaders } from "../../kernel/http/answer.ts";
import { signIn } from "../../kernel/identity/signIn.ts";
import type { Exchange, Step } from "../exchange.ts";
import { endSession, startSession } from "../sessions.ts";

/** Signs in whoever sent the sign-in form; what is wrong becomes the notice of the next page. */
export const signInByForm: Step = async (exchange) => {
  const { form, database, address } = exchange;
  if (form["action"] !== "sign-in") return;
  const { username, password } = form;
  if (username === undefined) return notice(exchange, 400, "username", "Your user name is missing.");
  if (password === undefined) return notice(exchange, 400, "password", "Your password is missing.");
  try {
    const account = await signIn(database, { name: username, password, address, via: "page" });
    await startSession(exchange, account);
    exchange.account = account;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.code === "UNAUTHENTICATED")
      return notice(exchange, 401, "password", "The user name or the password is not right.");
    if (error.code !== "RATE_LIMITED") throw error;
    setHeaders(exchange.response, error.headers);
    notice(exchange, 429, undefined, tryAgain(error));
  }
};

/** Signs out whoever wants to be somebody else. */
export const switchAccount: Step = async (exchange) => {
  if (exchange.form["action"] !== "switch") return;
  await endSession(exchange);
  exchange.account = undefined;
};

/** What a person reads who must wait. */
export function tryAgain({ headers }: GatewayError): string {
  const seconds = Number(headers["Retry-After"] ?? 1);
  const wait = seconds < 90 ? `${seconds} second${seconds === 1 ? "" : "s"}` : `${Math.ceil(seconds / 60)} minutes`;
  return `Too many attempts failed. Try again in ${wait}.`;
}

function notice(exchange: Exchange, status: number, field: string | undefined, text: string): void {
  exchange.notice = { status, text, ...(field !== undefined && { field }) };
}
