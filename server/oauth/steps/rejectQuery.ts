import { oauthError } from "../errors.ts";
import type { Step } from "../context.ts";

/**
 * URLs are logged and stored on the way, so they may have no parameters here (RFC 6749 §2.3.1, §3.2), except the
 * database, which is in the metadata of a database.
 */
export const rejectQuery: Step = ({ request }) => {
  const query = /\?(.*)/.exec(request.url ?? "")?.[1] ?? "";
  if (!/^(database=[^&]*)?$/.test(query))
    throw oauthError("invalid_request", "Parameters must be in the body, not in the query");
};
