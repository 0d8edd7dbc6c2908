import { setHeaders } from "../../kernel/http/answer.ts";
import { html } from "../../kernel/http/html.ts";
import type { ErrorRenderer, OAuthContext } from "../context.ts";
import { logServerFault, toOAuthError } from "../errors.ts";
import { sendPage } from "./layout.ts";
import { textsOf } from "./texts.ts";

/** A page that only says something. */
export function messagePage(context: OAuthContext, status: number, title: string, text: string): void {
  sendPage(context, status, title, html`<p>${text}</p>`);
}

/** An error of an endpoint for browsers. */
export const renderPageError: ErrorRenderer = (context, thrown) => {
  const { status, headers, body } = toOAuthError(thrown);
  logServerFault(context, thrown);
  setHeaders(context.response, headers);
  // for the developer of a client, in English whatever the reader speaks
  sendPage(context, status, textsOf(context).errorTitle, html`<p lang="en">${body.error_description}.</p>`);
};
