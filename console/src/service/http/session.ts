/**
 * The signed-in account. `/assets/signIn.js` of the service signs in and holds the token; the console only calls it.
 */
import { service } from "./address.ts";

interface SignIn {
  /**
   * Goes to `/signin`, and returns to `page`. Default of `page`: the present page; of `database`: the one chosen at the
   * sign-in.
   */
  signIn(service: string, options?: { readonly database: string; readonly page: string }): Promise<void>;
  /** The access token, renewed shortly before it expires; undefined where nobody is signed in. */
  freshToken(service: string): Promise<string | undefined>;
  /** Forgets the token of this window. */
  end(): void;
}

const home = new URL("console", `${service}/`);

/** The prefix of all keys that a window stores. */
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

/** The token for requests: of the signed-in account, or of the account that this window sees as. */
export async function token(): Promise<string | undefined> {
  const own = await ownToken();
  return own === undefined || seen === undefined ? own : seeingToken(own);
}

async function ownToken(): Promise<string | undefined> {
  const bearer = await (await script).freshToken(service);
  if (bearer === undefined) {
    if (whose !== undefined) endSignIn();
    return undefined;
  }
  const { sub, database } = claimsOf(bearer);
  const now = JSON.stringify([sub, database]);
  if (whose !== undefined && whose !== now) {
    endSignIn(); // somebody else has signed in, in another window
    return undefined;
  }
  whose = now;
  keepFor(now);
  return bearer;
}

const SEEN = "portolan:see-as";
/** The time before its expiry at which a token is renewed, in ms. */
const EARLY_MS = 60_000;
let seeing: { readonly token: string; readonly endsAtMs: number } | undefined;
let renewal: Promise<void> | undefined;

/**
 * The account that a super user sees as on this page; undefined for the super user's own. It is fixed until the page is
 * loaded anew, so that no request of a page that shows another account runs with the super user's rights.
 */
const seen = sessionStorage.getItem(SEEN) ?? undefined;

/** Sees as another account in this window, or as one's own again (undefined). Everything in the window is reloaded. */
export async function seeAs(account: string | undefined, page = home.href): Promise<void> {
  if (account === undefined) await endSeeing();
  else sessionStorage.setItem(SEEN, account);
  location.assign(page);
}

/** Ends seeing as another account in this window, also where the service does not answer; the audit then lacks the end. */
async function endSeeing(): Promise<void> {
  sessionStorage.removeItem(SEEN);
  const own = await ownToken().catch(() => undefined);
  if (seen === undefined || own === undefined) return;
  await fetch(`${service}/api/v4/access/see/${encodeURIComponent(seen)}`, {
    method: "DELETE",
    headers: { Authorization: `Bearer ${own}` },
  }).catch(() => undefined);
}

/** The token for seeing as an account. Undefined where the service does not, or no longer, allow that. */
async function seeingToken(own: string): Promise<string | undefined> {
  if (!seeing || seeing.endsAtMs - EARLY_MS < Date.now()) {
    renewal ??= askForSeeing(own).finally(() => {
      renewal = undefined;
    });
    await renewal;
  }
  return seeing?.token;
}

async function askForSeeing(own: string): Promise<void> {
  const response = await fetch(`${service}/api/v4/access/see`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${own}` },
    body: JSON.stringify({ account: seen }),
  });
  if (response.status === 401) return endSignIn();
  if (!response.ok) {
    const { detail } = (await response.json().catch(() => ({}))) as { readonly detail?: string };
    // the account is gone, or its viewer is no longer a super user; another error may pass
    if (response.status === 403 || response.status === 404) {
      sessionStorage.removeItem(SEEN);
      location.reload();
    }
    throw new Error(detail ?? response.statusText);
  }
  const answer = (await response.json()) as { readonly access_token: string; readonly expires_in: number };
  seeing = { token: answer.access_token, endsAtMs: Date.now() + answer.expires_in * 1000 };
}

const WHOSE = "portolan:whose";

/** Deletes the unsaved work of this window when another account signs in, or to another database. */
function keepFor(whose: string): void {
  if (sessionStorage.getItem(WHOSE) === whose) return;
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(KEPT)) sessionStorage.removeItem(key);
  sessionStorage.setItem(WHOSE, whose);
}

/**
 * Marks the sign-in as ended because the service no longer accepts the token. The page stays, and asks to sign in
 * again.
 */
export function endSignIn(): void {
  hasEnded = true;
  for (const listener of listeners) listener();
}

export const signIn = async (): Promise<void> => (await script).signIn(service);

/** Signs in to another database, and opens its first page: the open page may not exist there. */
export async function changeDatabase(database: string): Promise<void> {
  await (await script).signIn(service, { database, page: home.href });
}

/** Ends the session of this browser in the database, and its tokens. */
export async function signOut(database: string): Promise<void> {
  sessionStorage.removeItem(SEEN);
  (await script).end();
  location.assign(`${service}/signout?${new URLSearchParams({ database, return_to: home.pathname })}`);
}

export interface Claims {
  readonly sub: string;
  readonly database: string;
  readonly superUser?: boolean;
  /** The account that sees as this one. */
  readonly act?: { readonly sub: string };
}

/** The account in the token. Only the service verifies it; this is for display. */
export function claimsOf(token: string): Claims {
  const [, body = ""] = token.split(".");
  const bytes = Uint8Array.from(atob(body.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
}
