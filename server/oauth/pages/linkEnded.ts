import { html } from "../../kernel/http/html.ts";
import type { OAuthContext } from "../context.ts";
import { sendPage } from "./layout.ts";
import { textsOf } from "./texts.ts";

/** Says that a link from a mail was used or has expired. `again`: our page that sends another, if there is one. */
export function linkEndedPage(context: OAuthContext, again: "forgotten" | "signup" | undefined): void {
  const { link } = textsOf(context);
  const database = new URLSearchParams({ database: context.database.name });
  sendPage(
    context,
    400,
    link.ended,
    html`<p>${link.endedText}</p>
      <p>${again ? html`<a href="${again}?${database}">${link.another}</a>` : link.verifyAgain}</p>`,
  );
}
