/**
 * The keys and signatures of proofs. They come with every request of a token that is bound to a key, so that they are verified by
 * node:crypto directly, which takes a third of the time that jose takes.
 */
import { constants, createPublicKey, verify, type JsonWebKey, type KeyObject } from "node:crypto";
import type { ProofAlgorithm } from "./proofAlgorithms.ts";

const RSA_BITS = { least: 2048, most: 8192 };

/** The public key of a JWK, of the kind that the algorithm wants; undefined where it is none. */
export function publicKeyOf(jwk: JsonWebKey, alg: ProofAlgorithm): KeyObject | undefined {
  const key = importKey(jwk);
  if (alg === "ES256") return key?.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : undefined;
  const { modulusLength = 0 } = key?.asymmetricKeyDetails ?? {};
  return key?.asymmetricKeyType === "rsa" && modulusLength >= RSA_BITS.least && modulusLength <= RSA_BITS.most
    ? key
    : undefined;
}

function importKey(jwk: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    return undefined;
  }
}

/** Whether a signature (RFC 7518 §3) of the text is of that key. */
export function isSigned(text: string, signature: Buffer, alg: ProofAlgorithm, key: KeyObject): boolean {
  const bytes = Buffer.from(text);
  if (alg === "ES256") return signature.length === 64 && verify("sha256", bytes, key, derOf(signature));
  if (alg === "RS256") return verify("sha256", bytes, key, signature);
  return verify("sha256", bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }, signature);
}

/** A signature of two numbers, as OpenSSL wants it (RFC 3279 §2.2.3); node:crypto takes twice as long for the other form. */
function derOf(signature: Buffer): Buffer {
  const numbers = Buffer.concat([integerOf(signature.subarray(0, 32)), integerOf(signature.subarray(32))]);
  return Buffer.concat([Buffer.from([0x30, numbers.length]), numbers]);
}

/** Without zeros before it, except one that says that it is not negative. */
function integerOf(number: Buffer): Buffer {
  let start = 0;
  while (start < number.length - 1 && number[start] === 0) start++;
  const bytes = number.subarray(start);
  const sign = bytes[0]! >= 0x80 ? [0] : [];
  return Buffer.concat([Buffer.from([0x02, bytes.length + sign.length, ...sign]), bytes]);
}
