/** The input of a grant. */
import type OAuth2Server from "@node-oauth/oauth2-server";
import { oauthError } from "../errors.ts";
import type { OAuthContext } from "../context.ts";

/** The request with the results of the endpoint's steps; the library passes it on. */
export function contextOf(request: OAuth2Server.Request): OAuthContext {
  return (request as OAuth2Server.Request & { readonly context: OAuthContext }).context;
}

/** A parameter that the grant needs. Throws `invalid_request`. */
export function required({ parameters }: OAuthContext, name: string): string {
  const value = parameters[name];
  if (value === undefined) throw oauthError("invalid_request", `The parameter '${name}' is missing`);
  return value;
}
