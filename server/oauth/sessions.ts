/** Browsers: who is signed in, and the token that every form of ours carries. Two cookies, no script. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { serialize } from "cookie";
import type { Account } from "../kernel/identity/tokens.ts";
import { findAccount } from "../kernel/identity/tokens.ts";
import type { OAuthContext } from "./context.ts";
import { hashOf, randomText } from "./secrets.ts";

/** The account that is signed in in this browser, if its session lasts and its password is the same. */
export async function readSession(context: OAuthContext): Promise<Account | undefined> {
  const id = readCookie(context, sessionCookie(context));
  if (id === undefined) return undefined;
  const { database } = context;
  const row = await database.db.oneOrNone<{ user_name: string; token_version: number }>(
    "select user_name, token_version::float8 from portolan.sessions where hash = $1 and expires_at > now()",
    [hashOf(id)],
  );
  const account = row ? await findAccount(database, row.user_name) : undefined;
  return account && account.tokenVersion === row?.token_version ? account : undefined;
}

/** Signs an account in in this browser: under a new id, so that one that was put there before is worth nothing. */
export async function startSession(context: OAuthContext, account: Account): Promise<void> {
  const { database, kernel } = context;
  await endSession(context);
  const id = randomText();
  await database.db.none(
    `
insert into portolan.sessions (hash, user_name, token_version, expires_at)
values ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))`,
    [hashOf(id), account.name, account.tokenVersion, kernel.config.sessionLifetimeSeconds],
  );
  writeCookie(context, sessionCookie(context), id);
  writeCookie(context, browserCookie(context), randomText());
}

/** Signs out. */
export async function endSession(context: OAuthContext): Promise<void> {
  const id = readCookie(context, sessionCookie(context));
  if (id === undefined) return;
  await context.database.db.none("delete from portolan.sessions where hash = $1", [hashOf(id)]);
  writeCookie(context, sessionCookie(context), undefined);
}

/** The token for a form: bound to this browser and to who is signed in there, worthless elsewhere. */
export function formToken(context: OAuthContext): string {
  const name = browserCookie(context);
  let browser = readCookie(context, name);
  if (browser === undefined || !/^[A-Za-z0-9_-]{43}$/.test(browser)) {
    browser = randomText();
    writeCookie(context, name, browser);
  }
  return tokenOf(context, browser);
}

/** Whether a form was made for this browser, and sent by a page of ours. */
export function isOwnForm(context: OAuthContext, token: string | undefined): boolean {
  // Fetch Metadata: browsers say where a request comes from
  const site = context.request.headers["sec-fetch-site"];
  if (site === "cross-site" || site === "same-site") return false;
  const browser = readCookie(context, browserCookie(context));
  if (browser === undefined || token === undefined) return false;
  const expected = Buffer.from(tokenOf(context, browser));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function tokenOf(context: OAuthContext, browser: string): string {
  const session = context.database ? (readCookie(context, sessionCookie(context)) ?? "") : "";
  return createHmac("sha256", browser).update(`form ${session}`).digest("base64url");
}

function sessionCookie(context: OAuthContext): string {
  return `${prefix(context)}portolan-session-${Buffer.from(context.database.name).toString("base64url")}`;
}

function browserCookie(context: OAuthContext): string {
  return `${prefix(context)}portolan-browser`;
}

/** RFC 6265bis §4.1.3: such a cookie cannot be put there by another host of the same domain. */
function prefix(context: OAuthContext): string {
  return isSecure(context) ? "__Host-" : "";
}

function isSecure({ kernel }: OAuthContext): boolean {
  return kernel.baseUrl.startsWith("https:");
}

/** What was written with this answer counts as read. */
const written = new WeakMap<OAuthContext, Map<string, string | undefined>>();

function readCookie(context: OAuthContext, name: string): string | undefined {
  const fresh = written.get(context);
  if (fresh?.has(name)) return fresh.get(name);
  for (const pair of (context.request.headers.cookie ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

/** A cookie of this browser session, for this host, that no script reads. Lax: /auth is reached from other sites. */
function writeCookie(context: OAuthContext, name: string, value: string | undefined): void {
  const cookies = written.get(context) ?? new Map<string, string | undefined>();
  written.set(context, cookies.set(name, value));
  const text = serialize(name, value ?? "", {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure(context),
    ...(value === undefined && { maxAge: 0 }),
  });
  context.response.appendHeader("Set-Cookie", text);
}
