/** The caller's address, behind trusted proxies too. */
import type { IncomingMessage } from "node:http";
import { isIP, type BlockList } from "node:net";
import { badInput } from "../errors.ts";

/**
 * The address of the caller: that of the connection, unless it is a trusted proxy; then the rightmost address of
 * `X-Forwarded-For` or `Forwarded` (RFC 7239 §5.2) that is not a trusted proxy itself. A value that is no address ends
 * the walk. Throws `BAD_USER_INPUT` when both headers are there and disagree: one was made by the caller, who would
 * else choose to be taken for the proxy.
 */
export function clientAddress(request: IncomingMessage, trusted: BlockList): string {
  const peer = normalize(request.socket.remoteAddress ?? "");
  if (!isTrusted(peer, trusted)) return peer;
  const answers = [xForwardedFor(request), forwarded(request)]
    .filter((hops) => hops.length > 0)
    .map((hops) => walk(peer, hops, trusted));
  const [first = peer] = answers;
  if (answers.some((answer) => answer !== first)) badInput("Forwarded and X-Forwarded-For name two addresses");
  return first;
}

function walk(peer: string, hops: readonly string[], trusted: BlockList): string {
  let address = peer;
  for (const hop of hops.toReversed()) {
    const next = normalize(hop);
    if (isIP(next) === 0) break;
    address = next;
    if (!isTrusted(next, trusted)) break;
  }
  return address;
}

function xForwardedFor(request: IncomingMessage): string[] {
  return split(request.headers["x-forwarded-for"]);
}

function forwarded(request: IncomingMessage): string[] {
  return split(request.headers.forwarded).map(
    (element) => /(?:^|;)\s*for=("?)([^";]*)\1/i.exec(element)?.[2] ?? "unknown",
  );
}

function split(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  return text === "" ? [] : text.split(",").map((hop) => hop.trim());
}

/** Without brackets, port, zone and the IPv4-in-IPv6 prefix. */
function normalize(hop: string): string {
  const bare =
    /^\[([^\]]*)\]/.exec(hop)?.[1] ?? (/^\d+\.\d+\.\d+\.\d+:\d+$/.test(hop) ? hop.replace(/:\d+$/, "") : hop);
  return bare.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const version = isIP(address);
  return version !== 0 && trusted.check(address, version === 4 ? "ipv4" : "ipv6");
}
