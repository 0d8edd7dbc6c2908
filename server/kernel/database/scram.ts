import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

/**
 * RFC 5802, RFC 7677: the form in which PostgreSQL stores a password. It is computed here so that no log of the server
 * ever has the password.
 */
export function scramVerifier(password: string, salt = randomBytes(16), iterations = 4096): string {
  const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const storedKey = createHash("sha256").update(hmac(salted, "Client Key")).digest("base64");
  const serverKey = hmac(salted, "Server Key").toString("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
