/** The agents' door: Model Context Protocol. */
import { z } from "zod";
import { count, flag, KILOBYTE, list, type Option } from "./kinds.ts";

const origin = z
  .string()
  .refine((text) => URL.parse(text)?.origin === text, "must be an origin: https://app.example.org");

export const AGENTS = {
  mcp: {
    schema: flag.optional(),
    doc: "Whether agents may connect by the Model Context Protocol at `/mcp/{database}`, each with the rights of the account that it acts for. Default: off, and on for the demo.",
  },
  mcpOrigins: {
    schema: list.pipe(z.array(origin)),
    default: [],
    doc: "Origins of pages that may use the agents' door, beside the service's own; pages of others are refused, and so are requests whose `Host` is neither in `baseUrl` nor in one of these.",
  },
  mcpMaxRows: {
    schema: count.max(10_000),
    default: 500,
    doc: "Rows that a tool of the agents' door gives at most; a cursor goes on behind them.",
  },
  mcpMaxBytes: {
    schema: count.max(16_000_000),
    default: 256 * KILOBYTE,
    doc: "Bytes of the result of a tool of the agents' door, before the cursor. A picture may have four times as many.",
  },
  mcpCalls: {
    schema: count.max(1000),
    default: 4,
    doc: "Calls of agents that a process works on at once, and one alone, with a rest after it, while people use other doors; the rest is longer where people wait longer beside calls. One account has at most `accountShare` of them. Further calls wait up to 20 s.",
  },
  mcpAnonymous: {
    schema: flag,
    default: false,
    doc: "Whether the agents' door takes requests without a token, as the account `anonymous`. Otherwise they are answered with 401, by which clients begin to sign in.",
  },
} as const satisfies Record<string, Option>;
