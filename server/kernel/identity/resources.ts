/**
 * The resources that an access token may be for (RFC 8707): the service, whose URI is its address, for every door but the
 * agents'; and the agents' door of each database, `{address}/mcp/{database}`.
 */
import type { JWTPayload } from "jose";

export interface Resource {
  /** The resource's value in `aud`. */
  readonly uri: string;
  /** The database whose agents' door it is; undefined for the service. */
  readonly database?: string;
}

/** The URI of the agents' door of a database. */
export function agentsResource(baseUrl: string, database: string): string {
  return `${baseUrl}/mcp/${encodeURIComponent(database)}`;
}

/** The resource that a URI names, with or without a slash at its end; undefined for any other. */
export function resourceOf(baseUrl: string, uri: string): Resource | undefined {
  const path = uri.startsWith(baseUrl) ? uri.slice(baseUrl.length).replace(/\/$/, "") : undefined;
  if (path === "") return { uri: baseUrl };
  const database = databaseOfPath(path ?? "");
  return database === undefined ? undefined : { uri: agentsResource(baseUrl, database), database };
}

function databaseOfPath(path: string): string | undefined {
  const [, name] = /^\/mcp\/([^/?#]+)$/.exec(path) ?? [];
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/** Where a client finds out who issues tokens for a resource (RFC 9728 §3.1). */
export function resourceMetadataOf(baseUrl: string, resource: string): string {
  return `${baseUrl}/.well-known/oauth-protected-resource${resource.slice(baseUrl.length)}`;
}

/** The resource and the scopes that a verified token is valid for. */
export interface TokenReach {
  /** The resources whose doors take it. */
  readonly audience: readonly string[];
  readonly scopes: ReadonlySet<string>;
  /** The thumbprint of the key that the token is bound to (RFC 9449 §6.1); undefined: who holds it may use it. */
  readonly jkt?: string | undefined;
}

/** The member `jkt` of the claim `cnf` (RFC 7800 §3). */
export function jktOf(cnf: unknown): string | undefined {
  const jkt = typeof cnf === "object" && cnf !== null ? (cnf as { jkt?: unknown }).jkt : undefined;
  return typeof jkt === "string" ? jkt : undefined;
}

/** The reach of a verified token of our own. */
export function reachOf({ aud = [], scope, cnf }: JWTPayload): TokenReach {
  return {
    jkt: jktOf(cnf),
    audience: typeof aud === "string" ? [aud] : aud,
    scopes: new Set(typeof scope === "string" ? scope.split(" ").filter(Boolean) : []),
  };
}

/**
 * The reach of a verified token of an outside issuer. A configured audience means the service, unless it is the URI of
 * an agents' door.
 */
export function reachOfOutside(claims: JWTPayload, baseUrl: string, configured: readonly string[]): TokenReach {
  const { audience, scopes, jkt } = reachOf(claims);
  const known = audience.filter((one) => configured.includes(one));
  return { audience: known.map((one) => resourceOf(baseUrl, one)?.uri ?? baseUrl), scopes, jkt };
}
