/** The classes of a sign-in (`acr`, OpenID Connect Core 1.0 §2); that of a second factor is in the error of who lacks one. */
import { ACR_MFA } from "../../ground/errors.ts";

/** The person has signed in with a password alone. */
export const ACR_PASSWORD = "urn:portolan:acr:password";

/** The class of a sign-in, by its methods (RFC 8176). */
export function acrOf(amr: readonly string[]): string {
  return amr.includes("mfa") ? ACR_MFA : ACR_PASSWORD;
}
