/** `/ping`, `/livez`, `/readyz` and `/metrics`. */
import type { Pool } from "pg";
import { checkSession, type Database } from "../kernel/database/database.ts";
import type { Host } from "../fleet/host.ts";
import type { Log } from "../ground/log.ts";
import type { Config } from "../kernel/config.ts";
import type { Door, ReadinessCheck } from "../kernel/door.ts";
import type { Metrics } from "./metrics.ts";
import { GatewayError } from "../ground/errors.ts";
import { PLAIN_TYPE, sendText } from "../kernel/http/answer.ts";
import { createOpsAccess } from "../kernel/http/opsAccess.ts";
import type { Route } from "../kernel/http/routes.ts";
import { isMigrated } from "./migrate.ts";

/** Some of the checked parts are down. Their names may be shown; the reasons are for the log. */
export class PartlyDown extends Error {
  override readonly name = "PartlyDown";
  readonly parts: readonly string[];

  /** `reasons`: name of the part → reason. */
  constructor(reasons: ReadonlyMap<string, string>) {
    super([...reasons].map(([part, reason]) => `${part}: ${reason}`).join("; "));
    this.parts = [...reasons.keys()];
  }
}

/** The part of the kernel that operation needs. */
export interface OperationKernel {
  readonly config: Config;
  readonly databases: ReadonlyMap<string, Database>;
  readonly directory: { isSleeper(database: Pick<Database, "name">): boolean };
  readonly host: Pick<Host, "metrics">;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "registry">;
}

const CHECK_TIMEOUT_MS = 2000;

/** The checks of `/readyz`, by name. */
function checksOf(
  { databases, directory }: OperationKernel,
  doors: readonly Door[],
): readonly [string, ReadinessCheck][] {
  // a problem of a sleeping database is told to those who ask for it
  const named = (): Database[] => [...databases.values()].filter((database) => !directory.isSleeper(database));
  return [
    [
      "database",
      async () => {
        await Promise.all(named().map(({ db }) => checkSession(db.$pool as unknown as Pool)));
        for (const { isPooled, pool } of named()) if (isPooled) await pool.query("select");
      },
    ],
    [
      "migrations",
      async () => {
        for (const { name, ask } of named())
          if (!(await isMigrated(async (text) => ({ rows: await ask(text) }))))
            throw new Error(`${name} is not migrated`);
      },
    ],
    ...doors.flatMap((door) => Object.entries(door.checks ?? {})),
  ];
}

/** `doors`: those with checks for `/readyz`. 503 names to operators what is down; the reasons are in the log. */
export function installOperation(kernel: OperationKernel, doors: readonly Door[]): Door {
  const { config, host, log, metrics } = kernel;
  const isOperator = createOpsAccess(config);
  const checks = checksOf(kernel, doors);
  async function check([name, isUp]: [string, ReadinessCheck]): Promise<{ name: string; down: readonly string[] }> {
    try {
      await withTimeout(isUp());
      return { name, down: [] };
    } catch (error) {
      log.warn({ check: name, err: error }, "not ready");
      return { name, down: error instanceof PartlyDown ? error.parts.map((part) => `${name} ${part}`) : [name] };
    }
  }
  const routes: Route[] = [
    {
      path: "/ping",
      summary: "Answers pong",
      handlers: { GET: (_request, response) => sendText(response, "pong", { type: PLAIN_TYPE }) },
    },
    {
      path: "/livez",
      summary: "Whether the process is alive",
      handlers: { GET: (_request, response) => sendText(response, '{"status":"ok"}') },
    },
    {
      path: "/readyz",
      summary: "Whether requests can be served, and which parts are down",
      handlers: {
        GET: async (request, response) => {
          const results = await Promise.all(checks.map(check));
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
    {
      path: "/metrics",
      summary: "Metrics for Prometheus",
      handlers: {
        GET: async (request, response) => {
          if (!isOperator(request))
            throw new GatewayError("FORBIDDEN", "The metrics are for operators: OPS_TOKEN, OPS_ADDRESSES");
          const figures = await (host.metrics?.() ?? metrics.registry.metrics());
          if (figures === undefined)
            throw new GatewayError("UNAVAILABLE", "A process of this host does not answer at the moment");
          sendText(response, figures, { type: metrics.registry.contentType });
        },
      },
    },
  ];
  return { routes: routes.map((route) => ({ ...route, isOperation: true })) };
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
