/** RFC 6749 §6, with rotation (RFC 9700 §4.14.2). */
import { randomUUID } from "node:crypto";
import OAuth2Server from "@node-oauth/oauth2-server";
import type { JWTPayload } from "jose";
import { audit } from "../../kernel/identity/audit.ts";
import { GatewayError } from "../../ground/errors.ts";
import { needsFactor } from "../../kernel/identity/secondFactor.ts";
import {
  accountNameOf,
  findTokenHolder,
  signRefreshToken,
  verifyToken,
  type Account,
  type TokenHolder,
} from "../../kernel/identity/tokens.ts";
import { oauthError } from "../errors.ts";
import type { OAuthContext } from "../context.ts";
import { seal, unseal } from "../secrets.ts";
import { jktOf } from "../../kernel/identity/resources.ts";
import { checkKey } from "../steps/proof.ts";
import { checkedScope, narrowedScope } from "../steps/checkScope.ts";
import { namedResource, notGranted } from "../steps/checkResource.ts";
import { shownTo } from "../openid/shownAccount.ts";
import { accountOf, signTokens, toScopes, type Asked, type Token } from "../tokenAnswer.ts";
import { RESOURCE, contextOf, required, type GrantParameters } from "./grant.ts";

export const grantType = "refresh_token";

export const parameters: GrantParameters = {
  required: { refresh_token: "The latest of the authorization" },
  optional: { scope: "A part of the scope that was granted", ...RESOURCE },
};

const REFUSALS: Readonly<Record<string, string>> = {
  ended: "The refresh token is revoked or has expired",
  other_client: "The refresh token is not valid",
  reused: "The refresh token was used before; all tokens of the authorization are revoked",
};

interface Rotation {
  readonly outcome: string;
  readonly user_name: string | null;
  readonly asked: Asked | null;
  readonly successor: string | null;
}

export class RefreshTokenGrant extends OAuth2Server.AbstractGrantType {
  async handle(request: OAuth2Server.Request): Promise<Token> {
    const context = contextOf(request);
    const { database, client, address, kernel } = context;
    const token = required(context, "refresh_token");
    const claims = await verify(context, token);
    const account = await accountOf(context, (await accountNameOf(database, claims)) ?? "");
    const family = String(claims["fam"]);
    // every reason to refuse is checked before the rotation, which cannot be undone
    const asked = narrowedScope(String(claims["scope"] ?? ""), checkedScope(context.parameters["scope"]));
    const resource = typeof claims["resource"] === "string" ? claims["resource"] : undefined;
    if ((namedResource(context) ?? resource ?? "") !== (resource ?? "")) throw notGranted();
    checkPossession(context, jktOf(claims["cnf"]));
    await checkFactor(context, account, claims);
    const id = randomUUID();
    // signed before the database decides, so that it can store the token for a repeated request with the same old token
    const scope = String(claims["scope"] ?? "");
    const next = await signRefreshToken(database, account, {
      issuer: kernel.baseUrl,
      clientId: client.id,
      scope,
      shown: await shownTo(context, account, toScopes(scope)),
      resource,
      family,
      id,
      jkt: context.jkt,
      lifetimeSeconds: client.refreshTokenLifetimeSeconds,
    });
    const {
      outcome,
      user_name,
      asked: before,
      successor,
    } = await database.db.one<Rotation>({
      name: "rotate_refresh_token",
      text: "select * from portolan.rotate_refresh_token($1, $2, $3, $4, $5, $6, $7)",
      values: [
        family,
        claims.jti,
        client.id,
        id,
        seal(next, token),
        client.accessTokenLifetimeSeconds,
        client.refreshTokenLifetimeSeconds,
      ],
    });
    if (outcome !== "rotated" && outcome !== "repeated") {
      if (outcome === "reused") kernel.identifier.forget(database.name, family);
      const details = { grantType, outcome };
      await audit(database, {
        event: "grant.refused",
        account: user_name ?? account.name,
        clientId: client.id,
        address,
        details,
      });
      throw oauthError("invalid_grant", REFUSALS[outcome] ?? "The refresh token is not valid");
    }
    return signTokens(context, {
      ...before,
      nonce: undefined, // OpenID Connect Core §12.2
      account,
      scope: asked,
      resource,
      family,
      refresh: { token: outcome === "repeated" && successor !== null ? unseal(successor, token) : next },
    });
  }
}

/**
 * The sign-in may be older than a new requirement of the account. Throws `invalid_grant`. The token stays valid, for
 * the case that the requirement ends.
 */
async function checkFactor(context: OAuthContext, account: Account, claims: JWTPayload): Promise<void> {
  const { database, client, address, kernel } = context;
  if (!needsFactor(kernel.config.mfa, account) || claims["client_id"] !== client.id) return;
  const holder = await findTokenHolder(database, claims);
  if (!holder || !lacksFactor(context, holder)) return;
  const details = { grantType, outcome: "second_factor" };
  await audit(database, { event: "grant.refused", account: account.name, clientId: client.id, address, details });
  throw oauthError("invalid_grant", "The account signs in with a second factor; the person must sign in again");
}

/** Whether the account needs a second factor, and the sign-in of the token had none. */
export function lacksFactor({ kernel }: OAuthContext, holder: TokenHolder): boolean {
  return !holder.mfa && needsFactor(kernel.config.mfa, holder);
}

/**
 * RFC 9449 §5: the refresh token of a public client is bound to its key. A confidential client authenticates, so it may
 * use another key now; its new token must be bound to a key too.
 */
function checkPossession(context: OAuthContext, jkt: string | undefined): void {
  if (jkt !== undefined) checkKey(context, context.client.public ? jkt : (context.jkt ?? jkt));
}

async function verify({ database, kernel, client, address }: OAuthContext, token: string): Promise<JWTPayload> {
  try {
    const keys = kernel.identifier.keysOf(database);
    return await verifyToken(token, "rt+jwt", { keys, database: database.name, issuer: kernel.baseUrl });
  } catch (error) {
    if (!(error instanceof GatewayError && error.code === "UNAUTHENTICATED")) throw error;
    const details = { grantType, outcome: "invalid" };
    await audit(database, { event: "grant.refused", clientId: client.id, address, details });
    throw oauthError("invalid_grant", "The refresh token is not valid");
  }
}
