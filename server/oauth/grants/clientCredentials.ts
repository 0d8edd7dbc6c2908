/** RFC 6749 §4.4, for confidential clients that list it: a token for the account that the client acts as, and no refresh token. */
import { randomUUID } from "node:crypto";
import OAuth2Server from "@node-oauth/oauth2-server";
import { audit } from "../../kernel/identity/audit.ts";
import { findAccount } from "../../kernel/identity/tokens.ts";
import { oauthError } from "../errors.ts";
import { checkResource } from "../steps/checkResource.ts";
import { checkedScope } from "../steps/checkScope.ts";
import { startFamily, type Token } from "../tokenAnswer.ts";
import { RESOURCE, SCOPE, contextOf, type GrantParameters } from "./grant.ts";

export const grantType = "client_credentials";

export const parameters: GrantParameters = { optional: { ...SCOPE, ...RESOURCE } };

export class ClientCredentialsGrant extends OAuth2Server.AbstractGrantType {
  async handle(request: OAuth2Server.Request): Promise<Token> {
    const context = contextOf(request);
    const { database, client, address } = context;
    await checkResource(context);
    const scope = checkedScope(context.parameters["scope"]);
    const account = client.account === null ? undefined : await findAccount(database, client.account);
    if (!account) {
      const details = { grantType, outcome: "account" };
      await audit(database, { event: "grant.refused", clientId: client.id, address, details });
      throw oauthError("unauthorized_client", "The account that the client acts as is gone");
    }
    const ids = { family: randomUUID(), refresh: null }; // RFC 6749 §4.4.3
    return startFamily(context, { account, scope, grantType, ...ids });
  }
}
