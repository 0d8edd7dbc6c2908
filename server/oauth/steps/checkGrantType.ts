import { oauthError } from "../errors.ts";
import type { Step } from "../context.ts";
import { GRANT_TYPES } from "../grants/all.ts";

/** RFC 6749 §5.2. */
export const checkGrantType: Step = ({ parameters: { grant_type: grantType } }) => {
  if (grantType === undefined) throw oauthError("invalid_request", "The parameter 'grant_type' is missing");
  if (!Object.hasOwn(GRANT_TYPES, grantType))
    throw oauthError("unsupported_grant_type", "The grant type is not supported");
};
