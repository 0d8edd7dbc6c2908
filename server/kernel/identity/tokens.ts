/** Access tokens (RFC 9068) and refresh tokens: ES256 JWTs under the keys that each database keeps. */
import { createPrivateKey, randomUUID, type KeyObject } from "node:crypto";
import {
  calculateJwkThumbprint,
  decodeJwt,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  jwtVerify,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from "jose";
import type { Database } from "../database/database.ts";
import { GatewayError } from "../../ground/errors.ts";
import { agentsResource } from "./resources.ts";
import { signatureOf } from "./signatures.ts";

const ACCESS_TOKEN_LIFETIME_SECONDS = 3600;
/** How long a private key is used before it is asked for again; a rotation publishes the next one 5 s before. */
const SIGNING_KEY_MS = 1000;
/** The public client that every database has for operators and command-line tools. */
export const CLI_CLIENT = "portolan-cli";

/** An account as its row in `portolan.users` says. */
export interface Account {
  readonly name: string;
  readonly role: string;
  readonly roleMade: boolean;
  readonly email: string | null;
  readonly userGroup: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly superuser: boolean;
  /** Whether a super user says that it must have a second factor. */
  readonly twoFactor: boolean;
  /** Whether it has one. */
  readonly hasFactor: boolean;
  /** A token of another version was given before the password changed. */
  readonly tokenVersion: number;
}

/** The columns that are read of an account. */
const MEMBERS = `
  u.name, u.role, u.role_made as "roleMade", u.email, u.user_group as "userGroup", u.properties, u.superuser,
  u.token_version::float8 as "tokenVersion", u.two_factor as "twoFactor",
  exists (select from portolan.factors f where f.user_name = u.name) as "hasFactor"`;
const ACCOUNT = `select ${MEMBERS} from portolan.users u`;

/** The account of that name, or undefined. */
export async function findAccount(database: Database, name: string): Promise<Account | undefined> {
  const statement = { name: "account", text: `${ACCOUNT} where u.name = $1`, values: [name] };
  return (await database.db.oneOrNone<Account>(statement)) ?? undefined;
}

/** The account that guest tokens are for, or undefined. */
export async function findDefaultUser(database: Database): Promise<Account | undefined> {
  return (await database.db.oneOrNone<Account>(`${ACCOUNT} where u.default_user`)) ?? undefined;
}

export interface TokenHolder extends Account {
  /** Whether the token comes from a sign-in with a second factor. */
  readonly mfa: boolean;
  /** Whether the client of the token is one of the FAPI 2.0 Security Profile. */
  readonly isFapi2: boolean;
}

/**
 * The account that a verified token speaks of, or undefined when it, the client or the authorization is gone, or the client
 * is disabled. A token without a family (`portolan token`), and one of a guest, ends when its own id is revoked. One with which a
 * super user sees as the account ends with the authorization of that super user.
 */
export async function findTokenHolder(database: Database, claims: JWTPayload): Promise<TokenHolder | undefined> {
  const actor = actorOf(claims);
  const { uid } = claims; // not in a token that does not name its account
  if (uid !== undefined && uid !== claims.sub) return undefined;
  const row = await database.db.oneOrNone<TokenHolder>(
    `select ${MEMBERS}, coalesce(t.asked ->> 'mfa' = 'true', false) as mfa,
  coalesce(c.token_endpoint_auth_method = 'private_key_jwt', false) and c.require_par and c.dpop_bound_access_tokens as "isFapi2"
from portolan.users u
join portolan.clients c on c.id = $2 and not c.disabled
left join portolan.token_families t on t.id = $3::uuid
where u.name = coalesce($1, (select f.user_name from portolan.token_families f where f.id = $3::uuid))
  and ($5::text is null or exists (
    select from portolan.users a join pg_roles r on r.rolname = a.role
    where a.name = $5 and a.token_version = $6 and pg_has_role(r.oid, 'owner@' || current_database(), 'usage')))
  and case
    when $3::uuid is null
      then not exists (select from portolan.token_families f where f.id = $4::uuid and f.revoked_at is not null)
    else exists (
      select from portolan.token_families f
      where f.id = $3::uuid and f.client_id = $2 and f.user_name = coalesce($5, u.name) and f.revoked_at is null
        and not (f.guest and exists (
          select from portolan.token_families o where o.id = $4::uuid and o.revoked_at is not null)))
  end`,
    [uid ?? null, claims["client_id"], claims["fam"] ?? null, claims.jti, actor?.sub ?? null, actor?.ver ?? null],
  );
  return row && row.tokenVersion === claims["ver"] ? row : undefined;
}

/** The name of the account of a verified token: of its authorization, if the token does not say it (`ShownAccount`). */
export async function accountNameOf({ db }: Database, { uid, fam: family }: JWTPayload): Promise<string | undefined> {
  if (typeof uid === "string") return uid;
  const row = await db.oneOrNone<{ name: string }>(
    "select user_name as name from portolan.token_families where id = $1::uuid",
    [family ?? null],
  );
  return row?.name;
}

/** A super user who sees as the account of a token: the claim `act` (RFC 8693 §4.1). Such a token only reads. */
export interface Actor {
  readonly sub: string;
  /** Its token version. */
  readonly ver: number;
}

/** Undefined for a token that the account itself asked for. */
export function actorOf({ act }: JWTPayload): Actor | undefined {
  return act === undefined ? undefined : (act as Actor);
}

/** The stored hash of an account's password, or null. */
export async function passwordHashOf(database: Database, name: string): Promise<string | null> {
  const row = await database.db.oneOrNone<{ password: string | null }>(
    "select password from portolan.users where name = $1",
    [name],
  );
  return row?.password ?? null;
}

/** Claims of an access token that tell about its account, beside its name. */
export type AccountClaim = "superUser" | "userGroup" | "properties" | "email";

/** What a token tells about its account, for a client that may not know all of it: never its name. */
export interface ShownAccount {
  /** The `sub` by which the client knows the account. */
  readonly sub: string;
  readonly claims: ReadonlySet<AccountClaim>;
}

export interface SignOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope?: string;
  readonly lifetimeSeconds?: number;
  /** The authorization that the token belongs to: with it all of its tokens end. */
  readonly family?: string | undefined;
  /** The resource that the access token is for (RFC 8707). Default: the service. */
  readonly resource?: string | undefined;
  /** The thumbprint of the key that the token is bound to (RFC 9449 §6). Default none. */
  readonly jkt?: string | undefined;
  /** The super user who sees as the account with the token. Default none. */
  readonly actor?: Actor | undefined;
  /** What the token tells about the account. Such a token has a family. Default: its name as `sub`, and all claims. */
  readonly shown?: ShownAccount | undefined;
  /** The id of the token. Default a new one. */
  readonly jti?: string | undefined;
}

/** An access token for an account, signed with the newest key of its database. */
export async function signAccessToken(database: Database, account: Account, options: SignOptions): Promise<string> {
  const { lifetimeSeconds = ACCESS_TOKEN_LIFETIME_SECONDS, shown } = options;
  const { superuser: superUser, userGroup, properties, email } = account;
  const all: Partial<Record<AccountClaim, unknown>> = { superUser, userGroup, properties, email };
  const told = Object.entries(all).filter(([claim]) => !shown || shown.claims.has(claim as AccountClaim));
  return sign(database, "at+jwt", lifetimeSeconds, {
    ...claimsOf(database, account, options),
    ...Object.fromEntries(told),
    aud: options.resource ?? options.issuer,
    response_type: "token",
    jti: options.jti ?? randomUUID(),
  });
}

export interface RefreshOptions extends SignOptions {
  readonly family: string;
  /** The token's own id in `portolan.refresh_tokens`. */
  readonly id: string;
  readonly lifetimeSeconds: number;
}

/** A refresh token, which is valid at this server only. */
export async function signRefreshToken(database: Database, account: Account, options: RefreshOptions): Promise<string> {
  return sign(database, "rt+jwt", options.lifetimeSeconds, {
    ...claimsOf(database, account, options),
    response_type: "refresh",
    ...(options.resource !== undefined && { resource: options.resource }),
    jti: options.id,
  });
}

function claimsOf(
  database: Database,
  account: Account,
  { issuer, clientId, scope, family, jkt, actor, shown }: SignOptions,
): JWTPayload {
  return {
    iss: issuer,
    aud: issuer,
    sub: shown?.sub ?? account.name,
    client_id: clientId,
    scope: scope ?? "",
    ...(!shown && { uid: account.name }),
    database: database.name,
    ver: account.tokenVersion,
    ...(family !== undefined && { fam: family }),
    ...(jkt !== undefined && { cnf: { jkt } }),
    ...(actor && { act: actor }),
  };
}

/** Signs claims that expire after `seconds`. `typ`: of the header; `alg`: default ES256. */
export async function sign(
  database: Database,
  typ: string,
  lifetimeSeconds: number,
  { alg = "ES256", ...claims }: JWTPayload & { readonly alg?: SigningAlgorithm },
): Promise<string> {
  const { kid, key } = await database.memory.of(database, KEY_READERS[alg], SIGNING_KEY_MS);
  const iat = Math.floor(Date.now() / 1000);
  const parts = [
    { alg, typ, kid },
    { ...claims, iat, exp: iat + lifetimeSeconds },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${(await signatureOf(text, alg, key)).toString("base64url")}`;
}

interface SigningKey {
  readonly kid: string;
  readonly key: KeyObject;
}

/** ES256 signs access and refresh tokens; either signs ID tokens, as the client wants it. */
export const SIGNING_ALGORITHMS = ["ES256", "RS256"] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

const KEY_READERS: Readonly<Record<SigningAlgorithm, (database: Database) => Promise<SigningKey>>> = {
  ES256: (database) => readSigningKey(database, "signing_key"),
  RS256: (database) => readSigningKey(database, "rsa_signing_key"),
};

async function readSigningKey({ db }: Database, name: string): Promise<SigningKey> {
  const { key } = await db.one<{ key: { kid: string; jwk: JWK } | null }>("select portolan.secrets() -> $1 as key", [
    name,
  ]);
  if (!key) throw new GatewayError("UNAVAILABLE", undefined, { detail: "no signing key: run portolan migrate" });
  return { kid: key.kid, key: createPrivateKey({ key: key.jwk, format: "jwk" }) };
}

/** A new key pair, named by its thumbprint (RFC 7638). `alg`: default ES256. */
export async function makeSigningKey(
  alg: SigningAlgorithm = "ES256",
): Promise<{ kid: string; publicJwk: JWK; privateJwk: JWK }> {
  const pair = await generateKeyPair(alg, { extractable: true });
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)]);
  return { kid: await calculateJwkThumbprint(publicJwk), publicJwk, privateJwk };
}

interface PublicKey {
  readonly alg: string;
  readonly jwk: JWK;
  readonly key: CryptoKey | Uint8Array;
}

/** The public keys of one database, read when they are first needed and again when their generation moves. */
export class KeySet {
  readonly #database: Database;
  #keys: Promise<ReadonlyMap<string, PublicKey>> | undefined;
  #readAt = -Infinity;

  constructor(database: Database) {
    this.#database = database;
  }

  invalidate(): void {
    this.#keys = undefined;
  }

  /** For the JWK Set (RFC 7517 §5). */
  async jwks(): Promise<readonly JWK[]> {
    return [...(await this.#load())].map(([kid, { jwk, alg }]) => ({ ...jwk, kid, alg, use: "sig" }));
  }

  /** The key that a header names, if it is one of that algorithm. */
  async find({
    kid = "",
    alg,
  }: {
    readonly kid?: string;
    readonly alg?: string;
  }): Promise<PublicKey["key"] | undefined> {
    const key = await this.#find(kid);
    return key?.alg === alg ? key?.key : undefined;
  }

  async #find(kid: string): Promise<PublicKey | undefined> {
    const key = (await this.#load()).get(kid);
    if (key) return key;
    // a key that another process made a moment ago; at most one look a second, whatever is sent
    if (performance.now() - this.#readAt > 1000) {
      this.invalidate();
      return (await this.#load()).get(kid);
    }
    return undefined;
  }

  #load(): Promise<ReadonlyMap<string, PublicKey>> {
    if (!this.#keys) {
      this.#readAt = performance.now();
      this.#keys = this.#database.db
        .any<{ kid: string; alg: string; public_jwk: JWK }>("select kid, alg, public_jwk from portolan.signing_keys")
        .then(async (rows) => {
          const keys = rows.map(
            async ({ kid, alg, public_jwk: jwk }) => [kid, { alg, jwk, key: await importJWK(jwk, alg) }] as const,
          );
          return new Map(await Promise.all(keys));
        });
      this.#keys.catch(() => this.invalidate());
    }
    return this.#keys;
  }
}

/** The `typ` of an access token (RFC 9068 §2.1), and ours of a refresh token. */
export type TokenType = "at+jwt" | "rt+jwt";

const RESPONSE_TYPES: Readonly<Record<TokenType, string>> = { "at+jwt": "token", "rt+jwt": "refresh" };

/** A database that gives tokens. */
export interface TokenSource {
  readonly keys: KeySet;
  readonly database: string;
  readonly issuer: string;
}

/**
 * Verifies a token of this database: signature, issuer, times, type, and that it is for one of our resources, which
 * `reachOf` names. Returns its claims. Throws `UNAUTHENTICATED`.
 */
export async function verifyToken(
  token: string,
  type: TokenType,
  { keys, database, issuer }: TokenSource,
): Promise<JWTPayload> {
  let payload: JWTPayload;
  try {
    const verified = await jwtVerify(
      token,
      async (header) => {
        const key = await keys.find(header);
        if (!key) throw new errors.JWSSignatureVerificationFailed("unknown key");
        return key;
      },
      {
        algorithms: ["ES256"],
        typ: type,
        issuer,
        audience: type === "rt+jwt" ? issuer : [issuer, agentsResource(issuer, database)],
        requiredClaims: ["sub", "exp", "iat", "jti", "client_id"],
      },
    );
    payload = verified.payload;
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error; // the database did not answer
    throw invalidToken(whyInvalid(error, issuer), error);
  }
  if (payload["database"] !== database || payload["response_type"] !== RESPONSE_TYPES[type]) throw invalidToken();
  return payload;
}

/** The members that introspection may show of a token that our own key signed. Of other tokens it shows nothing. */
function whyInvalid(error: errors.JOSEError, issuer: string): string | undefined {
  if (error instanceof errors.JWTExpired) return "The access token has expired";
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === "iss")
    return `The access token was issued for another address than this service has, ${issuer}`;
  return undefined;
}

/** The database that an unverified token names. It only chooses the keys. */
export function databaseClaim(token: string): string | undefined {
  try {
    const { database } = decodeJwt(token);
    return typeof database === "string" ? database : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 6750 §3.1. */
export function invalidToken(message = "The access token is not valid", cause?: unknown): GatewayError {
  return new GatewayError("UNAUTHENTICATED", message, {
    cause,
    headers: { "WWW-Authenticate": `Bearer error="invalid_token", error_description="${message}"` },
  });
}
