/** Whether the caller holds the key that an access token is bound to (RFC 9449): each request needs a new proof. */
import type { IncomingMessage } from "node:http";
import { GatewayError } from "../../ground/errors.ts";
import type { Database } from "../database/database.ts";
import { makeNonce, ProofError, verifyProof } from "./dpop.ts";
import { PROOF_ALGORITHMS } from "./proofAlgorithms.ts";
import { invalidToken } from "./tokens.ts";

/** What must be known of a verified token. */
interface Bound {
  readonly identity: { readonly database: string };
  /** The thumbprint of its key; undefined for a Bearer token. */
  readonly jkt?: string | undefined;
  readonly ath: string;
  readonly isFapi2: boolean;
}

/** How a token came: at which address, and with which proof. */
interface Shown {
  /** Whether it came as one that is bound to a key. */
  readonly isDpop: boolean;
  readonly proof: string | readonly string[] | undefined;
  readonly method: string;
  readonly url: string;
}

interface PossessionOptions {
  readonly databases: ReadonlyMap<string, Database>;
  readonly issuer: string;
  /** Whether a proof must have one of our nonces. */
  readonly needsNonce: boolean;
}

export class Possession {
  readonly #options: PossessionOptions;
  /** The check of each request: a door may ask twice who the caller is. */
  readonly #checked = new WeakMap<IncomingMessage, Promise<void>>();
  /** Requests with a token that is bound to a key, by the result of the check of their proof. */
  readonly counts = { accepted: 0, refused: 0 };

  constructor(options: PossessionOptions) {
    this.#options = options;
  }

  get needsNonce(): boolean {
    return this.#options.needsNonce;
  }

  /**
   * RFC 9449 §7: a token that is bound to a key needs the scheme DPoP and a proof, any other token Bearer. Each request
   * needs a new proof, even with a known token. Throws `UNAUTHENTICATED`.
   */
  check(request: IncomingMessage, bound: Bound): Promise<void> | void {
    const isDpop = isDpopRequest(request);
    if (bound.jkt === undefined && !isDpop) return;
    const known = this.#checked.get(request);
    if (known) return known;
    const [path = ""] = (request.url ?? "").split(/[?#]/, 1);
    const checked = this.prove(bound, {
      isDpop,
      proof: request.headers["dpop"],
      method: request.method ?? "",
      path,
    });
    this.#checked.set(request, checked);
    return checked;
  }

  /** The same for a token that came in another way than a header. `path`: of the address to which it was sent. */
  async prove(bound: Bound, { path, ...shown }: Omit<Shown, "url"> & { readonly path: string }): Promise<void> {
    try {
      await this.#prove(bound, { ...shown, url: this.#options.issuer + path });
      this.counts.accepted++;
    } catch (error) {
      this.counts.refused++;
      throw error;
    }
  }

  async #prove({ jkt, ath, identity, isFapi2 }: Bound, { isDpop, proof, method, url }: Shown): Promise<void> {
    if (jkt === undefined)
      throw dpopError("invalid_token", "The access token is bound to no key; it is a Bearer token");
    if (!isDpop) throw dpopError("invalid_token", "The access token is bound to a key, and needs a proof");
    if (typeof proof !== "string")
      throw dpopError("invalid_dpop_proof", "The request needs one proof in the header DPoP");
    const { databases, needsNonce } = this.#options;
    const database = databases.get(identity.database);
    if (!database) throw invalidToken();
    try {
      const thumbprint = await verifyProof(database, proof, { method, url, ath, needsNonce, isFapi2 });
      if (thumbprint !== jkt) throw new ProofError("The proof is of another key than the access token is bound to");
    } catch (error) {
      if (!(error instanceof ProofError)) throw error;
      const nonce = error.code === "use_dpop_nonce" ? await makeNonce(database) : undefined;
      throw dpopError(error.code, error.message, nonce);
    }
  }
}

/** Whether the request uses the scheme DPoP (RFC 9449 §7.1). */
export function isDpopRequest({ headers }: IncomingMessage): boolean {
  return /^dpop /i.test(headers.authorization ?? "");
}

/** RFC 6750 §2.1, RFC 9449 §7.1; the scheme is case-insensitive (RFC 9110 §11.1). */
export function credentialsOf(request: IncomingMessage): string | undefined {
  return /^(?:bearer|dpop) +([A-Za-z0-9._~+/=-]+) *$/i.exec(request.headers.authorization ?? "")?.[1];
}

function dpopError(code: string, message: string, nonce?: string): GatewayError {
  return new GatewayError("UNAUTHENTICATED", message, {
    headers: {
      "WWW-Authenticate": `DPoP error="${code}", error_description="${message}", algs="${PROOF_ALGORITHMS.join(" ")}"`,
      ...(nonce !== undefined && { "DPoP-Nonce": nonce }),
    },
  });
}
