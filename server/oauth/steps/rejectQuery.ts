import { oauthError } from "../errors.ts";
import type { Step } from "../context.ts";

/**
 * A URL is logged and remembered by everything on the way: it has no parameters here (RFC 6749 §2.3.1, §3.2), beside the
 * database, as the metadata of a database have it.
 */
export const rejectQuery: Step = ({ request }) => {
  const query = /\?(.*)/.exec(request.url ?? "")?.[1] ?? "";
  if (!/^(database=[^&]*)?$/.test(query))
    throw oauthError("invalid_request", "Parameters belong into the body, not into the query");
};
