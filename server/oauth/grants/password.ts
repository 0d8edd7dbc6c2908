/** RFC 6749 §4.3, for clients that list it: first-party ones, which people trust with their password. */
import OAuth2Server from "@node-oauth/oauth2-server";
import { audit } from "../../kernel/identity/audit.ts";
import { signIn } from "../../kernel/identity/signIn.ts";
import { checkedScope } from "../steps/checkScope.ts";
import { makeFamilyIds, signTokens } from "../tokenAnswer.ts";
import { exchangeOf, required } from "./grant.ts";

export const grantType = "password";

export class PasswordGrant extends OAuth2Server.AbstractGrantType {
  async handle(request: OAuth2Server.Request): Promise<OAuth2Server.Token> {
    const exchange = exchangeOf(request);
    const { database, client, address } = exchange;
    const scope = checkedScope(exchange.parameters["scope"]);
    const account = await signIn(database, {
      name: required(exchange, "username"),
      password: required(exchange, "password"),
      address,
      via: grantType,
    });
    const { family, refresh } = makeFamilyIds(exchange);
    await database.db.func("portolan.start_family", [
      family,
      refresh,
      client.id,
      account.name,
      scope,
      account.tokenVersion,
      client.accessTokenLifetimeSeconds,
      client.refreshTokenLifetimeSeconds,
    ]);
    await audit(database, {
      event: "granted",
      account: account.name,
      clientId: client.id,
      address,
      details: { grantType },
    });
    return signTokens(exchange, { account, scope, family, refresh: refresh === null ? null : { id: refresh } });
  }
}
