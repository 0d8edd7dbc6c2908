/** One socket, whatever is spoken over it: whether its client is alive, and how it ends. */
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { CLOSE, type CloseReason } from "./closeCodes.ts";
import { Login } from "./login.ts";
import type { Protocol, SocketMetrics } from "./metrics.ts";
import { OperationIds } from "../ground/requestIds.ts";
import { Outbox } from "./outbox.ts";

export interface ConnectionOptions {
  readonly webSocket: WebSocket;
  /** The transport of the WebSocket. */
  readonly stream: Duplex;
  readonly protocol: Protocol;
  readonly address: string;
  readonly requestId: string;
  readonly maxBufferBytes: number;
  readonly metrics: SocketMetrics;
}

/** A client that does not answer the closing handshake is cut off. A slow one gets this time to read waiting messages. */
const FAREWELL_MS = 2000;
const SLOW_FAREWELL_MS = 20_000;
/** RFC 6455 §5.5: 125 with the code. */
const MAX_REASON_BYTES = 123;

export class Connection {
  readonly protocol: Protocol;
  readonly address: string;
  readonly requestId: string;
  /** For its operations. */
  readonly operations: OperationIds;
  readonly login = new Login(() => this.close(CLOSE.unauthenticated));
  readonly outbox: Outbox;
  readonly #options: ConnectionOptions;
  readonly #end = new AbortController();
  #alive = true;
  #closing = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.protocol = options.protocol;
    this.address = options.address;
    this.requestId = options.requestId;
    this.operations = new OperationIds(options.requestId);
    const { webSocket, stream, maxBufferBytes, metrics, protocol } = options;
    this.outbox = new Outbox({
      stream,
      maxBufferBytes,
      signal: this.signal,
      isOpen: () => !this.#closing && webSocket.readyState === webSocket.OPEN,
      onSent: (messages) => metrics.sent.inc({ protocol }, messages),
      onSlow: () => this.#endSlow(),
    });
    webSocket.on("message", () => {
      this.#alive = true;
      metrics.received.inc({ protocol });
    });
    webSocket.on("pong", () => (this.#alive = true));
    webSocket.on("error", () => undefined); // ws closes it, with a suitable code
    webSocket.once("close", () => {
      this.login.stop();
      this.#end.abort();
    });
  }

  /** Fires when the socket is gone. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  #endSlow(): void {
    this.#options.metrics.slowReaders.inc({ protocol: this.protocol });
    this.close(CLOSE.limitExceeded, "The client does not read as fast as events arrive");
  }

  /** Pauses and resumes the messages of the client. */
  pause(): void {
    this.#options.webSocket.pause();
  }

  resume(): void {
    this.#options.webSocket.resume();
  }

  /** Asks for a sign of life; false when there was none since the last time. */
  beat(): boolean {
    const { webSocket } = this.#options;
    if (webSocket.isPaused) return true; // its answer could not be received
    if (!this.#alive) return false;
    this.#alive = false;
    webSocket.ping();
    return true;
  }

  /** Ends it; earlier messages are sent first, unless the client does not read. */
  close([code, reason]: CloseReason, detail: string = reason): void {
    if (this.#closing) return;
    this.#closing = true;
    const { webSocket } = this.#options;
    webSocket.resume(); // or its answer is never received
    webSocket.close(
      code,
      Buffer.from(detail)
        .subarray(0, MAX_REASON_BYTES)
        .toString("utf8")
        .replace(/\uFFFD$/, ""),
    );
    const slow = code === CLOSE.limitExceeded[0];
    const cut = setTimeout(() => webSocket.terminate(), slow ? SLOW_FAREWELL_MS : FAREWELL_MS).unref();
    webSocket.once("close", () => clearTimeout(cut));
  }

  terminate(): void {
    this.#options.webSocket.terminate();
  }
}
