import type { GatewayError } from "../ground/errors.ts";

/**
 * The nonce that the next proof must have (RFC 9449 §8), where a token was refused for the want of one. The answer to an upgrade has
 * none for a token that comes in a message, or where a proof may have been used before the service was started; and a page
 * in a browser cannot read it.
 */
export function nonceOf({ headers }: GatewayError): string | undefined {
  const nonce = headers["DPoP-Nonce"];
  return typeof nonce === "string" ? nonce : undefined;
}
