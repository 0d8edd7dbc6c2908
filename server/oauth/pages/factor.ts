/** The pages of the second step of a sign-in. */
import { html, type Html } from "../../kernel/http/html.ts";
import type { Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { passkeyAddress } from "../factors/passkeys.ts";
import { addressOf, pictureOf } from "../factors/totp.ts";
import { alert, field, form, hiddenFields, sendPage } from "./layout.ts";
import { PASSKEY_SCRIPT, passkeyForm, signInForm } from "./passkeys.ts";
import { textsOf } from "./texts.ts";

/** Asks for a code. `id`: of what waits. */
export async function factorPage(context: OAuthContext, account: Account, id: string): Promise<void> {
  const { notice } = context;
  const { factor, otherAccount } = textsOf(context);
  const passkeys = await signInForm(context, { account, hidden: { sign_in: id, ...kept(context) } });
  sendPage(context, notice?.status ?? 200, factor.title, {
    body: html`<p>${factor.forAccount} <strong>${account.name}</strong></p>
      ${alert(notice)} ${passkeys}
      ${form(context, {
        body: html`${hiddenFields({ sign_in: id, ...kept(context) })}
          ${field({
            name: "code",
            label: factor.code,
            hint: factor.hint,
            autocomplete: "one-time-code",
            notice,
            autofocus: true,
            attributes: html`autocapitalize="none" spellcheck="false" maxlength="40"`,
          })}
          <button type="submit" name="action" value="factor">${factor.submit}</button>
          <p><button type="submit" name="action" value="switch" class="plain">${otherAccount}</button></p>`,
      })}`,
    script: passkeys && PASSKEY_SCRIPT,
  });
}

export interface EnrolPageOptions {
  /** Of what waits. */
  readonly id: string;
  /** The key of the authenticator. */
  readonly secret: string;
  /** The sign-in needs a factor: a passkey will do too, made with these options. */
  readonly needed?: { readonly passkey: string | undefined };
}

/** Shows the key of a new authenticator and asks for its first code, or has the browser make a passkey if either will do. */
export async function enrolPage(
  context: OAuthContext,
  account: Account,
  { id, secret, needed }: EnrolPageOptions,
): Promise<void> {
  const { notice } = context;
  const { enrol } = textsOf(context);
  const address = await addressOf(secret, account.name, context.kernel.baseUrl);
  const passkey = needed && passkeySection(context, id, needed.passkey);
  sendPage(context, notice?.status ?? 200, passkey ? enrol.titleOfAny : enrol.title, {
    body: html`${needed && html`<p>${enrol.why}</p>`} ${alert(notice)} ${passkey}
      ${passkey && html`<h2>${enrol.app}</h2>`}
      <p>${enrol.scan}</p>
      <p role="img" aria-label="${enrol.picture}">${await pictureOf(address)}</p>
      <dl>
        <dt>${enrol.key}</dt>
        <dd><code class="key">${secret.replace(/(.{4})(?=.)/g, "$1 ")}</code></dd>
      </dl>
      <p><a href="${address}">${enrol.open}</a></p>
      ${form(context, {
        body: html`${hiddenFields({ sign_in: id, ...kept(context) })}
          ${field({
            name: "code",
            label: enrol.code,
            hint: enrol.hint,
            autocomplete: "one-time-code",
            notice,
            autofocus: notice !== undefined,
            attributes: html`inputmode="numeric" spellcheck="false" maxlength="10"`,
          })} <button type="submit" name="action" value="enrol">${enrol.submit}</button>`,
      })}`,
    script: needed?.passkey === undefined ? undefined : PASSKEY_SCRIPT,
  });
}

/** The form of a passkey, or a link to the address where one is good; undefined where none is. */
function passkeySection(context: OAuthContext, id: string, options: string | undefined): Html | undefined {
  const { passkey } = textsOf(context);
  const address = passkeyAddress(context);
  if (options !== undefined)
    return passkeyForm(context, {
      way: "create",
      options,
      action: "enrol-passkey",
      button: passkey.submit,
      hidden: { sign_in: id, ...kept(context) },
      fields: html`<h2>${passkey.title}</h2>
        <p>${passkey.text}</p>
        ${nameField(context)}`,
    });
  if (address === undefined) return undefined;
  return html`<h2>${passkey.title}</h2>
    <p>${passkey.why} <a href="${address}">${passkey.addAt(new URL(address).host)}</a></p>`;
}

/** Asks for the name of a new passkey, and has the browser make it. `id`: of what waits. */
export function newPasskeyPage(
  context: OAuthContext,
  { id, options }: { readonly id: string; readonly options: string },
): void {
  const { passkey } = textsOf(context);
  const making = passkeyForm(context, {
    way: "create",
    options,
    action: "new-passkey",
    button: passkey.submit,
    hidden: { sign_in: id },
    fields: nameField(context),
  });
  sendPage(context, 200, passkey.add, {
    body: html`<p>${passkey.text}</p>
      ${making}
      <noscript><p>${passkey.needsScript}</p></noscript>`,
    script: PASSKEY_SCRIPT,
  });
}

function nameField(context: OAuthContext): Html {
  const { passkey } = textsOf(context);
  return field({
    name: "name",
    label: passkey.name,
    hint: passkey.nameHint,
    autocomplete: "off",
    value: passkey.nameDefault,
    notice: undefined,
    attributes: html`maxlength="100"`,
  });
}

/** Shows new recovery codes, once. */
export function recoveryPage(
  context: OAuthContext,
  codes: readonly string[],
  hidden: Readonly<Record<string, string>> = {},
): void {
  const { recovery } = textsOf(context);
  sendPage(
    context,
    200,
    recovery.title,
    html`<p>${recovery.text}</p>
      <ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      ${form(context, {
        body: html`${hiddenFields({ ...kept(context), ...hidden })}
          <button type="submit" name="action" value="continue">${recovery.done}</button>`,
      })}`,
  );
}

/** Fields of a form that the next one has too. */
function kept({ form: sent }: OAuthContext): Readonly<Record<string, string>> {
  return sent["user_code"] === undefined ? {} : { user_code: sent["user_code"] };
}
