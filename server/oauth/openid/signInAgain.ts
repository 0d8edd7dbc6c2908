/** Whether the signed-in account is the one that a request wants, and has signed in recently enough. */
import { oauthError } from "../errors.ts";
import type { OAuthContext } from "../context.ts";
import { subjectOf } from "./claims.ts";

/**
 * OpenID Connect Core §3.1.2.1: `prompt=login`, `max_age`, `id_token_hint`, and the `sub` of `claims`. Throws
 * `login_required` when the account that has just signed in is not the one that the request means.
 */
export async function isSignInEnough(context: OAuthContext): Promise<boolean> {
  const { account, openid, session } = context;
  if (!account || !openid) return account !== undefined;
  const wanted = [openid.hint?.sub, openid.claims.sub].filter((sub) => sub !== undefined);
  if (wanted.length > 0) {
    const { database, client, kernel } = context;
    const sub = await subjectOf(database, account.name, client, kernel.config.subjectType);
    const isOther = wanted.some((one) => one !== sub);
    if (isOther && context.isFresh) throw oauthError("login_required", "The client requires another account");
    if (isOther) return false;
  }
  if (context.isFresh) return true;
  const age = Date.now() / 1000 - (session?.authTime ?? 0);
  return !openid.prompts.has("login") && (openid.maxAge === undefined || age <= openid.maxAge);
}
