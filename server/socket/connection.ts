/** One socket, whatever is spoken over it: who it is, what waits to be sent, and how it ends. */
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Identity } from "../kernel/database/database.ts";
import { accountKeyOf, type Verified } from "../kernel/identity/identity.ts";
import { CLOSE, type CloseReason } from "./closeCodes.ts";
import { toFrame, type Frame } from "./frame.ts";
import type { Protocol, SocketMetrics } from "./metrics.ts";

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

/** A client that does not answer a farewell is cut off; a slow one gets the time to read what waits for it. */
const FAREWELL_MS = 2000;
const SLOW_FAREWELL_MS = 20_000;
/** RFC 6455 §5.5: 125 with the code. */
const MAX_REASON_BYTES = 123;
/** The longest time for an eighth of the buffer to be sent. */
const PATIENCE_MS = 5000;
/** `setTimeout` takes no more. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

export class Connection {
  readonly protocol: Protocol;
  readonly address: string;
  readonly requestId: string;
  /** Called when the token has come to its end. */
  onExpired: () => void = () => this.close(CLOSE.unauthenticated);
  /** Called when the account is another one, or has changed. The connection has `verified` already. */
  onIdentity: () => void = () => undefined;
  readonly #options: ConnectionOptions;
  readonly #end = new AbortController();
  #token: string | undefined;
  #verified: Verified | undefined;
  #expiry: NodeJS.Timeout | undefined;
  /** Messages that wait for the end of this turn of the event loop. */
  #unsent = 0;
  #draining: Promise<void> | undefined;
  #alive = true;
  #closing = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.protocol = options.protocol;
    this.address = options.address;
    this.requestId = options.requestId;
    const { webSocket, metrics, protocol } = options;
    webSocket.on("message", () => {
      this.#alive = true;
      metrics.received.inc({ protocol });
    });
    webSocket.on("pong", () => (this.#alive = true));
    webSocket.on("error", () => undefined); // ws closes it, with the code that fits
    webSocket.once("close", () => {
      clearTimeout(this.#expiry);
      this.#end.abort();
    });
  }

  /** Fires when the socket is gone. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get identity(): Identity | undefined {
    return this.#verified?.identity;
  }

  get token(): string | undefined {
    return this.#token;
  }

  /** The identity of the socket from now on, until the token ends. */
  authenticate(token: string, verified: Verified): void {
    const before = this.#verified?.identity;
    this.#token = token;
    this.#verified = verified;
    clearTimeout(this.#expiry);
    this.#expireAt(verified.expiresAtMs);
    if (before && accountKeyOf(before) !== accountKeyOf(verified.identity)) this.onIdentity();
  }

  #expireAt(atMs: number): void {
    const left = atMs - Date.now();
    this.#expiry = setTimeout(
      () => (left > LONGEST_TIMEOUT_MS ? this.#expireAt(atMs) : this.onExpired()),
      Math.max(0, Math.min(left, LONGEST_TIMEOUT_MS)),
    ).unref();
  }

  /**
   * Sends a text message. Nothing is dropped: a socket whose client does not keep up is closed. Messages of the same turn of
   * the event loop go out in one write.
   */
  send(text: string): void {
    this.sendFrame(toFrame(text));
  }

  /** The same for one that is encoded already, perhaps for many. */
  sendFrame(frame: Frame): void {
    const { webSocket, stream, maxBufferBytes } = this.#options;
    if (this.#closing || webSocket.readyState !== webSocket.OPEN) return;
    if (stream.writableLength > maxBufferBytes) return this.#endSlow(); // one large message alone is no reason
    if (this.#unsent === 0) {
      stream.cork();
      setImmediate(() => this.#flush());
    }
    this.#unsent++;
    // no message is compressed or fragmented, so that the frames of `ws` itself can come before or after
    stream.write(frame);
  }

  #flush(): void {
    const { stream, metrics, protocol } = this.#options;
    metrics.sent.inc({ protocol }, this.#unsent);
    this.#unsent = 0;
    stream.uncork();
  }

  /**
   * Undefined while little waits to be sent; else resolves when that has been sent, or at the end. A client that does not
   * take it in time is too slow. A sender with much to send waits for it, so that a burst alone ends no socket.
   */
  drained(): Promise<void> | undefined {
    const { stream, maxBufferBytes } = this.#options;
    if (stream.writableLength <= maxBufferBytes / 8) return undefined;
    return (this.#draining ??= this.#drain());
  }

  async #drain(): Promise<void> {
    const { stream } = this.#options;
    const late = setTimeout(() => this.#endSlow(), PATIENCE_MS).unref();
    await new Promise<void>((resolve) => {
      const done = (): void => {
        stream.off("drain", done);
        this.signal.removeEventListener("abort", done);
        resolve();
      };
      stream.once("drain", done);
      this.signal.addEventListener("abort", done, { once: true });
    });
    clearTimeout(late);
    this.#draining = undefined;
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

  /** Asks for a sign of life; false when there was none since it was last asked. */
  beat(): boolean {
    const { webSocket } = this.#options;
    if (webSocket.isPaused) return true; // its answer could not be heard
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
    webSocket.resume(); // or its answer is never heard
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
