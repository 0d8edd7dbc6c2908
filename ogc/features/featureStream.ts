/** Features in constant memory, and their text to the client no faster than it reads. */
import type { ServerResponse } from "node:http";
import { sql, type SQL } from "pg-sql2";
import type { Transaction } from "../../server/kernel/database/database.ts";
import { GatewayError } from "../../server/kernel/errors.ts";
import type { Features } from "./feature.ts";

/** So few rows come at once. */
const AT_ONCE = 20;
const LARGEST_BATCH = 1000;
/** What a batch may hold of text, as far as the one before it tells. */
const BATCH_BYTES = 500_000;
/** Texts differ in length: as much more is reserved. */
const BYTES_TO_SPARE = 1.1;
/** So many batches are asked for before they are needed, so that PostgreSQL need not wait for the client. */
const BATCHES_AHEAD = 3;
/** A client that takes nothing for so long gives its connection to the database to others. */
const STALLED_MS = 60_000;

export interface Batch {
  readonly features: Features;
  readonly isLast: boolean;
}

/**
 * Begins a batch. `position`: how many rows of the statement come before it; `expectedBytes`: what its text may need.
 */
type Begin = (position: number, expectedBytes: number | undefined) => Features;

/**
 * The features of `query`, of which at most `most` are expected, a batch at a time; the next ones are on their way
 * meanwhile.
 */
export async function* readFeatures(
  transaction: Transaction,
  query: SQL,
  most: number,
  begin: Begin,
): AsyncGenerator<Batch, void> {
  const { text, values } = sql.compile(query);
  const readPortion = transaction.readPortions({ text, values });
  let position = 0;
  const read = async (size: number, bytes?: number): Promise<Batch> => {
    const features = begin(position, bytes);
    position += size;
    const isEnd = position >= most;
    await readPortion(size, (row) => features.add(row));
    return { features, isLast: isEnd || features.rows < size };
  };
  const ahead: Promise<Batch>[] = [read(Math.min(AT_ONCE, most))];
  for (;;) {
    const batch = await ahead.shift()!;
    while (!batch.isLast && ahead.length < BATCHES_AHEAD && position < most) {
      const next = read(...sizeAfter(batch.features));
      next.catch(() => undefined); // awaited in its turn, unless whoever reads has left
      ahead.push(next);
    }
    yield batch;
    if (batch.isLast) return;
  }
}

/** Rows of a batch, and the bytes of their text, as far as those before tell. */
function sizeAfter({ rows, text: { length } }: Features): [rows: number, bytes: number] {
  const each = (length + 1) / rows;
  const size = Math.min(LARGEST_BATCH, Math.max(1, Math.floor(BATCH_BYTES / each)));
  return [size, Math.ceil(size * each * BYTES_TO_SPARE)];
}

/**
 * Writes all pieces. Resolves when the client has taken enough; gives back whether all of it has left the process, so
 * that what is larger than a stream holds is not read any more. Throws `CLIENT_GONE` when it has left, or takes nothing for a
 * minute.
 */
export async function write(response: ServerResponse, pieces: readonly (string | Buffer)[]): Promise<boolean> {
  if (response.destroyed) throw new GatewayError("CLIENT_GONE");
  let isTaken = true;
  for (const piece of pieces) isTaken = response.write(piece);
  if (isTaken) return false;
  const waiting = waitingOf(response);
  await new Promise<void>((resolve, reject) => {
    const end = (error?: GatewayError): void => {
      clearTimeout(timer);
      response.off("close", gone);
      waiting.onDrain = undefined;
      if (error) reject(error);
      else resolve();
    };
    const gone = (): void => end(new GatewayError("CLIENT_GONE"));
    const timer = setTimeout(gone, STALLED_MS);
    response.on("close", gone);
    waiting.onDrain = () => end();
  });
  return true;
}

interface Waiting {
  onDrain: (() => void) | undefined;
}

const waitings = new WeakMap<ServerResponse, Waiting>();

/** The package `compression` hands listeners of `drain` to a stream of its own and takes none away: one per response. */
function waitingOf(response: ServerResponse): Waiting {
  const known = waitings.get(response);
  if (known) return known;
  const waiting: Waiting = { onDrain: undefined };
  response.on("drain", () => waiting.onDrain?.());
  waitings.set(response, waiting);
  return waiting;
}
