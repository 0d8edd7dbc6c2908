/** The header `Range` of a request (RFC 9110 §14.2). */
import type { IncomingMessage } from "node:http";

/** The first byte, and the one after the last. */
export type Range = readonly [from: number, to: number];

/**
 * The one range of bytes that is asked for. Undefined where all of the file is to be sent: without the header, for several
 * ranges, for other units, and where the client has another version (If-Range).
 */
export function rangeOf(
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
