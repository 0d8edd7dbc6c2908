import { html } from "../../kernel/http/html.ts";
import type { OAuthContext } from "../context.ts";
import { alert, field, form, sendPage } from "./layout.ts";

export interface SignInOptions {
  /** The hidden fields of the form. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** The application that the person signs in to. Default: the client. */
  readonly destination?: string;
}

/** Asks for user name and password. */
export function signInPage(context: OAuthContext, { hidden = {}, destination }: SignInOptions = {}): void {
  const { client, notice, form: sent, parameters } = context;
  const before = sent["username"] ?? parameters["login_hint"]?.slice(0, 200);
  sendPage(
    context,
    notice?.status ?? 200,
    "Sign in",
    html`<p>to continue to <strong>${destination ?? client.name}</strong></p>
      ${alert(notice)}
      ${form(context, {
        body: html`${Object.entries(hidden).map(
            ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
          )}
          ${field({
            name: "username",
            label: "User name",
            autocomplete: "username",
            value: before,
            notice,
            autofocus: before === undefined,
            attributes: html`autocapitalize="none" spellcheck="false"`,
          })}
          ${field({
            name: "password",
            label: "Password",
            type: "password",
            autocomplete: "current-password",
            notice,
            autofocus: before !== undefined,
          })} <button type="submit" name="action" value="sign-in">Sign in</button>`,
      })}
      ${context.kernel.mail && html`<p><a href="forgotten?${new URLSearchParams({ database: context.database.name })}">Forgotten your password?</a></p>`}`,
  );
}
