/** How MapServer connects to PostgreSQL: as the caller's role, with all that policies may ask about the caller. */
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

/** PostgreSQL: MAX_STARTUP_PACKET_LENGTH is 10,000 bytes, and user, database and names need some of them. */
const MAX_OPTIONS_BYTES = 9_000;
/** Percent-encoded text and the punctuation of a URI: nothing in it means anything to a mapfile. */
const URI = /^postgresql:\/\/[A-Za-z0-9%._~@:/?&=-]*$/;

export interface MapConnection {
  /** A connection URI of libpq. */
  readonly uri: string;
  /** Tells it from all others. */
  readonly digest: string;
  /**
   * Whether the next map may have it. Code of an author may have left settings and locks on it, which MapServer cannot take
   * back.
   */
  readonly isKept: boolean;
}

export interface MapConnectionOptions {
  readonly identity: Identity;
  readonly context: RequestContext;
  /** The login. */
  readonly login: OwnConnection;
  /** Whether rows depend on more than the role: a table with row security, a view. */
  readonly bySession: boolean;
  /** Schema of PostGIS. MapServer names its functions without it. */
  readonly postgis: string;
  readonly statementTimeoutMs: number;
}

/** The caller in whose share of the workers a map counts. */
export function mapCaller({
  database,
  identity,
  context,
}: Pick<MapConnectionOptions, "identity" | "context"> & { readonly database: Database }): string {
  return `${database.name} ${callerOf(identity, context)}`;
}

/** Connections of callers whose rows depend only on their role: made once for each login. */
const plain = new WeakMap<Identity, Map<string, MapConnection>>();

/**
 * A connection that is the caller's from its beginning. Callers who certainly see the same rows share one. Throws
 * `LIMIT_EXCEEDED` when an account's claims are too long for a connection.
 */
export function mapConnection(options: MapConnectionOptions): MapConnection {
  if (options.bySession) return makeConnection(options);
  const known = plain.get(options.identity) ?? new Map<string, MapConnection>();
  plain.set(options.identity, known);
  const { context, postgis, login } = options;
  const key = JSON.stringify([context.service, postgis, login.url, login.settings]);
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
    // a rule may be made any time: what it asks for counts before the catalogue says that there is one
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
  const uri = libpqUri(login.url, text);
  return { uri, digest: createHash("sha256").update(uri).digest("hex"), isKept: login.login === undefined };
}

/** Parameters that node-postgres and libpq have in common. */
const SHARED = ["sslrootcert", "sslcert", "sslkey"];

function libpqUri(url: string, options: string): string {
  const { servers, wanted, urlOf } = readConnectionString(url);
  // libpq takes no host for the local socket, a URL of the web must have one
  const given = new URL(urlOf(servers[0]!).replace(/^(postgres(?:ql)?:\/\/(?:[^/@]*@)?)\//, "$1localhost/"));
  const listed = (values: readonly (string | undefined)[]): string | undefined =>
    values.some((value) => value !== undefined) ? values.map((value) => value ?? "").join(",") : undefined;
  const part = (text: string): string | undefined => (text === "" ? undefined : decodeURIComponent(text));
  const { searchParams } = given;
  const parameters: Record<string, string | undefined> = {
    host: listed(servers.map(({ host }) => host)),
    port: listed(servers.map(({ port }) => port)),
    // a worker's own sessions are read-only: libpq would take no server for one that can be written to
    target_session_attrs: wanted === "any" ? undefined : wanted === "read-write" ? "primary" : wanted,
    user: searchParams.get("user") ?? part(given.username) ?? userInfo().username,
    password: searchParams.get("password") ?? part(given.password),
    dbname: searchParams.get("dbname") ?? part(given.pathname.slice(1)),
    sslmode: sslMode(searchParams),
    ...Object.fromEntries(SHARED.map((name) => [name, searchParams.get(name) ?? undefined])),
    client_encoding: "UTF8",
    application_name: "portolan maps",
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
