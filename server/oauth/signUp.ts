/** Whether people may sign up in a database. */
import type { OAuthContext } from "./context.ts";

/** Whether people may sign up by mail: not where no mail is sent. */
export async function signUpMode(context: OAuthContext): Promise<"off" | "invite" | "open"> {
  return context.kernel.mail ? modeOf(context) : "off";
}

/** Whether new people may have accounts, however they show who they are. */
export async function signUpIsOpen(context: OAuthContext): Promise<boolean> {
  return (await modeOf(context)) === "open";
}

/** The mode of sign-up: the super users' member `allow_signup`, else the option. */
async function modeOf({ kernel, database }: OAuthContext): Promise<"off" | "invite" | "open"> {
  const { allowed } = await database.db.one<{ allowed: boolean | null }>("select portolan.sign_up_of() as allowed");
  if (allowed === null) return kernel.config.signUp;
  return allowed ? "open" : "off";
}
