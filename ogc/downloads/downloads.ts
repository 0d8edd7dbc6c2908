/**
 * Makes files in the background, in the process that got the request. The pieces go to the database, where all
 * processes find them.
 */
import { createHash } from "node:crypto";
import type { Log } from "../../server/ground/log.ts";
import { toGatewayError } from "../../server/ground/errors.ts";
import { FewAtOnce } from "../../server/kernel/rest/fewAtOnce.ts";
import type { Database, Identity, RequestContext, Transaction } from "../../server/kernel/database/database.ts";
import type { Write } from "../../server/kernel/http/answer.ts";
import { Counter, type Registry } from "prom-client";
import type { Collection } from "../collections/collections.ts";

/** The size of every piece but the last. */
export const PART_BYTES = 1024 * 1024;
/** The longest time between two signs of life of a file. After a minute without one it counts as abandoned. */
const NOTE_MS = 5000;

/** Each file holds a connection until it is complete. */
const few = new FewAtOnce({
  most: 3,
  mostOfCaller: 2,
  messages: { caller: "2 files are made for the account already", others: "3 files are made already" },
});

export interface NewDownload {
  readonly database: Database;
  readonly identity: Identity;
  readonly context: RequestContext;
  readonly collection: Pick<Collection, "oid" | "id">;
  /** The name of the format. */
  readonly format: string;
  /** The time for which the file is kept, in seconds. */
  readonly seconds: number;
  /**
   * Writes the file in a transaction of the account. Returns the number of its features; `onFeatures` receives the
   * number so far.
   */
  make(transaction: Transaction, write: Write, onFeatures: (count: number) => void): Promise<number>;
  /** Releases the resources for making it. */
  close(): Promise<void> | void;
}

export class Downloads {
  readonly #log: Log;
  readonly #stopped = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #made: Counter;
  readonly #bytes: Counter;

  constructor(log: Log, registry: Registry) {
    this.#log = log;
    this.#made = new Counter({
      name: "portolan_downloads_total",
      help: "Files of collections that were made in the background, by format and by how that ended",
      labelNames: ["format", "result"],
      registers: [registry],
    });
    this.#bytes = new Counter({
      name: "portolan_download_bytes_total",
      help: "Bytes of files of collections that were made in the background, by format",
      labelNames: ["format"],
      registers: [registry],
    });
  }

  /** Begins a file. Resolves when it is recorded. Throws `RATE_LIMITED`. */
  async begin(wanted: NewDownload): Promise<{ readonly id: string; readonly job: number }> {
    const { database, identity, collection, format, seconds } = wanted;
    const begun = Promise.withResolvers<{ readonly id: string; readonly job: number }>();
    const work = few
      .run({ ...wanted, address: wanted.context.address }, async () => {
        const row = await database.db.one<{ id: string; job: string }>(
          "select id, job from portolan.begin_download($1::oid::regclass, $2, $3, $4, $5)",
          [collection.oid, identity.name, collection.id, format, seconds],
        );
        begun.resolve({ id: row.id, job: Number(row.job) });
        await this.#make(row.id, wanted);
      })
      .catch((error: unknown) => begun.reject(error as Error));
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
    return begun.promise;
  }

  async #make(id: string, wanted: NewDownload): Promise<void> {
    const { database, identity, context, collection, format } = wanted;
    const parts = new Parts(database, id);
    const stop = new AbortController();
    let count = 0;
    const note = async (): Promise<void> => {
      if (!(await noted(database, id, count, "running"))) stop.abort();
    };
    const timer = setInterval(() => void note().catch(() => undefined), NOTE_MS);
    const signal = AbortSignal.any([stop.signal, this.#stopped.signal]);
    try {
      const rights = await database.withIdentity(
        identity,
        { ...context, snapshot: true, signal, isPatient: true },
        async (transaction) => {
          const { rows } = await transaction.query<{ rights: unknown }>({
            text: "select portolan.reading_rights($1::oid) as rights",
            values: [collection.oid],
          });
          const onFeatures = (features: number): void => {
            signal.throwIfAborted();
            count = features;
          };
          count = await wanted.make(transaction, (chunk) => parts.add(chunk), onFeatures);
          return rows[0]!.rights;
        },
      );
      const file = { rights, ...(await parts.end()) };
      if (!(await noted(database, id, count, "done", null, file)))
        throw new Error("the download was removed meanwhile");
      this.#made.inc({ format, result: "done" });
      this.#bytes.inc({ format }, file.bytes);
    } catch (error) {
      this.#made.inc({ format, result: "failed" });
      const { message } = toGatewayError(error);
      this.#log.warn({ err: error, database: database.name, download: id }, "a download failed");
      await noted(database, id, count, "failed", stop.signal.aborted ? "it was stopped" : message).catch(
        () => undefined,
      );
    } finally {
      clearInterval(timer);
      await wanted.close();
    }
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    await Promise.allSettled(this.#running);
  }
}

async function noted(
  { db }: Database,
  id: string,
  ...[count, state, error = null, file = null]: [
    count: number,
    state: string,
    error?: string | null,
    file?: object | null,
  ]
): Promise<boolean> {
  const { goes } = await db.one<{ goes: boolean }>("select portolan.note_download($1, $2, $3, $4, $5) as goes", [
    id,
    count,
    state,
    error,
    file === null ? null : JSON.stringify(file),
  ]);
  return goes;
}

/** Writes a file in pieces. */
class Parts {
  readonly #database: Database;
  readonly #id: string;
  readonly #hash = createHash("sha256");
  #part = 0;
  #bytes = 0;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(database: Database, id: string) {
    this.#database = database;
    this.#id = id;
  }

  async add(chunk: string | Uint8Array): Promise<void> {
    // a copy, since the writer of the piece reuses its memory for the next one
    const bytes = Buffer.from(chunk as Uint8Array);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes < PART_BYTES) return;
    const all = Buffer.concat(this.#held);
    let at = 0;
    for (; all.length - at >= PART_BYTES; at += PART_BYTES) await this.#send(all.subarray(at, at + PART_BYTES));
    this.#held = [all.subarray(at)];
    this.#heldBytes = all.length - at;
  }

  async end(): Promise<{ readonly bytes: number; readonly etag: string }> {
    if (this.#heldBytes > 0) await this.#send(Buffer.concat(this.#held));
    return { bytes: this.#bytes, etag: this.#hash.digest("base64url") };
  }

  async #send(content: Buffer): Promise<void> {
    await this.#database.db.none("insert into portolan.download_parts values ($1, $2, $3)", [
      this.#id,
      this.#part++,
      content,
    ]);
  }
}
