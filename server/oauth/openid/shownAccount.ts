/** The claims about the account in the tokens of a client. Everybody who holds a token can read it. */
import type { Account, AccountClaim, ShownAccount } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { subjectOf } from "./claims.ts";

/** The claims that a scope opens to a client that knows the account by a public `sub`. */
const BY_SCOPE: Readonly<Record<string, readonly AccountClaim[]>> = {
  profile: ["superUser", "properties"],
  email: ["email"],
  groups: ["userGroup"],
};

/**
 * With the scope `openid` a token has the `sub` of the ID token instead of the name, and the claims of the other scopes.
 * For a client with a pairwise `sub` it has no claims about the account. Undefined for the tokens of all other clients:
 * they have the name and all claims.
 */
export async function shownTo(
  { database, client, kernel }: Pick<OAuthContext, "database" | "client" | "kernel">,
  account: Account,
  scopes: readonly string[],
): Promise<ShownAccount | undefined> {
  const { subjectType } = kernel.config;
  const isPairwise = (client.subjectType ?? subjectType) === "pairwise";
  if (!isPairwise && !scopes.includes("openid")) return undefined;
  const sub = await subjectOf(database, account.name, client, subjectType);
  return { sub, claims: new Set(isPairwise ? [] : scopes.flatMap((scope) => BY_SCOPE[scope] ?? [])) };
}
