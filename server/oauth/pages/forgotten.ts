import { html } from "../../kernel/http/html.ts";
import type { OAuthContext } from "../context.ts";
import { alert, field, form, sendPage } from "./layout.ts";

/** Asks whose password was forgotten. */
export function forgottenPage(context: OAuthContext): void {
  const { notice, form: sent } = context;
  sendPage(
    context,
    notice?.status ?? 200,
    "Forgotten your password?",
    html`<p>We send you a link with which you choose a new one.</p>
      ${alert(notice)}
      ${form(context, {
        body: html`${field({
            name: "identifier",
            label: "User name or e-mail address",
            autocomplete: "username",
            value: sent["identifier"],
            notice,
            autofocus: true,
            attributes: html`autocapitalize="none" spellcheck="false"`,
          })} <button type="submit">Send the link</button>`,
      })}`,
  );
}
