/** The answer of `/auth` as a form that sends itself (OAuth 2.0 Form Post Response Mode §2). */
import { createHash } from "node:crypto";
import { HTML_TYPE, sendText } from "../../kernel/http/answer.ts";
import { Html, html, page, pagePolicy } from "../../kernel/http/html.ts";
import type { OAuthContext } from "../context.ts";
import { languageOf, textsOf } from "./texts.ts";

const SCRIPT = "document.forms[0].submit()";
const HASH = `'sha256-${createHash("sha256").update(SCRIPT).digest("base64")}'`;

/** Sends the page; a browser without scripts shows its button. `action`: the redirect URI. */
export function formPostPage(context: OAuthContext, action: string, answer: URLSearchParams): void {
  const { request, response } = context;
  const { goingBack, goOn } = textsOf(context);
  const text = page({
    title: `${goingBack} · Portolan`,
    language: languageOf(context),
    root: /^[^?]*\/(\?|$)/.test(request.url ?? "") ? ".." : ".",
    body: html`<body class="page narrow">
      <main>
        <h1>${goingBack}</h1>
        <form method="post" action="${action}">
          ${[...answer].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
          <button type="submit">${goOn}</button>
        </form>
      </main>
      ${new Html(`<script>${SCRIPT}</script>`)}
    </body>`,
  });
  sendText(response, text, {
    status: 200,
    type: HTML_TYPE,
    headers: {
      "Cache-Control": "no-store",
      // a client redirects on from there, and a browser checks that too
      "Content-Security-Policy": pagePolicy({ "form-action": "http: https:", "script-src": HASH }),
      "X-Frame-Options": "DENY",
      "Referrer-Policy": "no-referrer",
    },
  });
}
