// Signs in at /signin, and gets tokens for the account that is signed in in this browser. A token is in the memory of
// the page, for five minutes. Scripts cannot read the cookie in exchange for which it is given.
/** The name of the database of this window, and of the last sign-in in this browser. */
const DATABASE = "portolan:database";
/** How long before its end a token is renewed, in milliseconds. */
const EARLY_MS = 60_000;

/**
 * Goes to /signin, which comes back. `service`: the address of the service. `database`: its name, where the service has
 * several; else the page asks. `page`: where the browser returns to, this page by default.
 */
export async function signIn(service, { database, page = location.href } = {}) {
  const here = new URL(page);
  const home = new URL(service);
  const path = here.pathname + here.search;
  // the cookies of one origin are not sent to the other
  if (here.origin !== home.origin) return location.assign(`${home.origin}${path}#sign-in`);
  // only such pages get the header that tells where a request comes from
  if (!globalThis.isSecureContext) throw new Error("Signing in needs https, or a browser on the same machine.");
  for (const store of [sessionStorage, localStorage]) store.removeItem(DATABASE);
  if (database !== undefined) sessionStorage.setItem(DATABASE, database);
  const query = new URLSearchParams({ return_to: path, ...(database !== undefined && { database }) });
  location.assign(`${service}/signin?${query}`);
}

/** The name of the database to which a token belongs. */
function databaseOf(token) {
  return JSON.parse(atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"))).database;
}

let held;
let renewal;

/** The token of the account that is signed in in this browser, renewed where it is about to end. Undefined where there is none. */
export async function freshToken(service) {
  if (held && held.expiresAt - EARLY_MS > Date.now()) return held.token;
  renewal ??= askForToken(service).finally(() => {
    renewal = undefined; // one request for all callers that ask meanwhile
  });
  await renewal;
  return held?.token;
}

async function askForToken(service) {
  if (new URL(service).origin !== location.origin) return;
  const database = sessionStorage.getItem(DATABASE) ?? localStorage.getItem(DATABASE);
  const query = database === null ? "" : `?${new URLSearchParams({ database })}`;
  let answer;
  try {
    const response = await fetch(`${service}/console/session/token${query}`, { method: "POST" });
    answer = await response.json().catch(() => ({})); // a proxy answers in its own form
    if (response.status === 401) {
      held = undefined; // the session has ended
      return;
    }
    if (!answer.access_token) throw new Error(answer.detail ?? answer.title ?? response.statusText);
  } catch (error) {
    if (held && held.expiresAt > Date.now()) return; // until the service can be reached again, or is less busy
    throw error;
  }
  held = { token: answer.access_token, expiresAt: Date.now() + answer.expires_in * 1000 };
  for (const store of [sessionStorage, localStorage]) store.setItem(DATABASE, databaseOf(held.token));
}

/** Forgets the token of this window. /signout ends the session, and its tokens. */
export function end() {
  held = undefined;
}

/** Keeps the token of a page fresh for as long as it is open, until the person types another. */
async function keepFresh(service, field, renewed = () => {}) {
  const before = held?.token ?? "";
  const token = await freshToken(service).catch(() => undefined);
  if (token !== undefined && token !== before && field.value === before) {
    field.value = token;
    renewed();
  }
  if (held) setTimeout(() => void keepFresh(service, field), Math.max(1000, held.expiresAt - EARLY_MS - Date.now()));
}

const button = document.getElementById("sign-in");
if (button) {
  const { service } = button.dataset;
  const field = document.getElementById("token");
  const start = () =>
    signIn(service).catch(({ message }) => {
      button.disabled = true;
      button.title = message;
      button.textContent = message;
    });
  button.addEventListener("click", start);
  if (location.hash === "#sign-in") void start();
  // requests that the page has sent without a token were refused
  await keepFresh(service, field, () => {
    const bar = document.getElementById("token-bar");
    if (bar) bar.requestSubmit();
    else field.dispatchEvent(new Event("change"));
  });
}
