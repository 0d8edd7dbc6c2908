/** What a grant has to work with. */
import type OAuth2Server from "@node-oauth/oauth2-server";
import { oauthError } from "../errors.ts";
import type { OAuthContext } from "../context.ts";

/** The request as the endpoint's steps have found it; the library hands on what it was given. */
export function contextOf(request: OAuth2Server.Request): OAuthContext {
  return (request as OAuth2Server.Request & { readonly context: OAuthContext }).context;
}

/** A parameter that the grant needs. Throws `invalid_request`. */
export function required({ parameters }: OAuthContext, name: string): string {
  const value = parameters[name];
  if (value === undefined) throw oauthError("invalid_request", `The parameter '${name}' is missing`);
  return value;
}
