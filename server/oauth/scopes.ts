/** The scopes that have an effect here. Any other scope is shown unchanged, stored and echoed. */

/** Lets a token change data at the agents' door. */
export const AGENTS_WRITE = "mcp:write";
