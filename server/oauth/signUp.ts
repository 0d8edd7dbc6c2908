/** Whether people may sign up in a database. */
import type { OAuthContext } from "./context.ts";

/** By the member `allow_signup` of its super users, else by the option. Off where no mail is sent: a sign-up needs it. */
export async function signUpMode({ kernel, database }: OAuthContext): Promise<"off" | "invite" | "open"> {
  if (!kernel.mail) return "off";
  const { allowed } = await database.db.one<{ allowed: boolean | null }>("select portolan.sign_up_of() as allowed");
  if (allowed === null) return kernel.config.signUp;
  return allowed ? "open" : "off";
}
