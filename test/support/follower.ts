/** A client of the WebSocket that follows a table until it is stopped, and counts its events. */
import { setTimeout } from "node:timers/promises";
import { WebSocket } from "ws";
import type { Received } from "./webSocket.ts";

export interface FollowerOptions {
  /** The address to connect to, asked each time. */
  readonly url: () => string;
  readonly token: () => Promise<string>;
  readonly schema: string;
  readonly relation: string;
  /** Gets the rows of each whole transaction, in order, and their number by operation. */
  readonly take: (rows: readonly Readonly<Record<string, unknown>>[], operations: Operations) => void;
  /** Called for each gap. */
  readonly onGap?: () => void;
}

export interface Operations {
  readonly INSERT: number;
  readonly UPDATE: number;
  readonly DELETE: number;
}

interface Batch {
  readonly INSERT: readonly unknown[];
  readonly UPDATE: readonly unknown[];
  readonly DELETE: readonly unknown[];
  readonly full_data: readonly Readonly<Record<string, unknown>>[];
}

export class Follower {
  readonly #options: FollowerOptions;
  readonly closes = new Map<number, number>();
  /** Errors that ended a subscription, by their word. */
  readonly errors = new Map<string, number>();
  transactions = 0;
  gaps = 0;
  /** When the last message came, in milliseconds since the epoch. */
  lastAtMs = 0;
  isLive = false;
  webSocket: WebSocket | undefined;
  #position: string | undefined;
  #pending: Readonly<Record<string, unknown>>[] = [];
  #operations = { INSERT: 0, UPDATE: 0, DELETE: 0 };
  #stopped = false;
  readonly #running: Promise<void>;

  /** Follows until stopped. If the socket ends it is opened again, and resumes where it was. */
  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.webSocket?.terminate();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      await this.#connect().catch(() => undefined); // it is tried again
      this.isLive = false;
      // a part with `more` comes again
      this.#pending = [];
      this.#operations = { INSERT: 0, UPDATE: 0, DELETE: 0 };
      if (!this.#stopped) await setTimeout(50);
    }
  }

  /** Resolves when the socket has ended. */
  async #connect(): Promise<void> {
    const token = await this.#options.token();
    if (this.#stopped) return;
    const webSocket = new WebSocket(`${this.#options.url()}/?token=${encodeURIComponent(token)}`, {
      handshakeTimeout: 5000,
    });
    this.webSocket = webSocket;
    const ended = new Promise<number>((resolve) => webSocket.once("close", resolve));
    webSocket.on("error", () => undefined); // it closes, too
    webSocket.once("open", () => this.#subscribe());
    webSocket.on("message", (data) => this.#receive(JSON.parse((data as Buffer).toString("utf8")) as Received));
    const code = await ended;
    this.closes.set(code, (this.closes.get(code) ?? 0) + 1);
  }

  #subscribe(): void {
    const { schema, relation: rel } = this.#options;
    const after = this.#position === undefined ? {} : { after: this.#position };
    this.webSocket?.send(JSON.stringify({ type: "subscription", id: "f", schema, rel, ...after }));
  }

  #receive(message: Received): void {
    this.lastAtMs = Date.now();
    switch (message.type) {
      case "subscription_ack":
        this.isLive = true;
        return;
      case "gap":
        this.gaps++;
        this.#options.onGap?.();
        this.#position = message["position"] as string;
        return;
      case "error":
        this.isLive = false;
        this.errors.set(String(message["error"]), (this.errors.get(String(message["error"])) ?? 0) + 1);
        this.webSocket?.close();
        return;
      case "batch":
        return this.#take(message);
      default:
    }
  }

  #take(message: Received): void {
    const { schema, relation } = this.#options;
    const [tables] = Object.values(message["batch"] as Record<string, Record<string, Batch>>);
    const batch = tables?.[`${schema}.${relation}`];
    if (!batch) throw new Error(`an odd batch: ${JSON.stringify(message).slice(0, 200)}`);
    this.#pending.push(...batch.full_data);
    for (const name of ["INSERT", "UPDATE", "DELETE"] as const) this.#operations[name] += batch[name].length;
    if (message["more"] === true) return;
    this.transactions++;
    this.#options.take(this.#pending, this.#operations);
    this.#pending = [];
    this.#operations = { INSERT: 0, UPDATE: 0, DELETE: 0 };
    this.#position = message["position"] as string;
  }
}
