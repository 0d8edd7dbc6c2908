/** RFC 8628 §3.4: a device asks for the tokens that a person grants it on another device. */
import OAuth2Server from "@node-oauth/oauth2-server";
import { audit } from "../../kernel/identity/audit.ts";
import { hashOf } from "../../kernel/identity/hash.ts";
import { oauthError, type OAuthErrorCode } from "../errors.ts";
import { namedResource, notGranted } from "../steps/checkResource.ts";
import { accountOf, makeFamilyIds, noteGranted, signTokens, type Asked, type Token } from "../tokenAnswer.ts";
import { RESOURCE, contextOf, required, type GrantParameters } from "./grant.ts";

export const grantType = "device_code";
export const grantTypeUrn = "urn:ietf:params:oauth:grant-type:device_code";

export const parameters: GrantParameters = {
  required: { device_code: "From the device authorization endpoint" },
  optional: RESOURCE,
};

/** The outcome of `portolan.poll_device` → the error for the device. */
const REFUSALS: Readonly<Record<string, readonly [OAuthErrorCode, string]>> = {
  pending: ["authorization_pending", "Nobody has entered the code yet"],
  slow_down: ["slow_down", "The device asks too often; it must wait 5 more seconds between requests"],
  expired: ["expired_token", "The code has expired"],
  denied: ["access_denied", "The request was denied"],
  used: ["invalid_grant", "The device code was used before"],
};

/** The device gets this every few seconds, so it is not logged. */
const WAITING: ReadonlySet<string> = new Set(["pending", "slow_down"]);

export class DeviceCodeGrant extends OAuth2Server.AbstractGrantType {
  async handle(request: OAuth2Server.Request): Promise<Token> {
    const context = contextOf(request);
    const { database, client, address } = context;
    const { family, refresh } = makeFamilyIds(context);
    const { outcome, user_name, scope, asked } = await database.db.one<{
      outcome: string;
      user_name: string;
      scope: string;
      asked: Asked;
    }>("select * from portolan.poll_device($1, $2, $3, $4, $5, $6, $7)", [
      hashOf(required(context, "device_code")),
      client.id,
      family,
      refresh,
      client.accessTokenLifetimeSeconds,
      client.refreshTokenLifetimeSeconds,
      namedResource(context),
    ]);
    if (outcome !== "granted") {
      if (!WAITING.has(outcome)) {
        const details = { grantType, outcome };
        await audit(database, { event: "grant.refused", clientId: client.id, address, details });
      }
      if (outcome === "resource") throw notGranted();
      throw oauthError(...(REFUSALS[outcome] ?? (["invalid_grant", "The device code is not valid"] as const)));
    }
    await noteGranted(context, user_name, { grantType });
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
