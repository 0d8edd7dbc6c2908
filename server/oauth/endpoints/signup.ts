/** `/signup`: a person asks for an account, and chooses its password by the link that a mail brings. */
import { mailForgotten, mailSignUp } from "../../kernel/mail/links.ts";
import { noteGuess } from "../../kernel/identity/signIn.ts";
import { hashPassword } from "../../kernel/identity/passwords.ts";
import { hashOf } from "../../kernel/identity/hash.ts";
import type { OAuthContext, Step } from "../context.ts";
import { count } from "../metrics.ts";
import { linkEndedPage } from "../pages/linkEnded.ts";
import { messagePage } from "../pages/message.ts";
import { passwordPage } from "../pages/password.ts";
import { signUpPage } from "../pages/signUp.ts";
import { languageOf, textsOf } from "../pages/texts.ts";
import { lacksSignUpGroup, signUpMode } from "../signUp.ts";
import { checkForm, chooseDatabase, readForm, readQuery } from "../steps/browser.ts";
import { noticeOfWait } from "../steps/notices.ts";
import { checkPassword } from "./password.ts";

const MAX_EMAIL = 254;
const EMAIL = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/;
const NAME = /^[a-z_][a-z0-9_-]{0,39}$/;

const answer: Step = async (context) => {
  const mode = await signUpMode(context);
  const { signUp: texts } = textsOf(context);
  if (mode === "off") return messagePage(context, 404, texts.off, texts.offText);
  if (mode === "open" && (await lacksSignUpGroup(context))) {
    count(context.kernel, "signUps", { way: "mail", outcome: "refused" });
    return messagePage(context, 503, texts.broken, texts.brokenText);
  }
  if (context.parameters["token"] !== undefined) return finish(context);
  if (context.request.method !== "POST" || context.notice) return signUpPage(context, mode);
  const { name, email } = readFields(context, mode);
  if (context.notice) return signUpPage(context, mode);
  const { kernel, database, address } = context;
  try {
    // each request counts, whatever its outcome, so that nobody floods mailboxes from one place
    await noteGuess(database, { kind: "mail", subject: "", address }, false);
  } catch (error) {
    noticeOfWait(context, error);
    return signUpPage(context, mode);
  }
  const post = { mail: kernel.mail!, database, baseUrl: kernel.baseUrl, language: languageOf(context) };
  count(kernel, "signUps", { way: "mail", outcome: "asked" });
  if (mode === "open") mailSignUp(post, { name, email }, address);
  else mailForgotten(post, email, address);
  messagePage(context, 200, texts.sent, mode === "open" ? texts.sentText : texts.sentIfInvited);
};

function readFields(context: OAuthContext, mode: "invite" | "open"): { name: string; email: string } {
  const { signUp: texts } = textsOf(context);
  const name = (context.form["username"] ?? "").trim().toLowerCase();
  const email = (context.form["email"] ?? "").trim();
  if (mode === "open" && !NAME.test(name)) context.notice = { status: 400, field: "username", text: texts.badName };
  else if (email.length > MAX_EMAIL || !EMAIL.test(email))
    context.notice = { status: 400, field: "email", text: texts.badEmail };
  return { name, email };
}

/** The page of the link, which makes the account when its form is sent. */
async function finish(context: OAuthContext): Promise<void> {
  const { database, parameters, form, request, address, kernel } = context;
  const hash = hashOf(parameters["token"] ?? "");
  const { name } = await database.db.one<{ name: string | null }>("select portolan.sign_up_name($1) as name", [hash]);
  if (name === null) return linkEndedPage(context, "signup");
  if (request.method === "POST" && !context.notice) checkPassword(context);
  if (request.method !== "POST" || context.notice) return passwordPage(context, name);
  const password = await hashPassword(form["password"] ?? "");
  const { made } = await database.db.one<{ made: string | null }>(
    "select portolan.finish_sign_up($1, $2, $3, $4) as made",
    [hash, password, kernel.config.signUpGroup ?? null, address ?? null],
  );
  if (made === null) return linkEndedPage(context, "signup");
  count(kernel, "signUps", { way: "mail", outcome: "made" });
  const { password: texts } = textsOf(context);
  messagePage(context, 200, texts.done, texts.doneText(made));
}

export const signup: readonly Step[] = [readQuery, readForm, chooseDatabase, checkForm, answer];
