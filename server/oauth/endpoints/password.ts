/** `/password?token=…`: a one-time link lets an account set its first, or a forgotten, password. */
import { hashPassword } from "../../kernel/identity/passwords.ts";
import { hashOf } from "../../kernel/identity/hash.ts";
import type { OAuthContext, Step } from "../context.ts";
import { sendLogouts } from "../openid/logouts.ts";
import { linkEndedPage } from "../pages/linkEnded.ts";
import { messagePage } from "../pages/message.ts";
import { MIN_PASSWORD_LENGTH, passwordPage } from "../pages/password.ts";
import { textsOf } from "../pages/texts.ts";
import { checkForm, chooseDatabase, readForm, readQuery } from "../steps/browser.ts";

const MAX_PASSWORD_BYTES = 1024;

const answer: Step = async (context) => {
  const { database, parameters, form, request, address } = context;
  const hash = hashOf(parameters["token"] ?? "");
  const link = await database.db.oneOrNone<{ user_name: string }>(
    "select user_name from portolan.one_time_links where hash = $1 and purpose = 'password' and expires_at > now()",
    [hash],
  );
  const ended = () => linkEndedPage(context, context.kernel.mail && "forgotten");
  if (!link) return ended();
  if (request.method === "POST" && !context.notice) checkPassword(context);
  if (request.method !== "POST" || context.notice) return passwordPage(context, link.user_name);
  const { name } = await database.db.one<{ name: string | null }>("select portolan.redeem_link($1, $2, $3) as name", [
    hash,
    await hashPassword(form["password"] ?? ""),
    address ?? null,
  ]);
  if (name === null) return ended();
  sendLogouts(context.kernel, database);
  const { password: texts } = textsOf(context);
  messagePage(context, 200, texts.done, texts.doneText(name));
};

/** Checks the form of `passwordPage`. An error becomes the notice of the next page. */
export function checkPassword(context: OAuthContext): void {
  const { password = "", repeated = "" } = context.form;
  const { password: texts } = textsOf(context);
  if (password.length < MIN_PASSWORD_LENGTH)
    context.notice = { status: 400, field: "password", text: texts.tooShort(MIN_PASSWORD_LENGTH) };
  else if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES)
    context.notice = {
      status: 400,
      field: "password",
      text: texts.tooLong(MAX_PASSWORD_BYTES),
    };
  else if (password !== repeated) context.notice = { status: 400, field: "repeated", text: texts.differs };
}

export const password: readonly Step[] = [readQuery, readForm, chooseDatabase, checkForm, answer];
