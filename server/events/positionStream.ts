/**
 * Publishes the order of events over NATS JetStream: the reader publishes each batch once it is durable, so that the other
 * gateways need not ask PostgreSQL for it. They read missing batches from the outbox, as without NATS.
 */
import type { ConsumerMessages, JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Log } from "../ground/log.ts";
import type { Nats } from "../fleet/nats.ts";
import type { Header } from "./log.ts";
import type { EventMetrics } from "./metrics.ts";
import { Snapshot } from "./position.ts";
import type { Seal } from "./seal.ts";

const SECOND = 1000;
const NANOSECONDS = 1_000_000;
/** The most batches that wait to be published: beyond that the others read from the outbox. */
const MOST_WAITING = 1000;
const AT_ONCE = 100;
const MOST_BYTES = 512_000;
const PUBLISH_TIMEOUT_MS = 2 * SECOND;
const AGAIN_MS = 1 * SECOND;
/** How long batches are kept for gateways that were away for a moment; after a longer absence they read the outbox. */
const STREAM = { ageMs: 600 * SECOND, bytes: 64_000_000, replicas: 3 };
const STREAM_NOT_FOUND = 10059;
const WRONG_LAST_SEQUENCE = 10071;

/** A batch as it is told. */
interface Told {
  readonly n: number;
  readonly last: number;
  readonly atMs: number;
  readonly snapshot: string;
  readonly tables: readonly number[];
}

interface Positions {
  readonly reader: string;
  readonly term: number;
  readonly epoch: string;
  readonly batches: readonly Told[];
}

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
  /** They come by themselves from now on, or no longer. */
  changed(): void;
}

interface Session {
  readonly stream: JetStreamClient;
  readonly manager: JetStreamManager;
}

export class PositionStream {
  readonly #options: PositionStreamOptions;
  readonly #name: string;
  readonly #subject: string;
  readonly #stopUsing: () => void;
  #session: Session | undefined;
  #messages: ConsumerMessages | undefined;
  #isLive = false;
  #closed = false;
  /** The term of the lease; undefined while another process reads, and once a later reader was found in the stream. */
  #term: { readonly term: number; readonly epoch: string } | undefined;
  #deposedBy = 0;
  #waiting: Header[] = [];
  #publishing = false;
  /** The sequence of the last message; undefined: unknown yet. */
  #sequence: number | undefined;
  #problem: string | undefined;

  constructor(options: PositionStreamOptions) {
    this.#options = options;
    this.#name = `PORTOLAN_${options.database}`;
    this.#subject = `portolan.${options.database}.positions`;
    this.#stopUsing = options.nats.use((connection) => void this.#run(connection));
  }

  /** Whether batches arrive by the stream. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** This process holds the lease from now on. */
  begin(term: number, epoch: string): void {
    this.#term = term > this.#deposedBy ? { term, epoch } : undefined;
    this.#sequence = undefined;
    this.#waiting = [];
  }

  end(): void {
    this.#term = undefined;
    this.#waiting = [];
  }

  /** Never waits: what cannot be published the others find in the outbox. */
  publish(header: Header): void {
    if (!this.#term || !this.#session) return;
    if (this.#waiting.push(header) > MOST_WAITING) this.#waiting = [];
    else if (!this.#publishing) void this.#publishAll();
  }

  close(): void {
    this.#closed = true;
    this.#stopUsing();
    this.end();
    this.#session = undefined;
    this.#messages?.stop();
  }

  /** From a connection's beginning to its end. Never rejects. */
  async #run(connection: NatsConnection): Promise<void> {
    const ended = connection.closed();
    let isOver = false;
    void ended.then(() => {
      isOver = true;
      this.#session = undefined;
      this.#sequence = undefined;
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

  /** Resolves when nothing more will come, which NATS does not say of itself: the stream may be gone. */
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
      this.#session = { stream, manager };
      void this.#watch(messages);
      await consumer.info(); // it is there: whatever is published from now on comes
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

  /** With as many replicas as there are servers for, up to three. Somebody else may make it at the same time. */
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
    if (isLive) this.#problem = undefined;
    this.#options.changed();
  }

  /** One message after the other, each with the batches that have come meanwhile. Never rejects. */
  async #publishAll(): Promise<void> {
    this.#publishing = true;
    try {
      while (this.#waiting.length > 0 && this.#term && this.#session) {
        try {
          await this.#publishSome(this.#session, this.#term);
        } catch (error) {
          if (codeOf(error) === WRONG_LAST_SEQUENCE) {
            this.#sequence = undefined;
            this.#count("refused", 1);
            continue; // the stream is read, which says whether to go on
          }
          this.#waiting = [];
          this.#sequence = undefined;
          this.#count("failed", 1);
          this.#tell(`positions of events cannot be published: ${(error as Error).message}`);
          await pause(AGAIN_MS);
        }
      }
    } finally {
      this.#publishing = false;
    }
  }

  async #publishSome(session: Session, { term, epoch }: { term: number; epoch: string }): Promise<void> {
    if (this.#sequence === undefined && !(await this.#catchUp(session, term))) return;
    const some = this.#waiting.slice(0, AT_ONCE);
    const batches = some.map(toTold);
    let message = this.#close(term, epoch, batches);
    while (message.length > MOST_BYTES && batches.length > 1) {
      batches.length = Math.ceil(batches.length / 2);
      message = this.#close(term, epoch, batches);
    }
    if (message.length <= MOST_BYTES) {
      const last = batches.at(-1)?.n ?? 0;
      const { seq } = await session.stream.publish(this.#subject, message, {
        msgID: `${epoch}-${last}-${term}`,
        expect: { lastSequence: this.#sequence ?? 0 },
        timeout: PUBLISH_TIMEOUT_MS,
        retries: 1,
      });
      this.#sequence = seq;
      this.#problem = undefined;
      this.#count("published", batches.length);
    }
    this.#waiting.splice(0, batches.length);
  }

  #close(term: number, epoch: string, batches: readonly Told[]): string {
    return this.#options.seal.close(this.#subject, { reader: this.#options.id, term, epoch, batches });
  }

  /** Reads the stream's last message. False when a later reader wrote it: then this one publishes no more. */
  async #catchUp({ manager }: Session, term: number): Promise<boolean> {
    const { state } = await manager.streams.info(this.#name);
    const last = state.messages > 0 ? await manager.streams.getMessage(this.#name, { seq: state.last_seq }) : null;
    const positions = last && this.#options.seal.open<Positions>(this.#subject, last.string());
    if (positions && positions.term > term) {
      this.#deposedBy = positions.term;
      this.#options.log.warn({ database: this.#options.databaseName }, "another process reads the events by now");
      this.end();
      return false;
    }
    this.#sequence = state.last_seq;
    return true;
  }

  #count(way: "published" | "refused" | "failed" | "taken", batches: number): void {
    this.#options.metrics.positions.inc({ database: this.#options.databaseName, way }, batches);
  }

  #tell(problem: string): void {
    if (problem === this.#problem || this.#closed) return;
    this.#problem = problem;
    this.#options.log.warn({ database: this.#options.databaseName }, `${problem}. PostgreSQL is asked for them`);
  }
}

function toTold({ n, last, atMs, snapshot, tables }: Header): Told {
  return { n, last, atMs, snapshot: snapshot.toString(), tables: [...tables] };
}

function fromTold({ n, last, atMs, snapshot, tables }: Told): Header {
  return { n, last, atMs, snapshot: new Snapshot(snapshot), tables: new Set(tables) };
}

function codeOf(error: unknown): number | undefined {
  return typeof error === "object" && error !== null && "code" in error ? Number(error.code) : undefined;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
