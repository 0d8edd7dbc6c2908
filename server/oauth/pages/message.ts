import { setHeaders } from "../../kernel/http/answer.ts";
import { html } from "../../kernel/http/html.ts";
import type { ErrorRenderer, OAuthContext } from "../context.ts";
import { logServerFault, toOAuthError } from "../errors.ts";
import { sendPage } from "./layout.ts";
import { reasonIn } from "./reasons.ts";
import { languageOf, textsOf, type Texts } from "./texts.ts";

/** A page that only says something. */
export function messagePage(context: OAuthContext, status: number, title: string, text: string): void {
  sendPage(context, status, title, html`<p>${text}</p>`);
}

/** An error of an endpoint for browsers: what a person can do, then the error for the developer of a client. */
export const renderPageError: ErrorRenderer = (context, thrown) => {
  const { errorTitle, error } = textsOf(context);
  const { status, headers, body } = toOAuthError(thrown);
  const reason = reasonIn(languageOf(context), body.error_description);
  logServerFault(context, thrown);
  setHeaders(context.response, headers);
  sendPage(
    context,
    status,
    errorTitle,
    html`<p>${error[textFor(status)]}</p>
      <p lang="${reason.language}">${reason.text}.</p>`,
  );
};

function textFor(status: number): keyof Texts["error"] {
  if (status >= 500) return "busy";
  return status === 429 ? "tooMany" : "other";
}
