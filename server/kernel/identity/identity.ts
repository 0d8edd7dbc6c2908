/** Identifies the caller: a Bearer token, or a name and password, become an identity, which is the key to the database. */
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { JWTPayload } from "jose";
import type { ExternalIssuer } from "../config/accounts.ts";
import type { Database, Identity } from "../database/database.ts";
import { GatewayError } from "../../ground/errors.ts";
import { BASIC_CHALLENGE, BasicSignIns } from "./basic.ts";
import { cookieOf, findBrowserSession, mayUseSession, sessionCookie } from "./browserSession.ts";
import { makeNonce } from "./dpop.ts";
import { ExternalIssuers } from "./externalIssuers.ts";
import { credentialsOf, isDpopRequest, Possession } from "./possession.ts";
import { reachOf, reachOfOutside, resourceMetadataOf, type TokenReach } from "./resources.ts";
import { needsFactor, type MfaMode } from "./secondFactor.ts";
import type { Mailer } from "../mail/mailer.ts";
import {
  actorOf,
  KeySet,
  databaseClaim,
  findAccount,
  findTokenHolder,
  invalidToken,
  verifyToken,
  type Account,
} from "./tokens.ts";
import { mostRecent } from "../../ground/mostRecent.ts";

/** Tokens that are remembered, of all databases: those that were used last. */
const MAX_CACHED = 10_000;

/** The identity behind a token, the reach of the token, and its end in milliseconds since the epoch. */
export interface Verified extends TokenReach {
  readonly identity: Identity;
  readonly expiresAtMs: number;
  /** The hash by which the token is remembered, and by which a proof names it (RFC 9449 §4.2). */
  readonly ath: string;
  /** Whether the token was given to a client of the FAPI 2.0 Security Profile. */
  readonly isFapi2: boolean;
}

/** Gives a database that may sleep: by its name, or the only one that there is. */
interface Directory {
  find(name?: string): Promise<Database | undefined>;
  /** A request is about it: it does not fall asleep until that is answered. */
  hold?(name: string, request: IncomingMessage): void;
}

interface IdentifierOptions {
  /** Issuers whose tokens are accepted beside our own. */
  readonly issuers?: readonly ExternalIssuer[];
  /** Whether a proof must have one of our nonces. */
  readonly dpopNonces?: boolean;
  /** The accounts that need a second factor. Default none. */
  readonly mfa?: MfaMode;
  /** Undefined where no mail is sent. */
  readonly mail?: Mailer | undefined;
}

/**
 * Turns tokens into identities. A verified token is remembered by its hash until it expires or any account or key of
 * its database changes, so that verification costs a request nothing.
 */
export class Identifier {
  readonly #databases: ReadonlyMap<string, Database>;
  readonly #issuer: string;
  readonly #directory: Directory;
  readonly #mfa: MfaMode;
  readonly #keySets = new WeakMap<Database, KeySet>();
  readonly #cache = mostRecent<string, Verified>(MAX_CACHED);
  readonly #external: ExternalIssuers;
  readonly #basic: BasicSignIns;
  readonly #possession: Possession;
  /** `anonymous` of each database. */
  readonly #anonymousOf = new Map<string, Promise<Identity>>();
  /** The credentials of a connection's last request: most clients send the same token again and again. */
  readonly #lastOn = new WeakMap<Socket, { header: string | undefined; verified: Verified; generation: number }>();
  /** Revoked identities that a connection may still hold as its last one. */
  readonly #revoked = new WeakSet<Verified>();
  #generation = 0;

  /** `directory`: default the databases themselves. */
  constructor(
    databases: ReadonlyMap<string, Database>,
    issuer: string,
    { issuers = [], dpopNonces = false, mfa = "off", mail }: IdentifierOptions = {},
    directory?: Directory,
  ) {
    this.#mfa = mfa;
    this.#databases = databases;
    this.#directory = directory ?? {
      find: (name = databases.size === 1 ? [...databases.keys()][0] : "") => Promise.resolve(databases.get(name ?? "")),
    };
    this.#issuer = issuer;
    this.#external = new ExternalIssuers(issuers);
    this.#basic = new BasicSignIns({ baseUrl: issuer, mfa, mail, identityOf: accountIdentity });
    this.#possession = new Possession({ databases, issuer, needsNonce: dpopNonces });
  }

  /** The issuers whose tokens are accepted beside our own. */
  get outside(): ExternalIssuers {
    return this.#external;
  }

  /** Requests with a token that is bound to a key, by the result of the check of their proof. */
  get proofs(): Possession["counts"] {
    return this.#possession.counts;
  }

  /** Drops the verified tokens and passwords of a database, because an account or a key has changed. */
  invalidate(database: string): void {
    this.#generation++;
    for (const [hash, { identity }] of this.#cache) if (identity.database === database) this.#cache.delete(hash);
    this.#basic.invalidate(database);
    this.#anonymousOf.delete(database);
    const opened = this.#databases.get(database);
    if (opened) this.#keySets.get(opened)?.invalidate();
  }

  /**
   * This process has revoked a family of tokens, or the token with this `jti`, and no longer takes them. Other processes notice it
   * by polling.
   */
  forget(database: string, family: string): void {
    for (const [hash, verified] of this.#cache) {
      const { database: itsDatabase, claims } = verified.identity;
      if (itsDatabase !== database || (claims["fam"] !== family && claims["jti"] !== family)) continue;
      this.#cache.delete(hash);
      this.#revoked.add(verified);
    }
  }

  #isValid(verified: Verified): boolean {
    return verified.expiresAtMs > Date.now() && !this.#revoked.has(verified);
  }

  /** The public keys of a database. */
  keysOf(database: Database): KeySet {
    let keys = this.#keySets.get(database);
    if (!keys) this.#keySets.set(database, (keys = new KeySet(database)));
    return keys;
  }

  /** The identity of a request with `Authorization: Bearer`. Throws `UNAUTHENTICATED` (401) without a valid token. */
  async identify(request: IncomingMessage): Promise<Identity> {
    return (await this.identifyAt(request, this.#issuer)).identity;
  }

  /**
   * The same at the doors of one resource, with the scopes of the token. Throws `UNAUTHENTICATED` (401), which names the
   * resource, for a token of another audience too.
   */
  async identifyAt(request: IncomingMessage, resource: string): Promise<Verified> {
    const verified = await this.#verifyOnce(request, () => this.#verifyRequest(request, resource));
    if (!verified.audience.includes(resource)) throw this.#challenge(otherAudience(), resource);
    await this.#possession.check(request, verified);
    return verified;
  }

  /**
   * The identity of the connection's last request, where the credentials are the same and still valid; else that of
   * `verify`.
   */
  async #verifyOnce(request: IncomingMessage, verify: () => Promise<Verified>): Promise<Verified> {
    const known = this.#lastOf(request);
    if (known) return known;
    const generation = this.#generation;
    const verified = await verify();
    const { socket, headers } = request;
    this.#lastOn.set(socket, { header: headers.authorization, verified, generation });
    return verified;
  }

  #lastOf({ socket, headers }: IncomingMessage): Verified | undefined {
    const last = this.#lastOn.get(socket);
    const isSame = last?.header === headers.authorization && last?.generation === this.#generation;
    return isSame && this.#isValid(last.verified) ? last.verified : undefined;
  }

  /**
   * The same as `identifyIn` at once, for a bearer token that the connection has just sent for this database. Undefined:
   * the caller is not known yet.
   */
  knownIn(request: IncomingMessage, database: Database): Identity | undefined {
    const known = this.#lastOf(request);
    if (known?.identity.database !== database.name || known.jkt !== undefined) return undefined;
    const isPlain = known.audience.includes(this.#issuer) && !isDpopRequest(request);
    return isPlain ? known.identity : undefined;
  }

  async #verifyRequest(request: IncomingMessage, resource: string): Promise<Verified> {
    const token = credentialsOf(request);
    // RFC 6750 §3.1: without credentials the challenge names no error
    if (token === undefined) throw this.#challenge(new GatewayError("UNAUTHENTICATED"), resource);
    try {
      return await this.#verifyAny(token, (database) => this.#directory.hold?.(database.name, request));
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== "UNAUTHENTICATED") throw error;
      throw this.#challenge(error, resource);
    }
  }

  /** RFC 9728 §5.1: the challenge says where a client finds out who issues tokens for the resource. */
  #challenge({ message, cause, headers }: GatewayError, resource: string): GatewayError {
    const challenge = String(headers["WWW-Authenticate"] ?? "Bearer");
    const separator = challenge === "Bearer" ? " " : ", ";
    const metadata = `resource_metadata="${resourceMetadataOf(this.#issuer, resource)}"`;
    return new GatewayError("UNAUTHENTICATED", message, {
      cause,
      headers: { ...headers, "WWW-Authenticate": challenge + separator + metadata },
    });
  }

  /**
   * Verifies an access token for the service. `shown`: the proof that came with it, and the address; "before": the token
   * was verified before on the same socket. Throws `UNAUTHENTICATED`.
   */
  async verify(
    token: string,
    shown: { readonly proof: string | undefined; readonly path: string } | "before",
  ): Promise<Verified> {
    const verified = await this.#verifyAny(token);
    if (!verified.audience.includes(this.#issuer)) throw otherAudience();
    if (shown !== "before" && (verified.jkt !== undefined || shown.proof !== undefined))
      await this.#possession.prove(verified, { isDpop: true, proof: shown.proof, method: "GET", path: shown.path });
    return verified;
  }

  /** A nonce for the next proof of a token, where proofs need one. */
  async nonceFor(token: string): Promise<string | undefined> {
    const name = this.#possession.needsNonce ? databaseClaim(token) : undefined;
    const database = name === undefined ? undefined : await this.#directory.find(name);
    return database && makeNonce(database);
  }

  /** Verifies a token for any resource. `onFound` is called with the database before an unknown token is verified. */
  async #verifyAny(token: string, onFound?: (database: Database) => void): Promise<Verified> {
    const ath = hash("sha256", token, "base64url");
    const cached = this.#cache.get(ath);
    if (cached && this.#isValid(cached)) return cached;
    this.#cache.delete(ath);
    const generation = this.#generation;
    const found = (await this.#identifyExternal(token)) ?? (await this.#identifyOwn(token, onFound));
    const verified = { ...found, ath };
    // not when an account or a key has changed meanwhile: the result may be outdated
    if (generation === this.#generation) this.#cache.set(ath, verified);
    return verified;
  }

  /**
   * The caller of resources that may be public: `Bearer` with a token of that very database, `Basic`, the account that is
   * signed in in the browser, or `anonymous`. Wrong credentials never count as anonymous; an ended session does. Throws
   * `UNAUTHENTICATED` (401), which offers Basic before Bearer, `RATE_LIMITED` (429).
   */
  async identifyIn(request: IncomingMessage, database: Database): Promise<Identity> {
    if (request.headers.authorization === undefined)
      return (await this.#identifyBrowser(request, database)) ?? this.anonymousIn(database);
    try {
      const token = credentialsOf(request);
      const identity =
        token === undefined
          ? await this.#basic.identify(request, database)
          : await this.#identifyBearer(request, token);
      if (identity?.database === database.name) return identity;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== "UNAUTHENTICATED") throw error;
      if (String(error.headers["WWW-Authenticate"]).startsWith("DPoP")) throw error;
      throw new GatewayError("UNAUTHENTICATED", error.message, {
        cause: error,
        headers: { "WWW-Authenticate": CHALLENGES },
      });
    }
    throw new GatewayError("UNAUTHENTICATED", "These credentials are not of this database", {
      headers: { "WWW-Authenticate": CHALLENGES },
    });
  }

  async #identifyBearer(request: IncomingMessage, token: string): Promise<Identity> {
    const verified = await this.#verifyOnce(request, () => this.#verifyAny(token));
    if (!verified.audience.includes(this.#issuer)) throw otherAudience();
    await this.#possession.check(request, verified);
    return verified.identity;
  }

  async #identifyBrowser(request: IncomingMessage, database: Database): Promise<Identity | undefined> {
    const id = cookieOf(request, sessionCookie(this.#issuer, database.name));
    if (id === undefined || !mayUseSession(request)) return undefined;
    const session = await findBrowserSession(database, id);
    const mfa = session?.amr.includes("mfa") ?? false;
    // it began before the account needed a second factor
    if (!session || (!mfa && needsFactor(this.#mfa, session.account))) return undefined;
    return accountIdentity(database, session.account, mfa);
  }

  /** The account of anonymous callers, whatever the request has. Throws `UNAUTHENTICATED` where there is none. */
  anonymousIn(database: Database): Promise<Identity> {
    let identity = this.#anonymousOf.get(database.name);
    if (!identity) {
      identity = findAccount(database, "anonymous").then((account) => {
        if (!account)
          throw new GatewayError("UNAUTHENTICATED", undefined, { headers: { "WWW-Authenticate": CHALLENGES } });
        return accountIdentity(database, account);
      });
      this.#anonymousOf.set(database.name, identity);
      identity.catch(() => this.#anonymousOf.delete(database.name)); // the caller gets the error
    }
    return identity;
  }

  async #identifyOwn(token: string, onFound?: (database: Database) => void): Promise<Omit<Verified, "ath">> {
    const name = databaseClaim(token);
    const database = name === undefined ? undefined : await this.#directory.find(name);
    if (!database) throw invalidToken();
    onFound?.(database);
    const keys = this.keysOf(database);
    const claims = await verifyToken(token, "at+jwt", { keys, database: database.name, issuer: this.#issuer });
    const account = await findTokenHolder(database, claims);
    if (!account) throw invalidToken();
    const named = { ...claims, sub: account.name, uid: account.name }; // policies know it by its name, whatever the client may
    return {
      identity: { ...identityOf(database, account, named, account.mfa), ...(actorOf(claims) && { readOnly: true }) },
      expiresAtMs: (claims.exp ?? 0) * 1000,
      isFapi2: account.isFapi2,
      ...reachOf(claims),
    };
  }

  async #identifyExternal(token: string): Promise<Omit<Verified, "ath"> | undefined> {
    const verified = await this.#external.verify(token);
    if (!verified) return undefined;
    const database = await this.#directory.find(verified.database);
    const account = database && (await findAccount(database, verified.account));
    if (!database || !account || account.name === "anonymous") throw invalidToken();
    const claims = { ...verified.claims, uid: account.name, database: database.name };
    return {
      identity: identityOf(database, account, claims),
      expiresAtMs: (verified.claims.exp ?? 0) * 1000,
      isFapi2: false,
      ...reachOfOutside(verified.claims, this.#issuer, verified.audience),
    };
  }
}

/** The identity of an account that came without a token. `mfa`: whether it has signed in with a second factor. */
export function accountIdentity(database: Database, account: Account, mfa = false): Identity {
  return identityOf(database, account, { sub: account.name, uid: account.name, database: database.name }, mfa);
}

/** The present identity of an account, with the claims of its credentials. */
export function identityOf(
  database: Database,
  account: Account,
  { mfa: _, ...others }: JWTPayload,
  mfa = false,
): Identity {
  return {
    database: database.name,
    name: account.name,
    role: account.role,
    roleMade: account.roleMade,
    mfa,
    claims: {
      ...others,
      ...(mfa && { mfa }), // not of an outside issuer, since its meaning of that is unknown here
      // as they are now, not as they were when the token was signed
      superUser: account.superuser,
      userGroup: account.userGroup,
      email: account.email,
      properties: account.properties,
    },
  };
}

/** Claims of a token itself, which differ from one to the next of the same account. */
const TOKENS_OWN_CLAIMS: ReadonlySet<string> = new Set(["iat", "exp", "nbf", "jti", "auth_time", "sid", "fam"]);
const accountKeys = new WeakMap<Identity, string>();

/** Equal for identities to which every statement gives the same, whatever token they came with. */
export function accountKeyOf(identity: Identity): string {
  let key = accountKeys.get(identity);
  if (key === undefined) {
    const claims = Object.entries(identity.claims).filter(([name]) => !TOKENS_OWN_CLAIMS.has(name));
    key = JSON.stringify([
      identity.name,
      identity.role,
      identity.mfa ?? false,
      claims.sort(([a], [b]) => (a < b ? -1 : 1)),
    ]);
    accountKeys.set(identity, key);
  }
  return key;
}

/** The offer of a 401 where Basic is accepted too: browsers and GIS programs ask their user for the first scheme. */
export const CHALLENGES: readonly string[] = [BASIC_CHALLENGE, 'Bearer realm="Portolan"'];

/** RFC 8707 §2: a token for one resource does not work at another. */
function otherAudience(): GatewayError {
  return invalidToken("The access token is for another resource");
}
