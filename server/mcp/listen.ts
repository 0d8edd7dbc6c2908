/** `subscriptions/listen`: a stream of notices when the tools of an account, or rows of a table, have changed. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { InMemoryServerEventBus, McpHandlerRequestOptions, McpHttpHandler } from "@modelcontextprotocol/server";
import { GatewayError, toGatewayError } from "../ground/errors.ts";
import type { Database, Identity } from "../kernel/database/database.ts";
import { accountKeyOf } from "../kernel/identity/identity.ts";
import type { Admitted } from "./admission.ts";
import type { Agent } from "./agent.ts";
import { tablesOf } from "./catalogue.ts";
import type { Who } from "./presence.ts";
import { tableOfUri } from "./resources.ts";
import { toolsOf } from "./tools/all.ts";

/** Streams of one process, and of one account in it. */
const MOST = 2000;
const MOST_OF_ACCOUNT = 1000;
/** Resources of one stream. */
const MOST_RESOURCES = 100;
/** For a resource that changes all the time, at most one notice in this time, and only after the client took the last one. */
const COALESCE_MS = 200;
/** Accounts whose lists are read at once. */
const AT_ONCE = 4;

interface Listener {
  readonly agent: Agent;
  readonly notices: Notices;
  /** The digest of the account's lists at the last notice. */
  seen: string;
  /** Throws where the token is no longer valid. */
  readonly confirm: () => Promise<Identity>;
  end(): Promise<void>;
}

export interface Opening {
  readonly admitted: Admitted;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly asked: Request;
  readonly given: McpHandlerRequestOptions;
}

export interface ListenersOptions {
  /** A handler for one stream. It sends what arrives on its bus. */
  newHandler(): Promise<{ readonly handler: McpHttpHandler; readonly bus: InMemoryServerEventBus }>;
  /** Throws `UNAUTHENTICATED` where the token of a request is no longer valid. */
  confirm(request: IncomingMessage, database: Database): Promise<Identity>;
}

export class Listeners {
  readonly #options: ListenersOptions;
  readonly #open = new Set<Listener>();
  /** The lists that are being read for new streams, by account. */
  readonly #reading = new Map<string, Promise<string>>();
  /** Databases whose streams are being notified; true: notify again afterwards. */
  #isEnding = false;
  readonly #telling = new Map<Database, boolean>();

  constructor(options: ListenersOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#open.size;
  }

  countOf(database: string): number {
    return [...this.#open].filter(({ agent }) => agent.database.name === database).length;
  }

  /** The agents with open streams. */
  whoIn(database: string): readonly Who[] {
    return [...this.#open].flatMap(({ agent }) => (agent.database.name === database ? [agent.who] : []));
  }

  /** Throws `LIMIT_EXCEEDED`, `CLIENT_GONE`, and what following a table throws. */
  async open(agent: Agent, { admitted, request, response, asked, given }: Opening): Promise<Response> {
    const { signal } = agent.caller;
    this.#refuse(agent);
    const { handler, bus } = await this.#options.newHandler();
    const seen = await this.#listsOf(agent);
    this.#refuse(agent); // others may have been opened meanwhile
    if (signal.aborted) throw new GatewayError("CLIENT_GONE");
    const notices = new Notices(handler, bus, () => response.writableNeedDrain);
    const closers = [() => notices.close()];
    const listener: Listener = {
      agent,
      notices,
      seen,
      confirm: () => this.#options.confirm(request, agent.database),
      end: async () => {
        this.#open.delete(listener);
        for (const close of closers.splice(0)) close();
        await handler.close();
      },
    };
    this.#open.add(listener);
    const atEnd = (close: () => void): void => void (this.#open.has(listener) ? closers.push(close) : close());
    const end = (): void => void listener.end();
    signal.addEventListener("abort", end, { once: true });
    request.socket.once("close", end);
    atEnd(() => request.socket.off("close", end));
    if (admitted.expiresAtMs !== undefined) {
      const timer = setTimeout(end, Math.min(admitted.expiresAtMs - Date.now(), LONGEST_TIMER_MS));
      atEnd(() => clearTimeout(timer));
    }
    try {
      for (const uri of urisIn(given.parsedBody)) atEnd(await follow(agent, uri, notices));
      if (!this.#open.has(listener)) throw new GatewayError("CLIENT_GONE");
      return await handler.fetch(asked, given);
    } catch (error) {
      await listener.end();
      throw error;
    }
  }

  #refuse({ database, caller: { identity } }: Agent): void {
    if (this.#isEnding) throw new GatewayError("UNAVAILABLE");
    const own = [...this.#open].filter(
      ({ agent }) => agent.database === database && agent.caller.identity.name === identity.name,
    );
    if (this.#open.size >= MOST || own.length >= MOST_OF_ACCOUNT)
      throw new GatewayError("LIMIT_EXCEEDED", "There are too many streams: end some of them");
  }

  /** Called when the catalogue, an account or a right has changed. Changes in quick succession make one notice. */
  async changed(database: Database): Promise<void> {
    if (this.#telling.has(database)) {
      this.#telling.set(database, true);
      return;
    }
    try {
      do {
        this.#telling.set(database, false);
        await this.#tellAll(database);
      } while (this.#telling.get(database));
    } finally {
      this.#telling.delete(database);
    }
  }

  /** The lists are read once for each account, however many streams it has. */
  async #tellAll(database: Database): Promise<void> {
    const lists = new Map<string, Promise<string>>();
    const waiting = [...this.#open].filter(({ agent }) => agent.database === database).values();
    const work = async (): Promise<void> => {
      for (const listener of waiting) await this.#tell(listener, lists);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  async #tell(listener: Listener, lists: Map<string, Promise<string>>): Promise<void> {
    try {
      const identity = await listener.confirm();
      const { agent } = listener;
      const key = accountKeyOf(identity);
      const known = lists.get(key);
      const reading = known ?? listsOf({ ...agent, caller: { ...agent.caller, identity } });
      if (!known) lists.set(key, reading);
      const now = await reading;
      if (now === listener.seen) return;
      listener.seen = now;
      listener.notices.add("lists");
    } catch (error) {
      const { code } = toGatewayError(error);
      if (code === "UNAUTHENTICATED" || code === "NOT_FOUND") await listener.end();
    }
  }

  async #listsOf(agent: Agent): Promise<string> {
    const key = JSON.stringify([agent.database.name, accountKeyOf(agent.caller.identity)]);
    let reading = this.#reading.get(key);
    if (!reading) {
      reading = listsOf(agent).finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  /** Ends the streams of a database; without one, all, and no more are opened. */
  async end(database?: Database): Promise<void> {
    this.#isEnding ||= database === undefined;
    const all = [...this.#open].filter(({ agent }) => !database || agent.database === database);
    await Promise.all(all.map((one) => one.end()));
  }
}

/** Timers are 32 bits. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Notices that one stream has not sent yet. Each resource is listed once, so a slow client costs no memory. */
class Notices {
  readonly #handler: McpHttpHandler;
  readonly #bus: InMemoryServerEventBus;
  /** Whether the client has not yet taken the sent messages. */
  readonly #isBehind: () => boolean;
  readonly #due = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(handler: McpHttpHandler, bus: InMemoryServerEventBus, isBehind: () => boolean) {
    this.#handler = handler;
    this.#bus = bus;
    this.#isBehind = isBehind;
  }

  /** `what`: the address of a resource, or "lists". */
  add(what: string): void {
    this.#due.add(what);
    this.#timer ??= setTimeout(() => this.#send(), COALESCE_MS);
  }

  #send(): void {
    if (this.#isBehind()) {
      this.#timer = setTimeout(() => this.#send(), COALESCE_MS);
      return;
    }
    this.#timer = undefined;
    for (const what of this.#due) {
      if (what !== "lists") this.#bus.publish({ kind: "resource_updated", uri: what });
      else {
        this.#handler.notify.toolsChanged();
        this.#handler.notify.resourcesChanged();
      }
    }
    this.#due.clear();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#due.clear();
  }
}

/** A digest of an account's lists. A stream keeps it as long as it lives. */
async function listsOf(agent: Agent): Promise<string> {
  const tables = await tablesOf(agent, true);
  const tools = await toolsOf(agent);
  const text = JSON.stringify([
    tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]),
    tables.map(({ schema, name, rights, description }) => [schema, name, rights, description]),
  ]);
  return createHash("sha256").update(text).digest("base64");
}

/** Throws `LIMIT_EXCEEDED`. */
function urisIn(body: unknown): readonly string[] {
  const { params } = (body ?? {}) as {
    params?: { notifications?: { resourceSubscriptions?: unknown } };
  };
  const uris: unknown = params?.notifications?.resourceSubscriptions;
  const texts = Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
  if (texts.length > MOST_RESOURCES)
    throw new GatewayError("LIMIT_EXCEEDED", `A stream follows at most ${MOST_RESOURCES} resources`);
  return [...new Set(texts)];
}

/** Follows the rows of a table that the account sees. Throws the errors of following. */
async function follow(agent: Agent, uri: string, notices: Notices): Promise<() => void> {
  const table = tableOfUri(agent, uri);
  if (!table) throw new GatewayError("BAD_USER_INPUT", `resourceSubscriptions: ${uri} is not a resource of this door`);
  const tell = (): void => notices.add(uri);
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
  return () => void subscription.close();
}
