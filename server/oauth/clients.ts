/** OAuth clients, as their rows in `portolan.clients` say. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Database } from "../kernel/database/database.ts";
import type { SigningAlgorithm } from "../kernel/identity/tokens.ts";
import type { GrantName } from "../kernel/identity/grants.ts";

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly homepage: string | null;
  readonly description: string | null;
  /** It has no secret. */
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
  /** Null: as the option `subjectType` says. */
  readonly subjectType: "public" | "pairwise" | null;
  readonly sectorIdentifierUri: string | null;
  /** Where a browser may go after it has signed out. */
  readonly postLogoutRedirectUris: readonly string[];
  readonly backchannelLogoutUri: string | null;
  /** It gets nothing, and its tokens are not valid. */
  readonly disabled: boolean;
  /** False: it may send a `nonce` in place of a code challenge. */
  readonly requirePkce: boolean;
  /** How a confidential client authenticates; null: with its secret, in either way. */
  readonly authMethod: AuthMethod | null;
  /** Who has described it. */
  readonly origin: "administrator" | "registration" | "document";
}

export type AuthMethod = "client_secret_basic" | "client_secret_post";

/** The client of that id, or undefined. */
export async function findClient({ db }: Database, id: string): Promise<Client | undefined> {
  const row = await db.oneOrNone<Client>(
    `
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
  disabled, require_pkce as "requirePkce", token_endpoint_auth_method as "authMethod", origin
from portolan.clients
where id = $1`,
    [id],
  );
  return row ?? undefined;
}

/** Whether a secret is the client's, in a time that does not reveal how much of it was right. */
export function isSecretOf(client: Client, secret: string): boolean {
  if (client.secretHash === null) return false;
  return timingSafeEqual(Buffer.from(client.secretHash, "hex"), createHash("sha256").update(secret).digest());
}
