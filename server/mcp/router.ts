/** `POST /mcp/{database}`: Streamable HTTP of the Model Context Protocol, without sessions. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { Database } from "../kernel/database/database.ts";
import { GatewayError } from "../ground/errors.ts";
import { setHeaders, whileConnected, write } from "../kernel/http/answer.ts";
import { readText } from "../kernel/http/body.ts";
import type { Route } from "../kernel/http/routes.ts";
import type { Kernel } from "../kernel.ts";
import { admit, scopeChallenge, type Admitted, type Sources } from "./admission.ts";
import type { Agent, OtherDoors } from "./agent.ts";
import { WRITE_SCOPE } from "./calls.ts";
import type { Listeners } from "./listen.ts";
import { withAgent } from "./protocol.ts";
import { TOOLS } from "./tools/all.ts";

export interface RouterOptions {
  readonly kernel: Kernel;
  readonly doors: OtherDoors;
  readonly sources: Sources;
  readonly handler: () => Promise<McpHttpHandler>;
  readonly listeners: Listeners;
}

const PATH = "/mcp/{database}";
/** Messages of a batch, of revisions that have batches. */
const MOST_MESSAGES = 50;
/** `/mcp` names so many addresses. */
const MOST_NAMED = 20;
/** The log of requests names at most so many characters. */
const LONGEST_OPERATION = 300;

export function mcpRoutes(options: RouterOptions): readonly Route[] {
  const { kernel } = options;
  const { maxBodyBytes } = kernel.config;
  const refuse = (): never => {
    const { names } = kernel.directory;
    const addresses = names.slice(0, MOST_NAMED).map((name) => `/mcp/${encodeURIComponent(name)}`);
    const more = names.length > addresses.length ? " and more" : "";
    throw new GatewayError(
      "NOT_FOUND",
      `The agents' door has an address for each database: ${addresses.join(", ")}${more}`,
    );
  };
  return [
    { path: "/mcp", summary: "Names the addresses of the agents' door", handlers: { GET: refuse, POST: refuse } },
    {
      path: PATH,
      summary: "Model Context Protocol for agents",
      maxBodyBytes,
      handlers: {
        POST: (request, response, { database: name = "" }) => answer(options, { request, response }, name),
      },
    },
  ];
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function answer(options: RouterOptions, exchange: Exchange, name: string): Promise<void> {
  const { kernel, sources } = options;
  const { request, response } = exchange;
  setHeaders(response, { "Cache-Control": "no-store" });
  sources.check(request);
  const database = await kernel.directory.find(name);
  if (!database) throw new GatewayError("NOT_FOUND", `There is no database ${name}`);
  const admitted = await admit(kernel, request, database);
  const text = await readText(request, kernel.config.maxBodyBytes);
  const messages = messagesIn(text);
  request.operation = operationOf(messages);
  if (messages.length > MOST_MESSAGES)
    throw new GatewayError("LIMIT_EXCEEDED", `A batch has at most ${MOST_MESSAGES} messages`);
  if (messages.length > 1) await kernel.countMore(request, admitted.identity, messages.length - 1);
  refuseWithoutScope(options, database, admitted, messages);
  const agent = agentOf(options, exchange, { database, admitted });
  const asked = toWebRequest(kernel.baseUrl, exchange, { text, signal: agent.caller.signal });
  const parsed = jsonOf(text);
  const given = {
    authInfo: withAgent(agent, clientOf(admitted), []),
    ...(parsed !== undefined && { parsedBody: parsed }),
  };
  const isListen = messages.some(({ method }) => method === "subscriptions/listen");
  const answered = isListen
    ? await options.listeners.open(agent, { admitted, request, asked, given })
    : await (await options.handler()).fetch(asked, given);
  await send(response, answered);
}

interface Message {
  readonly method?: unknown;
  readonly params?: unknown;
}

/** What cannot be read has no messages: the package says so. */
function messagesIn(text: string): readonly Message[] {
  const json = jsonOf(text);
  const all: readonly unknown[] = Array.isArray(json) ? json : [json];
  return all.filter((one): one is Message => typeof one === "object" && one !== null);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function operationOf(messages: readonly Message[]): string {
  const texts = messages.map(({ method, params }) => {
    const { name, uri, arguments: given } = (params ?? {}) as { name?: unknown; uri?: unknown; arguments?: unknown };
    const { table, tables } = (given ?? {}) as { table?: unknown; tables?: unknown };
    return [method, name ?? uri, table ?? tables].filter((part) => part !== undefined).join(" ");
  });
  return texts.join("; ").slice(0, LONGEST_OPERATION);
}

/** RFC 6750 §3.1, for tools that write; whether a method does is known where it is called. */
function refuseWithoutScope(
  { kernel: { baseUrl } }: RouterOptions,
  { name: database }: Database,
  { mayWrite }: Admitted,
  messages: readonly Message[],
): void {
  if (mayWrite) return;
  for (const { method, params } of messages) {
    const { name } = (params ?? {}) as { name?: unknown };
    const tool = method === "tools/call" ? TOOLS.find((one) => one.name === name) : undefined;
    if (!tool?.writes) continue;
    throw new GatewayError("FORBIDDEN", `${tool.name} needs a token with the scope ${WRITE_SCOPE}`, {
      headers: { "WWW-Authenticate": scopeChallenge(baseUrl, database) },
      members: { error: "insufficient_scope", scope: WRITE_SCOPE },
    });
  }
}

function agentOf(
  { kernel, doors }: RouterOptions,
  { request, response }: Exchange,
  { database, admitted }: { readonly database: Database; readonly admitted: Admitted },
): Agent {
  const { address, requestId, point } = request;
  return {
    doors,
    config: kernel.config,
    log: kernel.log,
    database,
    schemas: kernel.schemasOf(database.name),
    caller: {
      identity: admitted.identity,
      service: "mcp",
      address,
      requestId,
      point,
      signal: whileConnected(response),
    },
    mayWrite: admitted.mayWrite,
    lookFor: (relation) => kernel.lookFor(database, relation),
  };
}

function clientOf({ identity }: Admitted): string {
  const client = identity.claims["client_id"];
  return typeof client === "string" ? client : "";
}

function toWebRequest(
  baseUrl: string,
  { request }: Exchange,
  { text, signal }: { readonly text: string; readonly signal: AbortSignal },
): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (name !== "authorization" && name !== "cookie" && value !== undefined) headers.set(name, String(value));
  return new Request(new URL(request.url ?? "", `${baseUrl}/`), { method: "POST", headers, body: text, signal });
}

async function send(response: ServerResponse, answered: Response): Promise<void> {
  if (response.destroyed) {
    await answered.body?.cancel();
    return;
  }
  response.statusCode = answered.status === GONE ? 200 : answered.status;
  for (const [name, value] of answered.headers) if (!CONNECTION.has(name)) response.setHeader(name, value);
  response.setHeader("Cache-Control", "no-store");
  if (!answered.body) {
    response.end();
    return;
  }
  response.flushHeaders();
  const reader = answered.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      await write(response, [value]);
    }
    response.end();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Nginx' status for a client that has left, which nobody is told. */
const GONE = 499;
/** Headers of the connection, which are Node's. */
const CONNECTION: ReadonlySet<string> = new Set(["connection", "transfer-encoding", "keep-alive"]);
