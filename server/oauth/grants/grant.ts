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

/** The parameters of a grant beside `grant_type` and those of the client: name → what it is, for the OpenAPI document. */
export interface GrantParameters {
  readonly required?: Readonly<Record<string, string>>;
  readonly optional?: Readonly<Record<string, string>>;
}

/** Parameters of several grants. */
export const SCOPE = { scope: "Names, with a space between each (RFC 6749 §3.3)" };
export const RESOURCE = { resource: "What the tokens are for (RFC 8707). Default: the service" };
