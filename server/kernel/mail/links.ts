/** The mails that have a link: a forgotten password, an invitation, an address to verify. */
import type { Database } from "../database/database.ts";
import { inMail, languageFor, type Mailer } from "./mailer.ts";

export interface Post {
  readonly mail: Mailer;
  readonly database: Database;
  /** Address of the service as clients see it, without a slash at the end. */
  readonly baseUrl: string;
  /** `Accept-Language` of the request, or the language of the page. An account with a `locale` gets mails in that. */
  readonly language: string | undefined;
}

/** The address of our page that a one-time link opens; without a token, the address of the page alone. */
export function linkTo(
  page: "password" | "verify" | "signup" | "forgotten",
  { baseUrl, database }: Pick<Post, "baseUrl" | "database">,
  token: string | null,
): string {
  const query = new URLSearchParams({ database: database.name, ...(token !== null && { token }) });
  return `${baseUrl}/${page}?${query}`;
}

/**
 * Sends links for a new password to the accounts of this name or address. It answers before it has looked for them, so that
 * neither words nor time tell whether there are any.
 */
export function mailForgotten(post: Post, identifier: string, address: string | undefined): void {
  const { mail, database, baseUrl } = post;
  mail.later(async () => {
    const links = await database.db.any<{ name: string; email: string; token: string }>(
      "select * from portolan.forgotten_password($1, $2)",
      [identifier, address ?? null],
    );
    for (const { name, email, token } of links)
      mail.send({
        kind: "forgotten",
        to: email,
        language: await languageOf(post, name),
        values: { name, service: baseUrl, link: linkTo("password", post, token) },
      });
  });
}

async function languageOf({ database, language }: Post, name: string): Promise<string | undefined> {
  const row = await database.db.oneOrNone<{ locale: string | null }>(
    "select properties ->> 'locale' as locale from portolan.users where name = $1",
    [name],
  );
  return languageFor(row?.locale, language);
}

export interface Invitation {
  readonly name: string;
  readonly email: string | null;
  /** Of its properties. */
  readonly locale: string | null;
  /** Of `portolan.invite_user`. */
  readonly token: string;
  readonly lifetimeSeconds: number;
}

/** Sends an account the link with which it sets its password. Returns it where there is no way or no address to send it to. */
export function mailInvitation(
  { mail, ...post }: Omit<Post, "mail"> & { readonly mail: Mailer | undefined },
  { name, email, locale, token, lifetimeSeconds }: Invitation,
): { readonly mailed_to: string } | { readonly url: string } {
  const link = linkTo("password", post, token);
  if (!mail || email === null) return { url: link };
  const until = inMail(new Date(Date.now() + lifetimeSeconds * 1000));
  const values = { name, service: post.baseUrl, link, until };
  mail.send({ kind: "invitation", to: email, language: languageFor(locale, post.language), values });
  return { mailed_to: email };
}

/** Sends a link with which the account `name` verifies its address. Returns whether there is an address to send one to. */
export async function mailVerification(
  post: Post,
  name: string,
  asked: { readonly by: string; readonly address: string | undefined },
): Promise<boolean> {
  const { mail, database, baseUrl } = post;
  const link = await database.db.oneOrNone<{ email: string; token: string }>(
    "select * from portolan.verification_link($1, $2, $3)",
    [name, asked.by, asked.address ?? null],
  );
  if (!link) return false;
  mail.send({
    kind: "verification",
    to: link.email,
    language: await languageOf(post, name),
    values: { name, service: baseUrl, link: linkTo("verify", post, link.token) },
  });
  return true;
}

/**
 * Sends a link with which a person who signs up chooses a password, or says why there will be none: the name or the address
 * is taken. It answers before it has looked, so that neither words nor time tell whether there is such an account.
 */
export function mailSignUp(
  post: Post,
  { name, email }: { readonly name: string; readonly email: string },
  address: string | undefined,
): void {
  const { mail, database, baseUrl, language } = post;
  mail.later(async () => {
    const begun = await database.db.oneOrNone<{
      kind: "signUp" | "hasAccount" | "taken";
      account: string | null;
      token: string | null;
    }>("select * from portolan.begin_sign_up($1, $2, $3)", [name, email, address ?? null]);
    if (!begun) return;
    const { kind, account, token } = begun;
    const page = kind === "hasAccount" ? "forgotten" : "signup";
    mail.send({
      kind,
      to: email,
      language: account === null ? language : await languageOf(post, account),
      values: { name: account ?? name, service: baseUrl, link: linkTo(page, post, token) },
    });
  });
}
