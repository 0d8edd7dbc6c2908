/** Publishes batches over NATS JetStream, while this process holds the lease and no later reader does. */
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { Header } from "./log.ts";
import { Snapshot } from "./position.ts";
import type { Seal } from "./seal.ts";

const SECOND = 1000;
/** The most batches that wait to be published: beyond that the others read from the outbox. */
const MOST_WAITING = 1000;
const AT_ONCE = 100;
const MOST_BYTES = 512_000;
const AGAIN_MS = 1 * SECOND;
export const PUBLISH_TIMEOUT_MS = 2 * SECOND;
const WRONG_LAST_SEQUENCE = 10071;

/** A batch in the form in which it is published. */
interface Told {
  readonly n: number;
  readonly last: number;
  readonly atMs: number;
  readonly snapshot: string;
  readonly tables: readonly number[];
}

export interface Positions {
  readonly reader: string;
  readonly term: number;
  readonly epoch: string;
  readonly batches: readonly Told[];
}

/** A connection to the stream. */
export interface StreamSession {
  readonly stream: JetStreamClient;
  readonly manager: JetStreamManager;
}

export interface PublisherOptions {
  /** The names of the stream, and of the subject in it. */
  readonly name: string;
  readonly subject: string;
  /** Names this gateway. */
  readonly id: string;
  readonly seal: Seal;
  count(way: "published" | "refused" | "failed", batches: number): void;
  /** Called when publishing fails, or, without a problem, works again. */
  tell(problem: string | undefined): void;
  /** A later reader was found in the stream. */
  deposed(): void;
}

export class PositionPublisher {
  readonly #options: PublisherOptions;
  #session: StreamSession | undefined;
  /** The term of the lease; undefined while another process reads, and once a later reader was found in the stream. */
  #term: { readonly term: number; readonly epoch: string } | undefined;
  #deposedBy = 0;
  #waiting: Header[] = [];
  #publishing = false;
  /** The sequence of the last message; undefined: unknown yet. */
  #sequence: number | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  connect(session: StreamSession): void {
    this.#session = session;
  }

  disconnect(): void {
    this.#session = undefined;
    this.#sequence = undefined;
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

  /** Never waits: other gateways find unpublished batches in the outbox. */
  publish(header: Header): void {
    if (!this.#term || !this.#session) return;
    if (this.#waiting.push(header) > MOST_WAITING) this.#waiting = [];
    else if (!this.#publishing) void this.#publishAll();
  }

  /** One message after another, each with the batches that have arrived meanwhile. Never rejects. */
  async #publishAll(): Promise<void> {
    this.#publishing = true;
    try {
      while (this.#waiting.length > 0 && this.#term && this.#session) {
        try {
          await this.#publishSome(this.#session, this.#term);
        } catch (error) {
          if (codeOf(error) === WRONG_LAST_SEQUENCE) {
            this.#sequence = undefined;
            this.#options.count("refused", 1);
            continue; // the stream is read, which decides whether to continue
          }
          this.#waiting = [];
          this.#sequence = undefined;
          this.#options.count("failed", 1);
          this.#options.tell(`positions of events cannot be published: ${(error as Error).message}`);
          await pause(AGAIN_MS);
        }
      }
    } finally {
      this.#publishing = false;
    }
  }

  async #publishSome(session: StreamSession, { term, epoch }: { term: number; epoch: string }): Promise<void> {
    const { subject } = this.#options;
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
      const { seq } = await session.stream.publish(subject, message, {
        msgID: `${epoch}-${last}-${term}`,
        expect: { lastSequence: this.#sequence ?? 0 },
        timeout: PUBLISH_TIMEOUT_MS,
        retries: 1,
      });
      this.#sequence = seq;
      this.#options.tell(undefined);
      this.#options.count("published", batches.length);
    }
    this.#waiting.splice(0, batches.length);
  }

  #close(term: number, epoch: string, batches: readonly Told[]): string {
    const { seal, subject, id } = this.#options;
    return seal.close(subject, { reader: id, term, epoch, batches });
  }

  /** Reads the stream's last message. False when a later reader wrote it; then this one stops publishing. */
  async #catchUp({ manager }: StreamSession, term: number): Promise<boolean> {
    const { name, subject, seal } = this.#options;
    const { state } = await manager.streams.info(name);
    const last = state.messages > 0 ? await manager.streams.getMessage(name, { seq: state.last_seq }) : null;
    const positions = last && seal.open<Positions>(subject, last.string());
    if (positions && positions.term > term) {
      this.#deposedBy = positions.term;
      this.#options.deposed();
      this.end();
      return false;
    }
    this.#sequence = state.last_seq;
    return true;
  }
}

function toTold({ n, last, atMs, snapshot, tables }: Header): Told {
  return { n, last, atMs, snapshot: snapshot.toString(), tables: [...tables] };
}

export function fromTold({ n, last, atMs, snapshot, tables }: Told): Header {
  return { n, last, atMs, snapshot: new Snapshot(snapshot), tables: new Set(tables) };
}

export function codeOf(error: unknown): number | undefined {
  return typeof error === "object" && error !== null && "code" in error ? Number(error.code) : undefined;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
