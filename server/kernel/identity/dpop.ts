/** DPoP (RFC 9449): a token that is bound to a key counts only with a proof that its holder has the key, made for this request. */
import { createHmac, hkdfSync, timingSafeEqual, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint, type JWK } from "jose";
import { LRUCache } from "lru-cache";
import { GatewayError } from "../../ground/errors.ts";
import type { Database } from "../database/database.ts";
import { useProof } from "./once.ts";
import { PROOF_ALGORITHMS, proofAlgorithmsOf, type ProofAlgorithm } from "./proofAlgorithms.ts";
import { isSigned, publicKeyOf } from "./signatures.ts";

const MAX_PROOF = 8192;
/** A proof is made for a request that comes at once; clocks may differ. */
const MAX_AGE_SECONDS = 60;
const MAX_AHEAD_SECONDS = 30;
const MAX_NONCE_SECONDS = 180;
/** A header of a proof is remembered up to this length; that of a key of 4096 bits has 850 characters. */
const MAX_KNOWN_HEADER = 1500;

/** The request that a proof must be made for. */
export interface ProvenRequest {
  readonly method: string;
  /** Without query and fragment. */
  readonly url: string;
  /** The hash of the access token that comes with it; none at the token endpoint. */
  readonly ath?: string | undefined;
  /** Whether the proof must have one of our nonces. */
  readonly needsNonce: boolean;
  /** Whether it comes from a client of the FAPI 2.0 Security Profile. */
  readonly isFapi2: boolean;
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
  const { thumbprint, claims } = await readProof(proof, proofAlgorithmsOf(request.isFapi2));
  const { jti, iat, htm, htu, ath, nonce } = claims;
  if (typeof jti !== "string" || jti === "" || jti.length > 256)
    throw new ProofError("'jti' of the proof must be a text of 1 to 256 characters");
  if (htm !== request.method) throw new ProofError("'htm' of the proof is another method");
  if (typeof htu !== "string" || (htu !== request.url && addressOf(htu) !== addressOf(request.url)))
    throw new ProofError(`'htu' of the proof must be ${request.url}`);
  if (request.ath !== undefined && ath !== request.ath)
    throw new ProofError("'ath' of the proof is not the hash of the access token");
  const madeAfter = nonce === undefined ? undefined : await timeOfNonce(database, nonce);
  if (madeAfter === undefined && (request.needsNonce || nonce !== undefined)) throw nonceNeeded();
  const age = Date.now() / 1000 - Number(iat);
  if (typeof iat !== "number" || age > MAX_AGE_SECONDS || age < -MAX_AHEAD_SECONDS)
    throw new ProofError("The proof is too old, or from the future; the clock of the client may be wrong");
  const { isFirst, lostAt } = await useProof(database, `proof ${thumbprint} ${jti}`);
  if (!isFirst) throw new ProofError("The proof was used before");
  // it may have been used before, and that record lost, unless it is younger than the lost records
  if (iat <= lostAt + MAX_AHEAD_SECONDS && (madeAfter ?? -Infinity) <= lostAt) throw nonceNeeded();
  return thumbprint;
}

function nonceNeeded(): ProofError {
  return new ProofError("The proof needs the nonce of the header DPoP-Nonce", "use_dpop_nonce");
}

interface ProofKey {
  readonly alg: ProofAlgorithm;
  readonly key: KeyObject;
  readonly thumbprint: string;
}

/** Keys by the text of the proof's header: a client sends the same header with many requests. */
const keys = new LRUCache<string, ProofKey>({ max: 5000 });

/** The claims of a proof that is signed by the key that it shows. */
async function readProof(
  proof: string,
  algorithms: readonly ProofAlgorithm[],
): Promise<{ thumbprint: string; claims: Readonly<Record<string, unknown>> }> {
  const [, header = "", payload = "", signature = ""] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(proof) ?? [];
  const { alg, key, thumbprint } = keys.get(header) ?? (await readHeader(header));
  if (!algorithms.includes(alg)) throw unsupported(algorithms);
  if (!isSigned(proof.slice(0, -signature.length - 1), Buffer.from(signature, "base64url"), alg, key))
    throw new ProofError("The proof is not valid");
  const claims = objectOf(payload);
  const now = Date.now() / 1000;
  const { exp = now, nbf = now } = claims;
  if (!(Number(exp) >= now - MAX_AHEAD_SECONDS && Number(nbf) <= now + MAX_AHEAD_SECONDS))
    throw new ProofError("The proof is not valid");
  return { thumbprint, claims };
}

async function readHeader(header: string): Promise<ProofKey> {
  const { typ, alg, jwk, crit } = objectOf(header) as { typ?: unknown; alg?: unknown; jwk?: JWK; crit?: unknown };
  if (typ !== "dpop+jwt") throw new ProofError("'typ' of the proof must be dpop+jwt");
  if (!isAlgorithm(alg)) throw unsupported(PROOF_ALGORITHMS);
  if (typeof jwk !== "object" || jwk === null || isSecret(jwk))
    throw new ProofError("'jwk' of the proof must be a public key");
  const key = publicKeyOf(jwk, alg);
  // RFC 7515 §4.1.11: no extension is known
  if (!key || crit !== undefined) throw new ProofError("The proof cannot be read");
  const made = { alg, key, thumbprint: await calculateJwkThumbprint(jwk) };
  if (header.length <= MAX_KNOWN_HEADER) keys.set(header, made);
  return made;
}

function unsupported(algorithms: readonly ProofAlgorithm[]): ProofError {
  return new ProofError(`The proof is signed by one of ${algorithms.join(", ")}`);
}

function objectOf(encoded: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, "base64url").toString());
    if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // no JWT
  }
  throw new ProofError("The proof cannot be read");
}

function isAlgorithm(alg: unknown): alg is ProofAlgorithm {
  return (PROOF_ALGORITHMS as readonly unknown[]).includes(alg);
}

/** §4.3: neither a private key nor one that both sides have. */
function isSecret(jwk: JWK): boolean {
  return !["EC", "RSA"].includes(jwk.kty ?? "") || ["d", "p", "q", "k"].some((member) => Object.hasOwn(jwk, member));
}

/** Without query and fragment; scheme, host and port as RFC 3986 §6.2 compares them. */
function addressOf(text: string): string | undefined {
  const url = URL.parse(text);
  return url ? url.origin + url.pathname : undefined;
}

/** A nonce for the next proof: every process of the service makes, and knows, the same. It says when it was made. */
export async function makeNonce(database: Database): Promise<string> {
  return nonceOf(await nonceKey(database), Date.now());
}

/** When a nonce was made, in seconds since the epoch; undefined where it is not ours or has expired. */
async function timeOfNonce(database: Database, given: unknown): Promise<number | undefined> {
  const [text = ""] = typeof given === "string" ? given.split(".") : [];
  const timeMs = Number(text);
  const age = (Date.now() - timeMs) / 1000;
  if (typeof given !== "string" || !(age >= -MAX_AHEAD_SECONDS && age < MAX_NONCE_SECONDS)) return undefined;
  const expected = Buffer.from(nonceOf(await nonceKey(database), timeMs));
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected) ? timeMs / 1000 : undefined;
}

function nonceOf(key: Buffer, timeMs: number): string {
  return `${timeMs}.${createHmac("sha256", key).update(String(timeMs)).digest("base64url").slice(0, 22)}`;
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
