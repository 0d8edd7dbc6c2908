/** The grants that the token endpoint knows. To add one: a file here, a line here. */
import * as authorizationCode from "./authorizationCode.ts";
import * as deviceCode from "./deviceCode.ts";
import * as password from "./password.ts";
import * as refreshToken from "./refreshToken.ts";

export const GRANT_TYPES = {
  [authorizationCode.grantType]: authorizationCode.AuthorizationCodeGrant,
  [refreshToken.grantType]: refreshToken.RefreshTokenGrant,
  [password.grantType]: password.PasswordGrant,
  [deviceCode.grantType]: deviceCode.DeviceCodeGrant,
  [deviceCode.grantTypeUrn]: deviceCode.DeviceCodeGrant,
};
