/** RFC 6749 §4.3, for clients that list it: first-party ones, which people trust with their password. */
import OAuth2Server from "@node-oauth/oauth2-server";
import { SecondFactorNeeded } from "../../kernel/identity/secondFactor.ts";
import { signIn } from "../../kernel/identity/signIn.ts";
import { oauthError } from "../errors.ts";
import { checkResource } from "../steps/checkResource.ts";
import { checkedScope } from "../steps/checkScope.ts";
import { makeFamilyIds, startFamily, type Token } from "../tokenAnswer.ts";
import { RESOURCE, SCOPE, contextOf, required, type GrantParameters } from "./grant.ts";

export const grantType = "password";

export const parameters: GrantParameters = {
  required: { username: "Name of the account", password: "Its password" },
  optional: { ...SCOPE, ...RESOURCE },
};

export class PasswordGrant extends OAuth2Server.AbstractGrantType {
  async handle(request: OAuth2Server.Request): Promise<Token> {
    const context = contextOf(request);
    const { database, address, kernel, request: from } = context;
    await checkResource(context);
    const scope = checkedScope(context.parameters["scope"]);
    const instead = `use the authorization code flow at ${kernel.baseUrl}/auth, or the device flow`;
    const account = await signIn(database, {
      name: required(context, "username"),
      password: required(context, "password"),
      address,
      via: grantType,
      mfa: { mode: kernel.config.mfa, instead },
      place: { mail: kernel.mail, baseUrl: kernel.baseUrl, request: from },
    }).catch((error: unknown) => {
      throw error instanceof SecondFactorNeeded ? oauthError("mfa_required", error.message) : error;
    });
    return startFamily(context, { account, scope, grantType, ...makeFamilyIds(context) });
  }
}
