/** `POST /api/v4/oauth/introspect` (RFC 7662): whether a token is valid, and its account. */
import type { JWTPayload } from "jose";
import { findTokenHolder } from "../../kernel/identity/tokens.ts";
import { sendJson, type OAuthContext, type Step } from "../context.ts";
import { required } from "../grants/grant.ts";
import { lacksFactor } from "../grants/refreshToken.ts";
import { authenticateClient } from "../steps/authenticateClient.ts";
import { chooseDatabase } from "../steps/chooseDatabase.ts";
import { readBody } from "../steps/readBody.ts";
import { rejectQuery } from "../steps/rejectQuery.ts";
import { readToken } from "../tokenReading.ts";

const introspect: Step = async (context) => {
  sendJson(context.response, 200, (await describe(context)) ?? { active: false });
};

/** RFC 7662 §2.2. A public client learns only of its own tokens, because anybody can use its id (§4). */
async function describe(context: OAuthContext): Promise<object | undefined> {
  const { client, database } = context;
  const token = await readToken(context, required(context, "token"));
  if (!token) return undefined;
  const { type, claims } = token;
  if (client.public && claims["client_id"] !== client.id) return undefined;
  const holder = await findTokenHolder(database, claims);
  if (!holder) return undefined;
  if (type === "rt+jwt" && (lacksFactor(context, holder) || !(await refreshes(context, claims)))) return undefined;
  return {
    active: true,
    scope: claims["scope"],
    client_id: claims["client_id"],
    username: claims["uid"], // what the token says of itself, and no more
    token_type: type === "rt+jwt" ? "refresh_token" : claims["cnf"] === undefined ? "Bearer" : "DPoP",
    cnf: claims["cnf"],
    exp: claims.exp,
    iat: claims.iat,
    sub: claims.sub,
    aud: claims.aud,
    iss: claims.iss,
    jti: claims.jti,
    database: claims["database"],
  };
}

/** Whether a refresh with the token would give new ones, by the rule of the refresh itself. */
async function refreshes({ database }: OAuthContext, { fam: family, jti }: JWTPayload): Promise<boolean> {
  const { outcome } = await database.db.one<{ outcome: string | null }>(
    "select portolan.refresh_outcome($1, $2) as outcome",
    [family, jti],
  );
  return outcome === "rotated" || outcome === "repeated";
}

export const introspection: readonly Step[] = [rejectQuery, readBody, chooseDatabase, authenticateClient, introspect];
