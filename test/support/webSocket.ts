/** A raw WebSocket client with a queue of messages: tests wait for messages, never for time. */
import { WebSocket, type ClientOptions } from "ws";
import type { TestGateway } from "./gateway.ts";

export type Received = Readonly<Record<string, unknown>> & { readonly type?: string; readonly id?: string };

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

const PATIENCE_MS = 60_000;

export class SocketClient {
  readonly webSocket: WebSocket;
  /** Messages that were received and not taken yet. */
  readonly received: Received[] = [];
  /** Resolves when the socket has ended. */
  readonly closed: Promise<Closed>;
  readonly #waiting = new Set<() => void>();

  constructor(url: string, protocols: string[] = [], options: ClientOptions = {}) {
    this.webSocket = new WebSocket(url, protocols, { perMessageDeflate: false, ...options });
    this.webSocket.on("message", (data) => {
      this.received.push(JSON.parse((data as Buffer).toString("utf8")) as Received);
      this.#wake();
    });
    this.webSocket.on("error", () => undefined); // told by `closed`, `opened`
    this.closed = new Promise((resolve) =>
      this.webSocket.once("close", (code, reason) => {
        resolve({ code, reason: reason.toString("utf8") });
        this.#wake();
      }),
    );
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }

  async opened(): Promise<this> {
    if (this.webSocket.readyState === WebSocket.OPEN) return this;
    await new Promise<void>((resolve, reject) => {
      this.webSocket.once("open", resolve);
      this.webSocket.once("error", reject);
    });
    return this;
  }

  send(message: unknown): void {
    this.webSocket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Takes the first message that fits: one of a type, or with all of these members. Waits for it. */
  async take(what: string | Readonly<Record<string, unknown>> | ((message: Received) => boolean)): Promise<Received> {
    const wanted = typeof what === "string" ? { type: what } : what;
    const fits =
      typeof wanted === "function"
        ? wanted
        : (message: Received) => Object.entries(wanted).every(([name, value]) => message[name] === value);
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const index = this.received.findIndex(fits);
      if (index !== -1) return this.received.splice(index, 1)[0] as Received;
      const tell = (why: string) =>
        new Error(
          `${why}: waited for ${JSON.stringify(what)}, there is ${JSON.stringify(this.received).slice(0, 2000)}`,
        );
      if (this.webSocket.readyState >= WebSocket.CLOSING) throw tell("the socket ended");
      if (Date.now() > deadline) throw tell("nothing came");
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        setTimeout(resolve, Math.max(1, deadline - Date.now())).unref();
      });
    }
  }

  /** Sends a request and takes the answer with the same id. */
  async ask(message: Readonly<Record<string, unknown>>): Promise<Received> {
    this.send(message);
    return this.take((received) => received.id === message["id"]);
  }

  close(): void {
    this.webSocket.close();
  }
}

/** An account's socket in the service's own dialect. The gateway's `close` ends it. */
export async function connectAs(gateway: TestGateway, account: string, search = ""): Promise<SocketClient> {
  const token = await gateway.token(account);
  return new SocketClient(`${socketUrl(gateway)}/?token=${encodeURIComponent(token)}${search}`).opened();
}

export function socketUrl({ baseUrl }: Pick<TestGateway, "baseUrl">): string {
  return baseUrl.replace(/^http/, "ws");
}
