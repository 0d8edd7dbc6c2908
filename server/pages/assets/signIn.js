// Signs in at our own /auth, by code with PKCE (RFC 7636), and keeps the token fresh in the field of the page.
const CLIENT = "portolan-console";
const TOKEN = "portolan:token";
const REFRESH = "portolan:refresh";
const PENDING = "portolan:sign-in";
/** Whether this window has asked already who is signed in in the browser: one that has signed out stays so. */
const ASKED = "portolan:asked";
/** The database of the last sign-in in this browser. */
const DATABASE = "portolan:database";
/** A token is renewed so long before it ends, in milliseconds. */
const EARLY_MS = 60_000;

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/**
 * Goes to /auth; the callback brings the browser back. `service`: the address of the service. `database`: which one, where
 * it serves several; else /auth asks. `page`: where the browser comes back to, this page by default.
 */
export async function signIn(service, { database, page = location.href } = {}) {
  const here = new URL(page);
  const home = new URL(service);
  if (here.origin !== home.origin) {
    // what is stored for one origin is not there for the other
    const path = here.pathname + here.search;
    location.assign(`${home.origin}${path}#sign-in`);
    return;
  }
  if (!globalThis.crypto?.subtle) throw new Error("Signing in needs https, or a browser on the same machine.");
  const { address, ...pending } = await begin(service, { ...(database !== undefined && { database }) });
  here.hash = "";
  sessionStorage.setItem(PENDING, JSON.stringify({ ...pending, page: here.href }));
  location.assign(address);
}

/** The address at /auth, and what this window must remember of it. */
async function begin(service, parameters) {
  const [verifier, state] = [random(), random()];
  const challenge = base64url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT,
    redirect_uri: `${service}/console/callback`,
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...parameters,
  });
  return { address: `${service}/auth?${query}`, verifier, state };
}

/** Whoever is signed in in this browser already is so in a new window too, without a page in between. */
async function signInSilently(service) {
  if (sessionStorage.getItem(ASKED) !== null || new URL(service).origin !== location.origin) return;
  sessionStorage.setItem(ASKED, "");
  if (!globalThis.crypto?.subtle) return;
  const database = localStorage.getItem(DATABASE);
  const { address, verifier, state } = await begin(service, { prompt: "none", ...(database !== null && { database }) });
  // /auth redirects to the callback, whose address has the answer
  const { searchParams: answer } = new URL((await fetch(address)).url);
  if (answer.get("state") === state && answer.has("code")) await redeem(service, answer.get("code"), verifier);
}

function redeem(service, code, verifier) {
  return askForToken(service, {
    grant_type: "authorization_code",
    code,
    redirect_uri: `${service}/console/callback`,
    code_verifier: verifier,
  });
}

/** The name of the database that a token is of. */
function databaseOf(token) {
  return JSON.parse(atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"))).database;
}

async function askForToken(service, parameters) {
  const response = await fetch(`${service}/api/v4/oauth`, {
    method: "POST",
    body: new URLSearchParams({ client_id: CLIENT, ...parameters }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error_description ?? answer.error ?? response.statusText);
  const expiresAt = Date.now() + answer.expires_in * 1000;
  sessionStorage.setItem(TOKEN, answer.access_token);
  sessionStorage.setItem(ASKED, "");
  localStorage.setItem(DATABASE, databaseOf(answer.access_token));
  sessionStorage.setItem(
    REFRESH,
    JSON.stringify({ token: answer.refresh_token, access: answer.access_token, expiresAt }),
  );
}

/** The page /console/callback: turns the code into a token, and goes back to the page that asked. */
async function finish(service) {
  const answer = new URLSearchParams(location.search);
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? "null");
  sessionStorage.removeItem(PENDING);
  if (!pending || answer.get("state") !== pending.state)
    throw new Error("This sign-in was not begun in this window. Open the page again and sign in there.");
  if (answer.has("error")) throw new Error(answer.get("error_description") ?? answer.get("error"));
  await redeem(service, answer.get("code") ?? "", pending.verifier);
  location.replace(pending.page);
}

let renewal;
let silently;

/**
 * The access token that a sign-in has brought, in this window or, if it is a new one, in another of this browser, renewed
 * where it is about to end. Undefined where there is none.
 */
export async function freshToken(service) {
  if (sessionStorage.getItem(TOKEN) === null) await (silently ??= signInSilently(service).catch(() => undefined));
  const kept = JSON.parse(sessionStorage.getItem(REFRESH) ?? "null");
  const access = sessionStorage.getItem(TOKEN) ?? undefined;
  if (!kept || access !== kept.access || kept.expiresAt - EARLY_MS > Date.now()) return access; // or one that was typed in
  // one for all who ask meanwhile: a refresh token is good once
  renewal ??= askForToken(service, { grant_type: "refresh_token", refresh_token: kept.token }).finally(() => {
    renewal = undefined;
  });
  try {
    await renewal;
  } catch {
    forget(); // the session has ended
  }
  return sessionStorage.getItem(TOKEN) ?? undefined;
}

/** Ends the tokens of this window, at the service too (RFC 7009). */
export async function end(service) {
  const kept = JSON.parse(sessionStorage.getItem(REFRESH) ?? "null");
  forget();
  if (!kept) return;
  const body = new URLSearchParams({ client_id: CLIENT, token: kept.token, token_type_hint: "refresh_token" });
  // who cannot reach the service is signed out of this window all the same
  await fetch(`${service}/api/v4/oauth/revoke`, { method: "POST", body }).catch(() => undefined);
}

/** Forgets the tokens of this window. */
function forget() {
  sessionStorage.removeItem(TOKEN);
  sessionStorage.removeItem(REFRESH);
}

/** Keeps the token of a page fresh for as long as it is open. */
async function keepFresh(service, field, renewed = () => {}) {
  const before = sessionStorage.getItem(TOKEN) ?? "";
  const token = await freshToken(service);
  if (token !== undefined && token !== before && field.value === before) {
    field.value = token;
    renewed();
  }
  const { expiresAt } = JSON.parse(sessionStorage.getItem(REFRESH) ?? "{}");
  if (expiresAt) setTimeout(() => void keepFresh(service, field), Math.max(1000, expiresAt - EARLY_MS - Date.now()));
}

const callback = document.getElementById("callback");
const button = document.getElementById("sign-in");

if (callback) {
  finish(callback.dataset.service).catch(({ message }) => {
    callback.textContent = message;
    callback.className = "alert";
    callback.setAttribute("role", "alert");
  });
} else if (button) {
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
  // what the page has asked for with the old token was refused
  await keepFresh(service, field, () => {
    const bar = document.getElementById("token-bar");
    if (bar) bar.requestSubmit();
    else field.dispatchEvent(new Event("change"));
  });
}
