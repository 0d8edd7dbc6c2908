/** The signed-in account. `/assets/signIn.js` of the service signs in and has the token; the console only calls it. */
import { service } from "./address.ts";

interface SignIn {
  /** Goes to `/signin`, and comes back to `page`, by default where the person is. `database`: default the one that is chosen there. */
  signIn(service: string, options?: { readonly database: string; readonly page: string }): Promise<void>;
  /** The access token, renewed where it is about to end; undefined where nobody is signed in. */
  freshToken(service: string): Promise<string | undefined>;
  /** Forgets the token of this window. */
  end(): void;
}

/** The prefix of all names that a window stores. */
export const KEPT = "portolan:kept:";

const script: Promise<SignIn> = import(/* @vite-ignore */ `${service}/assets/signIn.js`);

/** Who has signed in on this page, whether that has ended, and the listeners for it. */
let whose: string | undefined;
let hasEnded = false;
const listeners = new Set<() => void>();

export const signInEnd = {
  hasCome: (): boolean => hasEnded,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export async function token(): Promise<string | undefined> {
  const bearer = await (await script).freshToken(service);
  if (bearer === undefined) {
    if (whose !== undefined) endSignIn();
    return undefined;
  }
  const { sub, database } = claimsOf(bearer);
  const now = JSON.stringify([sub, database]);
  if (whose !== undefined && whose !== now) {
    endSignIn(); // somebody else has signed in in another window
    return undefined;
  }
  whose = now;
  keepFor(now);
  return bearer;
}

const WHOSE = "portolan:whose";

/** Unsaved work that this window keeps is deleted when another account signs in, or to another database. */
function keepFor(whose: string): void {
  if (sessionStorage.getItem(WHOSE) === whose) return;
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(KEPT)) sessionStorage.removeItem(key);
  sessionStorage.setItem(WHOSE, whose);
}

/** The service takes the token no more: the page stays as it is, and asks to sign in again. */
export function endSignIn(): void {
  hasEnded = true;
  for (const listener of listeners) listener();
}

export const signIn = async (): Promise<void> => (await script).signIn(service);

const home = new URL("console", `${service}/`);

/** Signs in to another database, and opens its first page: the open page may not exist there. */
export async function changeDatabase(database: string): Promise<void> {
  await (await script).signIn(service, { database, page: home.href });
}

/** Ends the session of this browser in the database, and its tokens. */
export async function signOut(database: string): Promise<void> {
  (await script).end();
  location.assign(`${service}/signout?${new URLSearchParams({ database, return_to: home.pathname })}`);
}

export interface Claims {
  readonly sub: string;
  readonly database: string;
  readonly superUser?: boolean;
}

/** The account in the token. Only the service verifies it; this is for display. */
export function claimsOf(token: string): Claims {
  const [, body = ""] = token.split(".");
  const bytes = Uint8Array.from(atob(body.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
}
