import { html } from "../../kernel/http/html.ts";
import type { OAuthContext } from "../context.ts";
import { alert, field, form, sendPage } from "./layout.ts";
import { textsOf } from "./texts.ts";

export const MIN_PASSWORD_LENGTH = 8;

/** Asks for a new password, twice. `userName` is there for password managers. */
export function passwordPage(context: OAuthContext, userName: string): void {
  const { notice } = context;
  const { password } = textsOf(context);
  sendPage(
    context,
    notice?.status ?? 200,
    password.title,
    html`<p>${password.forAccount} <strong>${userName}</strong></p>
      ${alert(notice)}
      ${form(context, {
        body: html`<input type="hidden" name="username" autocomplete="username" value="${userName}" />
          ${field({
            name: "password",
            label: password.label,
            type: "password",
            hint: password.hint(MIN_PASSWORD_LENGTH),
            autocomplete: "new-password",
            notice,
            autofocus: true,
          })}
          ${field({
            name: "repeated",
            label: password.again,
            type: "password",
            autocomplete: "new-password",
            notice,
          })}
          <button type="submit">${password.submit}</button>`,
      })}`,
  );
}
