/** A service on the loopback interface has two addresses: that of its configuration, and the same by the name `localhost`. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** Whether the host of a URL is an IP address. */
export function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
}

/** `baseUrl` by the name `localhost`, where its host is a loopback address; undefined where it is not. */
export function localName(baseUrl: string): string | undefined {
  const { hostname } = new URL(baseUrl);
  const isLoopback = hostname === "[::1]" || (hostname.startsWith("127.") && isAddress(hostname));
  return isLoopback ? baseUrl.replace(/^(https?:\/\/)(?:\[[^\]]*\]|[^/:]+)/, "$1localhost") : undefined;
}

/** The address by which a browser asks: `localName(baseUrl)` where it asks for that host, else `baseUrl`. */
export function addressAsked(baseUrl: string, { headers }: Pick<IncomingMessage, "headers">): string {
  const local = localName(baseUrl);
  return local !== undefined && headers.host === new URL(local).host ? local : baseUrl;
}
