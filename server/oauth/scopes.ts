/** The scopes that mean something here. Any other is shown as it is, kept and echoed. */

/** Lets a token change data at the agents' door. */
export const AGENTS_WRITE = "mcp:write";

/** The words for them on the consent page. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  [AGENTS_WRITE, "Change data: insert, update and delete rows"],
  ["openid", "Know that it is you"],
  ["profile", "Read your name and the other members of your profile"],
  ["email", "Read your mail address"],
  ["groups", "Read which groups you are in"],
  ["offline_access", "Stay connected after you sign out"],
]);

/** What a scope lets the client do, in words; undefined for one that means nothing here. */
export function meaningOf(scope: string): string | undefined {
  return MEANINGS.get(scope);
}
