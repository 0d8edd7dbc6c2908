/** DPoP (RFC 9449): a token that is bound to a key counts only with a proof that its holder has the key, made for this request. */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  errors,
  importJWK,
  jwtVerify,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from "jose";
import { LRUCache } from "lru-cache";
import { GatewayError } from "../../ground/errors.ts";
import type { Database } from "../database/database.ts";
import { isFirstUse } from "./once.ts";
import { PROOF_ALGORITHMS } from "./proofAlgorithms.ts";

const MAX_PROOF = 8192;
/** A proof is made for a request that comes at once; clocks may differ. */
const MAX_AGE_SECONDS = 60;
const MAX_AHEAD_SECONDS = 30;
/** A nonce is good for two to three minutes. */
const NONCE_SECONDS = 60;
const NONCES = 3;

/** What a proof must be for. */
export interface ProvenRequest {
  readonly method: string;
  /** Without query and fragment. */
  readonly url: string;
  /** The access token that comes with it; none at the token endpoint. */
  readonly token?: string | undefined;
  /** Whether it must have a nonce of ours. */
  readonly needsNonce: boolean;
}

/** `code` is that of RFC 9449; `message` is for the client's developer. */
export class ProofError extends Error {
  readonly code: "invalid_dpop_proof" | "use_dpop_nonce";

  constructor(message: string, code: "invalid_dpop_proof" | "use_dpop_nonce" = "invalid_dpop_proof") {
    super(message);
    this.code = code;
  }
}

/** The thumbprint (RFC 7638) of the key of a proof that is right for the request. It counts once. Throws `ProofError`. */
export async function verifyProof(database: Database, proof: string, request: ProvenRequest): Promise<string> {
  if (proof.length > MAX_PROOF) throw new ProofError("The proof is too long");
  const { key, thumbprint } = await keyOf(proof);
  const claims = await claimsOf(proof, key);
  const { jti, iat, htm, htu, ath, nonce } = claims as Readonly<Record<string, unknown>>;
  if (typeof jti !== "string" || jti === "" || jti.length > 256)
    throw new ProofError("'jti' of the proof must be a text of 1 to 256 characters");
  if (htm !== request.method) throw new ProofError("'htm' of the proof is another method");
  if (typeof htu !== "string" || addressOf(htu) !== addressOf(request.url))
    throw new ProofError(`'htu' of the proof must be ${request.url}`);
  if (request.token !== undefined && ath !== createHash("sha256").update(request.token).digest("base64url"))
    throw new ProofError("'ath' of the proof is not the hash of the access token");
  if (nonce === undefined ? request.needsNonce : !(await isNonce(database, nonce)))
    throw new ProofError("The proof needs the nonce of the header DPoP-Nonce", "use_dpop_nonce");
  const age = Date.now() / 1000 - Number(iat);
  if (typeof iat !== "number" || age > MAX_AGE_SECONDS || age < -MAX_AHEAD_SECONDS)
    throw new ProofError("The proof is too old, or of the future; the clock of the client may be wrong");
  if (!(await isFirstUse(database, `proof ${thumbprint} ${jti}`, MAX_AGE_SECONDS + MAX_AHEAD_SECONDS + 1)))
    throw new ProofError("The proof was used before");
  return thumbprint;
}

interface ProofKey {
  readonly key: CryptoKey | Uint8Array;
  readonly thumbprint: string;
}

/** By the text of the key: a client has one for many requests. */
const keys = new LRUCache<string, ProofKey>({ max: 5000 });

async function keyOf(proof: string): Promise<ProofKey> {
  try {
    const { typ, alg = "", jwk } = decodeProtectedHeader(proof);
    if (typ !== "dpop+jwt") throw new ProofError("'typ' of the proof must be dpop+jwt");
    if (!isAlgorithm(alg)) throw new ProofError(`The proof is signed by one of ${PROOF_ALGORITHMS.join(", ")}`);
    if (typeof jwk !== "object" || isSecret(jwk)) throw new ProofError("'jwk' of the proof must be a public key");
    const name = `${alg} ${JSON.stringify(jwk)}`;
    const known = keys.get(name);
    if (known) return known;
    const made = { key: await importJWK(jwk, alg), thumbprint: await calculateJwkThumbprint(jwk) };
    keys.set(name, made);
    return made;
  } catch (error) {
    if (error instanceof ProofError) throw error;
    throw new ProofError("The proof cannot be read"); // no JWT, or no key
  }
}

function isAlgorithm(alg: string): boolean {
  return (PROOF_ALGORITHMS as readonly string[]).includes(alg);
}

/** §4.3: neither a private key nor one that both sides have. */
function isSecret(jwk: JWK): boolean {
  return (
    !["EC", "RSA", "OKP"].includes(jwk.kty ?? "") || ["d", "p", "q", "k"].some((member) => Object.hasOwn(jwk, member))
  );
}

async function claimsOf(proof: string, key: ProofKey["key"]): Promise<JWTPayload> {
  try {
    return (await jwtVerify(proof, key, { algorithms: [...PROOF_ALGORITHMS], clockTolerance: MAX_AHEAD_SECONDS }))
      .payload;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException)
      throw new ProofError("The proof is not valid");
    throw error;
  }
}

/** Without query and fragment; scheme, host and port as RFC 3986 §6.2 compares them. */
function addressOf(text: string): string | undefined {
  const url = URL.parse(text);
  return url ? url.origin + url.pathname : undefined;
}

/** A nonce for the next proof: every process of the service makes, and knows, the same. */
export async function makeNonce(database: Database): Promise<string> {
  return nonceOf(await nonceKey(database), Math.floor(Date.now() / 1000 / NONCE_SECONDS));
}

async function isNonce(database: Database, given: unknown): Promise<boolean> {
  const [slot = ""] = typeof given === "string" ? given.split(".") : [];
  const age = Math.floor(Date.now() / 1000 / NONCE_SECONDS) - Number(slot);
  if (typeof given !== "string" || !(age >= 0 && age < NONCES)) return false;
  const expected = Buffer.from(nonceOf(await nonceKey(database), Number(slot)));
  const text = Buffer.from(given);
  return text.length === expected.length && timingSafeEqual(text, expected);
}

function nonceOf(key: Buffer, slot: number): string {
  return `${slot}.${createHmac("sha256", key).update(String(slot)).digest("base64url").slice(0, 22)}`;
}

function nonceKey(database: Database): Promise<Buffer> {
  return database.memory.of(database, readNonceKey, 60_000);
}

async function readNonceKey({ db }: Database): Promise<Buffer> {
  const { secret } = await db.one<{ secret: string | null }>(
    "select portolan.secrets() -> 'signing_key' -> 'jwk' ->> 'd' as secret",
  );
  if (secret === null)
    throw new GatewayError("UNAVAILABLE", undefined, { detail: "no signing key: run portolan migrate" });
  return Buffer.from(hkdfSync("sha256", secret, "", "portolan dpop nonce", 32));
}
