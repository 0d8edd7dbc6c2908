/** Connection strings of PostgreSQL as libpq reads them: node-postgres knows one server, libpq a list of them. */

/** The values of libpq's `target_session_attrs`: which server of the list is accepted. */
const WANTED_SERVERS = ["any", "read-write", "primary", "standby"] as const;
export type WantedServer = (typeof WANTED_SERVERS)[number];

export interface ServerAddress {
  /** A name, an address, or the folder of a unix socket; undefined: the driver's default. */
  readonly host: string | undefined;
  readonly port: string | undefined;
}

export interface ConnectionString {
  /** In the order in which they are tried; one at least. */
  readonly servers: readonly ServerAddress[];
  /** Default `any` for one server, which is tried whatever it is, and `read-write` for several. */
  readonly wanted: WantedServer;
  /** The same for one of the servers, as node-postgres reads it. */
  urlOf(server: ServerAddress): string;
}

const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*)((?:\/[^?#]*)?)(?:\?([^#]*))?$/;
/** Scheme, login with its @, authority, path and query; empty texts if it is not a connection string. */
function partsOf(
  url: string,
): readonly [scheme: string, login: string, authority: string, path: string, query: string | undefined] {
  const [, scheme = "", loginAndAuthority = "", path = "", query] = PARTS.exec(url) ?? [];
  const end = loginAndAuthority.lastIndexOf("@") + 1;
  return [scheme, loginAndAuthority.slice(0, end), loginAndAuthority.slice(end), path, query];
}

const PORT = /^\d{1,5}$/;

/** Throws `Error` with the problem, without a password. */
export function readConnectionString(url: string): ConnectionString {
  const [scheme, login, authority, path, query] = partsOf(url);
  if (scheme === "") throw new Error("must be a postgres:// connection string");
  const parameters = new URLSearchParams(query);
  const given = authority.split(",").map(readAddress);
  const servers = pair(
    parameters.get("host")?.split(",") ?? given.map(({ host }) => host ?? ""),
    parameters.get("port")?.split(",") ?? given.map(({ port }) => port ?? ""),
  );
  const attributes = parameters.get("target_session_attrs");
  const wanted = WANTED_SERVERS.find((one) => one === (attributes ?? (servers.length > 1 ? "read-write" : "any")));
  if (wanted === undefined) throw new Error(`target_session_attrs must be one of ${WANTED_SERVERS.join(", ")}`);
  const isPlain = servers.length === 1 && attributes === null;
  const rest = [...parameters].filter(([name]) => !["host", "port", "target_session_attrs"].includes(name));
  return {
    servers,
    wanted,
    urlOf({ host, port }) {
      if (isPlain) return url;
      const own: [string, string][] = [
        ["host", host ?? "localhost"],
        ...(port === undefined ? [] : [["port", port] as [string, string]]),
      ];
      return `${scheme}${login}localhost${path}?${encode([...own, ...rest])}`;
    },
  };
}

/** The connection string of another login to the same servers. */
export function withLogin(url: string, user: string, password: string): string {
  const [scheme, , authority, path, query] = partsOf(url);
  const parameters = [...new URLSearchParams(query)].filter(([name]) => name !== "user" && name !== "password");
  const text = parameters.length === 0 ? "" : `?${encode(parameters)}`;
  return `${scheme}${encodeURIComponent(user)}:${encodeURIComponent(password)}@${authority || "localhost"}${path}${text}`;
}

/** The connection string of another database on the same servers. */
export function atDatabase(url: string, database: string): string {
  const [scheme, login, authority, , query] = partsOf(url);
  const parameters = [...new URLSearchParams(query)].filter(([name]) => name !== "dbname");
  const text = parameters.length === 0 ? "" : `?${encode(parameters)}`;
  return `${scheme}${login}${authority}/${encodeURIComponent(database)}${text}`;
}

/** The form for libpq, which can connect to any of several servers. */
export function forLibpq(url: string): string {
  const { servers, wanted } = readConnectionString(url);
  if (servers.length === 1 || url.includes("target_session_attrs=")) return url;
  return `${url}${url.includes("?") ? "&" : "?"}target_session_attrs=${wanted}`;
}

/** For people, without user and password. */
export function nameOf({ host, port }: ServerAddress): string {
  return `${host?.includes(":") ? `[${host}]` : (host ?? "localhost")}:${port ?? 5432}`;
}

/** The dbname of a connection string, which is the name of the database where none is configured. */
export function databaseNameOf(url: string): string {
  const [, login, , path, query] = partsOf(url);
  const parameters = new URLSearchParams(query);
  const user = decodeURIComponent(login.slice(0, -1).split(":")[0] ?? "");
  return parameters.get("dbname") ?? (decodeURIComponent(path.slice(1)) || user || "postgres");
}

/** Like URLSearchParams, but with `%20` for a space: libpq takes a plus sign literally. */
function encode(parameters: readonly (readonly [name: string, value: string])[]): string {
  return parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
}

/** `host:port`, `[::1]:port`, or without a port. */
function readAddress(text: string): ServerAddress {
  const [, bracketed, plain = "", port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(text) ?? [];
  if (bracketed === undefined && plain === "" && port === undefined && text !== "")
    throw new Error(`${JSON.stringify(text)} is no host`);
  return { host: bracketed ?? (decodeURIComponent(plain) || undefined), port: port || undefined };
}

/** libpq: as many ports as hosts, or one for all. */
function pair(hosts: readonly string[], ports: readonly string[]): ServerAddress[] {
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new Error(`names ${hosts.length} hosts and ${ports.length} ports`);
  if (hosts.length > 1 && hosts.includes("")) throw new Error("has an empty host in its list");
  return hosts.map((host, at) => {
    const port = (ports.length > 1 ? ports[at] : ports[0]) || undefined;
    if (port !== undefined && (!PORT.test(port) || Number(port) < 1 || Number(port) > 65_535))
      throw new Error(`${JSON.stringify(port)} is no port`);
    return { host: host || undefined, port };
  });
}
