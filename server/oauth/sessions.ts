/** Browsers: the account that is signed in, and the token in each of our forms. No script reads their cookies. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { serialize } from "cookie";
import { decodeJwt } from "jose";
import {
  cookieOf,
  cookiePrefix,
  findBrowserSession,
  isSecure,
  sessionCookie,
  type BrowserSession,
} from "../kernel/identity/browserSession.ts";
import type { Account } from "../kernel/identity/tokens.ts";
import { hashOf } from "../kernel/identity/hash.ts";
import type { OAuthContext } from "./context.ts";
import { dropConsoleCookie, giveConsoleCookie } from "./consoleSession.ts";
import { count } from "./metrics.ts";
import { sendLogouts } from "./openid/logouts.ts";
import { randomText } from "./secrets.ts";

/** The session of this browser, if it lasts and the password of its account is the same. */
export async function readSession(context: OAuthContext): Promise<BrowserSession | undefined> {
  const id = readCookie(context, ownCookie(context));
  return id === undefined ? undefined : findBrowserSession(context.database, id);
}

/** The most characters of a browser's User-Agent. */
const MAX_AGENT = 300;

/**
 * Signs an account in, in this browser. The session gets a new id, so that an id planted before is worthless. `amr`: how
 * the account has signed in (RFC 8176). Clients see the same `sid` as before where the account was signed in here
 * already.
 */
export async function startSession(
  context: OAuthContext,
  account: Account,
  amr: readonly string[],
): Promise<BrowserSession> {
  const { database, kernel, request } = context;
  const before = await readSession(context);
  const kept = before?.account.name === account.name ? before.sid : null;
  if (kept === null) await endSession(context);
  else await forgetCookie(context);
  const id = randomText();
  const { sid, authTime } = await database.db.one<Pick<BrowserSession, "sid" | "authTime">>(
    `
insert into portolan.sessions (hash, user_name, token_version, expires_at, agent, address, sid, amr)
values ($1, $2, $3, clock_timestamp() + make_interval(secs => $4), $5, $6, coalesce($7, gen_random_uuid()), $8)
returning sid, floor(extract(epoch from created_at))::float8 as "authTime"`,
    [
      hashOf(id),
      account.name,
      account.tokenVersion,
      kernel.config.sessionLifetimeSeconds,
      request.headers["user-agent"]?.slice(0, MAX_AGENT) ?? null,
      request.address ?? null,
      kept,
      amr,
    ],
  );
  writeCookie(context, ownCookie(context), id);
  await giveConsoleCookie(context, hashOf(id));
  writeCookie(context, browserCookie(context), randomText());
  return { account, sid, authTime, amr };
}

/** Signs out, and notifies the clients that asked for it. */
export async function endSession(context: OAuthContext): Promise<void> {
  const id = readCookie(context, ownCookie(context));
  if (id === undefined) return;
  const { database, kernel, address, parameters } = context;
  const { id_token_hint: hint } = parameters;
  const clientId = parameters["client_id"] ?? (hint === undefined ? undefined : audienceOf(hint)); // checkLogout has verified it
  const ended = await database.db.any(
    `
with ended as materialized (select portolan.sign_out($1) as account)
insert into portolan.audit (event, account, address, client_id)
select 'sign_out', account, $2, (select c.id from portolan.clients c where c.id = $3) from ended where account is not null
returning 1`,
    [hashOf(id), address ?? null, clientId ?? null],
  );
  const by = hint === undefined && clientId === undefined ? "person" : "client";
  if (ended.length > 0) count(kernel, "signOuts", { by });
  writeCookie(context, ownCookie(context), undefined);
  dropConsoleCookie(context);
  sendLogouts(kernel, database);
}

function audienceOf(idToken: string): string | undefined {
  const { aud } = decodeJwt(idToken);
  return typeof aud === "string" ? aud : undefined;
}

/** Lets our own pages ask for tokens of the session of this browser, which may be older than the console's cookie. */
export async function openConsole(context: OAuthContext): Promise<void> {
  const id = readCookie(context, ownCookie(context));
  if (id !== undefined && context.session) await giveConsoleCookie(context, hashOf(id));
}

/** Deletes the session of the browser's cookie. It continues under another id. */
async function forgetCookie(context: OAuthContext): Promise<void> {
  const id = readCookie(context, ownCookie(context)) ?? "";
  await context.database.db.none("delete from portolan.sessions where hash = $1", [hashOf(id)]);
}

/** The token for a form: valid only in this browser, for the account that is signed in there. */
export function formToken(context: OAuthContext): string {
  const name = browserCookie(context);
  let browser = readCookie(context, name);
  if (browser === undefined || !/^[A-Za-z0-9_-]{43}$/.test(browser)) {
    browser = randomText();
    writeCookie(context, name, browser);
  }
  return tokenOf(context, browser);
}

/** A hash of this browser's cookie; undefined where it has none yet. A new session changes it. */
export function browserMark(context: OAuthContext): string | undefined {
  const browser = readCookie(context, browserCookie(context));
  return browser === undefined || browser === "" ? undefined : hashOf(browser);
}

/** Whether a form was made for this browser and sent from one of our pages. */
export function isOwnForm(context: OAuthContext, token: string | undefined): boolean {
  // Fetch Metadata: browsers state the origin of a request
  const site = context.request.headers["sec-fetch-site"];
  if (site === "cross-site" || site === "same-site") return false;
  const browser = readCookie(context, browserCookie(context));
  if (browser === undefined || token === undefined) return false;
  const expected = Buffer.from(tokenOf(context, browser));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The id of this browser's session in `portolan.visible_sessions`. */
export async function sessionId(context: OAuthContext): Promise<string | undefined> {
  const id = readCookie(context, ownCookie(context));
  if (id === undefined) return undefined;
  const row = await context.database.db.oneOrNone<{ id: string }>("select id from portolan.sessions where hash = $1", [
    hashOf(id),
  ]);
  return row?.id;
}

/** How long a challenge for a passkey is valid. */
const CHALLENGE_MS = 600_000;

/** The challenge for a passkey: an instant, and a proof that it is for this browser. It is stored when it has been signed. */
export function makeChallenge(context: OAuthContext): Uint8Array<ArrayBuffer> {
  formToken(context); // the call gives the browser its cookie, if it has none
  const nonce = randomBytes(16).toString("hex");
  return new TextEncoder().encode(challengeOf(context, `${Date.now() + CHALLENGE_MS}.${nonce}`));
}

/** Whether a challenge, in base64url, was made for this browser and has not expired. */
export function isOwnChallenge(context: OAuthContext, challenge: string): boolean {
  const text = Buffer.from(challenge, "base64url").toString("utf8");
  const [endsAt = "", nonce = ""] = text.split(".");
  return Number(endsAt) > Date.now() && text === challengeOf(context, `${endsAt}.${nonce}`);
}

function challengeOf(context: OAuthContext, head: string): string {
  const browser = readCookie(context, browserCookie(context)) ?? "";
  const proof = createHmac("sha256", browser).update(`passkey ${context.database.name} ${head}`).digest("base64url");
  return browser === "" ? "" : `${head}.${proof}`;
}

function tokenOf(context: OAuthContext, browser: string): string {
  const session = context.database ? (readCookie(context, ownCookie(context)) ?? "") : "";
  return createHmac("sha256", browser).update(`form ${session}`).digest("base64url");
}

function ownCookie({ kernel, database }: OAuthContext): string {
  return sessionCookie(kernel.baseUrl, database.name);
}

function browserCookie({ kernel }: OAuthContext): string {
  return `${cookiePrefix(kernel.baseUrl)}portolan-browser`;
}

/** A cookie that this answer sets can be read back at once. */
const written = new WeakMap<OAuthContext, Map<string, string | undefined>>();

function readCookie(context: OAuthContext, name: string): string | undefined {
  const fresh = written.get(context);
  return fresh?.has(name) ? fresh.get(name) : cookieOf(context.request, name);
}

/** A cookie of this browser session, for this host, that no script reads. Lax: /auth is reached from other sites. */
function writeCookie(context: OAuthContext, name: string, value: string | undefined): void {
  const cookies = written.get(context) ?? new Map<string, string | undefined>();
  written.set(context, cookies.set(name, value));
  const text = serialize(name, value ?? "", {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure(context.kernel.baseUrl),
    ...(value === undefined && { maxAge: 0 }),
  });
  context.response.appendHeader("Set-Cookie", text);
}
