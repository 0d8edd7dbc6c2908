/** Claims about an account (OpenID Connect Core 1.0 §5.1), chosen by scope or by the parameter `claims`. */
import { createHash } from "node:crypto";
import type { Database } from "../../kernel/database/database.ts";
import type { Client } from "../clients.ts";

/** The claims that a request names one by one, and where it wants them. */
export interface ClaimsRequest {
  readonly id_token?: readonly string[];
  readonly userinfo?: readonly string[];
  /** The `sub` that the account must have. */
  readonly sub?: string;
  /** The classes of the sign-in (`acr`) of which the account must have one (§5.5.1.1). */
  readonly acr?: readonly string[];
}

/** The parameters that OpenID Connect adds to a request. */
export interface OpenidRequest {
  readonly prompts: ReadonlySet<string>;
  /** Seconds since the sign-in, at most. */
  readonly maxAge?: number;
  /** `sub` of the account that the client means, with that client's id. */
  readonly hint?: { readonly sub: string; readonly clientId: string };
  readonly claims: ClaimsRequest;
}

/** Claims of the scope `profile` that are members of the same name in `properties` of the account. */
const OF_PROPERTIES = [
  "name",
  "given_name",
  "family_name",
  "middle_name",
  "nickname",
  "profile",
  "picture",
  "website",
  "gender",
  "birthdate",
  "zoneinfo",
  "locale",
] as const;

/** The claims of each scope (§5.4). */
const BY_SCOPE: Readonly<Record<string, readonly string[]>> = {
  profile: ["preferred_username", "updated_at", ...OF_PROPERTIES],
  email: ["email", "email_verified"],
  groups: ["groups"],
};

export const CLAIMS: readonly string[] = Object.values(BY_SCOPE).flat();

/** The scopes with a meaning in OpenID Connect. */
export const OPENID_SCOPES = ["openid", ...Object.keys(BY_SCOPE), "offline_access"] as const;

interface Person {
  readonly name: string;
  readonly email: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface ClaimsOptions {
  readonly scopes: readonly string[];
  /** Claims that the client names one by one. */
  readonly named: readonly string[] | undefined;
}

/** The claims of an account that the scopes give, and those that are named beside. Claims without a value are left out. */
export async function claimsOf(
  { db }: Database,
  { name, email, properties }: Person,
  { scopes, named = [] }: ClaimsOptions,
): Promise<Record<string, unknown>> {
  const wanted = new Set([...scopes.flatMap((scope) => BY_SCOPE[scope] ?? []), ...named]);
  const row =
    wanted.has("groups") || wanted.has("email_verified") || wanted.has("updated_at")
      ? await db.oneOrNone<{ groups: string[] | null; isVerified: boolean; updatedAt: number }>(
          `select
             case when $2 then portolan.groups_of(name) end as groups, email_verified as "isVerified",
             floor(extract(epoch from updated_at))::float8 as "updatedAt"
           from portolan.users where name = $1`,
          [name, wanted.has("groups")],
        )
      : null;
  const all: Record<string, unknown> = {
    ...Object.fromEntries(OF_PROPERTIES.map((claim) => [claim, textOf(properties[claim])])),
    preferred_username: name,
    email: email ?? undefined,
    email_verified: email === null ? undefined : row?.isVerified,
    groups: row?.groups ?? undefined,
    updated_at: row?.updatedAt,
  };
  return Object.fromEntries(Object.entries(all).filter(([claim, value]) => wanted.has(claim) && value !== undefined));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The input from which the `sub` of an account is made. */
export interface SubjectSource {
  readonly subject: string;
  readonly seed: string;
}

/** The `sub` by which a client knows an account, as `subjectFor` makes it; empty where there is no such account. */
export async function subjectOf(
  { db }: Database,
  accountName: string,
  client: Client,
  defaultType: "public" | "pairwise",
): Promise<string> {
  const row = await db.oneOrNone<SubjectSource>(
    "select openid_sub as subject, openid_seed as seed from portolan.users where name = $1",
    [accountName],
  );
  return row ? subjectFor(row, client, defaultType) : "";
}

/**
 * A `sub` (§8): stable, and never given to another account. A pairwise one is of the account and the client's sector: the
 * host of its `sector_identifier_uri`, else of its redirect URIs.
 */
export function subjectFor(
  { subject, seed }: SubjectSource,
  client: Client,
  defaultType: "public" | "pairwise",
): string {
  if ((client.subjectType ?? defaultType) === "public") return subject;
  const address = client.sectorIdentifierUri ?? client.redirectUris[0];
  const sector = address === undefined ? client.id : new URL(address).host;
  return createHash("sha256").update(`${sector} ${seed}`).digest("base64url");
}
