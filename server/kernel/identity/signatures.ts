/**
 * Signatures (RFC 7518 §3), of proofs and of the tokens that the service gives. By node:crypto directly, which takes a third of the
 * time that jose takes: a proof comes with each request of a token that is bound to a key, and a grant signs two or three tokens.
 */
import { constants, createPublicKey, sign, verify, type JsonWebKey, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
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

const signApart = promisify(sign);

/** The signature of a text. RSA takes a millisecond, and so has a thread of its own. */
export async function signatureOf(text: string, alg: "ES256" | "RS256", key: KeyObject): Promise<Buffer> {
  const bytes = Buffer.from(text);
  return alg === "ES256" ? numbersOf(sign("sha256", bytes, key)) : signApart("sha256", bytes, key);
}

/** Whether a signature of the text is of that key. */
export function isSigned(text: string, signature: Buffer, alg: ProofAlgorithm, key: KeyObject): boolean {
  const bytes = Buffer.from(text);
  if (alg === "ES256") return signature.length === 64 && verify("sha256", bytes, key, derOf(signature));
  if (alg === "RS256") return verify("sha256", bytes, key, signature);
  return verify("sha256", bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }, signature);
}

/** A signature of two numbers, as OpenSSL wants it (RFC 3279 §2.2.3); node:crypto takes twice as long for the other form. */
function derOf(signature: Buffer): Buffer {
  const der = Buffer.allocUnsafe(72);
  const end = putInteger(der, putInteger(der, 2, signature.subarray(0, 32)), signature.subarray(32));
  der[0] = 0x30;
  der[1] = end - 2;
  return der.subarray(0, end);
}

/** Without zeros before it, except one that says that it is not negative. Returns where it ends. */
function putInteger(der: Buffer, at: number, number: Buffer): number {
  let start = 0;
  while (start < number.length - 1 && number[start] === 0) start++;
  const sign = number[start]! >= 0x80 ? 1 : 0;
  const length = number.length - start + sign;
  der[at] = 0x02;
  der[at + 1] = length;
  der[at + 2] = 0; // a sign stays here, the number overwrites it otherwise
  number.copy(der, at + 2 + sign, start);
  return at + 2 + length;
}

/** The reverse: the two numbers with 32 bytes each. */
function numbersOf(der: Buffer): Buffer {
  const numbers = Buffer.alloc(64);
  let at = 2;
  for (const end of [32, 64]) {
    const length = der[at + 1]!;
    const number = der.subarray(at + 2, at + 2 + length).subarray(-32);
    number.copy(numbers, end - number.length);
    at += 2 + length;
  }
  return numbers;
}
