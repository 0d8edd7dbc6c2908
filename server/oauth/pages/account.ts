import { html } from "../../kernel/http/html.ts";
import type { Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { alert, form, sendPage } from "./layout.ts";

/** Asks whether to go on as the account that is signed in, or as another (`prompt=select_account`). */
export function accountPage(context: OAuthContext, account: Account): void {
  const { client, notice } = context;
  sendPage(
    context,
    notice?.status ?? 200,
    "Choose an account",
    html`<p>to continue to <strong>${client.name}</strong></p>
      ${alert(notice)}
      ${form(context, {
        body: html`<p class="buttons">
          <button type="submit" name="action" value="continue">Go on as ${account.name}</button>
          <button type="submit" name="action" value="switch" class="second">Use another account</button>
        </p>`,
      })}`,
  );
}
