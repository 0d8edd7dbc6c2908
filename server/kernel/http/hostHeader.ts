import type { IncomingMessage } from "node:http";
import { badInput } from "../../ground/errors.ts";

/** A request with two `Host` headers is 400 (RFC 9112 §3.2): a proxy in front may have gone by the other. */
export function checkHost({ rawHeaders }: IncomingMessage): void {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at]!)) hosts++;
  if (hosts > 1) badInput("There is more than one Host header");
}

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === "host";
