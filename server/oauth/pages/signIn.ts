import { html } from "../../kernel/http/html.ts";
import type { OAuthContext } from "../context.ts";
import { alert, field, form, hiddenFields, sendPage } from "./layout.ts";
import { PASSKEY_SCRIPT, signInForm } from "./passkeys.ts";
import { providerForms } from "./providers.ts";
import { textsOf } from "./texts.ts";
import { signUpMode } from "../signUp.ts";

export interface SignInOptions {
  /** The hidden fields of the form. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** The application that the person signs in to. Default: the client. */
  readonly destination?: string;
  /** Whether other providers are offered. Default: yes, where there are some. */
  readonly withProviders?: boolean;
}

/** Asks for user name and password. */
export async function signInPage(
  context: OAuthContext,
  { hidden = {}, destination, withProviders = true }: SignInOptions = {},
): Promise<void> {
  const { client, notice, form: sent, parameters } = context;
  const { signIn, signUp, or } = textsOf(context);
  const signsUp = (await signUpMode(context)) !== "off";
  const passkeys = await signInForm(context, { hidden });
  const providers = withProviders ? await providerForms(context, { hidden }) : undefined;
  const before = sent["username"] ?? parameters["login_hint"]?.slice(0, 200);
  sendPage(context, notice?.status ?? 200, signIn.title, {
    body: html`<p>${signIn.toContinue} <strong>${destination ?? client.name}</strong></p>
      ${alert(notice)}
      ${form(context, {
        body: html`${hiddenFields(hidden)}
          ${field({
            name: "username",
            label: signIn.userName,
            autocomplete: passkeys ? "username webauthn" : "username",
            value: before,
            notice,
            autofocus: before === undefined,
            attributes: html`autocapitalize="none" spellcheck="false"`,
          })}
          ${field({
            name: "password",
            label: signIn.password,
            type: "password",
            autocomplete: "current-password",
            notice,
            autofocus: before !== undefined,
          })} <button type="submit" name="action" value="sign-in">${signIn.submit}</button>`,
      })}
      ${
        (passkeys || providers) &&
        html`<p class="other-ways">${or}</p>
          <div class="ways">${passkeys} ${providers}</div>`
      }
      ${signsUp && html`<p><a href="signup?${new URLSearchParams({ database: context.database.name })}">${signUp.title}</a></p>`}
      ${context.kernel.mail && html`<p><a href="forgotten?${new URLSearchParams({ database: context.database.name })}">${signIn.forgotten}</a></p>`}`,
    script: passkeys && PASSKEY_SCRIPT,
  });
}
