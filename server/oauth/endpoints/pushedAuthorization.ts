/** `POST /api/v4/oauth/par` (RFC 9126): a client pushes the parameters of `/auth`, and sends the browser with their name. */
import { networkOf } from "../../kernel/http/clientAddress.ts";
import { SITE_SHARE } from "../../kernel/http/rateLimit.ts";
import { hashOf } from "../../kernel/identity/hash.ts";
import { tooManyFailures } from "../../kernel/identity/signIn.ts";
import { oauthError } from "../errors.ts";
import { sendJson, type Step } from "../context.ts";
import { count } from "../metrics.ts";
import { makeCode } from "../secrets.ts";
import { authenticateClient } from "../steps/authenticateClient.ts";
import { checkRequest } from "../steps/authorizationRequest.ts";
import { chooseDatabase } from "../steps/chooseDatabase.ts";
import { readProof } from "../steps/proof.ts";
import { LIFETIME_SECONDS, REQUEST_URI } from "../steps/pushedRequest.ts";
import { readBody } from "../steps/readBody.ts";
import { rejectQuery } from "../steps/rejectQuery.ts";

const MAX_WAITING_PER_NETWORK = 200;
const MAX_BYTES = 16_000;

/** §2.1: a pushed request names no other. */
const rejectRequestUri: Step = ({ parameters }) => {
  if (parameters["request_uri"] !== undefined)
    throw oauthError("invalid_request", "'request_uri' is not allowed in a pushed request");
};

/** Unused requests are kept until they expire, so one network must not fill the table. */
const refuseFlood: Step = async ({ database, address, client }) => {
  if (!client.public) return;
  const { isFlood } = await database.db.one<{ isFlood: boolean }>(
    `
select count(*) filter (where address = $1) >= $2 or count(*) >= $2 * $3 as "isFlood"
from portolan.pushed_requests
where (address = $1 or portolan.site_of(address) = portolan.site_of($1)) and opened_at is null and expires_at > clock_timestamp()`,
    [networkOf(address ?? ""), MAX_WAITING_PER_NETWORK, SITE_SHARE],
  );
  if (isFlood) throw tooManyFailures(LIFETIME_SECONDS);
};

/** Parameters that authenticate the client. They are not stored with the request. */
const OF_THE_CLIENT = ["client_id", "client_secret", "client_assertion", "client_assertion_type"];

/** §10.1 of RFC 9449: the proof replaces `dpop_jkt`. */
const bindToKey: Step = (context) => {
  const { jkt, parameters } = context;
  if (jkt === undefined) return;
  if ((parameters["dpop_jkt"] ?? jkt) !== jkt)
    throw oauthError("invalid_dpop_proof", "'dpop_jkt' is not the key of the proof");
  context.parameters = { ...parameters, dpop_jkt: jkt };
};

const push: Step = async ({ kernel, client, database, parameters, address, response }) => {
  const code = makeCode(database.name);
  const kept = JSON.stringify(
    Object.fromEntries(Object.entries(parameters).filter(([name]) => !OF_THE_CLIENT.includes(name))),
  );
  if (kept.length > MAX_BYTES) throw oauthError("invalid_request", `The request is over ${MAX_BYTES} bytes`);
  await database.db.none(
    `
insert into portolan.pushed_requests (hash, client_id, parameters, address, expires_at)
values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5))`,
    [hashOf(code), client.id, kept, networkOf(address ?? ""), LIFETIME_SECONDS],
  );
  count(kernel, "pushed", { client: client.public ? "public" : "confidential" });
  sendJson(response, 201, { request_uri: REQUEST_URI + code, expires_in: LIFETIME_SECONDS });
};

export const pushedAuthorization: readonly Step[] = [
  rejectQuery,
  readBody,
  chooseDatabase,
  authenticateClient,
  readProof,
  rejectRequestUri,
  ...checkRequest,
  bindToKey,
  refuseFlood,
  push,
];
