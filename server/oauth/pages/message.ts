import { setHeaders } from "../../kernel/http/answer.ts";
import { html } from "../../kernel/http/html.ts";
import type { ErrorRenderer, OAuthContext } from "../context.ts";
import { logServerFault, toOAuthError } from "../errors.ts";
import { sendPage } from "./layout.ts";
import { textsOf, type Texts } from "./texts.ts";

/** A page that only says something. */
export function messagePage(context: OAuthContext, status: number, title: string, text: string): void {
  sendPage(context, status, title, html`<p>${text}</p>`);
}

/** An error of an endpoint for browsers: what a person can do, then the error for the developer of a client. */
export const renderPageError: ErrorRenderer = (context, thrown) => {
  const { errorTitle, error } = textsOf(context);
  const { status, headers, body } = toOAuthError(thrown);
  logServerFault(context, thrown);
  setHeaders(context.response, headers);
  sendPage(
    context,
    status,
    errorTitle,
    html`<p>${error[textFor(status)]}</p>
      <p lang="en">${body.error_description}.</p>`,
  );
};

function textFor(status: number): keyof Texts["error"] {
  if (status >= 500) return "busy";
  return status === 429 ? "tooMany" : "other";
}
