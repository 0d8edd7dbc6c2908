/** The request that a client has pushed (RFC 9126), at `/auth`. */
import { hashOf } from "../../kernel/identity/hash.ts";
import { oauthError } from "../errors.ts";
import type { OAuthContext, Parameters, Step } from "../context.ts";
import { databaseOfCode } from "../secrets.ts";

export const REQUEST_URI = "urn:ietf:params:oauth:request_uri:";
/** The browser must arrive within this time. */
export const LIFETIME_SECONDS = 60;
/** Then a person may take this long to sign in. */
const OPEN_SECONDS = 1800;

function codeOf({ request_uri: uri }: Parameters): string | undefined {
  return uri?.startsWith(REQUEST_URI) ? uri.slice(REQUEST_URI.length) : undefined;
}

/** The database of a pushed request; it only chooses where to look. */
export function databaseOfRequest(parameters: Parameters): string | undefined {
  const code = codeOf(parameters);
  return code === undefined ? undefined : databaseOfCode(code);
}

/** §4: the pushed parameters are the request; other parameters from the browser are ignored. */
export const takePushedRequest: Step = async (context) => {
  const { client, database, parameters } = context;
  const code = codeOf(parameters);
  if (code === undefined) return;
  const row = await database.db.oneOrNone<{ parameters: Parameters }>(
    `
update portolan.pushed_requests
set
  opened_at = coalesce(opened_at, clock_timestamp()),
  expires_at = case when opened_at is null then clock_timestamp() + make_interval(secs => $3) else expires_at end
where hash = $1 and client_id = $2 and expires_at > clock_timestamp()
returning parameters`,
    [hashOf(code), client.id, OPEN_SECONDS],
  );
  if (!row)
    throw oauthError("invalid_request", "'request_uri' is not known, has expired or was used; go back and try again");
  context.parameters = { ...row.parameters, client_id: client.id };
  context.pushed = hashOf(code);
};

/** RFC 9126 §5, for a client with `require_par`. */
export const requirePushedRequest: Step = ({ client, pushed }) => {
  if (client.requirePar && pushed === undefined)
    throw oauthError("invalid_request", "The client must push its request first, and send 'request_uri'");
};

/** Uses up the pushed request, which is valid for one code. Throws `invalid_request` where it was used already. */
export async function usePushedRequest({ database, pushed }: OAuthContext): Promise<void> {
  if (pushed === undefined) return;
  const { rowCount } = await database.db.result("delete from portolan.pushed_requests where hash = $1", [pushed]);
  if (rowCount === 0) throw oauthError("invalid_request", "'request_uri' was used before");
}
