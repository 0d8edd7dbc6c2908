/** Decides who may read `/metrics` and the details of `/readyz`, which reveal load, databases and accounts. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Config } from "../config.ts";
import { toBlockList } from "../config/addresses.ts";

/** Loopback (RFC 1122, RFC 4291), private networks (RFC 1918, RFC 4193) and link-local addresses (RFC 3927, RFC 4291). */
const PRIVATE_NETWORKS = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "::1",
  "fc00::/7",
  "fe80::/10",
];

/**
 * Whether a request is an operator's: it has `opsToken`, or comes from `opsAddresses`. A request that was forwarded by a
 * proxy outside `trustedProxies` has no trustworthy address, and needs the token.
 */
export function createOpsAccess({
  opsToken,
  opsAddresses = opsToken === undefined ? PRIVATE_NETWORKS : [],
  trustedProxies,
}: Pick<Config, "opsToken" | "opsAddresses" | "trustedProxies">): (request: IncomingMessage) => boolean {
  const addresses = toBlockList(opsAddresses);
  const trusted = toBlockList(trustedProxies);
  const contains = (list: typeof addresses, address: string): boolean =>
    isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
  return (request) => {
    const { authorization, forwarded, "x-forwarded-for": forwardedFor } = request.headers;
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    if (opsToken !== undefined && token !== undefined && timingSafeEqual(digest(token), digest(opsToken))) return true;
    const peer = (request.socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/i, "");
    const isForwarded = forwarded !== undefined || forwardedFor !== undefined;
    return (!isForwarded || contains(trusted, peer)) && contains(addresses, request.address ?? "");
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
