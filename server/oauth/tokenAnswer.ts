/** The tokens of a grant, in the form that @node-oauth/oauth2-server passes on. */
import { randomUUID } from "node:crypto";
import type OAuth2Server from "@node-oauth/oauth2-server";
import { audit, callAudited } from "../kernel/identity/audit.ts";
import { findAccount, signAccessToken, signRefreshToken, type Account } from "../kernel/identity/tokens.ts";
import { oauthError } from "./errors.ts";
import { shownTo } from "./openid/shownAccount.ts";
import { signIdToken, type SignInDetails } from "./openid/idToken.ts";
import type { OAuthContext } from "./context.ts";

/** The ids of a family and its first refresh token, generated before the database decides. */
export interface FamilyIds {
  readonly family: string;
  /** Null where the client may not refresh. */
  readonly refresh: string | null;
}

/** New ids. A client that does not list the refresh grant gets no refresh token. */
export function makeFamilyIds({ client }: Pick<OAuthContext, "client">): FamilyIds {
  return { family: randomUUID(), refresh: client.grants.includes("refresh_token") ? randomUUID() : null };
}

/** The request's members beside the scope: the column `asked` of codes, device requests and families. */
export interface Asked extends SignInDetails {
  /** The resource that the access token is for (RFC 8707). Default: the service. */
  readonly resource?: string | undefined;
  /** The key that a code is bound to (RFC 9449 §10). */
  readonly dpop_jkt?: string | undefined;
}

export interface Granted extends Asked {
  readonly account: Account;
  readonly scope: string;
  readonly family: string;
  /** Its id, to be signed, or the token itself. */
  readonly refresh: { readonly id: string } | { readonly token: string } | null;
  /** Lifetime of the access token. Default: the client's. */
  readonly lifetimeSeconds?: number;
  /** Members that the standard of the grant adds to the answer. */
  readonly members?: Readonly<Record<string, string>>;
}

export interface Token extends OAuth2Server.Token {
  /** Lifetime of the access token. */
  readonly lifetimeSeconds: number;
  readonly members: Granted["members"];
}

/** Starts a family of tokens for an account, records it, and signs the first tokens. */
export async function startFamily(
  context: OAuthContext,
  {
    account,
    scope,
    grantType,
    family,
    refresh,
  }: FamilyIds & Pick<Granted, "account" | "scope"> & { grantType: string },
): Promise<Token> {
  const { database, client, address } = context;
  await callAudited(
    database,
    "portolan.start_family",
    [
      family,
      refresh,
      client.id,
      account.name,
      scope,
      account.tokenVersion,
      client.accessTokenLifetimeSeconds,
      client.refreshTokenLifetimeSeconds,
      { resource: context.resource, address },
    ],
    { event: "granted", account: account.name, clientId: client.id, address, details: { grantType } },
  );
  return signTokens(context, {
    account,
    scope,
    resource: context.resource,
    family,
    refresh: refresh === null ? null : { id: refresh },
  });
}

/** Records that an account's tokens are given to the client. */
export async function noteGranted(
  context: OAuthContext,
  account: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { database, client, address } = context;
  await audit(database, { event: "granted", account, clientId: client.id, address, details });
}

/** Signs the tokens of a grant. */
export async function signTokens(context: OAuthContext, granted: Granted): Promise<Token> {
  const { database, client, kernel } = context;
  const { account, scope, resource, family, refresh } = granted;
  const { lifetimeSeconds = client.accessTokenLifetimeSeconds } = granted;
  const scopes = toScopes(scope);
  const shown = await shownTo(context, account, scopes);
  const options = { issuer: kernel.baseUrl, clientId: client.id, scope, resource, family, jkt: context.jkt, shown };
  const [accessToken, refreshToken] = await Promise.all([
    signAccessToken(database, account, { ...options, lifetimeSeconds }),
    refresh && "id" in refresh
      ? signRefreshToken(database, account, {
          ...options,
          id: refresh.id,
          lifetimeSeconds: client.refreshTokenLifetimeSeconds,
        })
      : refresh?.token,
  ]);
  return {
    accessToken,
    lifetimeSeconds,
    members: { ...(await idTokenOf(context, granted, { scopes, accessToken })), ...granted.members },
    ...(refreshToken !== undefined && refreshToken !== null && { refreshToken }),
    scope: scopes,
    client: { id: client.id, grants: [...client.grants] },
    user: account,
  };
}

/** OpenID Connect Core §3.1.3.3: where a person has signed in, and the scope has `openid`. */
async function idTokenOf(
  context: OAuthContext,
  { account, nonce, auth_time, acr, amr, sid, claims }: Granted,
  { scopes, accessToken }: { readonly scopes: readonly string[]; readonly accessToken: string },
): Promise<{ id_token?: string }> {
  if (auth_time === undefined || !scopes.includes("openid")) return {};
  const signedIn = { nonce, auth_time, acr, amr, sid, claims };
  return { id_token: await signIdToken(context, { account, scopes, signedIn, accessToken }) };
}

/** The account of a grant that the database has just given. Throws `invalid_grant` when it was removed in that moment. */
export async function accountOf({ database }: OAuthContext, name: string): Promise<Account> {
  const account = await findAccount(database, name);
  if (!account) throw oauthError("invalid_grant", "The account is gone");
  return account;
}

/** Scope tokens of a `scope` that was checked, each once. */
export function toScopes(scope: string): string[] {
  return [...new Set(scope.split(" ").filter(Boolean))];
}
