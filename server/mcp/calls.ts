/** Calls of tools: found, run and counted. Errors are reported in a form that helps to correct the call. */
import type { Counter } from "prom-client";
import { GatewayError, sqlstateOf, toGatewayError } from "../ground/errors.ts";
import { logFailure } from "../ground/log.ts";
import { currentSpan, during, within } from "../kernel/tracing/trace.ts";
import type { Agent } from "./agent.ts";
import { noteRefusal } from "./presence.ts";
import { toolNamed } from "./tools/all.ts";
import { isMethodTool } from "./tools/method.ts";
import type { ToolAnswer } from "./tools/tool.ts";

/** The scope that every write needs. */
export const WRITE_SCOPE = "mcp:write";

/** The `result` of `tools/call`. */
export interface CallResult {
  readonly content: readonly Content[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

export type CallCounter = Counter<"tool" | "outcome">;

/** Undefined where there is no such tool. Never rejects because of an error of the tool. */
export async function callTool(
  agent: Agent,
  calls: CallCounter,
  { name, given }: { readonly name: string; readonly given: unknown },
): Promise<CallResult | undefined> {
  const label = isMethodTool(name) ? "method" : name;
  try {
    const tool = await toolNamed(agent, name);
    if (!tool) return undefined;
    if (tool.writes && !agent.mayWrite && !isMethodTool(name))
      throw new GatewayError("FORBIDDEN", `${name} needs a token with the scope ${WRITE_SCOPE}. Nothing was written`);
    const answer = await traced(label, () => agent.inTurn(() => tool.run(agent, given)));
    calls.inc({ tool: label, outcome: "done" });
    agent.counted("done");
    return toResult(answer);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    calls.inc({ tool: label, outcome: error.status >= 500 ? "failed" : "refused" });
    logFailure(agent.log, error, agent.caller.requestId);
    agent.counted("refused");
    if (error.code === "FORBIDDEN" || error.code === "UNTRUSTED_CODE")
      await remember(agent, error, { tool: name, given });
    return toErrorResult(error);
  }
}

function traced<Answer>(label: string, run: () => Promise<Answer>): Promise<Answer> {
  const span = currentSpan()?.child(`tools/call ${label}`, {
    "mcp.method.name": "tools/call",
    "gen_ai.tool.name": label,
  });
  return span ? within(span, () => during(span, run)) : run();
}

/** Keeps the error for `explain_denial`. The agent gets it in any case. */
export async function remember(
  { database, who, log }: Agent,
  { code, message }: GatewayError,
  { tool, given }: { readonly tool: string; readonly given: unknown },
): Promise<void> {
  try {
    await noteRefusal(database, who, { tool, table: tableIn(given), code, message });
  } catch (error) {
    log.warn({ err: error, database: database.name }, "the refusal of an agent could not be recorded");
  }
}

function tableIn(given: unknown): string | undefined {
  const { table } = (given ?? {}) as { readonly table?: unknown };
  return typeof table === "string" ? table : undefined;
}

/** The text is the JSON of the structured content and nothing else, so values of rows stay data. */
function toResult({ structured, image }: ToolAnswer): CallResult {
  return {
    content: [
      { type: "text", text: JSON.stringify(structured) },
      ...(image ? [{ type: "image", data: image.body.toString("base64"), mimeType: image.mediaType } as const] : []),
    ],
    structuredContent: structured,
  };
}

const HINTS: Readonly<Partial<Record<string, string>>> = {
  FORBIDDEN: "explain_denial says which grant, rule or policy decides, and who can change it",
  NOT_FOUND: "describe lists the tables",
  TIMEOUT: "Ask for less: fewer rows, a narrower condition, or a column that has an index",
  ACCOUNT_BUSY: "Wait for the answers to earlier calls, and call again",
  UNAVAILABLE: "Call again in a moment",
};

function toErrorResult(error: GatewayError): CallResult {
  const sqlstate = sqlstateOf(error);
  const hint = HINTS[error.code];
  const told = {
    error: {
      code: error.code,
      message: error.message,
      ...(sqlstate !== undefined && { sqlstate }),
      ...error.members,
      ...(hint !== undefined && error.members["hint"] === undefined && { hint }),
    },
  };
  return { content: [{ type: "text", text: JSON.stringify(told) }], isError: true };
}
