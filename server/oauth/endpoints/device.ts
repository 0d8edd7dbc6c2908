/** `/device`: a person enters the code that a device shows, signs in, and allows it (RFC 8628 §3.3). */
import { audit } from "../../kernel/identity/audit.ts";
import { noteGuess, refuseIfLocked } from "../../kernel/identity/signIn.ts";
import { findClient } from "../clients.ts";
import type { Step } from "../context.ts";
import { signInDetailsOf } from "../openid/idToken.ts";
import { consentPage } from "../pages/consent.ts";
import { deviceCodePage } from "../pages/device.ts";
import { messagePage } from "../pages/message.ts";
import { signInPage } from "../pages/signIn.ts";
import { textsOf } from "../pages/texts.ts";
import { checkForm, chooseDatabase, findSession, readForm, readQuery } from "../steps/browser.ts";
import { signInByProvider } from "../steps/provider.ts";
import { requireFactor, signInByFactor } from "../steps/secondFactor.ts";
import { noticeOfWait } from "../steps/notices.ts";
import { signInByForm, switchAccount } from "../steps/signIn.ts";
import { toScopes, type Asked } from "../tokenAnswer.ts";
import { readUserCode, showUserCode } from "../userCode.ts";

interface DeviceRequest {
  readonly clientId: string;
  readonly scope: string;
  readonly asked: Asked;
}

/**
 * Shows the code of a link but does not use it: the sender of the link may want another person's rights on the sender's
 * own device (RFC 8628 §5.4).
 */
const askForCode: Step = (context) => {
  const { form, parameters, notice } = context;
  if (form["user_code"] === undefined || notice) deviceCodePage(context, form["user_code"] ?? parameters["user_code"]);
};

/** Guessing codes is slowed down like guessing passwords. */
const findRequest: Step = async (context) => {
  const { database, address, form } = context;
  const typed = form["user_code"] ?? "";
  const guess = { kind: "user_code", subject: "", address } as const;
  try {
    await refuseIfLocked(database, guess);
    const found = await database.db.oneOrNone<DeviceRequest>(
      `
select client_id as "clientId", scope, asked
from portolan.device_requests
where user_code = $1 and decision is null and expires_at > now()`,
      [readUserCode(typed)],
    );
    const client = found ? await findClient(database, found.clientId) : undefined;
    if (found && client && !client.disabled) {
      await refuseIfLocked(database, guess); // others may have failed while this one was looked up
      context.client = client;
      context.scopes = toScopes(found.scope);
      context.resource = found.asked.resource;
      return;
    }
    await noteGuess(database, guess, false);
    context.notice = { status: 400, text: textsOf(context).device.wrong };
  } catch (error) {
    noticeOfWait(context, error);
  }
  deviceCodePage(context, typed);
};

const askToSignIn: Step = async (context) => {
  if (!context.account) await signInPage(context, { hidden: { user_code: context.form["user_code"] ?? "" } });
};

const askForConsent: Step = async (context) => {
  const { form, account, scopes } = context;
  if (!account || form["action"] === "allow" || form["action"] === "deny") return;
  const userCode = readUserCode(form["user_code"] ?? "");
  await consentPage(context, { account, scopes, hidden: { user_code: userCode }, userCode: showUserCode(userCode) });
};

/** One statement decides: if two people enter one code, the first one wins. */
const decide: Step = async (context) => {
  const { form, account, client, database, address } = context;
  if (!account) return;
  const decision = form["action"] === "allow" ? "granted" : "denied";
  const { rowCount } = await database.db.result(
    `
update portolan.device_requests
set decision = $2, user_name = $3, token_version = $4, asked = asked || $5
where user_code = $1 and decision is null and expires_at > clock_timestamp()`,
    [readUserCode(form["user_code"] ?? ""), decision, account.name, account.tokenVersion, signInDetailsOf(context)],
  );
  const { device: texts } = textsOf(context);
  if (rowCount === 0) return messagePage(context, 409, texts.tooLate, texts.tooLateText);
  await audit(database, { event: `device.${decision}`, account: account.name, clientId: client.id, address });
  if (decision === "granted")
    messagePage(context, 200, texts.connected, texts.connectedText(client.name, account.name));
  else messagePage(context, 200, texts.notConnected, texts.notConnectedText(client.name));
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
  signInByProvider,
  signInByForm,
  signInByFactor,
  askToSignIn,
  requireFactor,
  askForConsent,
  decide,
];
