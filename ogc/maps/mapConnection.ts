/**
 * MapServer's connection to PostgreSQL: it has the caller's role, and everything that policies may ask about the
 * caller.
 */
import { createHash } from "node:crypto";
import { userInfo } from "node:os";
import { readConnectionString } from "../../server/kernel/connectionString.ts";
import { GatewayError } from "../../server/ground/errors.ts";
import {
  callerOf,
  JIT_OFF,
  optionsOf,
  quoteIdentifier,
  sessionSettings,
  type Database,
  type Identity,
  type OwnConnection,
  type RequestContext,
  type Setting,
} from "../../server/kernel/database/database.ts";
import { encodeReserved } from "../../server/types/keyText.ts";

/**
 * The most bytes of options. PostgreSQL's MAX_STARTUP_PACKET_LENGTH is 10,000 bytes; user, database and names need some
 * of them.
 */
const MAX_OPTIONS_BYTES = 9_000;
/** Percent-encoded text and the punctuation of a URI. A mapfile gives no special meaning to any of it. */
const URI = /^postgresql:\/\/[A-Za-z0-9%._~@:/?&=-]*$/;

export interface MapConnection {
  /** A connection URI of libpq. */
  readonly uri: string;
  /** A digest that identifies it. */
  readonly digest: string;
  /** Whether the next map may reuse it. Code may have left settings and locks on it, which MapServer cannot reset. */
  readonly isKept: boolean;
}

export interface MapConnectionOptions {
  readonly identity: Identity;
  readonly context: RequestContext;
  /** The PostgreSQL login. */
  readonly login: OwnConnection;
  /** Whether rows depend on more than the role: a table with row security, a view. */
  readonly bySession: boolean;
  /** Schema of PostGIS. MapServer calls its functions without a schema. */
  readonly postgis: string;
  readonly statementTimeoutMs: number;
}

/** The caller whose share of the workers a map counts against. */
export function mapCaller({
  database,
  identity,
  context,
}: Pick<MapConnectionOptions, "identity" | "context"> & { readonly database: Database }): string {
  return `${database.name} ${callerOf(identity, context)}`;
}

/** Connections of callers whose rows depend only on their role. They are made once for each login. */
const plain = new WeakMap<Identity, Map<string, MapConnection>>();

/**
 * A connection with the caller's identity from its start. Callers who certainly see the same rows share one. Throws
 * `LIMIT_EXCEEDED` where an account's claims are too long for a connection.
 */
export function mapConnection(options: MapConnectionOptions): MapConnection {
  if (options.bySession) return makeConnection(options);
  const known = plain.get(options.identity) ?? new Map<string, MapConnection>();
  plain.set(options.identity, known);
  const { context, postgis, login } = options;
  const key = JSON.stringify([context.service, postgis, login.url, login.settings, login.isKept]);
  const connection = known.get(key) ?? makeConnection(options);
  known.set(key, connection);
  return connection;
}

function makeConnection(options: MapConnectionOptions): MapConnection {
  const { identity, context, login, bySession, postgis, statementTimeoutMs } = options;
  const settings: Setting[] = [
    ...login.settings,
    ["search_path", [...new Set(["pg_catalog", postgis, "pg_temp"])].map(quoteIdentifier).join(",")],
    ["standard_conforming_strings", "on"],
    ["default_transaction_read_only", "on"],
    JIT_OFF,
    ["statement_timeout", String(statementTimeoutMs)],
    // a rule may be made at any time, so its settings are needed even before the catalogue shows the rule
    ...(bySession
      ? sessionSettings(identity, context)
      : ([
          ["portolan.service", context.service],
          ["portolan.mfa", identity.mfa ? "true" : ""],
        ] as const)),
  ];
  const text = optionsOf(settings);
  if (Buffer.byteLength(text) > MAX_OPTIONS_BYTES)
    throw new GatewayError("LIMIT_EXCEEDED", "The properties of this account are too long for a map");
  const uri = libpqUri(login.url, text, login.isKept);
  return { uri, digest: createHash("sha256").update(uri).digest("hex"), isKept: login.isKept };
}

/** Parameters that node-postgres and libpq have in common. */
const SHARED = ["sslrootcert", "sslcert", "sslkey"];

/** `isKept`: MapServer keeps connections by their URI; a connection that is closed after use has another one. */
function libpqUri(url: string, options: string, isKept: boolean): string {
  const { servers, wanted, urlOf } = readConnectionString(url);
  // libpq writes the local socket without a host, but a web URL must have one
  const given = new URL(urlOf(servers[0]!).replace(/^(postgres(?:ql)?:\/\/(?:[^/@]*@)?)\//, "$1localhost/"));
  const listed = (values: readonly (string | undefined)[]): string | undefined =>
    values.some((value) => value !== undefined) ? values.map((value) => value ?? "").join(",") : undefined;
  const part = (text: string): string | undefined => (text === "" ? undefined : decodeURIComponent(text));
  const { searchParams } = given;
  const parameters: Record<string, string | undefined> = {
    host: listed(servers.map(({ host }) => host)),
    port: listed(servers.map(({ port }) => port)),
    // a worker's own sessions are read-only, and libpq would take such a server for one without write access
    target_session_attrs: wanted === "any" ? undefined : wanted === "read-write" ? "primary" : wanted,
    user: searchParams.get("user") ?? part(given.username) ?? userInfo().username,
    password: searchParams.get("password") ?? part(given.password),
    dbname: searchParams.get("dbname") ?? part(given.pathname.slice(1)),
    sslmode: sslMode(searchParams),
    ...Object.fromEntries(SHARED.map((name) => [name, searchParams.get(name) ?? undefined])),
    client_encoding: "UTF8",
    application_name: "portolan maps",
    fallback_application_name: isKept ? undefined : "once", // of no effect beside the name
    connect_timeout: "10",
    options,
  };
  const query = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeReserved(value ?? "")}`);
  const uri = `postgresql://?${query.join("&")}`;
  if (!URI.test(uri)) throw new Error("a connection URI with characters that it should not have");
  return uri;
}

function sslMode(parameters: URLSearchParams): string | undefined {
  const mode = parameters.get("sslmode") ?? (parameters.get("ssl") === "true" ? "require" : undefined);
  return mode === "no-verify" ? "require" : mode;
}
