/** `/api/v4/methods`, `/call`, `/call/dry`, `/interfaces` and `/sql`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Router, type Request, type Response } from "express";
import type { Database, Identity } from "../kernel/database/database.ts";
import { GatewayError, toJsonRpcError } from "../kernel/errors.ts";
import { whileConnected, type HotRoute } from "../kernel/http/http.ts";
import { readText } from "../kernel/http/requestBody.ts";
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

export interface MethodsDoor {
  readonly router: Router;
  /** Takes calls before Express. */
  readonly hotRoute: HotRoute;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const ROOT = "/api/v4";
const CALL = `${ROOT}/call`;
const MAX_BODY_BYTES = 10_000_000;
/** A client that takes nothing for so long keeps its connection to the database no longer. */
const STALLED_MS = 60_000;

export function createMethodsDoor(options: MethodsDoorOptions): MethodsDoor {
  const { methods } = options;
  const router = Router();

  /** A route whose body is text, read only for who may ask. */
  const post = (
    path: string,
    answer: (context: CallContext, text: string, response: ServerResponse, request: IncomingMessage) => Promise<void>,
  ): Answer => {
    const answerPost: Answer = async (request, response) => {
      response.setHeader("Cache-Control", "no-store");
      const identity = await options.identify(request);
      checkContentType(request);
      const text = await readText(request, MAX_BODY_BYTES);
      await answer(contextOf(identity, request, response), text, response, request);
    };
    router.all(ROOT + path, async (request, response) => {
      if (allow(request, response, ["POST"])) await answerPost(request, response);
    });
    return answerPost;
  };

  const answerCall = post("/call", async (context, text, response, request) => {
    const message = readJson(text);
    if ("error" in message) return sendText(response, message.error);
    const stream = await methods.stream(context, message.json, (mediaType) => accepts(request, mediaType));
    if (stream) return sendStream(response, stream);
    const { text: answer, etag } = await methods.answer(context, message.json);
    if (etag !== undefined) {
      response.setHeader("ETag", etag);
      response.setHeader("Cache-Control", "private, no-cache");
      const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
      if (known?.includes(etag)) {
        response.statusCode = 304;
        response.end();
        return;
      }
    }
    sendText(response, answer);
  });
  post("/sql", async (context, text, response, request) => {
    const message = readJson(text);
    if ("error" in message) throw new GatewayError("BAD_USER_INPUT", "The request body is not valid JSON");
    const stream = await methods.sqlStream(context, message.json, (mediaType) => accepts(request, mediaType));
    if (stream) return sendStream(response, stream);
    sendText(response, await methods.sqlText(context, message.json));
  });
  post("/call/dry", async (context, text, response) => {
    const message = readJson(text);
    sendText(response, "error" in message ? message.error : await methods.dryText(context, message.json));
  });
  router.all(`${ROOT}/interfaces`, async (request, response) => {
    if (!allow(request, response, ["GET"])) return;
    const identity = await options.identify(request);
    const text = await methods.interfaces(contextOf(identity, request, response));
    response.set("Cache-Control", "no-store").type("text/plain; charset=utf-8").send(text);
  });

  const collection = methodCollection(options);
  const prefix = new URL(options.baseUrl).pathname.replace(/\/$/, "") + ROOT;
  router.all([`${ROOT}/methods`, `${ROOT}/methods/:names`], async (request, response) => {
    const { names: segment } = request.params as { names?: string };
    if (!allow(request, response, segment === undefined ? ["GET", "POST"] : ["GET", "PATCH", "DELETE"])) return;
    response.set("Cache-Control", "no-store");
    const identity = await options.identify(request);
    await parserIsReady;
    const caller = contextOf(identity, request, response);
    const readBody = async (): Promise<unknown> => {
      checkContentType(request);
      const message = readJson(await readText(request, MAX_BODY_BYTES));
      if ("error" in message) throw new GatewayError("BAD_USER_INPUT", "The request body is not valid JSON");
      return message.json;
    };
    const link = (names: readonly string[]): string => `${prefix}/methods/${names.map(encodeURIComponent).join(",")}`;
    const sendLinks = (status: number, names: readonly string[]): void => {
      response.status(status).location(link(names)).type("json");
      response.send(JSON.stringify(names.map((name) => ({ _links: { self: link([name]) } }))));
    };
    switch (request.method) {
      case "POST":
        return sendLinks(201, await collection.add(caller, await readBody()));
      case "PATCH":
        return sendLinks(303, await collection.update(caller, segment ?? "", await readBody()));
      case "DELETE":
        await collection.remove(caller, segment ?? "");
        response.status(204).end();
        return;
      default:
        response.type("json").send(JSON.stringify(await collection.read(caller, segment)));
    }
  });
  const hotRoute: HotRoute = ({ method, url }) => (method === "POST" && url === CALL ? answerCall : undefined);
  return { router, hotRoute };
}

/** False when it was OPTIONS, which is answered. HEAD is a GET. Throws `METHOD_NOT_ALLOWED` with `Allow`. */
function allow(request: Request, response: Response, methods: readonly string[]): boolean {
  if (methods.includes(request.method === "HEAD" ? "GET" : request.method)) return true;
  const all = [...methods.flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : [one])), "OPTIONS"].join(", ");
  if (request.method !== "OPTIONS")
    throw new GatewayError("METHOD_NOT_ALLOWED", `${request.path} takes ${all}`, { headers: { Allow: all } });
  response.status(204).set("Allow", all).end();
  return false;
}

/** JSON is UTF-8 (RFC 8259 §8.1). */
function checkContentType({ headers }: IncomingMessage): void {
  if (!/^application\/(json|json-rpc|jsonrequest) *(; *charset="?utf-?8"? *)?$/i.test(headers["content-type"] ?? ""))
    throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", "The request body must be application/json in UTF-8");
}

function readJson(text: string): { readonly json: unknown } | { readonly error: string } {
  try {
    return { json: parseMessage(text) };
  } catch (error) {
    return { error: errorText(null, toJsonRpcError(error as GatewayError)) };
  }
}

function contextOf(identity: Identity, request: IncomingMessage, response: ServerResponse): CallContext {
  const { address, requestId } = request;
  return { identity, address, requestId, signal: whileConnected(response) };
}

/** Whether the client asks for this media type by name, not by a wildcard. */
function accepts({ headers }: IncomingMessage, mediaType: string): boolean {
  return (headers.accept ?? "")
    .split(",")
    .some((part) => part.split(";")[0]!.trim().toLowerCase() === mediaType && !/;\s*q=0(\.0*)?\s*(;|$)/i.test(part));
}

/** Sends the rows as they come; the statement waits for a client that reads slowly. */
async function sendStream(response: ServerResponse, { mediaType, send, errorText: toText }: Stream): Promise<void> {
  try {
    await send(async (chunk) => {
      if (response.destroyed) throw new GatewayError("CLIENT_GONE");
      if (!response.headersSent) response.setHeader("Content-Type", mediaType);
      if (!response.write(chunk)) await drained(response);
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

/** Throws `CLIENT_GONE`, and `TIMEOUT` for a client that has stopped reading. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: GatewayError): void => {
      clearTimeout(timer);
      response.off("drain", onDrain).off("close", onClose);
      if (error) reject(error);
      else resolve();
    };
    const onDrain = (): void => settle();
    const onClose = (): void => settle(new GatewayError("CLIENT_GONE"));
    const timer = setTimeout(() => settle(new GatewayError("TIMEOUT", "The client has stopped reading")), STALLED_MS);
    response.once("drain", onDrain).once("close", onClose);
  });
}

function sendText(response: ServerResponse, text: string | undefined): void {
  if (response.destroyed) return;
  if (text === undefined) {
    response.statusCode = 204;
    response.end();
    return;
  }
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Content-Length", Buffer.byteLength(text));
  response.end(text);
}
