/** The scopes that mean something here. Any other is shown as it is, kept and echoed. */

/** Lets a token change data at the agents' door. */
export const AGENTS_WRITE = "mcp:write";
