/** `/api/v4/call`, `/call/dry`, `/interfaces` and `/sql`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { GatewayError, toJsonRpcError } from "../ground/errors.ts";
import {
  asksFor,
  PLAIN_TYPE,
  sendNothing,
  sendStream,
  sendText,
  setHeaders,
  whileConnected,
} from "../kernel/http/answer.ts";
import { checkContentType, readText } from "../kernel/http/body.ts";
import { idempotencyKeyOf } from "../kernel/http/idempotencyKey.ts";
import type { Route } from "../kernel/http/routes.ts";
import type { Kernel } from "../kernel.ts";
import { ROOT } from "../kernel/rest/resource.ts";
import { NO_STORE } from "../kernel/rest/routes.ts";
import { errorText, parseMessage } from "./run/envelope.ts";
import type { CallContext } from "./method.ts";
import type { Methods } from "./methods.ts";
import type { RowStream } from "./run/stream.ts";

export const MAX_BODY_BYTES = 10_000_000;
export const MEDIA_TYPES = ["application/json", "application/json-rpc", "application/jsonrequest"];

/** Answers a body of text, which is read only for a caller with the right. */
type AnswerText = (
  context: CallContext,
  text: string,
  response: ServerResponse,
  request: IncomingMessage,
) => Promise<void>;

export function methodRoutes({ identify }: Pick<Kernel, "identify">, methods: Methods): readonly Route[] {
  async function contextOf(request: IncomingMessage, response: ServerResponse): Promise<CallContext> {
    const identity = await identify(request);
    const { address, requestId, point } = request;
    const idempotencyKey = idempotencyKeyOf(request);
    return { identity, address, requestId, point, idempotencyKey, signal: whileConnected(response) };
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
      request.operation = calledIn(message.json);
      const stream = await methods.stream(context, message.json, (mediaType) => asksFor(request, mediaType));
      if (stream) return sendRows(response, stream);
      const { text: answer, etag } = await methods.answer(context, message.json);
      if (etag !== undefined) {
        setHeaders(response, { ETag: etag, "Cache-Control": "private, no-cache" });
        const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
        if (known?.includes(etag)) return sendNothing(response, 304);
      }
      if (answer === undefined) sendNothing(response);
      else sendText(response, answer);
    }),
    post(
      "/call/dry",
      "Call a stored method, infer its types, and undo it",
      async (context, text, response, request) => {
        const message = readJson(text);
        if ("json" in message) request.operation = calledIn(message.json);
        sendText(response, "error" in message ? message.error : await methods.dryText(context, message.json));
      },
    ),
    post("/sql", "Run SQL without storing it", async (context, text, response, request) => {
      const json = mustBeJson(text);
      const stream = await methods.sqlStream(context, json, (mediaType) => asksFor(request, mediaType));
      if (stream) return sendRows(response, stream);
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
  ];
}

/** The log of requests names at most this many of the methods in a message. */
const MOST_NAMED = 10;

function calledIn(json: unknown): string {
  const messages = (Array.isArray(json) ? json.slice(0, MOST_NAMED) : [json]) as ({ method?: unknown } | null)[];
  return messages.flatMap((each) => (typeof each?.method === "string" ? [each.method] : [])).join(", ");
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

async function sendRows(response: ServerResponse, stream: RowStream): Promise<void> {
  try {
    await sendStream(response, stream);
  } catch (error) {
    if (!stream.errorText) throw error;
    sendText(response, stream.errorText(error));
  }
}
