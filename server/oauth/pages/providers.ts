/** The parts of pages that are about other identity providers. */
import { html, type Html } from "../../kernel/http/html.ts";
import type { OAuthContext } from "../context.ts";
import { offeredProviders } from "../providers/identities.ts";
import { form, hiddenFields, sendPage } from "./layout.ts";
import { textsOf } from "./texts.ts";

/** A button for each provider that is offered here. Undefined where none is. */
export async function providerForms(
  context: OAuthContext,
  {
    hidden = {},
    isSecond = true,
  }: { readonly hidden?: Readonly<Record<string, string>>; readonly isSecond?: boolean } = {},
): Promise<Html | undefined> {
  const offered = await offeredProviders(context);
  if (offered.length === 0) return undefined;
  const { provider: texts } = textsOf(context);
  return html`${offered.map(({ id, title }) =>
    form(context, {
      body: html`${hiddenFields({ ...hidden, provider: id })}
        <p class="buttons">
          <button type="submit" name="action" value="provider" ${isSecond && html`class="second"`}>
            ${texts.signIn(title ?? id)}
          </button>
        </p>`,
    }),
  )}`;
}

export interface EndedPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** The page on which the person began. */
  readonly returnTo: string | undefined;
}

/** Says why a sign-in at another provider has led nowhere, and leads back. */
export function endedPage(context: OAuthContext, { status, title, text, returnTo }: EndedPage): void {
  sendPage(
    context,
    status,
    title,
    html`<p>${text}</p>
      ${returnTo !== undefined && html`<p><a href="${returnTo}">${textsOf(context).goOn}</a></p>`}`,
  );
}
