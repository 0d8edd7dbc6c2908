/**
 * The console's own cookie. For each database it refers to the session of this browser, and the browser sends it to
 * only one path.
 */
import { serialize } from "cookie";
import { isSecure } from "../kernel/identity/browserSession.ts";
import { hashOf } from "../kernel/identity/hash.ts";
import { prefixOf } from "../kernel/http/routes.ts";
import type { OAuthContext } from "./context.ts";
import { randomText } from "./secrets.ts";

/** The only path that the cookie is sent to, and what is below it. */
export const CONSOLE_SESSION = "/console/session";

/** Databases that are searched for a session where the page names none. */
const MOST_DATABASES = 20;

/** RFC 6265bis §4.1.3.1: the prefix says that the cookie came over https. `__Host-` cannot have a path. */
function cookieStart(baseUrl: string): string {
  return `${isSecure(baseUrl) ? "__Secure-" : ""}portolan-console-`;
}

/** Gives this browser a new reference to a session, by the hash of that session. The earlier reference becomes invalid. */
export async function giveConsoleCookie(context: OAuthContext, sessionHash: string): Promise<void> {
  const value = randomText();
  await context.database.db.none(
    "update portolan.sessions set console_hash = $1, console_at = clock_timestamp() where hash = $2",
    [hashOf(value), sessionHash],
  );
  writeCookie(context, value);
}

export function dropConsoleCookie(context: OAuthContext): void {
  writeCookie(context, undefined);
}

function writeCookie({ kernel: { baseUrl }, database, response }: OAuthContext, value: string | undefined): void {
  const name = cookieStart(baseUrl) + Buffer.from(database.name).toString("base64url");
  const text = serialize(name, value ?? "", {
    path: `${prefixOf(baseUrl)}${CONSOLE_SESSION}`,
    httpOnly: true,
    sameSite: "strict",
    secure: isSecure(baseUrl),
    ...(value === undefined && { maxAge: 0 }),
  });
  response.appendHeader("Set-Cookie", text);
}

interface ConsoleReference {
  /** The name of the database. */
  readonly name: string;
  readonly value: string;
}

/** The session references in the browser's cookies: of one database, or of the first 20. */
export function consoleReferences({ kernel, request }: OAuthContext, database?: string): readonly ConsoleReference[] {
  const start = cookieStart(kernel.baseUrl);
  return (request.headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .flatMap((pair) => {
      const [encoded = "", value = ""] = pair.slice(start.length).split("=", 2);
      return { name: Buffer.from(encoded, "base64url").toString("utf8"), value };
    })
    .filter(({ name }) => database === undefined || name === database)
    .slice(0, MOST_DATABASES);
}
