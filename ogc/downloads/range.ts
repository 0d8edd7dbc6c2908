/** Files that are sent whole or in part: the header `Range` of a request (RFC 9110 §14.2). */
import type { IncomingMessage } from "node:http";
import { sendNothing, setHeaders } from "../../server/kernel/http/answer.ts";
import { isKnown, type Exchange } from "../exchange/exchange.ts";

/** The first byte, and the one after the last. */
export type Range = readonly [from: number, to: number];

/**
 * The single range of bytes that the client asks for. Undefined where the whole file is to be sent: without the header,
 * for several ranges, for other units, and where the client has another version (If-Range).
 */
function rangeOf(
  { headers, method }: Pick<IncomingMessage, "headers" | "method">,
  size: number,
  etag: string,
): Range | "unsatisfiable" | undefined {
  const { range, "if-range": version } = headers;
  if (range === undefined || method !== "GET" || (version !== undefined && version !== etag)) return undefined;
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range.trim()) ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") return Number(last) === 0 ? "unsatisfiable" : [Math.max(0, size - Number(last)), size];
  if (last !== "" && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return "unsatisfiable";
  return [Number(first), last === "" ? size : Math.min(size, Number(last) + 1)];
}

/**
 * Sends the headers of a file, for all of it or for the range. Returns the bytes to send next; undefined where the
 * answer is complete: 304, 416, or to HEAD.
 */
export function beginFile({ request, response }: Exchange, size: number, etag: string): Range | undefined {
  setHeaders(response, { "Accept-Ranges": "bytes", ETag: etag });
  if (isKnown(request.headers["if-none-match"], etag)) {
    sendNothing(response, 304);
    return undefined;
  }
  const range = rangeOf(request, size, etag);
  if (range === "unsatisfiable") {
    response.setHeader("Content-Range", `bytes */${size}`);
    sendNothing(response, 416);
    return undefined;
  }
  const [from, to] = range ?? [0, size];
  if (range) {
    response.statusCode = 206;
    response.setHeader("Content-Range", `bytes ${from}-${to - 1}/${size}`);
  }
  response.setHeader("Content-Length", to - from);
  if (request.method === "HEAD") {
    response.end();
    return undefined;
  }
  return [from, to];
}
