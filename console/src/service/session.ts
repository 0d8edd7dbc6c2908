/** Who is signed in. `/assets/signIn.js` of the service signs in by code with PKCE; the console only asks it. */
import { service } from "./address.ts";

interface SignIn {
  /** Goes to `/auth`, and comes back to `page`, by default where the person is. `database`: default the one that is chosen there. */
  signIn(service: string, options?: { readonly database: string; readonly page: string }): Promise<void>;
  /** The access token, renewed where it is about to end; undefined where nobody is signed in. */
  freshToken(service: string): Promise<string | undefined>;
  /** Forgets the tokens of this window. */
  forget(): void;
}

const script: Promise<SignIn> = import(/* @vite-ignore */ `${service}/assets/signIn.js`);

export const token = async (): Promise<string | undefined> => (await script).freshToken(service);

export const signIn = async (): Promise<void> => (await script).signIn(service);

const home = new URL("console", `${service}/`);

/** Signs in to another database, and comes to its first page: what is open here may not be there. */
export async function changeDatabase(database: string): Promise<void> {
  await (await script).signIn(service, { database, page: home.href });
}

/** Ends the tokens of this window and the session of this browser in the database. */
export async function signOut(database: string): Promise<void> {
  (await script).forget();
  location.assign(`${service}/signout?${new URLSearchParams({ database, return_to: home.pathname })}`);
}

export interface Claims {
  readonly sub: string;
  readonly database: string;
  readonly superUser?: boolean;
}

/** What the token says of whoever it is of. It is the service that judges; this is for the eye. */
export function claimsOf(token: string): Claims {
  const [, body = ""] = token.split(".");
  const bytes = Uint8Array.from(atob(body.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
}
