/** Admission to the agents' door: by host, origin and token. */
import type { IncomingMessage } from "node:http";
import type { Config } from "../kernel/config.ts";
import type { Database, Identity } from "../kernel/database/database.ts";
import { GatewayError } from "../ground/errors.ts";
import { agentsResource, resourceMetadataOf } from "../kernel/identity/resources.ts";
import type { Kernel } from "../kernel.ts";
import { WRITE_SCOPE } from "./calls.ts";

export interface Admitted {
  readonly identity: Identity;
  readonly mayWrite: boolean;
  /** Undefined for a caller without a token. */
  readonly expiresAtMs: number | undefined;
}

/** Hosts and origins from which requests are accepted. A page that has rebound its name to this address is not among them. */
export class Sources {
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;

  constructor({ mcpOrigins }: Pick<Config, "mcpOrigins">, baseUrl: string) {
    const own = new URL(baseUrl);
    const all = [...sameLoopback(own), ...mcpOrigins.map((text) => new URL(text))];
    this.#origins = new Set(all.map(({ origin }) => origin));
    this.#hosts = new Set(all.map(({ host }) => host));
  }

  /** Throws `FORBIDDEN`. */
  check({ headers: { origin, host = "" } }: IncomingMessage): void {
    if (origin !== undefined && !this.#origins.has(origin))
      throw new GatewayError(
        "FORBIDDEN",
        "Pages of this origin may not use the agents' door: add the origin to the option mcpOrigins",
      );
    if (!this.#hosts.has(host.toLowerCase()))
      throw new GatewayError(
        "FORBIDDEN",
        "The header Host names another service: add its origin to the option mcpOrigins",
      );
  }
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** The names of this machine that lead to the same port, if the service has one of them. */
function sameLoopback(own: URL): URL[] {
  if (!LOOPBACK.includes(own.hostname)) return [own];
  return LOOPBACK.map((hostname) => Object.assign(new URL(own), { hostname }));
}

/**
 * The account that the agent acts for: that of a token for this door, or `anonymous` where it is allowed. Throws
 * `UNAUTHENTICATED` with the address of the door's metadata.
 */
export async function admit(kernel: Kernel, request: IncomingMessage, database: Database): Promise<Admitted> {
  const { config, baseUrl } = kernel;
  if (request.headers.authorization === undefined && config.mcpAnonymous) {
    const identity = await kernel.identifyIn(request, database);
    // a person who is signed in in a browser has shown no token
    if (identity.name !== "anonymous") throw new GatewayError("UNAUTHENTICATED");
    return { identity, mayWrite: false, expiresAtMs: undefined };
  }
  const resource = agentsResource(baseUrl, database.name);
  const { identity, scopes, expiresAtMs } = await kernel.identifyAt(request, resource);
  if (identity.database !== database.name)
    throw new GatewayError("UNAUTHENTICATED", "The access token is for another resource");
  return { identity, mayWrite: scopes.has(WRITE_SCOPE), expiresAtMs };
}

/** The identity of a request whose stream is still open. It counts for no limit. Throws `UNAUTHENTICATED`. */
export async function admitAgain(
  { config, baseUrl, identifier }: Kernel,
  request: IncomingMessage,
  database: Database,
) {
  if (request.headers.authorization === undefined && config.mcpAnonymous)
    return identifier.identifyIn(request, database);
  return (await identifier.identifyAt(request, agentsResource(baseUrl, database.name))).identity;
}

/** The challenge of a 403 for a token of too little scope (RFC 6750 §3.1). */
export function scopeChallenge(baseUrl: string, database: string): string {
  const metadata = resourceMetadataOf(baseUrl, agentsResource(baseUrl, database));
  return `Bearer error="insufficient_scope", scope="${WRITE_SCOPE}", resource_metadata="${metadata}"`;
}
