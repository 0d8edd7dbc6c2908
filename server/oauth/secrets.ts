/** The secrets that this door makes and gives out: codes, and refresh tokens that wait in the database. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { GatewayError } from "../ground/errors.ts";

/** 256 bits. */
export function randomText(): string {
  return randomBytes(32).toString("base64url");
}

/** A code that names its database, so that a client need not. */
export function makeCode(database: string): string {
  return `${Buffer.from(database).toString("base64url")}.${randomText()}`;
}

/** The database that a code names. It is only used to look the code up. */
export function databaseOfCode(code: string): string | undefined {
  const dot = code.indexOf(".");
  return dot < 0 ? undefined : Buffer.from(code.slice(0, dot), "base64url").toString("utf8");
}

/** Encrypts a token so that only the holder of `key`, the token before it, can read it. */
export function seal(token: string, key: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(key), iv);
  return Buffer.concat([iv, cipher.update(token, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64");
}

/** Decrypts the result of `seal`. */
export function unseal(sealed: string, key: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv("aes-256-gcm", deriveKey(key), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(-16));
  try {
    return decipher.update(bytes.subarray(12, -16), undefined, "utf8") + decipher.final("utf8");
  } catch (cause) {
    throw new GatewayError("INTERNAL", undefined, { cause, detail: "a sealed refresh token cannot be read" });
  }
}

function deriveKey(token: string): Buffer {
  return Buffer.from(hkdfSync("sha256", token, "", "portolan refresh token", 32));
}
