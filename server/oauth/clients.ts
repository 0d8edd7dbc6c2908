/** OAuth clients, as stored in `portolan.clients`. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { JSONWebKeySet } from "jose";
import type { Config } from "../kernel/config.ts";
import type { Database } from "../kernel/database/database.ts";
import type { SigningAlgorithm } from "../kernel/identity/tokens.ts";
import type { ProofAlgorithm } from "../kernel/identity/proofAlgorithms.ts";
import type { GrantName } from "../kernel/identity/grants.ts";

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly homepage: string | null;
  /** Where a client that describes itself says how it uses personal data. */
  readonly policyUri: string | null;
  /** Where such a client has its terms of service. */
  readonly termsUri: string | null;
  /** Where such a client has its logo. */
  readonly logoUri: string | null;
  readonly description: string | null;
  /** Whether the client has no secret. */
  readonly public: boolean;
  /** Whether the account is asked for consent. */
  readonly confirm: boolean;
  readonly grants: readonly GrantName[];
  /** The account that it acts as by the grant client_credentials. */
  readonly account: string | null;
  readonly secretHash: string | null;
  readonly accessTokenLifetimeSeconds: number;
  readonly refreshTokenLifetimeSeconds: number;
  readonly codeLifetimeSeconds: number;
  readonly deviceCodeLifetimeSeconds: number;
  readonly devicePollIntervalSeconds: number;
  readonly idTokenAlg: SigningAlgorithm;
  /** Null: the option `subjectType` decides. */
  readonly subjectType: "public" | "pairwise" | null;
  readonly sectorIdentifierUri: string | null;
  /** Where a browser may go after it has signed out. */
  readonly postLogoutRedirectUris: readonly string[];
  readonly backchannelLogoutUri: string | null;
  /** Whether it is refused, and its tokens with it. */
  readonly disabled: boolean;
  /** False: it may bind its codes by `nonce` in place of a code challenge. */
  readonly requirePkce: boolean;
  /** How a confidential client authenticates; null: with its secret, in either way. */
  readonly authMethod: AuthMethod | null;
  /** The source of the client's description. */
  readonly origin: "administrator" | "registration" | "document";
  /** The only algorithm of its assertions; null: any. */
  readonly authAlg: ProofAlgorithm | null;
  readonly jwks: JSONWebKeySet | null;
  readonly jwksUri: string | null;
  /** Whether it must push its parameters before it sends a browser (RFC 9126). */
  readonly requirePar: boolean;
  /** How userinfo is signed for it, where it has registered that; null: it is JSON. */
  readonly userinfoAlg: SigningAlgorithm | null;
  /** Seconds since the sign-in, at most, where a request does not say (`max_age`); null: any. */
  readonly defaultMaxAge: number | null;
  /** The classes of a sign-in, where a request does not say (`acr_values`); null: any. */
  readonly defaultAcrValues: readonly string[] | null;
  /** Whether it gets only tokens that are bound to a key (RFC 9449). */
  readonly dpopBound: boolean;
}

export type AuthMethod = "client_secret_basic" | "client_secret_post" | "private_key_jwt";

/** The client of that id, or undefined. */
export async function findClient({ db }: Database, id: string): Promise<Client | undefined> {
  const row = await db.oneOrNone<Client>({
    name: "client",
    text: `
select
  id, name, redirect_uri as "redirectUris", homepage, description, public, confirm, grants, account,
  secret_hash as "secretHash",
  access_token_lifetime_seconds as "accessTokenLifetimeSeconds",
  refresh_token_lifetime_seconds as "refreshTokenLifetimeSeconds",
  code_lifetime_seconds as "codeLifetimeSeconds",
  device_code_lifetime_seconds as "deviceCodeLifetimeSeconds",
  device_poll_interval_seconds as "devicePollIntervalSeconds", id_token_signed_response_alg as "idTokenAlg",
  subject_type as "subjectType", sector_identifier_uri as "sectorIdentifierUri",
  post_logout_redirect_uris as "postLogoutRedirectUris", backchannel_logout_uri as "backchannelLogoutUri",
  disabled, require_pkce as "requirePkce", token_endpoint_auth_method as "authMethod", origin,
  token_endpoint_auth_signing_alg as "authAlg", jwks, jwks_uri as "jwksUri", require_par as "requirePar",
  dpop_bound_access_tokens as "dpopBound",
  (metadata ->> 'default_max_age')::float8 as "defaultMaxAge", metadata -> 'default_acr_values' as "defaultAcrValues",
  metadata ->> 'userinfo_signed_response_alg' as "userinfoAlg", metadata ->> 'policy_uri' as "policyUri",
  metadata ->> 'tos_uri' as "termsUri", metadata ->> 'logo_uri' as "logoUri"
from portolan.clients
where id = $1`,
    values: [id],
  });
  return row ?? undefined;
}

/** Whether a secret is the client's, in a time that does not reveal how much of it was right. */
export function isSecretOf(client: Client, secret: string): boolean {
  if (client.secretHash === null) return false;
  return timingSafeEqual(Buffer.from(client.secretHash, "hex"), createHash("sha256").update(secret).digest());
}

/**
 * The hosts in the network of the service from which this client's documents may come. A client of an administrator may
 * use any address, a client that describes itself only hosts of the option.
 */
export function privateHostsOf({ origin }: Pick<Client, "origin">, url: string, config: Config): readonly string[] {
  return origin === "administrator"
    ? [URL.parse(url)?.hostname.replace(/^\[|\]$/g, "") ?? ""]
    : config.privateClientHosts;
}

/** FAPI 2.0 Security Profile: it signs assertions, pushes its requests, and its tokens are bound to a key. */
export function isFapi2({ authMethod, requirePar, dpopBound }: Client): boolean {
  return authMethod === "private_key_jwt" && requirePar && dpopBound;
}
