/** `POST /mcp/{database}`: Streamable HTTP of the Model Context Protocol, without sessions. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import { callerOf, type Database } from "../kernel/database/database.ts";
import { GatewayError } from "../ground/errors.ts";
import { setHeaders, whileConnected, write } from "../kernel/http/answer.ts";
import { readText } from "../kernel/http/body.ts";
import type { Route } from "../kernel/http/routes.ts";
import type { Kernel } from "../kernel.ts";
import { admit, scopeChallenge, type Admitted, type Sources } from "./admission.ts";
import type { Agent, OtherDoors } from "./agent.ts";
import { callTool, remember, WRITE_SCOPE, type CallCounter } from "./calls.ts";
import type { Listeners } from "./listen.ts";
import { answerText, type PlainCalls } from "./plainCalls.ts";
import { whoOf, type Presence } from "./presence.ts";
import { serverInfoOf, withAgent } from "./protocol.ts";
import type { Turns } from "./turns.ts";
import { TOOLS } from "./tools/all.ts";

export interface RouterOptions {
  readonly kernel: Kernel;
  readonly doors: OtherDoors;
  readonly sources: Sources;
  readonly handler: () => Promise<McpHttpHandler>;
  readonly plainCalls: () => Promise<PlainCalls>;
  readonly calls: CallCounter;
  readonly listeners: Listeners;
  readonly presence: Presence;
  readonly turns: Turns;
}

const MCP_PATH = "/mcp/{database}";
/** Messages of a batch, of revisions that have batches. */
const MOST_MESSAGES = 50;
/** Addresses that `/mcp` names. */
const MOST_NAMED = 20;
/** Characters of an operation's name in the log of requests. */
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
    {
      path: "/mcp",
      summary: "Names the addresses of the agents' door",
      handlers: { GET: refuse, POST: refuse },
    },
    {
      path: MCP_PATH,
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
  const parsed = jsonOf(text);
  const messages = messagesIn(parsed);
  request.operation = operationOf(messages);
  if (messages.length > MOST_MESSAGES)
    throw new GatewayError("LIMIT_EXCEEDED", `A batch has at most ${MOST_MESSAGES} messages`);
  if (messages.length > 1) await kernel.countMore(request, admitted.identity, messages.length - 1);
  const agent = agentOf(options, exchange, { database, admitted, software: softwareIn(messages) });
  request.session = agent.who.id;
  options.presence.note(database.name, agent.who);
  await refuseWithoutScope(options, agent, messages);
  if (await answeredPlainly(options, exchange, agent, parsed)) return;
  // the package reads a body itself unless it gets a parsed one
  const body = parsed === undefined ? text : undefined;
  const asked = toWebRequest(kernel.baseUrl, exchange, { body, signal: agent.caller.signal });
  const given = {
    authInfo: withAgent(agent, clientOf(admitted), []),
    ...(parsed !== undefined && { parsedBody: parsed }),
  };
  const isListen = messages.some(({ method }) => method === "subscriptions/listen");
  const answered = isListen
    ? await options.listeners.open(agent, { admitted, request, response, asked, given })
    : await (await options.handler()).fetch(asked, given);
  await send(response, answered);
}

/** Whether the body was a plain call, and was answered. The package reports unknown tools. */
async function answeredPlainly(
  { plainCalls, calls }: RouterOptions,
  { request, response }: Exchange,
  agent: Agent,
  body: unknown,
): Promise<boolean> {
  const call = (await plainCalls()).find(request.headers, body);
  const result = call && (await callTool(agent, calls, call));
  if (!result) return false;
  if (response.destroyed) return true;
  setHeaders(response, { "Content-Type": "application/json" });
  response.end(answerText(call, result, serverInfoOf(agent)));
  return true;
}

interface Message {
  readonly method?: unknown;
  readonly params?: unknown;
}

/** A body that cannot be read has no messages; the package reports it. */
function messagesIn(json: unknown): readonly Message[] {
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
async function refuseWithoutScope(
  { kernel: { baseUrl } }: RouterOptions,
  agent: Agent,
  messages: readonly Message[],
): Promise<void> {
  if (agent.mayWrite) return;
  for (const { method, params } of messages) {
    const { name, arguments: given } = (params ?? {}) as { name?: unknown; arguments?: unknown };
    const tool = method === "tools/call" ? TOOLS.find((one) => one.name === name) : undefined;
    if (!tool?.writes) continue;
    const error = new GatewayError("FORBIDDEN", `${tool.name} needs a token with the scope ${WRITE_SCOPE}`, {
      headers: { "WWW-Authenticate": scopeChallenge(baseUrl, agent.database.name) },
      members: { error: "insufficient_scope", scope: WRITE_SCOPE },
    });
    agent.counted("refused");
    await remember(agent, error, { tool: tool.name, given });
    throw error;
  }
}

function agentOf(
  { kernel, doors, presence, turns }: RouterOptions,
  { request, response }: Exchange,
  {
    database,
    admitted,
    software,
  }: {
    readonly database: Database;
    readonly admitted: Admitted;
    readonly software: string | undefined;
  },
): Agent {
  const { address, requestId, point } = request;
  const { identity } = admitted;
  const who = whoOf(identity, { issuer: kernel.baseUrl, address, software });
  const signal = whileConnected(response);
  return {
    doors,
    config: kernel.config,
    log: kernel.log,
    database,
    schemas: kernel.schemasOf(database.name),
    caller: {
      identity,
      service: "mcp",
      address,
      requestId,
      point,
      signal,
    },
    mayWrite: admitted.mayWrite,
    who,
    inTurn: (work) => turns.with(`${database.name} ${callerOf(identity, { address })}`, signal, work),
    counted: (outcome) => presence.note(database.name, who, { calls: 1, refused: outcome === "refused" ? 1 : 0 }),
    lookFor: (relation) => kernel.lookFor(database, relation),
  };
}

/** The client's description of itself: in each request, or at the beginning in older revisions. */
function softwareIn(messages: readonly Message[]): string | undefined {
  for (const { params } of messages) {
    const { _meta: meta, clientInfo } = (params ?? {}) as {
      _meta?: Record<string, unknown>;
      clientInfo?: unknown;
    };
    const { name, version } = (meta?.["io.modelcontextprotocol/clientInfo"] ?? clientInfo ?? {}) as Record<
      string,
      unknown
    >;
    if (typeof name === "string") return typeof version === "string" ? `${name} ${version}` : name;
  }
  return undefined;
}

function clientOf({ identity }: Admitted): string {
  const client = identity.claims["client_id"];
  return typeof client === "string" ? client : "";
}

function toWebRequest(
  baseUrl: string,
  { request }: Exchange,
  { body, signal }: { readonly body: string | undefined; readonly signal: AbortSignal },
): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (name !== "authorization" && name !== "cookie" && value !== undefined) headers.set(name, String(value));
  return new Request(new URL(request.url ?? "", `${baseUrl}/`), {
    method: "POST",
    headers,
    signal,
    ...(body !== undefined && { body }),
  });
}

async function send(response: ServerResponse, answered: Response): Promise<void> {
  if (response.destroyed) {
    await answered.body?.cancel();
    return;
  }
  response.statusCode = answered.status === GONE ? 200 : answered.status;
  for (const [name, value] of answered.headers) if (!CONNECTION.has(name)) response.setHeader(name, value);
  response.setHeader("Cache-Control", "no-store");
  if (!answered.body || !answered.headers.get("content-type")?.startsWith("text/event-stream")) {
    // one write for the text and its headers
    response.end(await answered.text());
    return;
  }
  const reader = answered.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      await write(response, [value], STALLED_MS);
    }
    response.end();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Notices are small. A client that takes none for this long does not read, even though buffers are in between. */
const STALLED_MS = 10_000;
/** nginx's status for a client that has left. It is only logged. */
const GONE = 499;
/** Headers of the connection, which are Node's. */
const CONNECTION: ReadonlySet<string> = new Set(["connection", "transfer-encoding", "keep-alive"]);
