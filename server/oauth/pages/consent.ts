import { html, type Html } from "../../kernel/http/html.ts";
import type { Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { AGENTS_WRITE } from "../scopes.ts";
import { writableTables, type WritableTable } from "../writableTables.ts";
import { logoOf } from "../registration/logo.ts";
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
export async function consentPage(context: OAuthContext, options: ConsentOptions): Promise<void> {
  const { client, database, notice, resource } = context;
  const { consent } = textsOf(context);
  const meanings: Readonly<Record<string, string | undefined>> = consent.scopes;
  const { account, scopes, hidden = {}, userCode, destination } = options;
  const writes = resource !== undefined && scopes.includes(AGENTS_WRITE);
  const tables = writes ? await writableTables(context, account) : undefined;
  const logo = await logoOf(context);
  const body = html`${alert(notice)} ${logo !== undefined && html`<p><img class="logo" src="${logo}" alt="" /></p>`}
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
          <dd>
            ${scopes.map((scope) => html`<p>${meanings[scope] ?? html`<code>${scope}</code>`}</p>`)}
            ${tables && tableNames(tables, consent)}
          </dd>`
      }
      ${
        destination &&
        html`<dt>${consent.reachedAt}</dt>
          <dd>${destination}</dd>`
      }
      ${link(consent.itsPage, client.homepage)} ${link(consent.itsPolicy, client.policyUri)}
      ${link(consent.itsTerms, client.termsUri)}
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
    })}`;
  sendPage(context, notice?.status ?? 200, consent.title(client.name), {
    body,
    script: undefined,
    hasPicture: logo !== undefined,
  });
}

/** An address that the client says of itself (OpenID Connect Dynamic Client Registration 1.0 §2). */
function link(label: string, address: string | null): Html | undefined {
  if (address === null) return undefined;
  return html`<dt>${label}</dt>
    <dd><a href="${address}" rel="noreferrer">${address}</a></dd>`;
}

/** Tables that the page names of those with the same rights. */
const MOST_NAMED = 50;

/** The tables by name, together where the account may do the same with them. */
function tableNames(tables: readonly WritableTable[], texts: ReturnType<typeof textsOf>["consent"]): Html {
  if (tables.length === 0) return html`<p>${texts.noTable}</p>`;
  const byRights = Map.groupBy(tables, ({ rights }) => rights.join(", "));
  return html`<p>${texts.tables}</p>
    <ul>
      ${[...byRights].map(
        ([rights, alike]) =>
          html`<li>
            ${rights}:
            ${alike
              .slice(0, MOST_NAMED)
              .map(({ table }, index) => html`${index === 0 ? "" : ", "}<code>${table}</code>`)}${
              alike.length > MOST_NAMED && texts.moreTables(alike.length - MOST_NAMED)
            }
          </li>`,
      )}
    </ul>
    <p>${texts.methodsToo}</p>`;
}
