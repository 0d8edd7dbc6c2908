import { html, type Html } from "../../kernel/http/html.ts";
import type { Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import type { OwnSession } from "../ownSessions.ts";
import { alert, form, hiddenFields, sendPage } from "./layout.ts";
import { browserName } from "./browserName.ts";
import { instantText, textsOf } from "./texts.ts";

export interface Factor {
  readonly id: string;
  readonly kind: "totp" | "passkey";
  readonly name: string;
  readonly madeAt: Date;
  readonly usedAt: Date | null;
}

export interface OwnAccount {
  /** Whether the account may have second factors. */
  readonly isOffered: boolean;
  readonly factors: readonly Factor[];
  /** Whether passkeys may be added: not where the service has an IP address. */
  readonly withPasskeys: boolean;
  /** This page where passkeys may be added, if it has another address for that. */
  readonly passkeyAddress: string | undefined;
  readonly sessions: readonly OwnSession[];
  /** How many are left. */
  readonly recoveryCodes: number;
  /** The other providers with which it may sign in; undefined where none is offered, and it has none. */
  readonly providers: Providers | undefined;
}

export interface Providers {
  readonly linked: readonly Linked[];
  /** Providers that are offered and that the account is not linked to. */
  readonly others: readonly { readonly id: string; readonly title: string }[];
}

/** A person of another provider who is the account. */
export interface Linked {
  readonly id: string;
  /** The title of the provider. */
  readonly title: string;
  readonly email: string | null;
  readonly usedAt: Date | null;
}

/** The page on which a person sees and changes how the account signs in. */
export function ownAccountPage(context: OAuthContext, account: Account, about: OwnAccount): void {
  const { notice } = context;
  const { account: texts, otherAccount } = textsOf(context);
  sendPage(
    context,
    notice?.status ?? 200,
    texts.title,
    html`<p>${texts.signedInAs} <strong>${account.name}</strong></p>
      ${alert(notice)}
      <h2>${texts.factors}</h2>
      ${about.isOffered ? factorsSection(context, about) : html`<p class="quiet">${texts.passwordOnly}</p>`}
      ${about.providers && providersSection(context, about.providers)}
      <h2>${texts.sessions}</h2>
      ${about.sessions.map((one) => sessionItem(context, one))}
      ${form(context, {
        body: html`<button type="submit" name="action" value="switch" class="plain">${otherAccount}</button>`,
      })}`,
  );
}

function factorsSection(context: OAuthContext, about: OwnAccount): Html {
  const { factors, recoveryCodes, withPasskeys, passkeyAddress } = about;
  const { account: texts, passkey } = textsOf(context);
  const hasTotp = factors.some(({ kind }) => kind === "totp");
  return html`${factors.length === 0 ? html`<p>${texts.noFactor}</p>` : factors.map((one) => factorItem(context, one))}
  ${factors.length > 0 && html`<p>${texts.recoveryLeft(recoveryCodes)}</p>`}
  ${form(context, {
    body: html`<p class="buttons">
      <button type="submit" name="action" value="add-totp" ${hasTotp && html`class="second"`}>
        ${hasTotp ? texts.replaceTotp : texts.addTotp}
      </button>
      ${
        withPasskeys &&
        html`<button type="submit" name="action" value="add-passkey" class="second">${passkey.add}</button>`
      }
      ${
        factors.length > 0 &&
        html`<button type="submit" name="action" value="new-codes" class="second">${texts.newCodes}</button>`
      }
    </p>`,
  })}
  ${
    passkeyAddress !== undefined &&
    html`<p>${passkey.why} <a href="${passkeyAddress}">${passkey.addAt(new URL(passkeyAddress).host)}</a></p>`
  }`;
}

function providersSection(context: OAuthContext, { linked, others }: Providers): Html {
  const { account: texts, provider } = textsOf(context);
  return html`<h2>${provider.others}</h2>
    ${linked.length === 0 ? html`<p>${provider.none}</p>` : undefined}
    ${linked.map(({ id, title, email, usedAt }) => {
      const about = [email, usedAt && texts.used(instantText(usedAt))].filter(Boolean).join(", ");
      return html`<div class="item">
        <p><strong>${title}</strong><br /><span class="quiet">${about}</span></p>
        ${form(context, {
          body: html`${hiddenFields({ identity: id })}
            <button type="submit" name="action" value="unlink" class="second" aria-label="${texts.remove}: ${title}">
              ${texts.remove}
            </button>`,
        })}
      </div>`;
    })}
    ${others.map(({ id, title }) =>
      form(context, {
        body: html`${hiddenFields({ provider: id })}
          <p class="buttons">
            <button type="submit" name="action" value="provider" class="second">${provider.connect(title)}</button>
          </p>`,
      }),
    )}`;
}

function factorItem(context: OAuthContext, { id, name, madeAt, usedAt }: Factor): Html {
  const { account: texts } = textsOf(context);
  const when = [texts.added(instantText(madeAt)), usedAt && texts.used(instantText(usedAt))].filter(Boolean).join(", ");
  return html`<div class="item">
    <p><strong>${name}</strong><br /><span class="quiet">${when}</span></p>
    ${form(context, {
      body: html`${hiddenFields({ factor: id })}
        <button type="submit" name="action" value="remove" class="second" aria-label="${texts.remove}: ${name}">
          ${texts.remove}
        </button>`,
    })}
  </div>`;
}

function sessionItem(context: OAuthContext, { id, client, agent, address, since, isCurrent }: OwnSession): Html {
  const { account: texts } = textsOf(context);
  const name = client ?? (agent === null ? texts.browser : browserName(agent));
  const where = [isCurrent && texts.thisBrowser, address, texts.since(since)].filter(Boolean).join(", ");
  return html`<div class="item">
    <p><strong>${name}</strong><br /><span class="quiet">${where}</span></p>
    ${
      !isCurrent &&
      form(context, {
        body: html`${hiddenFields({ session: id })}
          <button type="submit" name="action" value="end-session" class="second" aria-label="${texts.end}: ${name}">
            ${texts.end}
          </button>`,
      })
    }
  </div>`;
}
