/** Checks the codes that people type, under the lock on guessing. */
import { noteGuess, refuseIfLocked } from "../../kernel/identity/signIn.ts";
import type { Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { count } from "../metrics.ts";
import { hashOfCode } from "./recoveryCodes.ts";
import { stepOf } from "./totp.ts";

/** Whether it is a code of the account's authenticator, or a recovery code; each is valid once. Throws `RATE_LIMITED`. */
export async function isCodeOf(context: OAuthContext, account: Account, code: string): Promise<boolean> {
  const { database } = context;
  return guarded(context, account, async () => {
    const { db } = database;
    const factor = await db.oneOrNone<{ secret: string }>(
      "select secret from portolan.factors where user_name = $1 and kind = 'totp'",
      [account.name],
    );
    const typed = code.replace(/\s/g, "");
    const step = factor ? await stepOf(factor.secret, typed) : undefined;
    if (step === undefined && typed.length < 10) return false;
    const { counts } = await db.one<{ counts: boolean }>("select portolan.use_factor_code($1, $2, $3) as counts", [
      account.name,
      step ?? null,
      step === undefined ? hashOfCode(typed) : null,
    ]);
    return counts;
  });
}

/** The step of a code for a secret that the account is adding. Throws `RATE_LIMITED`. */
export async function stepOfNew(
  context: OAuthContext,
  account: Account,
  { secret, code }: { readonly secret: string; readonly code: string },
): Promise<number | undefined> {
  let step: number | undefined;
  await guarded(context, account, async () => {
    step = await stepOf(secret, code.replace(/\s/g, ""));
    return step !== undefined;
  });
  return step;
}

async function guarded(context: OAuthContext, account: Account, verify: () => Promise<boolean>): Promise<boolean> {
  const { database, address } = context;
  const guess = { kind: "second_factor", subject: account.name, address } as const;
  await refuseIfLocked(database, guess);
  const right = await verify();
  count(context.kernel, "factors", { kind: "code", outcome: right ? "accepted" : "refused" });
  await noteGuess(database, guess, right);
  return right;
}
