/** `/verify?token=…`: a link from a mail shows that an address is the account's. Opening it changes nothing; its form does. */
import { hashOf } from "../../kernel/identity/hash.ts";
import { html } from "../../kernel/http/html.ts";
import type { Step } from "../context.ts";
import { alert, form, sendPage } from "../pages/layout.ts";
import { linkEndedPage } from "../pages/linkEnded.ts";
import { messagePage } from "../pages/message.ts";
import { textsOf } from "../pages/texts.ts";
import { checkForm, chooseDatabase, readForm, readQuery } from "../steps/browser.ts";

const answer: Step = async (context) => {
  const { database, parameters, request, address, notice } = context;
  const { verify: texts } = textsOf(context);
  const hash = hashOf(parameters["token"] ?? "");
  if (request.method === "POST" && !notice) {
    const { name } = await database.db.one<{ name: string | null }>("select portolan.verify_email($1, $2) as name", [
      hash,
      address ?? null,
    ]);
    if (name === null) return linkEndedPage(context, undefined);
    return messagePage(context, 200, texts.done, texts.doneText(name));
  }
  const link = await database.db.oneOrNone<{ name: string; email: string }>(
    "select user_name as name, email from portolan.one_time_links where hash = $1 and purpose = 'email' and expires_at > now()",
    [hash],
  );
  if (!link) return linkEndedPage(context, undefined);
  sendPage(
    context,
    notice?.status ?? 200,
    texts.title,
    html`${alert(notice)}
      <p><strong>${link.email}</strong> ${texts.isOf} <strong>${link.name}</strong>.</p>
      ${form(context, { body: html`<button type="submit">${texts.submit}</button>` })}`,
  );
};

export const verify: readonly Step[] = [readQuery, readForm, chooseDatabase, checkForm, answer];
