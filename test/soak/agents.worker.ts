/**
 * Agents in a thread of their own, so that people's clients do not wait for theirs: they ask from the message `begin` to `end`, and
 * tell how many calls had which outcome.
 */
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

export interface AgentsOptions {
  readonly url: string;
  /** One for each agent. */
  readonly tokens: readonly string[];
  /** Between an answer and the next call, on the average. */
  readonly pauseMs: number;
}

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "soak", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const CALLS: readonly (readonly [tool: string, given: object])[] = [
  ["describe", {}],
  ["describe", { table: "world.cities" }],
  ["read", { table: "world.cities", limit: 50 }],
  ["read", { table: "world.cities", aggregate: { groupBy: ["country_code"] }, orderBy: { count: "desc" } }],
  ["sql", { sql: "select c.name, count(*) from world.countries c join world.cities t on t.country_code = c.code group by 1" }],
  ["sql", { sql: "select a.name, b.name, a.geom <-> b.geom as far from world.cities a, world.cities b where a.id < 20 order by 3 desc limit 20" }],
  ["features", { table: "world.cities", bbox: [-20, 30, 40, 70], limit: 100 }],
  ["insert", { table: "world.cities", rows: [{ name: "Nowhere" }], dryRun: true }],
  ["explain_denial", { table: "world.cities" }],
]; // oxfmt-ignore

const { url, tokens, pauseMs } = workerData as AgentsOptions;

/** Its code, "done" where there is none. */
async function ask(at: number, token: string, signal: AbortSignal): Promise<string> {
  const [name, given] = CALLS[at % CALLS.length]!;
  const response = await fetch(url, {
    method: "POST",
    signal,
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": name,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: at,
      method: "tools/call",
      params: { name, arguments: given, _meta: ENVELOPE },
    }),
  });
  const [, code = response.status === 200 ? "done" : String(response.status)] =
    /\\"code\\":\\"(\w+)/.exec(await response.text()) ?? [];
  return code;
}

async function agent(n: number, outcomes: Map<string, number>, signal: AbortSignal): Promise<void> {
  const pause = (times: number): Promise<void> => setTimeout(pauseMs * times, undefined, { signal });
  try {
    await pause(Math.random()); // together they do not call in step
    for (let at = n; ; at++) {
      const outcome = await ask(at, tokens[n]!, signal);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await pause(0.5 + Math.random());
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

let end: (() => Promise<void>) | undefined;
parentPort?.on("message", (message: "begin" | "end") => {
  if (message === "begin") {
    const controller = new AbortController();
    const outcomes = new Map<string, number>();
    const agents = tokens.map((_, n) => agent(n, outcomes, controller.signal));
    end = async () => {
      controller.abort();
      await Promise.all(agents);
      parentPort?.postMessage(Object.fromEntries(outcomes));
    };
  } else void end?.();
});
