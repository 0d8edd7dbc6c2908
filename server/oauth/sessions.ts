/** Browsers: who is signed in, and the token that every form of ours carries. Two cookies, no script. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { serialize } from "cookie";
import type { Account } from "../kernel/identity/tokens.ts";
import { findAccount } from "../kernel/identity/tokens.ts";
import type { Exchange } from "./exchange.ts";
import { hashOf, randomText } from "./secrets.ts";

/** The account that is signed in in this browser, if its session lasts and its password is the same. */
export async function readSession(exchange: Exchange): Promise<Account | undefined> {
  const id = readCookie(exchange, sessionCookie(exchange));
  if (id === undefined) return undefined;
  const { database } = exchange;
  const row = await database.db.oneOrNone<{ user_name: string; token_version: number }>(
    "select user_name, token_version::float8 from portolan.sessions where hash = $1 and expires_at > now()",
    [hashOf(id)],
  );
  const account = row ? await findAccount(database, row.user_name) : undefined;
  return account && account.tokenVersion === row?.token_version ? account : undefined;
}

/** Signs an account in in this browser: under a new id, so that one that was put there before is worth nothing. */
export async function startSession(exchange: Exchange, account: Account): Promise<void> {
  const { database, kernel } = exchange;
  await endSession(exchange);
  const id = randomText();
  await database.db.none(
    `
insert into portolan.sessions (hash, user_name, token_version, expires_at)
values ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))`,
    [hashOf(id), account.name, account.tokenVersion, kernel.config.sessionLifetimeSeconds],
  );
  writeCookie(exchange, sessionCookie(exchange), id);
  writeCookie(exchange, browserCookie(exchange), randomText());
}

/** Signs out. */
export async function endSession(exchange: Exchange): Promise<void> {
  const id = readCookie(exchange, sessionCookie(exchange));
  if (id === undefined) return;
  await exchange.database.db.none("delete from portolan.sessions where hash = $1", [hashOf(id)]);
  writeCookie(exchange, sessionCookie(exchange), undefined);
}

/** The token for a form: bound to this browser and to who is signed in there, worthless elsewhere. */
export function formToken(exchange: Exchange): string {
  const name = browserCookie(exchange);
  let browser = readCookie(exchange, name);
  if (browser === undefined || !/^[A-Za-z0-9_-]{43}$/.test(browser)) {
    browser = randomText();
    writeCookie(exchange, name, browser);
  }
  return tokenOf(exchange, browser);
}

/** Whether a form was made for this browser, and sent by a page of ours. */
export function isOwnForm(exchange: Exchange, token: string | undefined): boolean {
  // Fetch Metadata: browsers say where a request comes from
  const site = exchange.request.headers["sec-fetch-site"];
  if (site === "cross-site" || site === "same-site") return false;
  const browser = readCookie(exchange, browserCookie(exchange));
  if (browser === undefined || token === undefined) return false;
  const expected = Buffer.from(tokenOf(exchange, browser));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function tokenOf(exchange: Exchange, browser: string): string {
  const session = exchange.database ? (readCookie(exchange, sessionCookie(exchange)) ?? "") : "";
  return createHmac("sha256", browser).update(`form ${session}`).digest("base64url");
}

function sessionCookie(exchange: Exchange): string {
  return `${prefix(exchange)}portolan-session-${Buffer.from(exchange.database.name).toString("base64url")}`;
}

function browserCookie(exchange: Exchange): string {
  return `${prefix(exchange)}portolan-browser`;
}

/** RFC 6265bis §4.1.3: such a cookie cannot be put there by another host of the same domain. */
function prefix(exchange: Exchange): string {
  return isSecure(exchange) ? "__Host-" : "";
}

function isSecure({ kernel }: Exchange): boolean {
  return kernel.baseUrl.startsWith("https:");
}

/** What was written with this answer counts as read. */
const written = new WeakMap<Exchange, Map<string, string | undefined>>();

function readCookie(exchange: Exchange, name: string): string | undefined {
  const fresh = written.get(exchange);
  if (fresh?.has(name)) return fresh.get(name);
  for (const pair of (exchange.request.headers.cookie ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

/** A cookie of this browser session, for this host, that no script reads. Lax: /auth is reached from other sites. */
function writeCookie(exchange: Exchange, name: string, value: string | undefined): void {
  const cookies = written.get(exchange) ?? new Map<string, string | undefined>();
  written.set(exchange, cookies.set(name, value));
  const text = serialize(name, value ?? "", {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure(exchange),
    ...(value === undefined && { maxAge: 0 }),
  });
  exchange.response.appendHeader("Set-Cookie", text);
}
