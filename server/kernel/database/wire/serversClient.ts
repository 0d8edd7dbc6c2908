/** A client that tries the servers of its connection string in turn, which node-postgres does not. */
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { LRUCache } from "lru-cache";
import pg from "pg";
import { sqlstateOf } from "../../../ground/errors.ts";
import { nameOf, readConnectionString, type ConnectionString, type ServerAddress } from "../../connectionString.ts";

const SECOND = 1000;
/** How long a server that failed is tried after the others. */
const AVOIDED_MS = 5 * SECOND;
/** Without a limit of the caller's. */
const CONNECT_TIMEOUT_MS = 10 * SECOND;

/** Until when a server is tried last, by its name and the purpose of the connection. */
const avoided = new LRUCache<string, number>({ max: 1000 });

/** The inner parts of a client that connect it. */
interface Inside {
  host: string;
  port: number;
  readonly user: string;
  readonly password: string;
  readonly connectionParameters: object;
  connection: Connection;
  connectionTimeoutHandle: NodeJS.Timeout | undefined;
  _connectionTimeoutMillis: number;
  _connecting: boolean;
  _connected: boolean;
  _connectionError: boolean;
  _ended: boolean;
  _ending: boolean;
  _queryable: boolean;
}

interface Connection extends NodeJS.EventEmitter {
  readonly stream: Duplex;
  end(): void;
}

/** The certificate that a server has shown at the beginning of a connection by TLS. */
export interface ServerCertificate {
  /** `host:port`. */
  readonly server: string;
  /** The time in OpenSSL's format, such as `Nov 22 12:00:00 2026 GMT`. */
  readonly validFrom: string;
  readonly validTo: string;
}

/** The login, if it is not the one of the connection string. */
export interface LoginSource {
  /** Undefined: the login of the connection string. */
  get(): Promise<Login | undefined>;
  /** Makes PostgreSQL accept the login. Called when a server has refused it, before the second attempt. */
  allow(): Promise<void>;
  /** Called when it was refused again. Returns whether to try the login of the connection string. */
  giveUp(error: unknown): boolean;
  /** Called when a server has let it in. */
  letIn(): void;
}

export interface Login {
  readonly user: string;
  readonly password: string;
  /** Added to the start-up parameter `options`. */
  readonly options?: string | undefined;
}

export interface ServersConfig extends pg.ClientConfig {
  readonly login?: LoginSource | undefined;
}

/** Takes the first server that answers and has the wanted role. */
export class ServersClient extends pg.Client {
  readonly #target: ConnectionString | undefined;
  readonly #config: ServersConfig;
  readonly #timeoutMs: number;
  /** The parameters that the server reports when a session begins, and whenever one changes. */
  #reported = new Map<string, string>();
  /** The error that broke the connection while no query was running. */
  #broken: Error | undefined;

  constructor(config: ServersConfig) {
    const target = config.connectionString === undefined ? undefined : readConnectionString(config.connectionString);
    const [first] = target?.servers ?? [];
    const own = target && first ? { ...config, connectionString: target.urlOf(first) } : config;
    super(own);
    this.#config = own;
    this.#target = target;
    this.#timeoutMs = config.connectionTimeoutMillis || CONNECT_TIMEOUT_MS;
    // a query that is running rejects by itself; without a listener this would end the process
    this.on("error", (error) => (this.#broken ??= error));
  }

  /** Whether the server has reported that it accepts no writes. */
  get isReadOnly(): boolean {
    return ["in_hot_standby", "default_transaction_read_only"].some((name) => this.#reported.get(name) === "on");
  }

  /** Undefined without TLS. */
  get certificate(): ServerCertificate | undefined {
    const { host, port, connection } = this as unknown as Inside;
    if (!(connection.stream instanceof TLSSocket)) return undefined;
    const { valid_from: validFrom, valid_to: validTo } = connection.stream.getPeerCertificate();
    return validTo ? { server: nameOf({ host, port: String(port) }), validFrom, validTo } : undefined;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(callback?: unknown): Promise<pg.Client> | undefined {
    this.#listen();
    const { login } = this.#config;
    const connecting = login ? this.#connectAs(login) : this.#connect();
    if (typeof callback !== "function") return connecting;
    const settle = callback as (error: unknown, client?: pg.Client) => void;
    // outside of the promise, so that an error of the callback does not count as a failure to connect
    connecting.then(
      () => process.nextTick(() => this.#hand(settle)),
      (error: unknown) => process.nextTick(settle, error),
    );
    return undefined;
  }

  #connect(): Promise<pg.Client> {
    const isOne = (this.#target?.servers.length ?? 0) < 2 && (this.#target?.wanted ?? "any") === "any";
    return isOne ? this.#connectToOne() : this.#connectToAny();
  }

  async #connectToOne(): Promise<pg.Client> {
    try {
      return await super.connect();
    } catch (error) {
      // without a password node-postgres leaves the connection open; PostgreSQL and the process would wait for each other
      (this as unknown as Inside).connection.stream.destroy();
      throw error;
    }
  }

  async #connectAs(source: LoginSource): Promise<pg.Client> {
    const login = await source.get();
    if (!login) return this.#connect();
    const { user, password } = this as unknown as Inside;
    this.#logInAs(login);
    const connect = async (): Promise<pg.Client> => {
      const client = await this.#connect();
      source.letIn();
      return client;
    };
    try {
      return await connect();
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    await source.allow();
    this.#startAnew(this.#first, this.#timeoutMs);
    try {
      return await connect();
    } catch (error) {
      if (!isRefusal(error) || !source.giveUp(error)) throw error;
    }
    this.#logInAs({ user, password });
    this.#startAnew(this.#first, this.#timeoutMs);
    return this.#connect();
  }

  #logInAs({ user, password, options = "" }: Login): void {
    const inside = this as unknown as Inside;
    Object.assign(inside, { user, password });
    const all = [this.#config.options, options].filter(Boolean).join(" ");
    Object.assign(inside.connectionParameters, { user, password, options: all });
  }

  get #first(): ServerAddress {
    return this.#target!.servers[0]!;
  }

  /** Gives the connection to the code that asked for it, unless its server has ended it since it was made. */
  #hand(settle: (error: unknown, client?: pg.Client) => void): void {
    if (!this.#broken) return settle(null, this);
    this.#giveUp();
    settle(this.#broken);
  }

  async #connectToAny(): Promise<pg.Client> {
    const target = this.#target!;
    const deadline = performance.now() + this.#timeoutMs;
    const failures: { readonly server: ServerAddress; readonly error: Error }[] = [];
    const servers = inOrder(target);
    for (const [at, server] of servers.entries()) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) break;
      this.#startAnew(server, leftMs / (servers.length - at));
      try {
        await super.connect();
        const misfit = this.#misfit();
        if (misfit === undefined) return this;
        throw new Error(misfit);
      } catch (error) {
        if (!isRefusal(error)) avoided.set(keyOf(target, server), performance.now() + AVOIDED_MS);
        failures.push({ server, error: error as Error });
      }
    }
    this.#giveUp();
    (this as unknown as Inside)._ended = true; // so that its end need not wait
    // a standby may not have a new password yet; if no server accepts it, that is the reason
    throw failures.find(({ error }) => isRefusal(error))?.error ?? new NoServer(target, failures);
  }

  /** Why the server is not the one that is wanted. */
  #misfit(): string | undefined {
    const isStandby = this.#reported.get("in_hot_standby") === "on";
    const { wanted } = this.#target!;
    if (wanted === "any") return undefined;
    if (wanted === "standby") return isStandby ? undefined : "is no standby";
    if (isStandby) return "is a standby";
    return wanted === "read-write" && this.isReadOnly ? "takes no writes" : undefined;
  }

  /** Drops the present connection, and prepares one to `server`. */
  #startAnew(server: ServerAddress, timeoutMs: number): void {
    const inside = this as unknown as Inside;
    const config = { ...this.#config, connectionString: this.#target!.urlOf(server) };
    const { connection, host, port } = new pg.Client(config) as unknown as Inside;
    this.#giveUp();
    Object.assign(inside, {
      host,
      port,
      connection,
      _connectionTimeoutMillis: timeoutMs,
      _connecting: false,
      _connected: false,
      _connectionError: false,
      _ended: false,
      _ending: false,
      _queryable: true,
    });
    this.#listen();
  }

  /** Ignores whatever the connection still sends. */
  #giveUp(): void {
    const { connection, connectionTimeoutHandle } = this as unknown as Inside;
    clearTimeout(connectionTimeoutHandle);
    connection.removeAllListeners();
    connection.on("error", () => undefined);
    connection.end(); // PostgreSQL hears of it where it has begun a session
    connection.stream.destroy();
  }

  #listen(): void {
    this.#broken = undefined;
    const reported = (this.#reported = new Map<string, string>());
    const { connection } = this as unknown as Inside;
    connection.on("parameterStatus", (message: { parameterName: string; parameterValue: string }) => {
      reported.set(message.parameterName, message.parameterValue);
    });
  }
}

/** No server of the list accepts the connection. */
class NoServer extends Error {
  override readonly name = "NoServer";
  /** Node's code for a server that does not listen. The message has the reason of each server. */
  readonly code = "ECONNREFUSED";

  constructor(
    { wanted }: ConnectionString,
    failures: readonly { readonly server: ServerAddress; readonly error: Error }[],
  ) {
    const reasons = failures.map(({ server, error }) => `${nameOf(server)} ${error.message}`);
    super(`no server can be had that is ${wanted}: ${reasons.join("; ")}`, { cause: failures.at(-1)?.error });
  }
}

/** Whether the server refuses this login (SQLSTATE class 28). */
export function isRefusal(error: unknown): boolean {
  return sqlstateOf(error)?.startsWith("28") ?? false;
}

/** The servers in the given order, those that failed a moment ago last. */
function inOrder(target: ConnectionString): readonly ServerAddress[] {
  const now = performance.now();
  const isAvoided = (server: ServerAddress): boolean => (avoided.get(keyOf(target, server)) ?? 0) > now;
  const [good, bad] = [target.servers.filter((one) => !isAvoided(one)), target.servers.filter(isAvoided)];
  return [...good, ...bad];
}

function keyOf({ wanted }: ConnectionString, server: ServerAddress): string {
  return `${wanted} ${nameOf(server)}`;
}
