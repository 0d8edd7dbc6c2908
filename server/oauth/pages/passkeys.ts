/** The forms in which a browser makes or uses a passkey. They are hidden where it cannot. */
import { html, type Html } from "../../kernel/http/html.ts";
import type { Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { mayOfferPasskeys, passkeyAddress, passkeyPlace, requestOptions } from "../factors/passkeys.ts";
import { form, hiddenFields } from "./layout.ts";
import { textsOf } from "./texts.ts";

export const PASSKEY_SCRIPT = "passkey.js";

export interface PasskeyFormOptions {
  /** create: a new one; get: when its button is pressed; autofill: the field of the user name offers it too. */
  readonly way: "create" | "get" | "autofill";
  /** The options of the Web Authentication API, in JSON. */
  readonly options: string;
  readonly action: string;
  readonly button: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fields?: Html;
}

export function passkeyForm(
  context: OAuthContext,
  { way, options, action, button, hidden, fields }: PasskeyFormOptions,
): Html {
  const { passkey } = textsOf(context);
  return form(context, {
    attributes: html`data-passkey="${way}" data-options="${options}" hidden`,
    body: html`${hiddenFields({ action, passkey: "", ...hidden })} ${fields}
      <p class="error" data-passkey-problem tabindex="-1" role="alert" hidden>${passkey.problem}</p>
      <p class="buttons">
        <button type="submit" data-passkey-start ${way !== "create" && html`class="second"`}>${button}</button>
      </p>`,
  });
}

/**
 * The form with which a passkey signs in: of one account as its second step, or of anybody. Where passkeys do not work
 * at this address, a link to the same page where they do. Undefined where there are none.
 */
export async function signInForm(
  context: OAuthContext,
  { account, hidden }: { readonly account?: Account; readonly hidden?: Readonly<Record<string, string>> } = {},
): Promise<Html | undefined> {
  const place = passkeyPlace(context);
  const address = passkeyAddress(context);
  if ((!place && address === undefined) || !(await mayOfferPasskeys(context, account))) return undefined;
  const { passkey } = textsOf(context);
  if (!place) return html`<p><a href="${address}">${passkey.useAt(new URL(address!).host)}</a></p>`;
  return passkeyForm(context, {
    way: account || context.notice ? "get" : "autofill",
    options: await requestOptions(context, place, account),
    action: "passkey",
    button: passkey.use,
    ...(hidden && { hidden }),
  });
}
