/** Writes answers, for all doors. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { GatewayError, toGatewayError } from "../../ground/errors.ts";
import { logFailure, type Log } from "../../ground/log.ts";
import { PROOF_ALGORITHMS } from "../identity/proofAlgorithms.ts";

export type Headers = Readonly<Record<string, string | readonly string[]>>;

export function setHeaders(response: ServerResponse, headers: Headers): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/**
 * Sets the headers of an error. The challenge to a token that came by the scheme DPoP has that scheme, and the algorithms of proofs
 * (RFC 9449 §7.1).
 */
export function setErrorHeaders({ request, response }: Exchange, { headers }: GatewayError): void {
  setHeaders(response, headers);
  const challenge = headers["WWW-Authenticate"];
  if (challenge === undefined || !/^dpop /i.test(request.headers.authorization ?? "")) return;
  const bound = [challenge].flat().map((one) => one.replace(/^Bearer (.+)$/, `DPoP $1, algs="${ALGORITHMS}"`));
  response.setHeader("WWW-Authenticate", bound);
}

const ALGORITHMS = PROOF_ALGORITHMS.join(" ");

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Logs the error of a request, and sets the headers of that error. The body is its interface's own. Undefined where the answer has
 * begun: it is cut off.
 */
export function beginFailure(log: Log, thrown: unknown, exchange: Exchange): GatewayError | undefined {
  const { request, response } = exchange;
  const error = toGatewayError(thrown);
  logFailure(log, error, request.requestId);
  if (response.headersSent) {
    response.destroy(); // a half answer must not look whole
    return undefined;
  }
  setErrorHeaders(exchange, error);
  return error;
}

export interface TextAnswer {
  /** Default 200. */
  readonly status?: number;
  /** The media type; with its charset. Default: JSON. */
  readonly type?: string;
  readonly headers?: Headers;
}

export const HTML_TYPE = "text/html; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";
export const PLAIN_TYPE = "text/plain; charset=utf-8";

/** Answers with a text, in one write with the headers. A client that has gone gets nothing. */
export function sendText(response: ServerResponse, text: string, answer: TextAnswer = {}): void {
  if (response.destroyed) return;
  const { status = 200, type = JSON_TYPE, headers } = answer;
  if (headers) setHeaders(response, headers);
  response.statusCode = status;
  response.setHeader("Content-Type", type);
  response.setHeader("Content-Length", Buffer.byteLength(text));
  response.end(text); // Node leaves the body of an answer to HEAD out
}

/** 204, or another status without a body. */
export function sendNothing(response: ServerResponse, status = 204, headers: Headers = {}): void {
  if (response.destroyed) return;
  setHeaders(response, headers);
  response.statusCode = status;
  response.end();
}

/** A signal that fires when the client goes away before its answer is complete. */
export function whileConnected(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** A client that takes nothing for this long loses the connection, which frees the sources of its answer. */
const STALLED_MS = 60_000;

/**
 * Writes pieces of an answer. Resolves when the client has taken enough; returns whether everything has left the process, so
 * that nothing reads the piece any more. Throws `CLIENT_GONE` when the client has left, or takes nothing for `stalledMs`
 * (a minute).
 */
export async function write(
  response: ServerResponse,
  pieces: readonly (string | Uint8Array)[],
  stalledMs = STALLED_MS,
): Promise<boolean> {
  if (response.destroyed) throw new GatewayError("CLIENT_GONE");
  let isTaken = true;
  for (const piece of pieces) isTaken = response.write(piece);
  if (isTaken) return false;
  const waiting = waitingOf(response);
  await new Promise<void>((resolve, reject) => {
    const end = (error?: GatewayError): void => {
      clearTimeout(timer);
      response.off("close", gone);
      waiting.onDrain = undefined;
      if (error) reject(error);
      else resolve();
    };
    const gone = (): void => end(new GatewayError("CLIENT_GONE"));
    const timer = setTimeout(gone, stalledMs);
    response.on("close", gone);
    const drained = (): void => end();
    waiting.onDrain = drained;
  });
  return true;
}

interface Waiting {
  onDrain: (() => void) | undefined;
}

const waitings = new WeakMap<ServerResponse, Waiting>();

/** The package `compression` hands listeners of `drain` to a stream of its own and takes none away: one per response. */
function waitingOf(response: ServerResponse): Waiting {
  const known = waitings.get(response);
  if (known) return known;
  const waiting: Waiting = { onDrain: undefined };
  response.on("drain", () => waiting.onDrain?.());
  waitings.set(response, waiting);
  return waiting;
}

/** Takes the written piece; the next piece is made when it has resolved. `true`: nothing will read the chunk any more. */
export type Write = (chunk: string | Uint8Array) => void | Promise<boolean | void>;

/** An answer that is sent while it is made. */
export interface Stream {
  readonly mediaType: string;
  /** Makes it. Rejects with what went wrong, which is the answer if nothing was written. */
  send(write: Write): Promise<void>;
}

/** Sends a stream; whatever makes it waits for a client that reads slowly. Throws what went wrong before its first piece. */
export async function sendStream(
  response: ServerResponse,
  { mediaType, send }: Stream,
  headers: Headers = {},
): Promise<void> {
  const begin = (): void => {
    if (response.headersSent || response.destroyed) return;
    setHeaders(response, headers);
    response.setHeader("Content-Type", mediaType);
  };
  if (response.req.method === "HEAD") {
    begin();
    response.end();
    return;
  }
  try {
    await send(async (chunk) => {
      begin();
      return write(response, [chunk]);
    });
    begin();
    response.end();
  } catch (error) {
    if (!response.headersSent) throw error;
    response.destroy(); // half a document must not look whole
  }
}

/** Whether the request asks for this media type by name, not by a wildcard. */
export function asksFor({ headers }: IncomingMessage, mediaType: string): boolean {
  return (headers.accept ?? "")
    .split(",")
    .some((part) => part.split(";")[0]!.trim().toLowerCase() === mediaType && !/;\s*q=0(\.0*)?\s*(;|$)/i.test(part));
}
