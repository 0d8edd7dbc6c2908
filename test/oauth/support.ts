/** A client and a person for the tests of this door: requests of a client, and clicks of a person. */
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import supertest, { type Response } from "supertest";
import type { TestDatabase } from "../support/databases.ts";

export const REDIRECT_URI = "https://app.example.org/callback";

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function makePkce(): Pkce {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** Registers a client as a DBA would; returns its secret, or null. */
export async function addClient(
  { client }: TestDatabase,
  id: string,
  options: { public?: boolean; confirm?: boolean; redirectUri?: string[]; grants?: string[] } = {},
): Promise<string | null> {
  const { rows } = await client.query<{ secret: string | null }>(
    "select portolan.create_client($1, $1, $2, public => $3, confirm => $4, grants => $5) as secret",
    [
      id,
      options.redirectUri ?? [REDIRECT_URI],
      options.public ?? true,
      options.confirm ?? false,
      options.grants ?? ["authorization_code", "refresh_token", "device_code", "password"],
    ],
  );
  return rows[0]?.secret ?? null;
}

/** The path of `/auth` for a client, with the given changes. `undefined` leaves a parameter out. */
export function authPath(clientId: string, { challenge }: Pkce, more: Record<string, string | undefined> = {}): string {
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    state: "af0ifjsldkj",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...more,
  };
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/auth?${new URLSearchParams(given)}`;
}

/** A person with a browser: cookies are kept, and forms are filled in as the pages have them. */
export class Person {
  readonly agent: ReturnType<typeof supertest.agent>;

  constructor(baseUrl: string) {
    this.agent = supertest.agent(baseUrl);
  }

  /** Sends the form of a fetched page. */
  async submit(path: string, page: Response, fields: Record<string, string>): Promise<Response> {
    return this.agent
      .post(path)
      .type("form")
      .send({ ...hiddenFields(page.text), ...fields });
  }

  /** Goes through `/auth` until the browser is redirected away; `decision` answers the consent page. */
  async authorize(path: string, username: string, password = username, decision = "allow"): Promise<URL> {
    let page = await this.agent.get(path);
    for (let step = 0; step < 6; step++) {
      const location = page.headers["location"];
      if (location !== undefined && !location.startsWith("?")) return new URL(location);
      if (location !== undefined) page = await this.agent.get(`/auth${location}`);
      else if (page.text.includes('value="sign-in"'))
        page = await this.submit(path, page, { username, password, action: "sign-in" });
      else if (page.text.includes('value="allow"')) page = await this.submit(path, page, { action: decision });
      else assert.fail(`a page that leads nowhere: ${page.status} ${page.text}`);
      if (page.status >= 400) assert.fail(`${page.status} ${textOf(page)}`);
    }
    return assert.fail("no redirect");
  }
}

/** Further parameters of the request, and who signs in. */
interface CodeOptions {
  readonly [parameter: string]: string | undefined;
  readonly account?: string;
  readonly password?: string;
}

/** A code for a client, by way of a fresh browser. */
export async function codeFor(
  baseUrl: string,
  clientId: string,
  pkce: Pkce,
  { account = "guest", password = account, ...more }: CodeOptions = {},
): Promise<string> {
  const url = await new Person(baseUrl).authorize(authPath(clientId, pkce, more), account, password);
  const code = url.searchParams.get("code");
  assert.ok(code, url.href);
  return code;
}

export function hiddenFields(html: string): Record<string, string> {
  const inputs = html.matchAll(/<input\s+type="hidden"\s+name="([^"]+)"(?:\s+autocomplete="\w+")?\s+value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name = "", value = ""]) => [name, value]));
}

/** The visible text of a page. */
export function textOf({ text }: Response): string {
  return text
    .replace(/^[^]*<body/, "<body")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ")
    .trim();
}

/** An error answer of RFC 6749 §5.2: the status, the code, compact JSON, a text that an existing client can split. */
export function assertOAuthError(response: Response, status: number, error: string): void {
  assert.deepEqual([response.status, response.body.error], [status, error], response.text);
  assert.deepEqual(Object.keys(response.body), ["error", "error_description"]);
  assert.equal(response.text, JSON.stringify(response.body), "compact");
  assert.doesNotMatch(response.body.error_description, /: /);
  assert.match(response.body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  assert.match(response.headers["content-type"] ?? "", /^application\/json/);
  assert.equal(response.headers["cache-control"], "no-store");
  assert.equal("www-authenticate" in response.headers, status === 401);
}
