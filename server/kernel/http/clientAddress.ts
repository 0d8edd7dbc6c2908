/** The caller's address, behind trusted proxies too. */
import type { IncomingMessage } from "node:http";
import { isIP, isIPv6, type BlockList, type Socket } from "node:net";
import { badInput } from "../../ground/errors.ts";

/**
 * The address of the caller: that of the connection, unless it is a trusted proxy; then the rightmost address of
 * `X-Forwarded-For` or `Forwarded` (RFC 7239 §5.2) that is not a trusted proxy itself. A value that is no address ends
 * the walk. Throws `BAD_USER_INPUT` when both headers are there and disagree: one was made by the caller, who would
 * else choose to be taken for the proxy.
 */
export function clientAddress(request: IncomingMessage, trusted: BlockList): string {
  const { address: peer, isTrusted } = peerOf(request.socket, trusted);
  if (!isTrusted) return peer;
  const answers = [xForwardedFor(request), forwarded(request)]
    .filter((hops) => hops.length > 0)
    .map((hops) => walk(peer, hops, trusted));
  const [first = peer] = answers;
  if (answers.some((answer) => answer !== first)) badInput("Forwarded and X-Forwarded-For name two addresses");
  return first;
}

interface Peer {
  readonly address: string;
  readonly trusted: BlockList;
  readonly isTrusted: boolean;
}

/** For the open connections. */
const peers = new WeakMap<Socket, Peer>();

/** The other end of the connection: the same for all of its requests. */
function peerOf(socket: Socket, trusted: BlockList): Peer {
  const known = peers.get(socket);
  if (known?.trusted === trusted) return known;
  const address = normalize(socket.remoteAddress ?? "");
  const peer = { address, trusted, isTrusted: isAmong(trusted, address) };
  peers.set(socket, peer);
  return peer;
}

function walk(peer: string, hops: readonly string[], trusted: BlockList): string {
  let address = peer;
  for (const hop of hops.toReversed()) {
    const next = normalize(hop);
    if (isIP(next) === 0) break;
    address = next;
    if (!isAmong(trusted, next)) break;
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
  return bare.replace(/^::ffff:(?=\d+\.)/i, "").split("%", 1)[0]!;
}

function isAmong(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
}

/** By which a caller is counted: the IPv4 address, or the /64 of an IPv6 address, which its holder has as a whole. */
export function networkOf(address: string): string {
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(":")}::/64` : address;
}

/** The /48 of an IPv6 address, with which a site chooses among its /64s; undefined for others. */
export function siteOf(address: string): string | undefined {
  return isIPv6(address) ? `${groupsOf(address).slice(0, 3).join(":")}::/48` : undefined;
}

/** The groups of an IPv6 address, as RFC 5952 writes each. */
function groupsOf(address: string): readonly string[] {
  const [head = "", tail] = address.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: missing }, () => "0"), ...last];
  return groups.map((group) => (group.includes(".") ? group : Number.parseInt(group, 16).toString(16)));
}
