/** The messages that wait to be sent over a socket. Nothing is dropped: a client that does not keep up is disconnected. */
import type { Duplex } from "node:stream";
import { toFrame, type Frame } from "./frame.ts";

/** The longest time for an eighth of the buffer to be sent. */
const PATIENCE_MS = 5000;

export interface OutboxOptions {
  /** The transport of the WebSocket. */
  readonly stream: Duplex;
  readonly maxBufferBytes: number;
  /** Fires when the socket is gone. */
  readonly signal: AbortSignal;
  /** Whether messages can be sent. */
  readonly isOpen: () => boolean;
  /** Called with the number of messages that went out in one write. */
  readonly onSent: (messages: number) => void;
  readonly onSlow: () => void;
}

export class Outbox {
  readonly #options: OutboxOptions;
  /** Messages that wait for the end of this turn of the event loop. */
  #unsent = 0;
  #draining: Promise<void> | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Sends a text message. Messages of the same turn of the event loop go out in one write. */
  send(text: string): void {
    this.sendFrame(toFrame(text));
  }

  /** The same for one that is encoded already, perhaps for many. */
  sendFrame(frame: Frame): void {
    const { stream, maxBufferBytes, isOpen, onSlow } = this.#options;
    if (!isOpen()) return;
    if (stream.writableLength > maxBufferBytes) return onSlow(); // one large message alone is no reason
    if (this.#unsent === 0) {
      stream.cork();
      setImmediate(() => this.#flush());
    }
    this.#unsent++;
    // no message is compressed or fragmented, so that the frames of `ws` itself can come before or after
    stream.write(frame);
  }

  #flush(): void {
    const { stream, onSent } = this.#options;
    onSent(this.#unsent);
    this.#unsent = 0;
    stream.uncork();
  }

  /**
   * Undefined while little waits to be sent; else resolves when that has been sent, or at the end. A client that does
   * not take it in time is too slow. A sender with much to send awaits this, so that a burst alone closes no socket.
   */
  drained(): Promise<void> | undefined {
    const { stream, maxBufferBytes } = this.#options;
    if (stream.writableLength <= maxBufferBytes / 8) return undefined;
    return (this.#draining ??= this.#drain());
  }

  async #drain(): Promise<void> {
    const { stream, signal, onSlow } = this.#options;
    const late = setTimeout(onSlow, PATIENCE_MS).unref();
    await new Promise<void>((resolve) => {
      const done = (): void => {
        stream.off("drain", done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      stream.once("drain", done);
      signal.addEventListener("abort", done, { once: true });
    });
    clearTimeout(late);
    this.#draining = undefined;
  }
}
