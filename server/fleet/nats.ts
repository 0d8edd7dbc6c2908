/** The connection to NATS, over which the gateways of a fleet exchange what they need not ask PostgreSQL for. */
import { setTimeout } from "node:timers/promises";
import type { Authenticator, ConnectionOptions, NatsConnection } from "@nats-io/transport-node";
import type { Config } from "../kernel/config.ts";
import type { Finding } from "../ground/finding.ts";
import type { Log } from "../ground/log.ts";

const SECOND = 1000;
const CONNECT_TIMEOUT_MS = 3 * SECOND;
/** A server that does not answer for twice this time is given up. */
const PING_INTERVAL_MS = 1 * SECOND;
const AGAIN_MS = { first: 250, most: 5 * SECOND };
/** The first version with names for consumers, which the client library requires. */
const OLDEST_NATS = [2, 9, 4] as const;
const OLDEST_NAME = OLDEST_NATS.join(".");

export type NatsConfig = Pick<Config, "natsUrl" | "natsCredentials" | "natsTlsCa" | "natsTlsCert" | "natsTlsKey">;

/** The reason why NATS cannot be used, for an operator, without a password. */
class NatsProblem extends Error {
  override readonly name = "NatsProblem";
}

/**
 * A connection that is kept up and never waited for: while it is down, its users go without. No message is stored to be sent
 * later, so that messages are never outdated.
 */
export class Nats {
  readonly #config: NatsConfig;
  readonly #log: Log;
  readonly #users = new Set<(connection: NatsConnection) => void>();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #connection: NatsConnection | undefined;
  #problem: string | undefined;

  constructor(config: NatsConfig, log: Log) {
    this.#config = config;
    this.#log = log;
    this.#running = this.#run();
  }

  /** The present connection. */
  get connection(): NatsConnection | undefined {
    return this.#connection;
  }

  /** Calls back for the present connection and for each later one, until the returned function is called. */
  use(callback: (connection: NatsConnection) => void): () => void {
    this.#users.add(callback);
    if (this.#connection) callback(this.#connection);
    return () => this.#users.delete(callback);
  }

  /** Not sent while there is no connection. */
  publish(subject: string, text: string): void {
    try {
      this.#connection?.publish(subject, text);
    } catch {
      // the connection was lost just now: a receiver waits for the message only a moment
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connection?.close();
    await this.#running;
  }

  /** Makes one connection after another, to one server after another, until closed. Never rejects. */
  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const servers = this.#config.natsUrl;
    for (let failures = 0, next = Math.floor(Math.random() * servers.length); !signal.aborted; next++) {
      try {
        const connection = await connectTo(servers[next % servers.length] ?? "", this.#config);
        if (signal.aborted) return await connection.close();
        failures = 0;
        await this.#serve(connection);
        if (!signal.aborted) this.#tell("the connection to NATS was lost");
      } catch (error) {
        if (++failures % servers.length === 0 || error instanceof NatsProblem) this.#tell((error as Error).message);
      }
      const pause = Math.min(AGAIN_MS.most, AGAIN_MS.first * 2 ** Math.min(10, failures));
      await setTimeout(pause, undefined, { signal, ref: false }).catch(() => undefined); // closing: the loop ends
    }
  }

  /** Resolves when the connection has ended. */
  async #serve(connection: NatsConnection): Promise<void> {
    void this.#watch(connection);
    this.#connection = connection;
    this.#problem = undefined;
    this.#log.info({ server: connection.getServer() }, "connected to NATS");
    for (const callback of this.#users) callback(connection);
    await connection.closed();
    this.#connection = undefined;
  }

  /**
   * Each refusal of NATS is logged once for each connection, because a missing permission would be searched for elsewhere
   * otherwise.
   */
  async #watch(connection: NatsConnection): Promise<void> {
    let isTold = false;
    for await (const status of connection.status()) {
      if (status.type !== "error" || isTold) continue;
      isTold = true;
      this.#log.warn({ err: status.error }, "NATS refused an operation of this gateway");
    }
  }

  #tell(problem: string): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#log.warn(`${problem}. Meanwhile this gateway works by itself`);
  }
}

/** For `start`: undefined where no NATS is configured. */
export function openNats(config: NatsConfig, log: Log): Nats | undefined {
  return config.natsUrl.length > 0 ? new Nats(config, log) : undefined;
}

/** Checks each configured server. */
export function natsFindings(config: NatsConfig): Promise<Finding[]> {
  return Promise.all(
    config.natsUrl.map(async (url): Promise<Finding> => {
      const page = "fleets.md#nats";
      try {
        const connection = await connectTo(url, config);
        await connection.close();
        return { ok: true, text: `NATS at ${new URL(url).host} can be used`, remedy: [], page };
      } catch (error) {
        const remedy = ["Meanwhile gateways use PostgreSQL alone."];
        return { ok: false, severity: "warning", text: (error as Error).message, remedy, page };
      }
    }),
  );
}

/** Connects to one usable server. Throws `NatsProblem`. */
async function connectTo(url: string, config: NatsConfig): Promise<NatsConnection> {
  const { host } = new URL(url);
  const library = await import("@nats-io/transport-node");
  let connection: NatsConnection;
  try {
    const options = await toOptions(url, config, library.credsAuthenticator);
    connection = await library.connect(options);
  } catch (error) {
    const isRefused =
      error instanceof library.AuthorizationError ||
      error instanceof library.UserAuthenticationExpiredError ||
      /authorization|authentication/i.test((error as Error).message);
    throw new NatsProblem(
      isRefused
        ? `NATS at ${host} refuses the credentials of NATS_URL or NATS_CREDENTIALS`
        : `NATS at ${host} cannot be reached: ${reasonOf(error)}`,
      { cause: error },
    );
  }
  try {
    await checkServer(connection, host);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return connection;
}

/** Every connection is given up when it breaks: `Nats` makes another. */
async function toOptions(
  url: string,
  { natsCredentials, natsTlsCa: caFile, natsTlsCert: certFile, natsTlsKey: keyFile }: NatsConfig,
  credsAuthenticator: (credentials: Uint8Array) => Authenticator,
): Promise<ConnectionOptions> {
  const { protocol, host, username, password } = new URL(url);
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  const { readFile } = await import("node:fs/promises");
  const files = { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) };
  return {
    servers: host,
    name: `portolan ${process.pid}`,
    reconnect: false,
    ignoreClusterUpdates: true,
    timeout: CONNECT_TIMEOUT_MS,
    noEcho: true, // no echo: the gateway knows its own messages
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: 2,
    ...(user && (pass ? { user, pass } : { token: user })),
    ...(natsCredentials && { authenticator: credsAuthenticator(await readFile(natsCredentials)) }),
    ...((protocol === "tls:" || Object.keys(files).length > 0) && { tls: files }),
  };
}

async function checkServer(connection: NatsConnection, host: string): Promise<void> {
  const { version = "0" } = connection.info ?? {};
  if (isOlder(version))
    throw new NatsProblem(`NATS at ${host} is version ${version}: upgrade it to ${OLDEST_NAME} or later`);
  const { jetstreamManager } = await import("@nats-io/jetstream");
  try {
    await jetstreamManager(connection, { timeout: CONNECT_TIMEOUT_MS });
  } catch (error) {
    const isOff = (error as Error).name === "JetStreamNotEnabled" || connection.info?.jetstream !== true;
    throw new NatsProblem(
      isOff
        ? `NATS at ${host} has no JetStream for this account: start nats-server with -js`
        : `NATS at ${host} does not let this account use JetStream: ${reasonOf(error)}`,
      { cause: error },
    );
  }
}

function isOlder(version: string): boolean {
  const numbers = version.split(/[.-]/).map(Number);
  for (const [index, least] of OLDEST_NATS.entries()) {
    const given = numbers[index] ?? 0;
    if (given !== least) return !(given > least);
  }
  return false;
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error && cause.message !== "" ? cause.message : message;
}
