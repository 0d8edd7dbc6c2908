/** How a transaction begins: as whom, with which claims, from where, for how long. */
import pg from "pg";

/** An account, in one database, with the claims that its requests carry. Made in identity.ts only. */
export interface Identity {
  readonly database: string;
  readonly name: string;
  /** The PostgreSQL role that every statement of it runs as. */
  readonly role: string;
  /** Whether Portolan made that role, so that it may log in as it for SQL that the account wrote. */
  readonly roleMade: boolean;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The interface that a request came through, as rules and policies know it. */
export type Service = "graphql" | "rpc" | "sql" | "events" | "ogc" | "management";

/** How the request is to be run, and from where it came. */
export interface RequestContext {
  readonly service: Service;
  /** The caller's address. */
  readonly address?: string | undefined;
  /** A read-only transaction: a statement that writes fails with SQLSTATE 25006. Default false. */
  readonly readOnly?: boolean;
  /** All statements see the database as it was at the first. Default false: each sees it as it is when it begins. */
  readonly snapshot?: boolean;
  /** Longest time for one statement. Default the database's. */
  readonly timeoutMs?: number | undefined;
  /** The SQL is that of a published method: it may run for an account whose role cannot log in. Default false. */
  readonly published?: boolean | undefined;
  /** An SQL expression of text that the statement which begins the transaction gives as well. Never from a request. */
  readonly probe?: string | undefined;
  /** When it fires, the statement that is running is cancelled; the caller is gone. */
  readonly signal?: AbortSignal | undefined;
}

const claimSettings = new WeakMap<Identity, string>();

/** Name and value of a setting of PostgreSQL. */
export type Setting = readonly [name: string, value: string];

export interface BeginOptions {
  /** Longest time for one statement where the request has none of its own. */
  readonly statementTimeoutMs: number;
  /** False on a connection that is logged in as the role already. */
  readonly changeRole: boolean;
}

/** The text that begins a request's transaction, for the simple protocol: one round trip, whatever there is to set. */
export function beginAs(identity: Identity, context: RequestContext, options: BeginOptions): string {
  let claims = claimSettings.get(identity);
  if (claims === undefined) {
    claims = settingsOfClaims(identity).map(setConfig).join(", ");
    claimSettings.set(identity, claims);
  }
  const settings: Setting[] = [
    ...(options.changeRole ? [["role", identity.role] as const] : []),
    ...settingsOfContext(identity, context),
    ["statement_timeout", String(context.timeoutMs ?? options.statementTimeoutMs)],
  ];
  const begin = `begin${context.snapshot ? " isolation level repeatable read" : ""}${context.readOnly ? " read only" : ""}`;
  const probe = context.probe === undefined ? "" : `, ${context.probe} as probe`;
  return `${begin}; select ${settings.map(setConfig).join(", ")}, ${claims}${probe}`;
}

/** All that policies may ask for, for a connection that is the account's from its beginning: a worker of MapServer. */
export function sessionSettings(identity: Identity, context: RequestContext): Setting[] {
  return [...settingsOfContext(identity, context), ...settingsOfClaims(identity)];
}

function settingsOfContext(identity: Identity, context: RequestContext): Setting[] {
  return [
    ["portolan.user", identity.name],
    ["portolan.service", context.service],
    ["portolan.ip", context.address ?? ""],
  ];
}

function setConfig([name, value]: Setting): string {
  return `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`;
}

/** Claims that are the gateway's own word, which no property of an account can change. */
const OWN_CLAIMS =
  /^(iss|sub|aud|exp|nbf|iat|jti|client_id|scope|response_type|uid|database|superUser|userGroup|email|role)$/;

/**
 * `request.jwt.claims` for all, `jwt.claims.*` for policies in PostGraphile's manner: each claim, each property. A
 * property of the account counts more than a claim of that name that an outside issuer makes up.
 */
function settingsOfClaims(identity: Identity): Setting[] {
  const { properties, ...claims } = identity.claims;
  const own = Object.fromEntries(Object.entries(claims).filter(([name]) => OWN_CLAIMS.test(name)));
  const single = { ...claims, ...(typeof properties === "object" ? properties : {}), ...own };
  return [
    ["request.jwt.claims", JSON.stringify(identity.claims, withoutNul)],
    ...Object.entries(single)
      .filter(([name, value]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && value !== null && value !== undefined)
      .map(([name, value]): Setting => [
        `jwt.claims.${name}`,
        typeof value === "string" ? withoutNul(name, value) : JSON.stringify(value, withoutNul),
      ]),
  ];
}

/** PostgreSQL has no character NUL; a token of another issuer may have one. */
function withoutNul<T>(_name: string, value: T): T | string {
  return typeof value === "string" ? value.replaceAll("\0", "") : value;
}
