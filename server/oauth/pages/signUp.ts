import { html } from "../../kernel/http/html.ts";
import type { OAuthContext } from "../context.ts";
import { alert, field, form, sendPage } from "./layout.ts";
import { textsOf } from "./texts.ts";

/** Asks for the name and the address of a new account; the address alone where an administrator makes the accounts. */
export function signUpPage(context: OAuthContext, mode: "invite" | "open"): void {
  const { notice, form: sent } = context;
  const { signUp, signIn } = textsOf(context);
  sendPage(
    context,
    notice?.status ?? 200,
    signUp.title,
    html`<p>${mode === "open" ? signUp.text : signUp.textIfInvited}</p>
      ${alert(notice)}
      ${form(context, {
        body: html`${
            mode === "open" &&
            field({
              name: "username",
              label: signIn.userName,
              hint: signUp.nameHint,
              autocomplete: "username",
              value: sent["username"],
              notice,
              autofocus: true,
              attributes: html`autocapitalize="none" spellcheck="false" maxlength="40"`,
            })
          }
          ${field({
            name: "email",
            label: signUp.email,
            type: "email",
            autocomplete: "email",
            value: sent["email"],
            notice,
            attributes: html`autocapitalize="none" spellcheck="false" maxlength="254"`,
          })} <button type="submit">${signUp.submit}</button>`,
      })}`,
  );
}
