/** The account that is signed in in a browser: a cookie for each database, whose session PostgreSQL stores. */
import type { IncomingMessage } from "node:http";
import type { Database } from "../database/database.ts";
import { hashOf } from "./hash.ts";
import { findAccount, type Account } from "./tokens.ts";

/** RFC 6265bis §4.1.3: a cookie with the prefix `__Host-` cannot be put there by another host of the same domain. */
export function cookiePrefix(baseUrl: string): string {
  return isSecure(baseUrl) ? "__Host-" : "";
}

export function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith("https:");
}

export function sessionCookie(baseUrl: string, database: string): string {
  return `${cookiePrefix(baseUrl)}portolan-session-${Buffer.from(database).toString("base64url")}`;
}

/** The value of a cookie as the browser sent it. */
export function cookieOf(request: IncomingMessage, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

/** A session of a browser. */
export interface BrowserSession {
  readonly account: Account;
  /** The id by which clients know it (OpenID Connect Front- and Back-Channel Logout). */
  readonly sid: string;
  /** When the account signed in, in seconds since the epoch. */
  readonly authTime: number;
  /** How it has signed in (RFC 8176); `mfa` stands for a second factor. */
  readonly amr: readonly string[];
}

/** A session, if it lasts and the password is still the one with which it began. */
export async function findBrowserSession(database: Database, id: string): Promise<BrowserSession | undefined> {
  const row = await database.db.oneOrNone<{
    name: string;
    version: number;
    sid: string;
    authTime: number;
    amr: string[];
  }>(
    `
select
  user_name as name, token_version::float8 as version, sid, floor(extract(epoch from created_at))::float8 as "authTime",
  amr
from portolan.sessions
where hash = $1 and expires_at > now()`,
    [hashOf(id)],
  );
  const account = row ? await findAccount(database, row.name) : undefined;
  if (!row || account?.tokenVersion !== row.version) return undefined;
  return { account, sid: row.sid, authTime: row.authTime, amr: row.amr };
}

/**
 * Whether a request may use the browser's session: it only reads, and comes from one of our pages or from a person's
 * navigation (Fetch Metadata §2). So a page of another site cannot read with a person's cookie, and no cookie writes.
 */
export function mayUseSession({ method, headers }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return headers["sec-fetch-site"] === "same-origin" || headers["sec-fetch-mode"] === "navigate";
}
