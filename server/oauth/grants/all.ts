/** The grants that the token endpoint knows. To add one: a file and a line here, and its name in kernel/identity/grants.ts. */
import type OAuth2Server from "@node-oauth/oauth2-server";
import type { GrantName } from "../../kernel/identity/grants.ts";
import type { Token } from "../tokenAnswer.ts";
import * as authorizationCode from "./authorizationCode.ts";
import * as clientCredentials from "./clientCredentials.ts";
import * as deviceCode from "./deviceCode.ts";
import * as jwtBearer from "./jwtBearer.ts";
import * as password from "./password.ts";
import * as refreshToken from "./refreshToken.ts";
import type { GrantParameters } from "./grant.ts";
import * as tokenExchange from "./tokenExchange.ts";

interface Grant {
  new (options: OAuth2Server.TokenOptions): { handle(request: OAuth2Server.Request): Promise<Token> };
}

/** What the file of a grant says of it. */
interface Described {
  readonly parameters: GrantParameters;
  /** A further name of a grant whose standard names it by a URN. */
  readonly grantTypeUrn?: string;
}

const GRANTS: Readonly<Record<GrantName, readonly [Grant, Described]>> = {
  authorization_code: [authorizationCode.AuthorizationCodeGrant, authorizationCode],
  refresh_token: [refreshToken.RefreshTokenGrant, refreshToken],
  password: [password.PasswordGrant, password],
  client_credentials: [clientCredentials.ClientCredentialsGrant, clientCredentials],
  device_code: [deviceCode.DeviceCodeGrant, deviceCode],
  token_exchange: [tokenExchange.TokenExchangeGrant, tokenExchange],
  jwt_bearer: [jwtBearer.JwtBearerGrant, jwtBearer],
};

/** The values of `grant_type` that mean a grant. */
export function namesOf(name: GrantName): readonly string[] {
  const [, { grantTypeUrn: urn }] = GRANTS[name];
  return urn === undefined ? [name] : [name, urn];
}

/** Each by all of its names. */
export const GRANT_TYPES: Readonly<Record<string, Grant>> = Object.fromEntries(
  (Object.keys(GRANTS) as GrantName[]).flatMap((name) => namesOf(name).map((each) => [each, GRANTS[name][0]])),
);

/** Each grant with its names and parameters. */
export function describedGrants(): readonly (GrantParameters & { readonly names: readonly string[] })[] {
  return (Object.keys(GRANTS) as GrantName[]).map((name) => ({ names: namesOf(name), ...GRANTS[name][1].parameters }));
}
