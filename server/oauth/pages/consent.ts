import { html } from "../../kernel/http/html.ts";
import type { Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { alert, form, hiddenFields, sendPage } from "./layout.ts";
import { textsOf } from "./texts.ts";

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
  const { consent } = textsOf(context);
  const meanings: Readonly<Record<string, string | undefined>> = consent.scopes;
  const { account, scopes, hidden = {}, userCode, destination } = options;
  sendPage(
    context,
    notice?.status ?? 200,
    consent.title(client.name),
    html`${alert(notice)}
      <p>
        <strong>${client.name}</strong> ${consent.asksTo}
        ${resource === undefined ? consent.withAllRights : html`${consent.asAgent} <strong>${database.name}</strong>.`}
      </p>
      ${client.description && html`<p class="quiet">${client.description}</p>`}
      <dl>
        <dt>${consent.signedInAs}</dt>
        <dd>${account.name}</dd>
        ${
          userCode &&
          html`<dt>${consent.codeOnDevice}</dt>
            <dd><code>${userCode}</code></dd>`
        }
        ${
          scopes.length > 0 &&
          html`<dt>${consent.asksFor}</dt>
            <dd>${scopes.map((scope) => html`<p>${meanings[scope] ?? html`<code>${scope}</code>`}</p>`)}</dd>`
        }
        ${
          destination &&
          html`<dt>${consent.reachedAt}</dt>
            <dd>${destination}</dd>`
        }
        ${
          client.homepage &&
          html`<dt>${consent.itsPage}</dt>
            <dd><a href="${client.homepage}" rel="noreferrer">${client.homepage}</a></dd>`
        }
      </dl>
      ${userCode && html`<p>${consent.onlyIf}</p>`}
      ${form(context, {
        body: html`${hiddenFields(hidden)}
          <p class="buttons">
            <button type="submit" name="action" value="allow">${consent.allow}</button>
            <button type="submit" name="action" value="deny" class="second">${consent.deny}</button>
          </p>
          <p>
            <button type="submit" name="action" value="switch" class="plain">${consent.notYou(account.name)}</button>
          </p>`,
      })}`,
  );
}
