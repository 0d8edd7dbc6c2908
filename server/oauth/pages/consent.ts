import { html } from "../../kernel/http/html.ts";
import type { Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { meaningOf } from "../scopes.ts";
import { alert, form, sendPage } from "./layout.ts";

export interface ConsentOptions {
  readonly account: Account;
  readonly scopes: readonly string[];
  /** The hidden fields of the form. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** The code that the device shows. */
  readonly userCode?: string;
  /** The address that receives the code. */
  readonly destination?: string;
}

/** Asks whether the client may act for the account. */
export function consentPage(context: OAuthContext, options: ConsentOptions): void {
  const { client, database, notice, resource } = context;
  const { account, scopes, hidden = {}, userCode, destination } = options;
  sendPage(
    context,
    notice?.status ?? 200,
    `Allow ${client.name}?`,
    html`${alert(notice)}
      <p>
        <strong>${client.name}</strong> asks to
        ${
          resource === undefined
            ? "act for you with all rights of your account."
            : html`read for you, as an agent, what your account may read in the database
                <strong>${database.name}</strong>.`
        }
      </p>
      ${client.description && html`<p class="quiet">${client.description}</p>`}
      <dl>
        <dt>Signed in as</dt>
        <dd>${account.name}</dd>
        ${
          userCode &&
          html`<dt>Code on the device</dt>
            <dd><code>${userCode}</code></dd>`
        }
        ${
          scopes.length > 0 &&
          html`<dt>It asks for</dt>
            <dd>${scopes.map((scope) => html`<p>${meaningOf(scope) ?? html`<code>${scope}</code>`}</p>`)}</dd>`
        }
        ${
          destination &&
          html`<dt>It is reached at</dt>
            <dd>${destination}</dd>`
        }
        ${
          client.homepage &&
          html`<dt>Its page</dt>
            <dd><a href="${client.homepage}" rel="noreferrer">${client.homepage}</a></dd>`
        }
      </dl>
      ${userCode && html`<p>Allow it only if you have the device before you and it shows this code.</p>`}
      ${form(context, {
        body: html`${Object.entries(hidden).map(
            ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
          )}
          <p class="buttons">
            <button type="submit" name="action" value="allow">Allow</button>
            <button type="submit" name="action" value="deny" class="second">Deny</button>
          </p>
          <p>
            <button type="submit" name="action" value="switch" class="plain">
              Not ${account.name}? Sign in as someone else
            </button>
          </p>`,
      })}`,
  );
}
