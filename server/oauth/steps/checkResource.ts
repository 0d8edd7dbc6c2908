import { resourceOf } from "../../kernel/identity/resources.ts";
import { oauthError } from "../errors.ts";
import type { OAuthContext, Step } from "../context.ts";

/** RFC 8707 §2: the tokens are for the service, or for the agents' door of their database. Throws `invalid_target`. */
export const checkResource: Step = (context) => {
  context.resource = namedResource(context) || undefined;
};

/** The resource of the request; the empty text is the service, undefined none. Throws `invalid_target`. */
export function namedResource({ parameters, database, kernel: { baseUrl } }: OAuthContext): string | undefined {
  const { resource: uri } = parameters;
  if (uri === undefined) return undefined;
  const resource = resourceOf(baseUrl, uri);
  if (!resource || (resource.database !== undefined && resource.database !== database.name))
    throw oauthError(
      "invalid_target",
      `'resource' must be ${baseUrl}, or ${baseUrl}/mcp/ and the name of the database`,
    );
  return resource.database === undefined ? "" : resource.uri;
}

/** RFC 8707 §2.2. */
export function notGranted(): Error {
  return oauthError("invalid_target", "'resource' is not the one that was granted");
}
