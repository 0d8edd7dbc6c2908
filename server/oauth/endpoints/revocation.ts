/** `POST /api/v4/oauth/revoke` (RFC 7009): ends a token, and with it all of its authorization. */
import { audit } from "../../kernel/identity/audit.ts";
import { oauthError } from "../errors.ts";
import { sendJson, type Step } from "../context.ts";
import { required } from "../grants/grant.ts";
import { authenticateClient } from "../steps/authenticateClient.ts";
import { chooseDatabase } from "../steps/chooseDatabase.ts";
import { readBody } from "../steps/readBody.ts";
import { rejectQuery } from "../steps/rejectQuery.ts";
import { readToken } from "../tokenReading.ts";

const revoke: Step = async (context) => {
  const { client, database, kernel, address, response } = context;
  const token = await readToken(context, required(context, "token"));
  // RFC 7009 §2.2: a token that is no good any more is as good as revoked
  if (token) {
    const { claims } = token;
    if (claims["client_id"] !== client.id)
      throw oauthError("invalid_request", "The token was not given to this client"); // RFC 7009 §2.1
    const [family, ofFamily] = typeof claims["fam"] === "string" ? [claims["fam"], true] : [claims.jti, false];
    const { revoked } = await database.db.one<{ revoked: boolean }>(
      "select portolan.revoke_family($1, $2, $3, to_timestamp($4)) as revoked",
      [family, client.id, ofFamily ? null : claims.sub, ofFamily ? null : claims.exp],
    );
    if (family !== undefined) kernel.identifier.forget(database.name, family);
    if (revoked) await audit(database, { event: "token.revoked", account: claims.sub, clientId: client.id, address });
  }
  sendJson(response, 200, {});
};

export const revocation: readonly Step[] = [rejectQuery, readBody, chooseDatabase, authenticateClient, revoke];
