/**
 * `/console/session/token`: an access token for our own pages, in exchange for the console's cookie of this browser.
 * The cookie is Strict and goes to no other path, and only a page of this service may ask, so that no other site gets
 * or uses it. Pages keep the token in memory.
 */
import { audit } from "../../kernel/identity/audit.ts";
import { invalidToken, signAccessToken, type Account } from "../../kernel/identity/tokens.ts";
import { CONSOLE_CLIENT } from "../../operate/consoleClient.ts";
import { needsFactor } from "../../kernel/identity/secondFactor.ts";
import { hashOf } from "../../kernel/identity/hash.ts";
import { addressAsked } from "../../kernel/http/localName.ts";
import { queryOf } from "../../kernel/http/routes.ts";
import { consoleReferences } from "../consoleSession.ts";
import { GatewayError } from "../../ground/errors.ts";
import { accountOf } from "../tokenAnswer.ts";
import { sendJson, type OAuthContext, type Step } from "../context.ts";

/** A page asks again before this time. A token that is stolen from its memory expires soon. */
const LIFETIME_SECONDS = 300;

/** Fetch Metadata, and `Origin`, which a browser sends with each POST. */
const onlyOwnPages: Step = ({ kernel, request }) => {
  const { origin, "sec-fetch-site": site } = request.headers;
  if (origin !== new URL(addressAsked(kernel.baseUrl, request)).origin || site !== "same-origin")
    throw new GatewayError("FORBIDDEN", "Only the pages of this service sign in here; programs use /api/v4/oauth");
};

/** The database that the page names, or the one of the latest sign-in. */
const findConsoleSession: Step = async (context) => {
  const named = queryOf(context.request).get("database") ?? undefined;
  const references = consoleReferences(context, named);
  let latest: { readonly at: number; readonly database: OAuthContext["database"] } | undefined;
  for (const { name, value } of references) {
    const database = await context.kernel.directory.find(name);
    if (!database) continue;
    const row = await database.db.oneOrNone<{ at: number }>(
      "select extract(epoch from console_at)::float8 as at from portolan.sessions where console_hash = $1",
      [hashOf(value)],
    );
    if (row && (!latest || row.at > latest.at)) latest = { at: row.at, database };
  }
  if (!latest) throw nobody();
  context.database = latest.database;
};

function nobody(): GatewayError {
  return invalidToken("Nobody is signed in in this browser");
}

const answer: Step = async (context) => {
  const { database, kernel, request, response, address } = context;
  const [reference] = consoleReferences(context, database.name);
  const hash = hashOf(reference?.value ?? "");
  const found = await database.db.oneOrNone<{ account: string; family: string; is_new: boolean }>(
    "select * from portolan.use_console_session($1)",
    [hash],
  );
  if (!found) throw nobody();
  const account: Account = await accountOf(context, found.account);
  request.asker = { database: database.name, name: account.name, claims: { client_id: CONSOLE_CLIENT } };
  // the session may be older than a new requirement of the account; the sign-in page then asks for the factor
  if (needsFactor(kernel.config.mfa, account) && !(await hasGivenFactor(context, hash)))
    throw invalidToken("This account needs a second factor: sign in again");
  if (found.is_new)
    await audit(database, {
      event: "granted",
      account: account.name,
      clientId: CONSOLE_CLIENT,
      address,
      details: { grantType: "session" },
    });
  const token = await signAccessToken(database, account, {
    issuer: kernel.baseUrl,
    clientId: CONSOLE_CLIENT,
    family: found.family,
    lifetimeSeconds: LIFETIME_SECONDS,
  });
  sendJson(response, 200, { access_token: token, token_type: "Bearer", expires_in: LIFETIME_SECONDS });
};

async function hasGivenFactor({ database }: OAuthContext, hash: string): Promise<boolean> {
  const row = await database.db.oneOrNone<{ mfa: boolean }>(
    "select 'mfa' = any (amr) as mfa from portolan.sessions where console_hash = $1",
    [hash],
  );
  return row?.mfa === true;
}

export const consoleToken: readonly Step[] = [onlyOwnPages, findConsoleSession, answer];
