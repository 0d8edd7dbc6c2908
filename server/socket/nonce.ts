import type { GatewayError } from "../ground/errors.ts";

/**
 * The nonce for the next proof (RFC 9449 §8), after a token was refused because it was missing. The answer to an
 * upgrade carries none for a token that comes in a message, or where a proof may have been used before the service
 * started; and a page in a browser cannot read that answer.
 */
export function nonceOf({ headers }: GatewayError): string | undefined {
  const nonce = headers["DPoP-Nonce"];
  return typeof nonce === "string" ? nonce : undefined;
}
