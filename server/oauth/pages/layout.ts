/** The frame of this door's pages, and the parts that their forms share. Scripts only where a passkey may be used. */
import { HTML_TYPE, sendText } from "../../kernel/http/answer.ts";
import { Html, html, page, pagePolicy } from "../../kernel/http/html.ts";
import type { OAuthContext, Notice } from "../context.ts";
import { formToken } from "../sessions.ts";
import { isOnThisMachine } from "../../kernel/config/identityProviders.ts";
import { languageOf } from "./texts.ts";

/** A page that loads a file of `assets/`, if it is given, or has a picture inside it. */
export interface Scripted {
  readonly body: Html;
  readonly script: string | undefined;
  /** Default false. */
  readonly hasPicture?: boolean;
}

/**
 * Sends a page that is neither cached nor framed. Its forms lead back to the page, and from there to the client.
 * `form-action` allows all https addresses, because browsers check it along redirects too, and clients redirect further.
 */
export function sendPage(context: OAuthContext, status: number, title: string, content: Html | Scripted): void {
  const { body, script } = content instanceof Html ? { body: content, script: undefined } : content;
  const { hasPicture = false } = content instanceof Html ? {} : content;
  const { request, response, redirectUri } = context;
  const { identityProviders } = context.kernel.config;
  const plain = [redirectUri ?? "", ...identityProviders.map(({ issuer }) => issuer)].filter(isOnThisMachine);
  const loopback = [...new Set(plain.map(loopbackSource))].map((source) => ` ${source}`).join("");
  const root = /^[^?]*\/(\?|$)/.test(request.url ?? "") ? ".." : ".";
  const text = page({
    language: languageOf(context),
    title: `${title} · Portolan`,
    root,
    ...(script !== undefined && { head: html`<script type="module" src="${root}/assets/${script}"></script>` }),
    body: html`<body class="page narrow">
      <header>
        <p class="brand"><img src="${root}/assets/portolan.svg" alt="" width="20" height="20" />Portolan</p>
      </header>
      <main>
        <h1>${title}</h1>
        ${body}
      </main>
    </body>`,
  });
  sendText(response, text, {
    status,
    type: HTML_TYPE,
    headers: {
      "Cache-Control": "no-store",
      "Content-Security-Policy": pagePolicy({
        "form-action": `'self' https:${loopback}`,
        ...(script !== undefined && { "script-src": "'self'" }),
        ...(hasPicture && { "img-src": "'self' data:" }),
      }),
      "X-Frame-Options": "DENY",
      // a form's POST shows other pages of this service its origin; other sites are told nothing
      "Referrer-Policy": "same-origin",
    },
  });
}

/** CSP has no words for an IPv6 host. */
function loopbackSource(redirectUri: string): string {
  const { hostname, origin } = new URL(redirectUri);
  return hostname.startsWith("[") ? "http:" : origin;
}

export interface FormOptions {
  readonly body: Html;
  readonly action?: string;
  /** Further attributes of the form. */
  readonly attributes?: Html;
}

/** A form of our own, with its token. It is sent to the page's own address unless `action` names another. */
export function form(context: OAuthContext, { body, action, attributes }: FormOptions): Html {
  return html`<form method="post" action="${action ?? ""}" ${attributes ?? html`novalidate`}>
    <input type="hidden" name="form_token" value="${formToken(context)}" />
    ${body}
  </form>`;
}

export interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly type?: string;
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly notice: Notice | undefined;
  readonly autofocus?: boolean;
  /** How the field is to be typed into, e.g. without capitals. */
  readonly attributes?: Html;
}

/** A labelled field; its error is beside it and is read out with it. */
export function field(options: FieldOptions): Html {
  const { name, label, type = "text", autocomplete, value, hint, notice, autofocus = false, attributes } = options;
  const wrong = notice?.field === name ? notice.text : undefined;
  const described = [hint && `${name}-hint`, wrong && `${name}-error`].filter(Boolean).join(" ");
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      value="${value ?? ""}"
      required
      ${described && html`aria-describedby="${described}"`}
      ${wrong && html`aria-invalid="true"`}
      ${autofocus && html`autofocus`}
      ${attributes}
    />
    ${wrong && html`<p class="error" id="${name}-error">${wrong}</p>`}
  </div>`;
}

/** Fields that go with a form unseen. */
export function hiddenFields(fields: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`;
}

/** The error of a form as a whole. */
export function alert(notice: Notice | undefined): Html | undefined {
  return notice && notice.field === undefined ? html`<p class="alert" role="alert">${notice.text}</p>` : undefined;
}
