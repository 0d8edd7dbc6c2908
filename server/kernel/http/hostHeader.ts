import type { IncomingMessage } from "node:http";
import { badInput } from "../errors.ts";

/** A request with two `Host` headers is 400 (RFC 9112 §3.2): a proxy in front may have gone by the other. */
export function checkHost({ rawHeaders }: IncomingMessage): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name));
  if (hosts.length > 1) badInput("There is more than one Host header");
}
