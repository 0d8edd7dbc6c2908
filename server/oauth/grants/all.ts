/** The grants that the token endpoint knows. To add one: a file and a line here, and its name in kernel/identity/grants.ts. */
import type OAuth2Server from "@node-oauth/oauth2-server";
import type { GrantName } from "../../kernel/identity/grants.ts";
import * as authorizationCode from "./authorizationCode.ts";
import * as clientCredentials from "./clientCredentials.ts";
import * as deviceCode from "./deviceCode.ts";
import * as password from "./password.ts";
import * as refreshToken from "./refreshToken.ts";

type Grants = Record<GrantName | typeof deviceCode.grantTypeUrn, typeof OAuth2Server.AbstractGrantType>;

export const GRANT_TYPES = {
  [authorizationCode.grantType]: authorizationCode.AuthorizationCodeGrant,
  [refreshToken.grantType]: refreshToken.RefreshTokenGrant,
  [password.grantType]: password.PasswordGrant,
  [clientCredentials.grantType]: clientCredentials.ClientCredentialsGrant,
  [deviceCode.grantType]: deviceCode.DeviceCodeGrant,
  [deviceCode.grantTypeUrn]: deviceCode.DeviceCodeGrant,
} satisfies Grants;
