/** The one listener for upgrades: it decides who may open a socket, which protocol it uses, and when it must end. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { BlockList } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { clientAddress } from "../kernel/http/clientAddress.ts";
import { checkHost } from "../kernel/http/hostHeader.ts";
import { toBlockList } from "../kernel/config/addresses.ts";
import type { Identity } from "../kernel/database/database.ts";
import { GatewayError, toGatewayError } from "../ground/errors.ts";
import { CLOSE } from "./closeCodes.ts";
import { Connection } from "./connection.ts";
import { speakDialect } from "./dialect.ts";
import { GRAPHQL_TRANSPORT_WS, speakGraphqlTransportWs } from "./graphqlTransportWs.ts";
import { createSocketMetrics, type Protocol } from "./metrics.ts";
import { refuseUpgrade } from "./refuseUpgrade.ts";
import type { SocketDoors } from "./session.ts";

export interface Sockets {
  /** For the server's event `upgrade`. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
  /** Accounts or keys of the database have changed: every token is verified again. */
  recheck(database: string): void;
  /** How many are open of accounts of the database. */
  count(database: string): number;
  /** Closes the sockets of accounts of the database with 1001. */
  rest(database: string): void;
  /** Closes every socket with 1001, and takes no more. */
  close(): Promise<void>;
}

const GRAPHQL_PATH = /^\/api\/graphql\/schema\/([^/]+)$/;
/** How soon accounts are checked again when the database did not answer. */
const RECHECK_AGAIN_MS = 1000;
const RECHECK_AT_ONCE = 4;

export function createSockets(options: SocketDoors): Sockets {
  const server = new SocketServer(options);
  return {
    upgrade: (request, stream, head) => server.upgrade(request, stream, head),
    recheck: (database) => server.recheck(database),
    count: (database) => server.count(database),
    rest: (database) => server.rest(database),
    close: () => server.close(),
  };
}

class SocketServer implements Sockets {
  readonly #options: SocketDoors;
  readonly #trusted: BlockList;
  readonly #webSockets: WebSocketServer;
  readonly #connections = new Set<Connection>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #metrics: ReturnType<typeof createSocketMetrics>;
  /** For the answers to upgrades. */
  readonly #nonces = new WeakMap<IncomingMessage, string>();
  #closed = false;

  constructor(options: SocketDoors) {
    this.#options = options;
    const { config, registry } = options;
    this.#trusted = toBlockList(config.trustedProxies);
    this.#webSockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false, // it would cost memory for each socket, and time for each message of each subscriber
      maxPayload: config.maxMessageBytes,
      handleProtocols: (offered) => (offered.has(GRAPHQL_TRANSPORT_WS) ? GRAPHQL_TRANSPORT_WS : false),
    });
    this.#webSockets.on("headers", (headers, request) => {
      const nonce = this.#nonces.get(request);
      if (nonce !== undefined) headers.push(`DPoP-Nonce: ${nonce}`);
    });
    this.#metrics = createSocketMetrics(registry, (protocol) => {
      let open = 0;
      for (const connection of this.#connections) if (connection.protocol === protocol) open++;
      return open;
    });
    this.#heartbeat = setInterval(() => {
      for (const connection of this.#connections) if (!connection.beat()) connection.terminate();
    }, config.socketPingIntervalMs).unref();
  }

  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on("error", () => undefined); // a client that is gone; its resources are freed when the socket closes
    this.#upgrade(request, stream, head).catch((thrown: unknown) => {
      const error = toGatewayError(thrown);
      if (error.status >= 500) this.#options.log.error({ code: error.code, err: error.cause ?? error }, "failure");
      refuseUpgrade(stream, error);
    });
  }

  async #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const { config, log } = this.#options;
    checkHost(request);
    const address = clientAddress(request, this.#trusted);
    const requestId = randomUUID();
    const url = readUrl(request);
    const schema = schemaOf(url.pathname);
    log.info({ requestId, address, path: url.pathname }, "socket");
    if (this.#closed) throw new GatewayError("UNAVAILABLE", "The service is shutting down");
    this.#checkOrigin(request);
    if (url.pathname !== "/" && schema === undefined)
      throw new GatewayError("NOT_FOUND", `There is no WebSocket at ${url.pathname}`);
    const protocol: Protocol = schema === undefined ? "portolan" : GRAPHQL_TRANSPORT_WS;
    if (schema !== undefined && !offers(request, GRAPHQL_TRANSPORT_WS))
      throw new GatewayError("BAD_USER_INPUT", `This WebSocket speaks ${GRAPHQL_TRANSPORT_WS}`);
    const { host } = this.#options;
    const place = `sockets of address ${address}`;
    if (!(await host.take(place, config.maxSocketsPerAddress)))
      throw new GatewayError("RATE_LIMITED", "Too many sockets are open from this address");
    if (stream.destroyed) return host.leave(place);
    stream.once("close", () => host.leave(place));
    await this.#options.count(`address ${address}`);

    const token = url.searchParams.get("token") ?? undefined;
    const nonce = token === undefined ? undefined : await this.#options.nonceFor(token);
    if (nonce !== undefined) this.#nonces.set(request, nonce);
    if (protocol === "portolan") delete request.headers["sec-websocket-protocol"]; // the client offers no protocol, so none is chosen
    this.#webSockets.handleUpgrade(request, stream, head, (webSocket) => {
      const { maxSocketBufferBytes: maxBufferBytes } = config;
      const metrics = this.#metrics;
      const connection = new Connection({ webSocket, stream, protocol, address, requestId, maxBufferBytes, metrics });
      this.#connections.add(connection);
      webSocket.once("close", (code) => {
        this.#connections.delete(connection);
        metrics.closed.inc({ protocol, code: isKnown(code) ? String(code) : "other" });
        log.info({ requestId, address, path: url.pathname, code }, "socket closed");
      });
      const admit = (account: Identity): Promise<void> => this.#admit(connection, account);
      const proof = url.searchParams.get("dpop") ?? undefined;
      const shared = { ...this.#options, webSocket, connection, token, proof, path: url.pathname, admit };
      if (schema === undefined) speakDialect({ ...shared, rels: url.searchParams.get("rels") ?? undefined });
      else speakGraphqlTransportWs({ ...shared, schema });
    });
  }

  /** Counts a socket of the account. Throws `LIMIT_EXCEEDED` when it has too many. */
  async #admit(connection: Connection, { database, name, claims }: Identity): Promise<void> {
    const { config, host } = this.#options;
    const { maxSocketsPerAccount } = config;
    const { requestId, address, signal } = connection;
    this.#options.noteSocket(requestId, { database, name, address, claims }, signal);
    const place = `sockets of account ${name}@${database}`;
    if (!(await host.take(place, maxSocketsPerAccount)))
      throw new GatewayError("LIMIT_EXCEEDED", `The account has ${maxSocketsPerAccount} sockets open`);
    if (signal.aborted) return host.leave(place);
    signal.addEventListener("abort", () => host.leave(place), { once: true });
  }

  /** A browser says where its page is from; other clients say nothing. */
  #checkOrigin({ headers: { origin, host } }: IncomingMessage): void {
    const { corsOrigins } = this.#options.config;
    if (origin === undefined || corsOrigins.includes("*") || corsOrigins.includes(origin)) return;
    if (origin.replace(/^https?:\/\//, "") === host) return;
    throw new GatewayError("FORBIDDEN", "Pages of this origin may not connect");
  }

  recheck(database: string): void {
    void this.#recheck(database);
  }

  async #recheck(database: string): Promise<void> {
    const byToken = new Map<string, Connection[]>();
    for (const connection of this.#connections) {
      if (connection.login.token === undefined || connection.login.identity?.database !== database) continue;
      const same = byToken.get(connection.login.token);
      if (same) same.push(connection);
      else byToken.set(connection.login.token, [connection]);
    }
    let unknown = false;
    const recheck = async ([token, connections]: readonly [string, readonly Connection[]]): Promise<void> => {
      try {
        const verified = await this.#options.verify(token, "before");
        for (const connection of connections)
          if (connection.login.token === token) connection.login.authenticate(token, verified);
      } catch (error) {
        if (toGatewayError(error).code !== "UNAUTHENTICATED") unknown = true;
        else for (const connection of connections) if (connection.login.token === token) connection.login.onExpired();
      }
    };
    const tokens = [...byToken];
    for (let start = 0; start < tokens.length; start += RECHECK_AT_ONCE)
      await Promise.all(tokens.slice(start, start + RECHECK_AT_ONCE).map(recheck));
    if (unknown && !this.#closed) setTimeout(() => this.recheck(database), RECHECK_AGAIN_MS).unref();
  }

  #of(database: string): Connection[] {
    return [...this.#connections].filter(({ login }) => login.identity?.database === database);
  }

  count(database: string): number {
    return this.#of(database).length;
  }

  rest(database: string): void {
    for (const connection of this.#of(database)) connection.close(CLOSE.goingAway);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#heartbeat);
    const ends = [...this.#connections].map(
      (connection) =>
        new Promise<void>((resolve) => {
          connection.signal.addEventListener("abort", () => resolve(), { once: true });
          connection.close(CLOSE.goingAway);
        }),
    );
    await Promise.all(ends);
    this.#webSockets.close();
  }
}

function readUrl(request: IncomingMessage): URL {
  try {
    return new URL(request.url ?? "/", "ws://localhost");
  } catch {
    throw new GatewayError("BAD_USER_INPUT", "The address cannot be read");
  }
}

function schemaOf(path: string): string | undefined {
  const [, schema] = GRAPHQL_PATH.exec(path) ?? [];
  try {
    return schema === undefined ? undefined : decodeURIComponent(schema);
  } catch {
    return undefined;
  }
}

function offers({ headers }: IncomingMessage, protocol: string): boolean {
  return (headers["sec-websocket-protocol"] ?? "").split(",").some((offered) => offered.trim() === protocol);
}

/** A client may close with any code: the label must have few values. */
function isKnown(code: number): boolean {
  return (code >= 1000 && code <= 1014) || (code >= 4400 && code <= 4429);
}
