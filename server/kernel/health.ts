/** `/ping`, `/livez` and `/readyz`. */
import type { IncomingMessage } from "node:http";
import { PLAIN_TYPE, sendText } from "./http/answer.ts";
import type { Route } from "./http/routes.ts";

/** One thing that must be up: resolves when it is, rejects with the reason when it is not. */
export type ReadinessCheck = () => Promise<void>;

/** Only parts of what is checked are down; their names may be shown, the reasons are for the log. */
export class PartlyDown extends Error {
  override readonly name = "PartlyDown";
  readonly parts: readonly string[];

  /** `reasons`: name of the part → reason. */
  constructor(reasons: ReadonlyMap<string, string>) {
    super([...reasons].map(([part, reason]) => `${part}: ${reason}`).join("; "));
    this.parts = [...reasons.keys()];
  }
}

const CHECK_TIMEOUT_MS = 2000;

/** `checks`: name → check. 503 names what is down, to operators; the reasons stay in the log. */
export function healthRoutes(
  checks: Readonly<Record<string, ReadinessCheck>>,
  onFailure: (name: string, reason: unknown) => void,
  isOperator: (request: IncomingMessage) => boolean,
): readonly Route[] {
  async function check([name, isUp]: [string, ReadinessCheck]): Promise<{ name: string; down: readonly string[] }> {
    try {
      await withTimeout(isUp());
      return { name, down: [] };
    } catch (error) {
      onFailure(name, error);
      return { name, down: error instanceof PartlyDown ? error.parts.map((part) => `${name} ${part}`) : [name] };
    }
  }
  return [
    {
      path: "/ping",
      summary: "Answers pong",
      handlers: { GET: (_request, response) => sendText(response, "pong", { type: PLAIN_TYPE }) },
    },
    {
      path: "/livez",
      summary: "Whether the process lives",
      handlers: { GET: (_request, response) => sendText(response, '{"status":"ok"}') },
    },
    {
      path: "/readyz",
      summary: "Whether requests can be served, and what is down",
      handlers: {
        GET: async (request, response) => {
          const results = await Promise.all(Object.entries(checks).map(check));
          const down = results.flatMap((result) => result.down);
          const states = results.map((result) => [result.name, result.down.length > 0 ? "down" : "ok"] as const);
          const body = {
            status: down.length > 0 ? "unavailable" : "ok",
            ...(isOperator(request) && { down, checks: Object.fromEntries(states) }),
          };
          sendText(response, JSON.stringify(body), {
            status: down.length > 0 ? 503 : 200,
            headers: { "Cache-Control": "no-store" },
          });
        },
      },
    },
  ];
}

async function withTimeout(check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
