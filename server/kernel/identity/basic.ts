/** Callers with a name and password in each request (RFC 7617). */
import { createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { GatewayError } from "../../ground/errors.ts";
import type { Database, Identity } from "../database/database.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { MfaMode } from "./secondFactor.ts";
import { signIn } from "./signIn.ts";
import type { Account } from "./tokens.ts";
import { mostRecent } from "../../ground/mostRecent.ts";

/** Sign-ins that are remembered, of all databases: those that were used last. */
const MAX_CACHED = 10_000;
/** A correct password is not verified again for this long: a map asks for dozens of tiles at once. */
const VALID_MS = 60_000;

/** The challenge of a 401 (RFC 7617 §2). */
export const BASIC_CHALLENGE = 'Basic realm="Portolan", charset="UTF-8"';

interface BasicOptions {
  /** The address of this service, for mails. */
  readonly baseUrl: string;
  /** The accounts that need a second factor, and so cannot sign in by this. */
  readonly mfa: MfaMode;
  /** Undefined where no mail is sent. */
  readonly mail: Mailer | undefined;
  readonly identityOf: (database: Database, account: Account) => Identity;
}

interface SignedIn {
  readonly identity: Promise<Identity>;
  readonly database: string;
  /** The end by `performance.now()`, which no change of the clock moves. */
  readonly endsAtMs: number;
}

export class BasicSignIns {
  readonly #options: BasicOptions;
  /** By a keyed hash, so that no password is kept in memory. */
  readonly #known = mostRecent<string, SignedIn>(MAX_CACHED);
  readonly #key = randomBytes(32);
  #generation = 0;

  constructor(options: BasicOptions) {
    this.#options = options;
  }

  /** Forgets the sign-ins of a database: an account has changed. */
  invalidate(database: string): void {
    this.#generation++;
    for (const [hash, signedIn] of this.#known) if (signedIn.database === database) this.#known.delete(hash);
  }

  /**
   * The identity of a request with `Authorization: Basic` in this database; undefined where it has none. A verification is
   * valid for a minute. Throws `UNAUTHENTICATED` (401), `RATE_LIMITED` (429), `UNAVAILABLE`.
   */
  async identify(request: IncomingMessage, database: Database): Promise<Identity | undefined> {
    const credentials = credentialsOf(request);
    if (!credentials) return undefined;
    const parts = [database.name, request.address, credentials.name, credentials.password];
    const hash = createHmac("sha256", this.#key).update(JSON.stringify(parts)).digest("base64url");
    const known = this.#known.get(hash);
    if (known && known.endsAtMs > performance.now()) return known.identity;
    const generation = this.#generation;
    const identity = this.#signIn(request, database, credentials).catch((error: unknown) => {
      this.#known.delete(hash);
      throw error;
    });
    this.#known.set(hash, { identity, database: database.name, endsAtMs: performance.now() + VALID_MS });
    await identity;
    if (generation !== this.#generation) this.#known.delete(hash);
    return identity;
  }

  async #signIn(request: IncomingMessage, database: Database, { name, password }: Credentials): Promise<Identity> {
    const { baseUrl, mfa, mail, identityOf } = this.#options;
    try {
      const account = await signIn(database, {
        name,
        password,
        address: request.address,
        via: "basic",
        mfa: { mode: mfa, instead: "use an access token" },
        place: { mail, baseUrl, request },
      });
      return identityOf(database, account);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== "UNAUTHENTICATED") throw error;
      throw new GatewayError("UNAUTHENTICATED", error.message, { headers: { "WWW-Authenticate": BASIC_CHALLENGE } });
    }
  }
}

interface Credentials {
  readonly name: string;
  readonly password: string;
}

/** RFC 7617 §2: base64 of `name:password`; the name has no colon. */
function credentialsOf(request: IncomingMessage): Credentials | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(request.headers.authorization ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? { name: text, password: "" } : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}
