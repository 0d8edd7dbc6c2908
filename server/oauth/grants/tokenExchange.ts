/** RFC 8693, for clients that list it: one of their own access tokens for another of less scope, which lasts no longer. */
import OAuth2Server from "@node-oauth/oauth2-server";
import type { JWTPayload } from "jose";
import { audit } from "../../kernel/identity/audit.ts";
import { jktOf, resourceOf } from "../../kernel/identity/resources.ts";
import { actorOf, findTokenHolder } from "../../kernel/identity/tokens.ts";
import { oauthError } from "../errors.ts";
import type { OAuthContext } from "../context.ts";
import { checkKey } from "../steps/proof.ts";
import { checkedScope, narrowedScope } from "../steps/checkScope.ts";
import { noteGranted, signTokens, type Token } from "../tokenAnswer.ts";
import { readToken } from "../tokenReading.ts";
import { contextOf, required, type GrantParameters } from "./grant.ts";

export const grantType = "token_exchange";
export const grantTypeUrn = "urn:ietf:params:oauth:grant-type:token-exchange";

export const parameters: GrantParameters = {
  required: { subject_token: "An access token of the client", subject_token_type: "RFC 8693 §3: an access token" },
  optional: {
    requested_token_type: "RFC 8693 §3: an access token",
    scope: "A part of the scope of the token",
    resource: "The resource of the token",
    audience: "The resource of the token",
  },
};

/** RFC 8693 §3. */
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

export class TokenExchangeGrant extends OAuth2Server.AbstractGrantType {
  async handle(request: OAuth2Server.Request): Promise<Token> {
    const context = contextOf(request);
    const { database, client, address } = context;
    const subjectToken = required(context, "subject_token");
    checkParameters(context);
    const read = await readToken(context, subjectToken);
    const claims = read?.type === "at+jwt" && read.claims["client_id"] === client.id ? read.claims : undefined;
    const account = claims && (await findTokenHolder(database, claims));
    // without a family (`portolan token`) it would stay valid after the other is revoked; a super user who sees as an
    // account only reads
    if (!account || typeof claims["fam"] !== "string" || actorOf(claims)) {
      const details = { grantType, outcome: "subject_token" };
      await audit(database, { event: "grant.refused", clientId: client.id, address, details });
      // RFC 8693 §2.2.2: not invalid_grant
      throw oauthError("invalid_request", "'subject_token' is not an access token of this client");
    }
    checkKey(context, jktOf(claims["cnf"]));
    const scope = narrowedScope(String(claims["scope"] ?? ""), checkedScope(context.parameters["scope"]));
    const resource = checkTarget(context, claims.aud);
    const secondsLeft = Math.ceil(Number(claims.exp) - Date.now() / 1000);
    await noteGranted(context, account.name, { grantType });
    return signTokens(context, {
      account,
      scope,
      resource,
      family: claims["fam"],
      refresh: null,
      lifetimeSeconds: Math.min(Math.max(secondsLeft, 1), client.accessTokenLifetimeSeconds),
      members: { issued_token_type: ACCESS_TOKEN },
    });
  }
}

function checkParameters(context: OAuthContext): void {
  const { parameters } = context;
  if (required(context, "subject_token_type") !== ACCESS_TOKEN)
    throw oauthError("invalid_request", `'subject_token_type' must be ${ACCESS_TOKEN}`);
  if ((parameters["requested_token_type"] ?? ACCESS_TOKEN) !== ACCESS_TOKEN)
    throw oauthError("invalid_request", `'requested_token_type' must be ${ACCESS_TOKEN}`);
  if (parameters["actor_token"] !== undefined) throw oauthError("invalid_request", "'actor_token' is not supported");
}

/** The new token is for the same resource. Throws `invalid_target` where the request names another (RFC 8693 §2.2.2). */
function checkTarget({ parameters, kernel: { baseUrl } }: OAuthContext, granted: JWTPayload["aud"]): string {
  const resource = String(granted);
  for (const target of ["resource", "audience"])
    if ((resourceOf(baseUrl, parameters[target] ?? resource)?.uri ?? "") !== resource)
      throw oauthError("invalid_target", `'${target}' must be the resource of the token, ${resource}`);
  return resource;
}
