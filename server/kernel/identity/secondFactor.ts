/** Decides which accounts need a second factor. */
import type { Database } from "../database/database.ts";
import { GatewayError } from "../../ground/errors.ts";
import { audit } from "./audit.ts";
import type { Account } from "./tokens.ts";

/** The values of the option `mfa`. */
export const MFA_MODES = ["off", "offered", "superUsers", "all"] as const;
export type MfaMode = (typeof MFA_MODES)[number];

/** Whether an account may add a second factor. */
export function mayHaveFactor(mode: MfaMode, { twoFactor }: Account): boolean {
  return mode !== "off" || twoFactor;
}

/** Whether a sign-in of the account asks for a second factor. Where it has none, it must add one. */
export function needsFactor(mode: MfaMode, account: Account): boolean {
  if (account.twoFactor || mode === "all" || (mode === "superUsers" && account.superuser)) return true;
  return mode !== "off" && account.hasFactor;
}

/**
 * Throws `UNAUTHENTICATED` where a name and a password are not enough. `via`: for the audit, e.g. `basic`; `instead`: what
 * the caller should do.
 */
export async function refuseWithoutFactor(
  database: Database,
  account: Account,
  { mode, address, via, instead }: { mode: MfaMode; address: string | undefined; via: string; instead: string },
): Promise<void> {
  if (!needsFactor(mode, account)) return;
  await audit(database, {
    event: "sign_in.refused",
    account: account.name,
    address,
    details: { via, reason: "second_factor" },
  });
  throw new SecondFactorNeeded(instead);
}

/** The password was right, and is not enough. */
export class SecondFactorNeeded extends GatewayError {
  constructor(instead: string) {
    super("UNAUTHENTICATED", `This account signs in with a second factor; ${instead}`);
  }
}
