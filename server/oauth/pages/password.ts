import { html } from "../../kernel/http/html.ts";
import type { OAuthContext } from "../context.ts";
import { alert, field, form, sendPage } from "./layout.ts";

export const MIN_PASSWORD_LENGTH = 8;

/** Asks for a new password, twice. `userName` is there for password managers. */
export function passwordPage(context: OAuthContext, userName: string): void {
  const { notice } = context;
  sendPage(
    context,
    notice?.status ?? 200,
    "Choose a password",
    html`<p>for the account <strong>${userName}</strong></p>
      ${alert(notice)}
      ${form(context, {
        body: html`<input type="hidden" name="username" autocomplete="username" value="${userName}" />
          ${field({
            name: "password",
            label: "New password",
            type: "password",
            hint: `At least ${MIN_PASSWORD_LENGTH} characters.`,
            autocomplete: "new-password",
            notice,
            autofocus: true,
          })}
          ${field({
            name: "repeated",
            label: "The same again",
            type: "password",
            autocomplete: "new-password",
            notice,
          })}
          <button type="submit">Set password</button>`,
      })}`,
  );
}
