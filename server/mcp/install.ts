/** The agents' door. None of its code is loaded where it is off. */
import { Counter, Gauge } from "prom-client";
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { Door } from "../kernel/door.ts";
import type { Database } from "../kernel/database/database.ts";
import type { Kernel } from "../kernel.ts";
import { admitAgain, Sources } from "./admission.ts";
import type { OtherDoors } from "./agent.ts";
import { Listeners } from "./listen.ts";
import { PlainCalls } from "./plainCalls.ts";
import { Presence } from "./presence.ts";
import { createFactory } from "./protocol.ts";
import { mcpRoutes } from "./router.ts";
import { Turns } from "./turns.ts";

export function installMcp(kernel: Kernel, doors: OtherDoors): Door {
  const { config, baseUrl, log, metrics } = kernel;
  const calls = new Counter({
    name: "portolan_mcp_calls_total",
    help: "Calls of tools by agents: done, refused (the caller's fault or its rights), or failed",
    labelNames: ["tool", "outcome"],
    registers: [metrics.registry],
  });
  const onerror = (error: Error): void => log.debug({ err: error }, "agents' door");
  const load = async () => {
    const sdk = await import("@modelcontextprotocol/server");
    return { sdk, factory: createFactory(sdk, calls), plainCalls: new PlainCalls(sdk.classifyInboundRequest) };
  };
  let loading: ReturnType<typeof load> | undefined;
  const loaded = (): ReturnType<typeof load> => (loading ??= load());
  let made: Promise<McpHttpHandler> | undefined;
  const newHandler = async () => {
    const { sdk, factory } = await loaded();
    const bus = new sdk.InMemoryServerEventBus(onerror);
    return { bus, handler: sdk.createMcpHandler(factory, { bus, onerror, maxSubscriptions: 1 }) };
  };
  const handler = (): Promise<McpHttpHandler> => (made ??= newHandler().then((one) => one.handler));
  const listeners = new Listeners({
    newHandler,
    confirm: (request, database) => admitAgain(kernel, request, database),
  });
  const presence = new Presence();
  const turns = new Turns({
    calls: config.mcpCalls,
    accountShare: config.accountShare,
    others: () => metrics.besides("mcp"),
  });
  metrics.onAnswer((door, tookMs) => {
    if (door !== "mcp") turns.noteOther(tookMs);
  });
  new Gauge({
    name: "portolan_mcp_listeners",
    help: "Streams that notify agents of changes",
    registers: [metrics.registry],
    collect() {
      this.set(listeners.count);
    },
  });
  const tell = (database: Database): void => void listeners.changed(database);
  return {
    routes: mcpRoutes({
      kernel,
      doors,
      sources: new Sources(config, baseUrl),
      handler,
      plainCalls: async () => (await loaded()).plainCalls,
      calls,
      listeners,
      presence,
      turns,
    }),
    agents: (database) => presence.take(database, listeners.whoIn(database)),
    onCatalogue: tell,
    onAccounts: tell,
    subjects: { methods: tell },
    isInUse: (database) => listeners.countOf(database.name) > 0,
    rest: (database) => listeners.end(database),
    start: async () => void (await handler()),
    endStreams: () => listeners.end(),
    async close() {
      turns.close();
      await listeners.end();
      await (await made)?.close();
    },
  };
}
