/** `subscriptions/listen`: a stream that tells when the tools of an account, or rows of a table, have changed. */
import type { IncomingMessage } from "node:http";
import type { InMemoryServerEventBus, McpHandlerRequestOptions, McpHttpHandler } from "@modelcontextprotocol/server";
import { GatewayError, toGatewayError } from "../ground/errors.ts";
import type { Database } from "../kernel/database/database.ts";
import type { Admitted } from "./admission.ts";
import type { Agent } from "./agent.ts";
import { tablesOf } from "./catalogue.ts";
import { tableOfUri } from "./resources.ts";
import { toolsOf } from "./tools/all.ts";

/** Streams of one process, and of one account in it. */
const MOST = 2000;
const MOST_OF_ACCOUNT = 1000;
/** Resources of one stream. */
const MOST_RESOURCES = 100;
/** A resource that changes all the time is told so often. */
const COALESCE_MS = 200;

interface Listener {
  readonly agent: Agent;
  readonly handler: McpHttpHandler;
  /** What the account's lists were when they were told last. */
  seen: string;
  /** Throws where the token is good no longer. */
  readonly confirm: () => Promise<unknown>;
  end(): Promise<void>;
}

export interface Opening {
  readonly admitted: Admitted;
  readonly request: IncomingMessage;
  readonly asked: Request;
  readonly given: McpHandlerRequestOptions;
}

export interface ListenersOptions {
  /** A handler of its own for a stream, which publishes what is told to it. */
  newHandler(): Promise<{ readonly handler: McpHttpHandler; readonly bus: InMemoryServerEventBus }>;
  /** Throws `UNAUTHENTICATED` where the token of a request is good no longer. */
  confirm(request: IncomingMessage, database: Database): Promise<unknown>;
}

export class Listeners {
  readonly #options: ListenersOptions;
  readonly #open = new Set<Listener>();

  constructor(options: ListenersOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#open.size;
  }

  countOf(database: string): number {
    return [...this.#open].filter(({ agent }) => agent.database.name === database).length;
  }

  /** Throws `LIMIT_EXCEEDED`, and what following a table throws. */
  async open(agent: Agent, { admitted, request, asked, given }: Opening): Promise<Response> {
    const { identity, signal } = agent.caller;
    const own = [...this.#open].filter((one) => one.agent.caller.identity.name === identity.name);
    if (this.#open.size >= MOST || own.length >= MOST_OF_ACCOUNT)
      throw new GatewayError("LIMIT_EXCEEDED", "There are too many streams: end some of them");
    const { handler, bus } = await this.#options.newHandler();
    const closers: (() => void)[] = [];
    const listener: Listener = {
      agent,
      handler,
      seen: await listsOf(agent),
      confirm: () => this.#options.confirm(request, agent.database),
      end: async () => {
        this.#open.delete(listener);
        for (const close of closers.splice(0)) close();
        await handler.close();
      },
    };
    this.#open.add(listener);
    const end = (): void => void listener.end();
    signal.addEventListener("abort", end, { once: true });
    request.socket.once("close", end);
    closers.push(() => request.socket.off("close", end));
    if (admitted.expiresAtMs !== undefined) {
      const timer = setTimeout(end, Math.min(admitted.expiresAtMs - Date.now(), LONGEST_TIMER_MS));
      closers.push(() => clearTimeout(timer));
    }
    try {
      for (const uri of urisIn(given.parsedBody)) closers.push(await follow(agent, uri, bus));
      return await handler.fetch(asked, given);
    } catch (error) {
      await listener.end();
      throw error;
    }
  }

  /** The catalogue, an account or a right of the database has changed. */
  async changed(database: Database): Promise<void> {
    const all = [...this.#open].filter(({ agent }) => agent.database === database);
    await Promise.all(all.map((one) => this.#tell(one)));
  }

  async #tell(listener: Listener): Promise<void> {
    try {
      await listener.confirm();
      const now = await listsOf(listener.agent);
      if (now === listener.seen) return;
      listener.seen = now;
      listener.handler.notify.toolsChanged();
      listener.handler.notify.resourcesChanged();
    } catch (error) {
      const { code } = toGatewayError(error);
      if (code === "UNAUTHENTICATED" || code === "NOT_FOUND") await listener.end();
    }
  }

  /** Ends the streams of a database; without one, all. */
  async end(database?: Database): Promise<void> {
    const all = [...this.#open].filter(({ agent }) => !database || agent.database === database);
    await Promise.all(all.map((one) => one.end()));
  }
}

/** Timers are 32 bits. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** What an account's lists are made of, as one text. */
async function listsOf(agent: Agent): Promise<string> {
  const tables = await tablesOf(agent, true);
  const tools = await toolsOf(agent);
  return JSON.stringify([
    tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]),
    tables.map(({ schema, name, rights, description }) => [schema, name, rights, description]),
  ]);
}

/** Throws `LIMIT_EXCEEDED`. */
function urisIn(body: unknown): readonly string[] {
  const { params } = (body ?? {}) as { params?: { notifications?: { resourceSubscriptions?: unknown } } };
  const uris: unknown = params?.notifications?.resourceSubscriptions;
  const texts = Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
  if (texts.length > MOST_RESOURCES)
    throw new GatewayError("LIMIT_EXCEEDED", `A stream follows at most ${MOST_RESOURCES} resources`);
  return [...new Set(texts)];
}

/** Follows the rows of a table that the account sees. Throws what following throws. */
async function follow(agent: Agent, uri: string, bus: InMemoryServerEventBus): Promise<() => void> {
  const table = tableOfUri(agent, uri);
  if (!table) throw new GatewayError("BAD_USER_INPUT", `resourceSubscriptions: ${uri} is no resource of this door`);
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      bus.publish({ kind: "resource_updated", uri });
    }, COALESCE_MS);
  };
  const subscription = await agent.doors.eventsOf(agent.database).subscribe({
    identity: agent.caller.identity,
    address: agent.caller.address,
    schema: table.schema,
    relation: table.name,
    columns: [],
    deliver: tell,
    gap: tell,
    end: tell,
  });
  return () => {
    clearTimeout(timer);
    void subscription.close();
  };
}
