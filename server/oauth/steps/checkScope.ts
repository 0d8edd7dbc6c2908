import { oauthError } from "../errors.ts";
import type { Step } from "../context.ts";
import { toScopes } from "../tokenAnswer.ts";

/** No scope is required: any is shown, stored and echoed, and most have no effect. It must be well-formed (RFC 6749 §3.3). */
export const checkScope: Step = (context) => {
  context.scopes = toScopes(checkedScope(context.parameters["scope"]));
};

/** A well-formed `scope`, or the empty text. Throws `invalid_scope`. */
export function checkedScope(scope: string | undefined): string {
  if (scope === undefined) return "";
  if (scope.length > 1000 || !/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope))
    throw oauthError("invalid_scope", "'scope' must be words separated by single spaces");
  return scope;
}

/** RFC 6749 §6: the requested scope must have been granted. Throws `invalid_scope`. */
export function narrowedScope(granted: string, asked: string): string {
  if (asked === "") return granted;
  const scopes = new Set(toScopes(granted));
  if (toScopes(asked).some((scope) => !scopes.has(scope)))
    throw oauthError("invalid_scope", "'scope' goes beyond what was granted");
  return asked;
}
