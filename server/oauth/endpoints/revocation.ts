/**
 * `POST /api/v4/oauth/revoke` (RFC 7009): revokes a token and its whole authorization. For a guest it revokes only that
 * token, because the guests of a client share one authorization.
 */
import { audit } from "../../kernel/identity/audit.ts";
import { accountNameOf } from "../../kernel/identity/tokens.ts";
import { oauthError } from "../errors.ts";
import { sendJson, type OAuthContext, type Step } from "../context.ts";
import { required } from "../grants/grant.ts";
import { authenticateClient } from "../steps/authenticateClient.ts";
import { chooseDatabase } from "../steps/chooseDatabase.ts";
import { readBody } from "../steps/readBody.ts";
import { rejectQuery } from "../steps/rejectQuery.ts";
import { readToken } from "../tokenReading.ts";

const revoke: Step = async (context) => {
  const { client, database, kernel, address, response } = context;
  const token = await readToken(context, required(context, "token"));
  // RFC 7009 §2.2: for a token that is already invalid the answer is success too
  if (token) {
    const { claims } = token;
    if (claims["client_id"] !== client.id)
      throw oauthError("invalid_request", "The token was not given to this client"); // RFC 7009 §2.1
    const ofFamily = typeof claims["fam"] === "string" && !(await isOfGuests(context, claims["fam"]));
    const account = await accountNameOf(database, claims);
    const family = ofFamily ? (claims["fam"] as string) : claims.jti;
    const { revoked } = await database.db.one<{ revoked: boolean }>(
      "select portolan.revoke_family($1, $2, $3, to_timestamp($4)) as revoked",
      [family, client.id, ofFamily ? null : account, ofFamily ? null : claims.exp],
    );
    if (family !== undefined) kernel.identifier.forget(database.name, family);
    if (revoked) await audit(database, { event: "token.revoked", account, clientId: client.id, address });
  }
  sendJson(response, 200, {});
};

async function isOfGuests({ database }: OAuthContext, family: string): Promise<boolean> {
  const { guest } = await database.db.one<{ guest: boolean }>(
    "select exists (select from portolan.token_families f where f.id = $1 and f.guest) as guest",
    [family],
  );
  return guest;
}

export const revocation: readonly Step[] = [rejectQuery, readBody, chooseDatabase, authenticateClient, revoke];
