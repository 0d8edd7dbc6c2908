/** `/device`: somebody enters the code that a device shows, signs in, and allows it (RFC 8628 §3.3). */
import { audit } from "../../kernel/identity/audit.ts";
import { GatewayError } from "../../kernel/errors.ts";
import { setHeaders } from "../../kernel/http/answer.ts";
import { noteGuess, refuseIfLocked } from "../../kernel/identity/signIn.ts";
import { findClient } from "../clients.ts";
import type { Step } from "../exchange.ts";
import { consentPage } from "../pages/consent.ts";
import { deviceCodePage } from "../pages/device.ts";
import { messagePage } from "../pages/message.ts";
import { signInPage } from "../pages/signIn.ts";
import { checkForm, chooseDatabase, findSession, readForm, readQuery } from "../steps/browser.ts";
import { signInByForm, switchAccount, tryAgain } from "../steps/signIn.ts";
import { toScopes } from "../tokenAnswer.ts";
import { readUserCode, showUserCode } from "../userCode.ts";

interface DeviceRequest {
  readonly clientId: string;
  readonly scope: string;
}

/**
 * The code that came with a link is shown, not used: who sent the link may want somebody else's rights on his own device
 * (RFC 8628 §5.4).
 */
const askForCode: Step = (exchange) => {
  const { form, parameters, notice } = exchange;
  if (form["user_code"] === undefined || notice) deviceCodePage(exchange, form["user_code"] ?? parameters["user_code"]);
};

/** Who tries codes is slowed down like who tries passwords. */
const findRequest: Step = async (exchange) => {
  const { database, address, form } = exchange;
  const typed = form["user_code"] ?? "";
  const guess = { kind: "user_code", subject: "", address } as const;
  try {
    await refuseIfLocked(database, guess);
    const found = await database.db.oneOrNone<DeviceRequest>(
      `
select client_id as "clientId", scope
from portolan.device_requests
where user_code = $1 and decision is null and expires_at > now()`,
      [readUserCode(typed)],
    );
    const client = found ? await findClient(database, found.clientId) : undefined;
    if (found && client) {
      await refuseIfLocked(database, guess); // others may have failed while this one was looked up
      exchange.client = client;
      exchange.scopes = toScopes(found.scope);
      return;
    }
    await noteGuess(database, guess, false);
    exchange.notice = { status: 400, text: "This code is not right, or it has expired." };
  } catch (error) {
    if (!(error instanceof GatewayError && error.code === "RATE_LIMITED")) throw error;
    setHeaders(exchange.response, error.headers);
    exchange.notice = { status: 429, text: tryAgain(error) };
  }
  deviceCodePage(exchange, typed);
};

const askToSignIn: Step = (exchange) => {
  if (!exchange.account) signInPage(exchange, { user_code: exchange.form["user_code"] ?? "" });
};

const askForConsent: Step = (exchange) => {
  const { form, account, scopes } = exchange;
  if (!account || form["action"] === "allow" || form["action"] === "deny") return;
  const userCode = readUserCode(form["user_code"] ?? "");
  consentPage(exchange, { account, scopes, hidden: { user_code: userCode }, userCode: showUserCode(userCode) });
};

/** One statement decides: of two people with one code the first. */
const decide: Step = async (exchange) => {
  const { form, account, client, database, address } = exchange;
  if (!account) return;
  const decision = form["action"] === "allow" ? "granted" : "denied";
  const { rowCount } = await database.db.result(
    `
update portolan.device_requests
set decision = $2, user_name = $3, token_version = $4
where user_code = $1 and decision is null and expires_at > clock_timestamp()`,
    [readUserCode(form["user_code"] ?? ""), decision, account.name, account.tokenVersion],
  );
  if (rowCount === 0) return messagePage(exchange, 409, "Too late", "The code has been used or has expired.");
  await audit(database, { event: `device.${decision}`, account: account.name, clientId: client.id, address });
  if (decision === "granted")
    messagePage(
      exchange,
      200,
      "The device is connected",
      `${client.name} may act for ${account.name} now. You can close this page.`,
    );
  else
    messagePage(exchange, 200, "The device is not connected", `${client.name} got nothing. You can close this page.`);
};

export const device: readonly Step[] = [
  readQuery,
  readForm,
  chooseDatabase,
  checkForm,
  askForCode,
  findRequest,
  findSession,
  switchAccount,
  signInByForm,
  askToSignIn,
  askForConsent,
  decide,
];
