/** `POST /api/v4/oauth/device`: a device asks for a code to show (RFC 8628 §3.1). */
import { randomInt } from "node:crypto";
import { SQLSTATE, sqlstateOf } from "../../ground/errors.ts";
import { networkOf } from "../../kernel/http/clientAddress.ts";
import { SITE_SHARE } from "../../kernel/http/rateLimit.ts";
import { tooManyFailures } from "../../kernel/identity/signIn.ts";
import { hashOf } from "../../kernel/identity/hash.ts";
import { oauthError } from "../errors.ts";
import { sendJson, type OAuthContext, type Step } from "../context.ts";
import { grantType } from "../grants/deviceCode.ts";
import { makeCode } from "../secrets.ts";
import { keepDocumentClient } from "../registration/documents.ts";
import { refuseDetails } from "../openid/request.ts";
import { authenticateClient } from "../steps/authenticateClient.ts";
import { checkResource } from "../steps/checkResource.ts";
import { checkScope } from "../steps/checkScope.ts";
import { chooseDatabase } from "../steps/chooseDatabase.ts";
import { readBody } from "../steps/readBody.ts";
import { rejectQuery } from "../steps/rejectQuery.ts";
import { USER_CODE_ALPHABET, USER_CODE_LENGTH, showUserCode } from "../userCode.ts";

const MAX_WAITING_PER_NETWORK = 200;

const checkGrant: Step = ({ client }) => {
  if (!client.grants.includes(grantType))
    throw oauthError("unauthorized_client", "The client may not use the device flow");
};

/** Undecided requests are kept until they expire, so one network must not fill the table. */
const refuseFlood: Step = async ({ database, address }) => {
  const { isFlood } = await database.db.one<{ isFlood: boolean }>(
    `
select count(*) filter (where address = $1) >= $2 or count(*) >= $2 * $3 as "isFlood"
from portolan.device_requests
where (address = $1 or portolan.site_of(address) = portolan.site_of($1)) and decision is null and expires_at > clock_timestamp()`,
    [networkOf(address ?? ""), MAX_WAITING_PER_NETWORK, SITE_SHARE],
  );
  if (isFlood) throw tooManyFailures(60);
};

const answer: Step = async (context) => {
  const { client, database, kernel, response } = context;
  const deviceCode = makeCode(database.name);
  const userCode = showUserCode(await keep(context, deviceCode));
  const verificationUri = `${kernel.baseUrl}/device`;
  const complete = new URLSearchParams({
    user_code: userCode,
    ...(kernel.directory.names.length > 1 && { database: database.name }),
  });
  sendJson(response, 200, {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: verificationUri,
    verification_uri_complete: `${verificationUri}?${complete}`,
    expires_in: client.deviceCodeLifetimeSeconds,
    interval: client.devicePollIntervalSeconds,
  });
};

/** Keeps the request under a user code that no other request has. */
async function keep(
  { client, database, scopes, resource, address }: OAuthContext,
  deviceCode: string,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const letters = Array.from({ length: USER_CODE_LENGTH }, () => randomInt(USER_CODE_ALPHABET.length));
    const userCode = letters.map((index) => USER_CODE_ALPHABET.charAt(index)).join("");
    try {
      await database.db.none(
        `
insert into portolan.device_requests (device_code_hash, user_code, client_id, scope, interval_seconds, expires_at, address, asked)
values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6), $7, $8)`,
        [
          hashOf(deviceCode),
          userCode,
          client.id,
          scopes.join(" "),
          client.devicePollIntervalSeconds,
          client.deviceCodeLifetimeSeconds,
          networkOf(address ?? ""),
          { resource },
        ],
      );
      return userCode;
    } catch (error) {
      if (sqlstateOf(error) !== SQLSTATE.uniqueViolation || attempt === 5) throw error;
    }
  }
}

export const deviceAuthorization: readonly Step[] = [
  rejectQuery,
  readBody,
  chooseDatabase,
  authenticateClient,
  refuseDetails,
  checkGrant,
  checkScope,
  checkResource,
  refuseFlood,
  keepDocumentClient,
  answer,
];
