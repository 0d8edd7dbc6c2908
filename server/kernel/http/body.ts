/** The body of a request. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { brotliDecompress, createBrotliDecompress, createGunzip, createInflate, gunzip, inflate } from "node:zlib";
import { GatewayError } from "../../ground/errors.ts";

const DECODERS: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * The body of a request as text, decompressed. Throws `TOO_LARGE` over `maxBytes`, `UNSUPPORTED_MEDIA_TYPE` for an
 * encoding that is not known, `BAD_USER_INPUT` for a body that is not of its encoding or not UTF-8, `CLIENT_GONE`.
 */
export async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const tooLarge = () => new GatewayError("TOO_LARGE", `The request body is over ${maxBytes} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  const body = await readBytes(request, maxBytes, tooLarge);
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding === "identity") return textOf(body);
  const decode = DECODERS[encoding];
  if (!decode) throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", `The content encoding ${encoding} is not supported`);
  let decoded: Buffer;
  try {
    decoded = await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new GatewayError("BAD_USER_INPUT", `The request body is not ${encoding}`, { cause: error });
  }
  return textOf(decoded);
}

/** Another encoding would be stored as text in which its letters are gone. */
function textOf(body: Buffer): string {
  if (!isUtf8(body)) throw new GatewayError("BAD_USER_INPUT", "The request body is not UTF-8");
  return body.toString("utf8");
}

/**
 * Throws `UNSUPPORTED_MEDIA_TYPE` unless the body is of one of the media types, in UTF-8, which is the only one that JSON has
 * (RFC 8259 §8.1).
 */
export function checkContentType(
  { headers }: IncomingMessage,
  mediaTypes: readonly string[] = ["application/json"],
): void {
  if (mediaTypes.includes(headers["content-type"] ?? "")) return;
  const [type = "", ...parameters] = (headers["content-type"] ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (!mediaTypes.includes(type) || (charset !== undefined && !/^"?utf-?8"?$/.test(charset)))
    throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", `The request body must be ${mediaTypes.join(", or ")}, in UTF-8`);
}

/** A body that is read while it comes, and never kept. */
export interface BodyStream {
  /** Without parameters, in lower case. */
  readonly mediaType: string;
  /** Decompressed. Throws `TOO_LARGE`, `REQUEST_TIMEOUT` where nothing comes for a minute, `BAD_USER_INPUT`, `CLIENT_GONE`. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The largest allowed size of `bytes`, and of the decompressed content if they are an archive. */
  readonly maxBytes: number;
  /** The received part of the body, from 0 to 1; undefined where its length is unknown. */
  share(): number | undefined;
  /** Fires, with the error that is to be thrown, when the client leaves before it has sent all, and when time is over. */
  readonly signal: AbortSignal;
}

export interface StreamOptions {
  readonly mediaTypes: readonly string[];
  /** Decompressed. */
  readonly maxBytes: number;
  /** For all that becomes of the body, from now on. */
  readonly timeoutMs: number;
}

const STREAM_DECODERS = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };
/** The longest pause of a body that is read as a stream. */
const STALLED_MS = 60_000;
/** Requests whose bodies may take longer than the server's limit. */
const long = new WeakSet<object>();

export const mayTakeLong = (request: object): boolean => long.has(request);

/** Throws `UNSUPPORTED_MEDIA_TYPE` for another media type and for an encoding that is not known, `TOO_LARGE`. */
export function streamBody(request: IncomingMessage, { mediaTypes, maxBytes, timeoutMs }: StreamOptions): BodyStream {
  const mediaType = (request.headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (!mediaTypes.includes(mediaType))
    throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", `The request body must be one of ${mediaTypes.join(", ")}`);
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding !== "identity" && !(encoding in STREAM_DECODERS))
    throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", `The content encoding ${encoding} is not supported`);
  const tooLarge = () => new GatewayError("TOO_LARGE", `The request body is over ${maxBytes} bytes`);
  const length = Number(request.headers["content-length"] ?? Number.NaN);
  if (length > maxBytes) throw tooLarge();
  long.add(request);
  const signal = endOf(request, timeoutMs);
  let come = 0;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const raw = arriving(request, signal, (count) => (come += count));
    const decoder = encoding === "identity" ? undefined : STREAM_DECODERS[encoding as keyof typeof STREAM_DECODERS]();
    let read = 0;
    for await (const chunk of decoder ? decompressed(raw, decoder, encoding) : raw) {
      read += chunk.length;
      if (read > maxBytes) throw tooLarge();
      yield chunk;
    }
  }
  return {
    mediaType,
    maxBytes,
    bytes: { [Symbol.asyncIterator]: bytes },
    share: () => (length > 0 ? Math.min(1, come / length) : undefined),
    signal,
  };
}

/** A signal for the end of a request. A client that has sent its whole body may leave: the work continues. */
function endOf(request: IncomingMessage, timeoutMs: number): AbortSignal {
  const ending = new AbortController();
  endAfter(ending, timeoutMs);
  request.once("close", () => {
    if (!request.complete) ending.abort(new GatewayError("CLIENT_GONE"));
  });
  return ending.signal;
}

/** A function of its own, so that the timer's closure keeps no request in memory. */
function endAfter(ending: AbortController, timeoutMs: number): void {
  const end = (): void => ending.abort(new GatewayError("TIMEOUT", `The import took longer than ${timeoutMs} ms`));
  setTimeout(end, timeoutMs).unref();
}

/** The rest of a body is read and dropped, so that a client that still sends reads the answer. */
async function* arriving(
  request: IncomingMessage,
  signal: AbortSignal,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncGenerator<Uint8Array>;
  try {
    for (;;) {
      const { done, value } = await withinTime(chunks.next(), signal);
      if (done) break;
      count(value.length);
      yield value;
    }
  } catch (error) {
    throw request.destroyed && !request.complete ? new GatewayError("CLIENT_GONE") : error;
  } finally {
    void chunks.return(undefined);
    setImmediate(() => request.resume()); // not while it listens: the next request of the connection would wait for ever
  }
}

async function withinTime<T>(next: Promise<T>, signal: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let end: () => void = () => undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GatewayError("REQUEST_TIMEOUT")), STALLED_MS);
    end = () => reject(signal.reason as GatewayError);
    signal.addEventListener("abort", end);
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([next, stalled]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

async function* decompressed(
  raw: AsyncIterable<Uint8Array>,
  decoder: Duplex,
  encoding: string,
): AsyncGenerator<Uint8Array> {
  const fed = pipeline(raw, decoder).catch((error: unknown) => error);
  try {
    for await (const chunk of decoder) yield chunk as Uint8Array;
  } catch (error) {
    const cause = await fed;
    if (cause instanceof GatewayError) throw cause;
    throw new GatewayError("BAD_USER_INPUT", `The request body is not ${encoding}`, { cause: error });
  }
}

/** With listeners, which cost a small request less than an iterator. */
function readBytes(request: IncomingMessage, maxBytes: number, tooLarge: () => GatewayError): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        request.pause();
        reject(tooLarge());
      } else chunks.push(chunk);
    });
    request.once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once("error", reject);
    request.once("close", () => {
      if (!request.complete) reject(new GatewayError("CLIENT_GONE"));
    });
  });
}
