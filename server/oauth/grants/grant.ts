/** What a grant has to work with. */
import type OAuth2Server from "@node-oauth/oauth2-server";
import { oauthError } from "../errors.ts";
import type { Exchange } from "../exchange.ts";

/** The request as the endpoint's steps have found it; the library hands on what it was given. */
export function exchangeOf(request: OAuth2Server.Request): Exchange {
  return (request as OAuth2Server.Request & { readonly exchange: Exchange }).exchange;
}

/** A parameter that the grant needs. Throws `invalid_request`. */
export function required({ parameters }: Exchange, name: string): string {
  const value = parameters[name];
  if (value === undefined) throw oauthError("invalid_request", `The parameter '${name}' is missing`);
  return value;
}
