/** RFC 6749 §4.1.3 with RFC 7636 §4.5: a code and its verifier for tokens, once. */
import { createHash } from "node:crypto";
import OAuth2Server from "@node-oauth/oauth2-server";
import { audit } from "../../kernel/identity/audit.ts";
import { hashOf } from "../../kernel/identity/hash.ts";
import { oauthError } from "../errors.ts";
import { namedResource, notGranted } from "../steps/checkResource.ts";
import { accountOf, makeFamilyIds, noteGranted, signTokens, type Asked, type Token } from "../tokenAnswer.ts";
import { RESOURCE, contextOf, required, type GrantParameters } from "./grant.ts";

export const grantType = "authorization_code";

export const parameters: GrantParameters = {
  required: { code: "From the redirect. It counts once", redirect_uri: "That of the authorization request" },
  optional: { code_verifier: "RFC 7636 §4.5", ...RESOURCE },
};

/** The outcome of `portolan.use_code` → the message for the client's developer. */
const REFUSALS: Readonly<Record<string, string>> = {
  unknown: "The code is not valid",
  other_client: "The code is not valid",
  replayed: "The code was used before; its tokens are revoked",
  expired: "The code has expired",
  redirect_uri: "'redirect_uri' is not the one of the authorization request",
  code_verifier: "'code_verifier' is missing, or does not match the challenge",
  key: "The code is not bound to the key of the proof",
  account: "The account is gone, or its password was changed",
};

export class AuthorizationCodeGrant extends OAuth2Server.AbstractGrantType {
  async handle(request: OAuth2Server.Request): Promise<Token> {
    const context = contextOf(request);
    const { database, client, address, kernel } = context;
    const code = required(context, "code");
    const redirectUri = required(context, "redirect_uri");
    const { code_verifier: verifier } = context.parameters;
    if (verifier !== undefined && !/^[A-Za-z0-9._~-]{43,128}$/.test(verifier))
      // RFC 7636 §4.1
      throw oauthError("invalid_grant", "'code_verifier' must be 43 to 128 unreserved characters");
    const { family, refresh } = makeFamilyIds(context);
    const { outcome, user_name, scope, asked, revoked } = await database.db.one<{
      outcome: string;
      user_name: string;
      scope: string;
      asked: Asked;
      revoked: string | null;
    }>("select * from portolan.use_code($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", [
      hashOf(code),
      client.id,
      redirectUri,
      verifier === undefined ? null : createHash("sha256").update(verifier).digest("base64url"),
      family,
      refresh,
      client.accessTokenLifetimeSeconds,
      client.refreshTokenLifetimeSeconds,
      namedResource(context),
      context.jkt,
    ]);
    const details = { grantType, outcome };
    if (outcome !== "granted") {
      if (revoked !== null) kernel.identifier.forget(database.name, revoked);
      await audit(database, { event: "grant.refused", account: user_name, clientId: client.id, address, details });
      if (outcome === "resource") throw notGranted();
      throw oauthError("invalid_grant", REFUSALS[outcome] ?? "The code is not valid");
    }
    await noteGranted(context, user_name, details);
    const account = await accountOf(context, user_name);
    return signTokens(context, {
      account,
      scope,
      ...asked,
      family,
      refresh: refresh === null ? null : { id: refresh },
    });
  }
}
