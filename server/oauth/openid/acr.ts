/** The classes of a sign-in (`acr`, OpenID Connect Core 1.0 §2); that of a second factor is in the error of who lacks one. */
import { ACR_MFA } from "../../ground/errors.ts";

/** The person has signed in with a password alone. */
export const ACR_PASSWORD = "urn:portolan:acr:password";

/**
 * The class of a sign-in, by its methods (RFC 8176). Where the client must have one of `wanted`, it is the best of these: a second
 * factor comes after a password or something better.
 */
export function acrOf(amr: readonly string[], wanted: readonly string[] = [ACR_MFA]): string {
  return amr.includes("mfa") && wanted.includes(ACR_MFA) ? ACR_MFA : ACR_PASSWORD;
}
