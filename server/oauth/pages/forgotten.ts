import { html } from "../../kernel/http/html.ts";
import type { OAuthContext } from "../context.ts";
import { alert, field, form, sendPage } from "./layout.ts";
import { textsOf } from "./texts.ts";

/** Asks whose password was forgotten. */
export function forgottenPage(context: OAuthContext): void {
  const { notice, form: sent } = context;
  const { forgotten } = textsOf(context);
  sendPage(
    context,
    notice?.status ?? 200,
    forgotten.title,
    html`<p>${forgotten.text}</p>
      ${alert(notice)}
      ${form(context, {
        body: html`${field({
            name: "identifier",
            label: forgotten.label,
            autocomplete: "username",
            value: sent["identifier"],
            notice,
            autofocus: true,
            attributes: html`autocapitalize="none" spellcheck="false"`,
          })} <button type="submit">${forgotten.submit}</button>`,
      })}`,
  );
}
