import { html } from "../../kernel/http/html.ts";
import type { Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { alert, form, sendPage } from "./layout.ts";
import { textsOf } from "./texts.ts";

/** Asks whether to go on as the account that is signed in, or as another (`prompt=select_account`). */
export function accountPage(context: OAuthContext, account: Account): void {
  const { client, notice } = context;
  const { choose, signIn, otherAccount } = textsOf(context);
  sendPage(
    context,
    notice?.status ?? 200,
    choose.title,
    html`<p>${signIn.toContinue} <strong>${client.name}</strong></p>
      ${alert(notice)}
      ${form(context, {
        body: html`<p class="buttons">
          <button type="submit" name="action" value="continue">${choose.goOnAs(account.name)}</button>
          <button type="submit" name="action" value="switch" class="second">${otherAccount}</button>
        </p>`,
      })}`,
  );
}
