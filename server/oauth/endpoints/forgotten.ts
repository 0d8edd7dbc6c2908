/** `/forgotten`: a mail with a link that sets a new password. */
import { mailForgotten } from "../../kernel/mail/links.ts";
import type { Step } from "../context.ts";
import { forgottenPage } from "../pages/forgotten.ts";
import { messagePage } from "../pages/message.ts";
import { languageOf, textsOf } from "../pages/texts.ts";
import { checkForm, chooseDatabase, readForm, readQuery } from "../steps/browser.ts";
import { noteGuess } from "../../kernel/identity/signIn.ts";
import { noticeOfWait } from "../steps/notices.ts";

const MAX_IDENTIFIER = 254;

/** Where no mail can be sent, this page does not exist. */
const needsMail: Step = (context) => {
  const { forgotten: texts } = textsOf(context);
  if (!context.kernel.mail) messagePage(context, 404, texts.noMail, texts.noMailText);
};

const answer: Step = async (context) => {
  const { request, form, database, address, kernel } = context;
  if (request.method !== "POST" || context.notice || !kernel.mail) return forgottenPage(context);
  const identifier = form["identifier"]?.trim() ?? "";
  if (identifier === "" || identifier.length > MAX_IDENTIFIER) {
    context.notice = { status: 400, field: "identifier", text: textsOf(context).forgotten.missing };
    return forgottenPage(context);
  }
  try {
    // each request counts, whatever is found, so that nobody floods mailboxes from one place
    await noteGuess(database, { kind: "mail", subject: "", address }, false);
  } catch (error) {
    noticeOfWait(context, error);
    return forgottenPage(context);
  }
  const language = languageOf(context);
  mailForgotten({ mail: kernel.mail, database, baseUrl: kernel.baseUrl, language }, identifier, address);
  const { forgotten: texts } = textsOf(context);
  messagePage(context, 200, texts.sent, texts.sentText);
};

export const forgotten: readonly Step[] = [readQuery, readForm, needsMail, chooseDatabase, checkForm, answer];
