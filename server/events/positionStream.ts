/**
 * Publishes the order of events over NATS JetStream: the reader publishes each batch once it is durable, so that the other
 * gateways need not ask PostgreSQL for it. They read missing batches from the outbox, as without NATS.
 */
import type { ConsumerMessages, JetStreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Log } from "../ground/log.ts";
import type { Nats } from "../fleet/nats.ts";
import type { Header } from "./log.ts";
import type { EventMetrics } from "./metrics.ts";
import { PositionPublisher, PUBLISH_TIMEOUT_MS, codeOf, fromTold, pause, type Positions } from "./positionPublisher.ts";
import type { Seal } from "./seal.ts";

const SECOND = 1000;
const NANOSECONDS = 1_000_000;
const AGAIN_MS = 1 * SECOND;
/** How long batches are kept for gateways that were away for a moment; after a longer absence they read the outbox. */
const STREAM = { ageMs: 600 * SECOND, bytes: 64_000_000, replicas: 3 };
const STREAM_NOT_FOUND = 10059;

export interface PositionStreamOptions {
  readonly nats: Nats;
  readonly seal: Seal;
  /** A name that no other database has. */
  readonly database: string;
  /** Names this gateway. */
  readonly id: string;
  readonly log: Log;
  readonly metrics: EventMetrics;
  readonly databaseName: string;
  /** Batches that a reader has published, of the life `epoch` of the database. */
  take(epoch: string, headers: readonly Header[]): void;
  /** Called when positions begin or cease to arrive without polling. */
  changed(): void;
}

export class PositionStream {
  readonly #options: PositionStreamOptions;
  readonly #name: string;
  readonly #subject: string;
  readonly #publisher: PositionPublisher;
  readonly #stopUsing: () => void;
  #messages: ConsumerMessages | undefined;
  #isLive = false;
  #closed = false;
  #problem: string | undefined;

  constructor(options: PositionStreamOptions) {
    this.#options = options;
    this.#name = `PORTOLAN_${options.database}`;
    this.#subject = `portolan.${options.database}.positions`;
    this.#publisher = new PositionPublisher({
      name: this.#name,
      subject: this.#subject,
      id: options.id,
      seal: options.seal,
      count: (way, batches) => this.#count(way, batches),
      tell: (problem) => this.#tell(problem),
      deposed: () => options.log.warn({ database: options.databaseName }, "another process reads the events by now"),
    });
    this.#stopUsing = options.nats.use((connection) => void this.#run(connection));
  }

  /** Whether batches arrive by the stream. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** Publishes the order, for this process while it holds the lease. */
  get publisher(): PositionPublisher {
    return this.#publisher;
  }

  close(): void {
    this.#closed = true;
    this.#stopUsing();
    this.#publisher.end();
    this.#publisher.disconnect();
    this.#messages?.stop();
  }

  /** From a connection's beginning to its end. Never rejects. */
  async #run(connection: NatsConnection): Promise<void> {
    const ended = connection.closed();
    let isOver = false;
    void ended.then(() => {
      isOver = true;
      this.#publisher.disconnect();
      this.#setLive(false);
    });
    while (!isOver && !this.#closed) {
      try {
        await this.#follow(connection);
      } catch (error) {
        if (!isOver) this.#tell(`the order of events cannot be had from NATS: ${(error as Error).message}`);
      }
      this.#setLive(false);
      await Promise.race([ended, pause(AGAIN_MS)]);
    }
  }

  /** Resolves when nothing more will arrive. NATS does not report this itself: the stream may be gone. */
  async #follow(connection: NatsConnection): Promise<void> {
    const { jetstream, jetstreamManager, DeliverPolicy } = await import("@nats-io/jetstream");
    const manager = await jetstreamManager(connection, { checkAPI: false });
    await this.#makeStream(manager);
    const stream = jetstream(connection, { timeout: PUBLISH_TIMEOUT_MS });
    const consumer = await stream.consumers.get(this.#name, { deliver_policy: DeliverPolicy.New });
    const messages = await consumer.consume({ max_messages: 500, idle_heartbeat: 1 * SECOND, expires: 30 * SECOND });
    this.#messages = messages;
    try {
      if (this.#closed) return;
      this.#publisher.connect({ stream, manager });
      void this.#watch(messages);
      await consumer.info(); // it exists: everything that is published from now on arrives
      this.#setLive(true);
      for await (const message of messages) {
        if (this.#closed) break;
        const positions = this.#options.seal.open<Positions>(this.#subject, message.string());
        if (!positions) continue;
        this.#count("taken", positions.batches.length);
        this.#options.take(positions.epoch, positions.batches.flatMap(fromTold));
      }
    } finally {
      messages.stop();
    }
  }

  /** A missed batch is found in the outbox, because the next one has another number than expected. */
  async #watch(messages: ConsumerMessages): Promise<void> {
    for await (const { type } of messages.status())
      if (type === "stream_not_found" || type === "consumer_not_found" || type === "heartbeats_missed") {
        this.#setLive(false);
        messages.stop();
      }
  }

  /** With up to three replicas, if there are that many servers. Another gateway may create it at the same time. */
  async #makeStream(manager: JetStreamManager): Promise<void> {
    for (let replicas = STREAM.replicas; ; replicas--)
      try {
        await manager.streams.info(this.#name);
        return;
      } catch (error) {
        if (codeOf(error) !== STREAM_NOT_FOUND) throw error;
        try {
          await manager.streams.add({
            name: this.#name,
            subjects: [this.#subject],
            max_age: STREAM.ageMs * NANOSECONDS,
            max_bytes: STREAM.bytes,
            num_replicas: replicas,
          });
          return;
        } catch (failure) {
          if (replicas === 1) throw failure;
        }
      }
  }

  #setLive(isLive: boolean): void {
    if (isLive === this.#isLive) return;
    this.#isLive = isLive;
    if (isLive) this.#tell(undefined);
    this.#options.changed();
  }

  #count(way: "published" | "refused" | "failed" | "taken", batches: number): void {
    this.#options.metrics.positions.inc({ database: this.#options.databaseName, way }, batches);
  }

  /** Logs a problem once; undefined: there is none. */
  #tell(problem: string | undefined): void {
    if (problem === this.#problem || (problem && this.#closed)) return;
    this.#problem = problem;
    if (problem)
      this.#options.log.warn({ database: this.#options.databaseName }, `${problem}. PostgreSQL is asked for them`);
  }
}
