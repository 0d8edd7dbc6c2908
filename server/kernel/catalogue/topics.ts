/** NOTIFY for many listeners: one listening connection for each database. */
import type { Database } from "../database/database.ts";
import { GatewayError, badInput } from "../../ground/errors.ts";
import type { Log } from "../../ground/log.ts";

/** The event source of a subscription field of Grafast: the channel is the topic, the payload the event. */
export interface TopicSubscriber {
  /** Resolves when the channel is listened to. Rejects with `BAD_USER_INPUT` for an invalid channel, `UNAVAILABLE`. */
  subscribe(topic: string): Promise<AsyncIterableIterator<string>>;
  close(): Promise<void>;
}

/** PostgreSQL would cut a longer name, and NOTIFY refuses it. */
const MAX_CHANNEL_BYTES = 63;
/** The most payloads that wait for a slow listener. */
const MAX_WAITING = 1000;

type Connection = Awaited<ReturnType<Database["db"]["connect"]>>;

interface Listener {
  push(payload: string): void;
  fail(error: GatewayError): void;
}

export function createTopicSubscriber(database: Database, log: Log): TopicSubscriber {
  const listeners = new Map<string, Set<Listener>>();
  let connecting: Promise<Connection> | undefined;
  let closed = false;
  // LISTEN and UNLISTEN, one after the other
  let tail: Promise<unknown> = Promise.resolve();

  async function connect(): Promise<Connection> {
    const connection = await database.db.connect({
      onLost: () => {
        connecting = undefined;
        giveBack(connection);
        if (!closed) log.warn({ database: database.name }, "the connection that listens for topics was lost");
        const lost = [...listeners.values()].flatMap((all) => [...all]);
        listeners.clear();
        // NOTIFY stores nothing: payloads sent meanwhile are lost, and the listeners must know
        for (const listener of lost) listener.fail(new GatewayError("UNAVAILABLE"));
      },
    });
    try {
      await connection.none("set statement_timeout = 0; set idle_session_timeout = 0");
    } catch (error) {
      giveBack(connection);
      throw error;
    }
    connection.client.on("notification", ({ channel, payload = "" }) => {
      for (const listener of listeners.get(channel) ?? []) listener.push(payload);
    });
    return connection;
  }

  /** Resolves when it no longer listens. Its place in the pool is free then, even if the connection was lost. */
  function giveBack(connection: Connection): void {
    void connection.done(true)?.catch(() => undefined);
  }

  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = tail.then(run);
    tail = result.catch(() => undefined); // the caller gets the error
    return result;
  }

  async function add(topic: string, listener: Listener): Promise<void> {
    if (closed) throw new GatewayError("UNAVAILABLE", "The service is shutting down");
    try {
      connecting ??= connect();
      const connection = await connecting;
      const others = listeners.get(topic);
      if (!others) await connection.none("listen $1:name", [topic]);
      listeners.set(topic, (others ?? new Set()).add(listener));
    } catch (error) {
      connecting = undefined;
      throw new GatewayError("UNAVAILABLE", undefined, { cause: error });
    }
  }

  async function remove(topic: string, listener: Listener): Promise<void> {
    const all = listeners.get(topic);
    if (!all?.delete(listener) || all.size > 0) return;
    listeners.delete(topic);
    await (await connecting)?.none("unlisten $1:name", [topic]).catch(() => undefined); // a lost connection listens to nothing
  }

  return {
    async subscribe(topic) {
      const bytes = Buffer.byteLength(topic);
      if (bytes === 0 || bytes > MAX_CHANNEL_BYTES || topic.includes("\0"))
        return badInput(`A topic is a text of 1 to ${MAX_CHANNEL_BYTES} bytes`);
      const stream = new TopicStream((listener) => inTurn(() => remove(topic, listener)));
      await inTurn(() => add(topic, stream));
      return stream;
    },
    async close() {
      closed = true;
      const connection = await connecting?.catch(() => undefined);
      await connection?.done(true)?.catch(() => undefined); // it may be closed already
    },
  };
}

class TopicStream implements AsyncIterableIterator<string>, Listener {
  readonly #leave: (self: Listener) => Promise<void>;
  readonly #waiting: string[] = [];
  #taker: PromiseWithResolvers<IteratorResult<string>> | undefined;
  #error: GatewayError | undefined;
  #done = false;

  constructor(leave: (self: Listener) => Promise<void>) {
    this.#leave = leave;
  }

  push(payload: string): void {
    if (this.#taker) {
      this.#taker.resolve({ value: payload, done: false });
      this.#taker = undefined;
    } else if (this.#waiting.push(payload) > MAX_WAITING) {
      this.fail(new GatewayError("LIMIT_EXCEEDED", "The subscriber is too slow: notifications were lost"));
      void this.#leave(this);
    }
  }

  fail(error: GatewayError): void {
    this.#error = error;
    this.#taker?.reject(error);
    this.#taker = undefined;
  }

  async next(): Promise<IteratorResult<string>> {
    const value = this.#waiting.shift();
    if (value !== undefined) return { value, done: false };
    if (this.#error) throw this.#error;
    if (this.#done) return { value: undefined, done: true };
    this.#taker = Promise.withResolvers();
    return this.#taker.promise;
  }

  async return(): Promise<IteratorResult<string>> {
    this.#done = true;
    this.#taker?.resolve({ value: undefined, done: true });
    this.#taker = undefined;
    await this.#leave(this);
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
