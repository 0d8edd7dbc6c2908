import { html } from "../../kernel/http/html.ts";
import type { Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { alert, form, sendPage } from "./layout.ts";
import { textsOf } from "./texts.ts";

/** Asks whether to sign out, if a client requests that without naming the session. */
export function signOutPage(context: OAuthContext, account: Account, client: string | undefined): void {
  const { notice } = context;
  const { signOut } = textsOf(context);
  sendPage(
    context,
    notice?.status ?? 200,
    signOut.title,
    html`${alert(notice)}
      <p>
        ${client === undefined ? signOut.anApplication : html`<strong>${client}</strong>`} ${signOut.asks(account.name)}
      </p>
      ${form(context, {
        body: html`<p class="buttons">
          <button type="submit" name="action" value="sign-out">${signOut.submit}</button>
        </p>`,
      })}
      <p class="quiet">${signOut.stay}</p>`,
  );
}
