/** ID tokens (OpenID Connect Core 1.0 §2). */
import { createHash } from "node:crypto";
import { sign, type Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { acrOf } from "./acr.ts";
import { claimsOf, subjectOf, type ClaimsRequest } from "./claims.ts";

/** How an account has signed in, and what the client requested then: a part of the column `asked`. */
export interface SignInDetails {
  readonly nonce?: string | undefined;
  /** Seconds since the epoch. */
  readonly auth_time?: number | undefined;
  readonly acr?: string | undefined;
  readonly amr?: readonly string[] | undefined;
  readonly sid?: string | undefined;
  /** Whether it was with a second factor. */
  readonly mfa?: boolean | undefined;
  /** Of the browser, for the list of sessions. */
  readonly address?: string | undefined;
  readonly claims?: ClaimsRequest | undefined;
}

/** Details of the browser's session; most of them only where the scope has `openid`. */
export function signInDetailsOf({ session, openid, parameters, scopes, address }: OAuthContext): SignInDetails {
  const mfa = session?.amr.includes("mfa") === true && { mfa: true };
  if (!session || !scopes.includes("openid")) return { ...mfa, address };
  return {
    ...mfa,
    address,
    nonce: openid && parameters["nonce"],
    auth_time: session.authTime,
    acr: acrOf(session.amr, openid?.claims.acr),
    amr: session.amr,
    sid: session.sid,
    claims: openid?.claims,
  };
}

export interface IdTokenOptions {
  readonly account: Account;
  readonly scopes: readonly string[];
  readonly signedIn: SignInDetails;
  readonly accessToken: string;
}

/** An ID token for the client, that lasts as long as its access tokens. */
export async function signIdToken(context: OAuthContext, options: IdTokenOptions): Promise<string> {
  const { database, client, kernel } = context;
  const { account, scopes, signedIn, accessToken } = options;
  const { claims, ...details } = signedIn;
  return sign(database, "JWT", client.accessTokenLifetimeSeconds, {
    ...(await claimsOf(database, account, { scopes, named: claims?.id_token })),
    ...details,
    alg: client.idTokenAlg,
    iss: kernel.baseUrl,
    aud: client.id,
    sub: await subjectOf(database, account.name, client, kernel.config.subjectType),
    // §3.1.3.6: the left half of the hash of the algorithm, SHA-256 for both
    at_hash: createHash("sha256").update(accessToken).digest().subarray(0, 16).toString("base64url"),
  });
}
