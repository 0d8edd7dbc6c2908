import { html } from "../../kernel/http/html.ts";
import type { Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { alert, form, sendPage } from "./layout.ts";

/** Asks whether to sign out, where a client asks for it without saying whose session it means. */
export function signOutPage(context: OAuthContext, account: Account, client: string | undefined): void {
  const { notice } = context;
  sendPage(
    context,
    notice?.status ?? 200,
    "Sign out?",
    html`${alert(notice)}
      <p>
        ${client === undefined ? "An application" : html`<strong>${client}</strong>`} asks to sign out ${account.name}.
      </p>
      ${form(context, {
        body: html`<p class="buttons"><button type="submit" name="action" value="sign-out">Sign out</button></p>`,
      })}
      <p class="quiet">To stay signed in, close this page.</p>`,
  );
}
