/** The parts that a protocol needs to speak with one client. */
import type { Registry } from "prom-client";
import type { WebSocket } from "ws";
import type { Config } from "../kernel/config.ts";
import { GatewayError } from "../ground/errors.ts";
import type { Database, Identity, ReadPoint } from "../kernel/database/database.ts";
import type { EventHub } from "../events/types.ts";
import type { Host } from "../fleet/host.ts";
import type { Verified } from "../kernel/identity/identity.ts";
import type { RunOperation } from "../events/liveOperation.ts";
import type { Log } from "../ground/log.ts";
import type { Connection } from "./connection.ts";

/** The context of a request over a socket. */
export interface SocketContext {
  readonly identity: Identity;
  readonly address: string;
  readonly requestId: string;
  /** Fires when the socket is gone. */
  readonly signal: AbortSignal;
  /** The writes that its reads must see; records how far its own writes have come. */
  readonly point?: ReadPoint | undefined;
}

/** How a token came on a socket: with which proof (RFC 9449), and to which path. */
export interface ShownToken {
  readonly proof: string | undefined;
  readonly path: string;
}

/** Answers a message of the client, JSON text by JSON text; undefined: silence, as for a notification. */
export type AnswerMessage = (context: SocketContext, text: string) => Promise<string | undefined>;

/** The doors behind sockets; the composition root gives them. */
export interface SocketDoors {
  readonly config: Pick<
    Config,
    | "trustedProxies"
    | "corsOrigins"
    | "maxSocketsPerAccount"
    | "maxSocketsPerAddress"
    | "maxSubscriptionsPerSocket"
    | "maxMessageBytes"
    | "maxSocketBufferBytes"
    | "socketPingIntervalMs"
  >;
  readonly registry: Registry;
  readonly host: Pick<Host, "take" | "leave">;
  readonly log: Log;
  /** The identity behind a token. Throws `UNAUTHENTICATED`. */
  verify(token: string, shown: ShownToken | "before"): Promise<Pick<Verified, "identity" | "expiresAtMs">>;
  /** A nonce for the next proof of a token, where proofs need one. */
  nonceFor(token: string): Promise<string | undefined>;
  /** Counts a socket of an address, or a request of an account. Throws `RATE_LIMITED`. */
  count(key: string): Promise<void>;
  /** The account for the failures of a socket, until it is closed. */
  noteSocket(
    requestId: string,
    asker: Pick<Identity, "database" | "name" | "claims"> & { address: string },
    signal: AbortSignal,
  ): void;
  databaseOf(identity: Identity): Database;
  eventsOf(database: Database): EventHub;
  readonly run: RunOperation;
  /** JSON-RPC requests, single and in batches. */
  readonly call: AnswerMessage;
  /** The answer to a JSON-RPC message that is refused for `reason`. */
  refuseCall(context: SocketContext, text: string, reason: unknown): string | undefined;
  /** SQL, as `POST /api/v4/sql`. */
  readonly sql: AnswerMessage;
}

export interface Session extends SocketDoors {
  readonly webSocket: WebSocket;
  readonly connection: Connection;
  /** From the URL. */
  readonly token: string | undefined;
  /** From the URL: the proof of that token. */
  readonly proof: string | undefined;
  /** The path of the URL. */
  readonly path: string;
  /** Counts the socket for its account. Throws `LIMIT_EXCEEDED`. */
  admit(identity: Identity): Promise<void>;
}

/** A subscription, or a request that is being answered. */
export interface Running {
  /** How many it counts for. */
  subscriptions: number;
  /** Set while a subscription is live: begins it again for the changed account, at the same position. */
  restart: (() => void) | undefined;
}

/** Counts `running` as this many among all that a socket has. Throws `LIMIT_EXCEEDED`. */
export function admitSubscriptions(
  { config: { maxSubscriptionsPerSocket } }: Pick<SocketDoors, "config">,
  all: Iterable<Running>,
  running: Running,
  subscriptions: number,
): void {
  let sum = subscriptions;
  for (const other of all) if (other !== running) sum += other.subscriptions;
  if (sum > maxSubscriptionsPerSocket)
    throw new GatewayError("LIMIT_EXCEEDED", `A socket may have ${maxSubscriptionsPerSocket} subscriptions`);
  running.subscriptions = subscriptions;
}
