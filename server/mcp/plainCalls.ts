/**
 * Calls of tools in the usual form of clients of the newest revision, read and answered here. The package checks each
 * message several times and copies each answer, which takes longer than reading 50 rows. It handles all other messages.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { classifyInboundRequest } from "@modelcontextprotocol/server";
import { LRUCache } from "lru-cache";
import type { CallResult } from "./calls.ts";

/** A `tools/call` without unusual members. */
export interface PlainCall {
  readonly id: string | number;
  readonly name: string;
  readonly given: unknown;
}

const REVISION = "2026-07-28";
const MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
/** Of `_meta`: the package handles progress, logging and traces. */
const META: ReadonlySet<string> = new Set(
  ["protocolVersion", "clientInfo", "clientCapabilities"].map((name) => `io.modelcontextprotocol/${name}`),
);
/** A client describes itself in the same way in each of its requests. */
const MOST_CLIENTS = 1000;
const LONGEST_META = 4000;

/** Finds plain calls. */
export class PlainCalls {
  readonly #classify: typeof classifyInboundRequest;
  /** The `_meta` of requests that the package has accepted as requests of the newest revision. */
  readonly #clients = new LRUCache<string, true>({ max: MOST_CLIENTS });

  constructor(classify: typeof classifyInboundRequest) {
    this.#classify = classify;
  }

  /** Undefined for a message that the package must read or refuse. */
  find(headers: IncomingHttpHeaders, body: unknown): PlainCall | undefined {
    const mediaType = headers["content-type"];
    const isOfRevision =
      (mediaType === "application/json" || mediaType?.startsWith("application/json;")) &&
      headers["mcp-protocol-version"] === REVISION &&
      headers["mcp-method"] === "tools/call";
    if (!isOfRevision || !isObjectOf(body, MEMBERS)) return undefined;
    const { jsonrpc, id, method, params } = body;
    if (jsonrpc !== "2.0" || method !== "tools/call" || !isId(id) || !isObjectOf(params, PARAMS)) return undefined;
    const { name, arguments: given, _meta: meta } = params;
    const isCall = typeof name === "string" && headers["mcp-name"] === name && (given === undefined || isObject(given));
    return isCall && isObjectOf(meta, META) && this.#isClient(meta, body) ? { id, name, given } : undefined;
  }

  #isClient(meta: object, body: object): boolean {
    const text = JSON.stringify(meta);
    if (text.length > LONGEST_META) return false;
    if (this.#clients.has(text)) return true;
    const { kind } = this.#classify({
      httpMethod: "POST",
      protocolVersionHeader: REVISION,
      mcpMethodHeader: "tools/call",
      body,
    });
    if (kind !== "modern") return false;
    this.#clients.set(text, true);
    return true;
  }
}

/** The response to a call, as the package writes it. */
export function answerText({ id }: PlainCall, { content, isError }: CallResult, serverInfo: object): string {
  // the text of a result is the JSON of its structured content
  const [first] = content;
  const result = isError || first?.type !== "text" ? `"isError":true` : `"structuredContent":${first.text}`;
  const meta = `"_meta":${JSON.stringify({ "io.modelcontextprotocol/serverInfo": serverInfo })}`;
  return `{"result":{"content":${JSON.stringify(content)},${result},"resultType":"complete",${meta}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isObjectOf(value: unknown, members: ReadonlySet<string>): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  for (const name of Object.keys(value)) if (!members.has(name)) return false;
  return true;
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}
