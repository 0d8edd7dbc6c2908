/**
 * RFC 7523 §2.1, for clients that list it: a token of an outside issuer (option `issuers`) for one of the account that its
 * subject is here. Each assertion with an id counts once.
 */
import { randomUUID } from "node:crypto";
import OAuth2Server from "@node-oauth/oauth2-server";
import { errors, type JWTPayload } from "jose";
import { GatewayError } from "../../ground/errors.ts";
import { audit } from "../../kernel/identity/audit.ts";
import type { OutsideClaims } from "../../kernel/identity/externalIssuers.ts";
import { isFirstUse } from "../../kernel/identity/once.ts";
import { findAccount, type Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { oauthError } from "../errors.ts";
import { linkedAccount } from "../linkedAccount.ts";
import { checkResource } from "../steps/checkResource.ts";
import { checkedScope } from "../steps/checkScope.ts";
import { startFamily, type Token } from "../tokenAnswer.ts";
import { RESOURCE, SCOPE, contextOf, required, type GrantParameters } from "./grant.ts";

export const grantType = "jwt_bearer";
export const grantTypeUrn = "urn:ietf:params:oauth:grant-type:jwt-bearer";

export const parameters: GrantParameters = {
  required: { assertion: "A JWT of an outside issuer, of the option `issuers`" },
  optional: { ...SCOPE, ...RESOURCE },
};

/** The tolerance for differing clocks. */
const TOLERANCE_SECONDS = 30;
/** How far ahead an assertion may end: its `jti` is kept until then. */
const MAX_LIFETIME_SECONDS = 86_400;
const MAX_TEXT = 256;

export class JwtBearerGrant extends OAuth2Server.AbstractGrantType {
  async handle(request: OAuth2Server.Request): Promise<Token> {
    const context = contextOf(request);
    const { database, client, address } = context;
    const assertion = required(context, "assertion");
    await checkResource(context);
    const scope = checkedScope(context.parameters["scope"]);
    const found = await subjectOf(context, assertion);
    if ("reason" in found) {
      const details = { grantType, outcome: "assertion", reason: found.reason };
      await audit(database, { event: "grant.refused", clientId: client.id, address, details });
      throw oauthError("invalid_grant", found.reason);
    }
    const ids = { family: randomUUID(), refresh: null }; // RFC 7521 §4.1
    return startFamily(context, { account: found.account, scope, grantType, ...ids });
  }
}

type Found = { readonly account: Account } | { readonly reason: string };

const refused = (reason: string): Found => ({ reason });

async function subjectOf({ kernel, database }: OAuthContext, assertion: string): Promise<Found> {
  let outside: OutsideClaims | undefined;
  try {
    outside = await kernel.identifier.outside.read(assertion);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== "UNAUTHENTICATED") throw error;
    return refused(`The assertion ${error.cause instanceof errors.JWTExpired ? "has expired" : "is not valid"}`);
  }
  if (!outside) return refused("The issuer of the assertion is not known here");
  const { claims } = outside;
  const reason = whyRefused(claims);
  if (reason !== undefined) return refused(reason);
  if ((outside.database ?? database.name) !== database.name) return refused("The assertion is for another database");
  const [issuer, subject] = [String(claims.iss), claims.sub ?? ""];
  const named = outside.account === undefined ? undefined : await findAccount(database, outside.account);
  const account = (await linkedAccount(database, { issuer, subject })) ?? named;
  if (!account || account.name === "anonymous") return refused("No account is linked to the subject of the assertion");
  if (claims.jti !== undefined) {
    const lasts = Number(claims.exp) - Date.now() / 1000 + 1;
    if (!(await isFirstUse(database, `grant ${issuer} ${claims.jti}`, lasts)))
      return refused("The assertion was used before");
  }
  await database.db.func("portolan.note_identity_use", [issuer, subject]);
  return { account };
}

/** The reason why an assertion with a valid signature is refused; undefined where it is good. */
function whyRefused({ exp = 0, iat = 0, jti, sub }: JWTPayload): string | undefined {
  const now = Date.now() / 1000;
  if (exp > now + MAX_LIFETIME_SECONDS) return "The assertion ends more than a day from now";
  if (iat > now + TOLERANCE_SECONDS) return "The assertion is from the future";
  if (!isText(sub)) return `'sub' of the assertion must be a text of 1 to ${MAX_TEXT} characters`;
  if (jti !== undefined && !isText(jti)) return `'jti' of the assertion must be a text of 1 to ${MAX_TEXT} characters`;
  return undefined;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "" && value.length <= MAX_TEXT && !value.includes("\0");
}
