/** `/api/v4/methods`, `/call`, `/call/dry`, `/interfaces` and `/sql`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Database, Identity } from "../kernel/database/database.ts";
import { IGNORED_OF_SQL, notesOnIgnored } from "../kernel/http/ignoredMembers.ts";
import { GatewayError, toJsonRpcError } from "../kernel/errors.ts";
import {
  asksFor,
  PLAIN_TYPE,
  sendNothing,
  sendText,
  setHeaders,
  whileConnected,
  write,
} from "../kernel/http/answer.ts";
import { checkContentType, readText } from "../kernel/http/body.ts";
import type { Handler, Route } from "../kernel/http/routes.ts";
import { parserIsReady } from "./statement.ts";
import { methodCollection } from "./collection.ts";
import { errorText, parseMessage } from "./envelope.ts";
import type { CallContext } from "./method.ts";
import type { Methods } from "./methods.ts";
import type { Stream } from "./stream.ts";

export interface MethodsDoorOptions {
  readonly methods: Methods;
  /** Address of the service as clients see it. */
  readonly baseUrl: string;
  /** Who asks. Throws `UNAUTHENTICATED`. */
  identify(request: IncomingMessage): Promise<Identity>;
  databaseOf(identity: Identity): Database;
}

const ROOT = "/api/v4";
const MAX_BODY_BYTES = 10_000_000;
const MEDIA_TYPES = ["application/json", "application/json-rpc", "application/jsonrequest"];
const NO_STORE = { "Cache-Control": "no-store" };

/** Answers a body that is text, which is read only for who may ask. */
type AnswerText = (
  context: CallContext,
  text: string,
  response: ServerResponse,
  request: IncomingMessage,
) => Promise<void>;

export function methodRoutes(options: MethodsDoorOptions): readonly Route[] {
  const { methods } = options;

  async function contextOf(request: IncomingMessage, response: ServerResponse): Promise<CallContext> {
    const identity = await options.identify(request);
    const { address, requestId } = request;
    return { identity, address, requestId, signal: whileConnected(response) };
  }

  const post = (path: string, summary: string, answer: AnswerText): Route => ({
    path: ROOT + path,
    summary,
    maxBodyBytes: MAX_BODY_BYTES,
    handlers: {
      async POST(request, response) {
        setHeaders(response, NO_STORE);
        const context = await contextOf(request, response);
        await answer(context, await readBody(request), response, request);
      },
    },
  });

  return [
    post("/call", "Call stored methods by JSON-RPC 2.0", async (context, text, response, request) => {
      const message = readJson(text);
      if ("error" in message) return sendText(response, message.error);
      const stream = await methods.stream(context, message.json, (mediaType) => asksFor(request, mediaType));
      if (stream) return sendStream(response, stream);
      const { text: answer, etag } = await methods.answer(context, message.json);
      if (etag !== undefined) {
        setHeaders(response, { ETag: etag, "Cache-Control": "private, no-cache" });
        const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
        if (known?.includes(etag)) return sendNothing(response, 304);
      }
      if (answer === undefined) sendNothing(response);
      else sendText(response, answer);
    }),
    post("/call/dry", "Call a stored method, infer its types, and undo it", async (context, text, response) => {
      const message = readJson(text);
      sendText(response, "error" in message ? message.error : await methods.dryText(context, message.json));
    }),
    post("/sql", "Run SQL without storing it", async (context, text, response, request) => {
      const json = mustBeJson(text);
      const stream = await methods.sqlStream(context, json, (mediaType) => asksFor(request, mediaType));
      if (stream) return sendStream(response, stream);
      sendText(response, await methods.sqlText(context, json));
    }),
    {
      path: `${ROOT}/interfaces`,
      summary: "TypeScript interfaces of the stored methods",
      handlers: {
        async GET(request, response) {
          const text = await methods.interfaces(await contextOf(request, response));
          sendText(response, text, { type: PLAIN_TYPE, headers: NO_STORE });
        },
      },
    },
    ...definitionRoutes(options, contextOf),
  ];
}

/** `/methods` and `/methods/{names}`. */
function definitionRoutes(
  options: MethodsDoorOptions,
  contextOf: (request: IncomingMessage, response: ServerResponse) => Promise<CallContext>,
): readonly Route[] {
  const collection = methodCollection(options);
  const prefix = new URL(options.baseUrl).pathname.replace(/\/$/, "") + ROOT;
  const link = (names: readonly string[]): string => `${prefix}/methods/${names.map(encodeURIComponent).join(",")}`;
  function sendLinks(response: ServerResponse, status: 201 | 303, names: readonly string[], body: unknown): void {
    const notesOf = (n: number): object =>
      notesOnIgnored((Array.isArray(body) ? body[n] : body) as object, IGNORED_OF_SQL);
    const links = names.map((name, n) => ({ _links: { self: link([name]) }, ...notesOf(n) }));
    sendText(response, JSON.stringify(links), { status, headers: { Location: link(names) } });
  }
  const handle =
    (
      answer: (caller: CallContext, response: ServerResponse, names: string, request: IncomingMessage) => Promise<void>,
    ): Handler =>
    async (request, response, { names = "" }) => {
      setHeaders(response, NO_STORE);
      const caller = await contextOf(request, response);
      await parserIsReady;
      await answer(caller, response, names, request);
    };
  return [
    {
      path: `${ROOT}/methods`,
      summary: "The stored methods",
      maxBodyBytes: MAX_BODY_BYTES,
      handlers: {
        GET: handle(async (caller, response) =>
          sendText(response, JSON.stringify(await collection.read(caller, undefined))),
        ),
        POST: handle(async (caller, response, _names, request) => {
          const body = mustBeJson(await readBody(request));
          sendLinks(response, 201, await collection.add(caller, body), body);
        }),
      },
    },
    {
      path: `${ROOT}/methods/{names}`,
      summary: "Stored methods by name",
      maxBodyBytes: MAX_BODY_BYTES,
      handlers: {
        GET: handle(async (caller, response, names) =>
          sendText(response, JSON.stringify(await collection.read(caller, names))),
        ),
        PATCH: handle(async (caller, response, names, request) => {
          const body = mustBeJson(await readBody(request));
          sendLinks(response, 303, await collection.update(caller, names, body), body);
        }),
        DELETE: handle(async (caller, response, names) => {
          await collection.remove(caller, names);
          sendNothing(response);
        }),
      },
    },
  ];
}

/** Throws `UNSUPPORTED_MEDIA_TYPE` and `TOO_LARGE`. */
function readBody(request: IncomingMessage): Promise<string> {
  checkContentType(request, MEDIA_TYPES);
  return readText(request, MAX_BODY_BYTES);
}

/** Throws `BAD_USER_INPUT`. */
function mustBeJson(text: string): unknown {
  const message = readJson(text);
  if ("error" in message) throw new GatewayError("BAD_USER_INPUT", "The request body is not valid JSON");
  return message.json;
}

function readJson(text: string): { readonly json: unknown } | { readonly error: string } {
  try {
    return { json: parseMessage(text) };
  } catch (error) {
    return { error: errorText(null, toJsonRpcError(error as GatewayError)) };
  }
}

/** Sends the rows as they come; the statement waits for a client that reads slowly. */
async function sendStream(response: ServerResponse, { mediaType, send, errorText: toText }: Stream): Promise<void> {
  try {
    await send(async (chunk) => {
      if (!response.headersSent) response.setHeader("Content-Type", mediaType);
      await write(response, [chunk]);
    });
    if (!response.headersSent) response.setHeader("Content-Type", mediaType);
    response.end();
  } catch (error) {
    if (response.headersSent)
      response.destroy(); // half a document must not look whole
    else if (toText) sendText(response, toText(error));
    else throw error;
  }
}
