/** The grants that the token endpoint knows. To add one: a file and a line here, and its name in kernel/identity/grants.ts. */
import type OAuth2Server from "@node-oauth/oauth2-server";
import type { GrantName } from "../../kernel/identity/grants.ts";
import type { Token } from "../tokenAnswer.ts";
import * as authorizationCode from "./authorizationCode.ts";
import * as clientCredentials from "./clientCredentials.ts";
import * as deviceCode from "./deviceCode.ts";
import * as password from "./password.ts";
import * as refreshToken from "./refreshToken.ts";
import type { GrantParameters } from "./grant.ts";
import * as tokenExchange from "./tokenExchange.ts";

interface Grant {
  new (options: OAuth2Server.TokenOptions): { handle(request: OAuth2Server.Request): Promise<Token> };
}

const GRANTS = {
  [authorizationCode.grantType]: [authorizationCode.AuthorizationCodeGrant, authorizationCode.parameters],
  [refreshToken.grantType]: [refreshToken.RefreshTokenGrant, refreshToken.parameters],
  [password.grantType]: [password.PasswordGrant, password.parameters],
  [clientCredentials.grantType]: [clientCredentials.ClientCredentialsGrant, clientCredentials.parameters],
  [deviceCode.grantType]: [deviceCode.DeviceCodeGrant, deviceCode.parameters],
  [tokenExchange.grantType]: [tokenExchange.TokenExchangeGrant, tokenExchange.parameters],
} satisfies Record<GrantName, readonly [Grant, GrantParameters]>;

/** A further name of a grant whose standard names it by a URN. */
const URNS: Readonly<Partial<Record<GrantName, string>>> = {
  [deviceCode.grantType]: deviceCode.grantTypeUrn,
  [tokenExchange.grantType]: tokenExchange.grantTypeUrn,
};

/** The values of `grant_type` that mean a grant. */
export function namesOf(name: GrantName): readonly string[] {
  const urn = URNS[name];
  return urn === undefined ? [name] : [name, urn];
}

/** Each by all of its names. */
export const GRANT_TYPES: Readonly<Record<string, Grant>> = Object.fromEntries(
  (Object.keys(GRANTS) as GrantName[]).flatMap((name) => namesOf(name).map((each) => [each, GRANTS[name][0]])),
);

/** Each grant with its names and parameters. */
export function describedGrants(): readonly (GrantParameters & { readonly names: readonly string[] })[] {
  return (Object.keys(GRANTS) as GrantName[]).map((name) => ({ names: namesOf(name), ...GRANTS[name][1] }));
}
