/** Reads features in constant memory. */
import type { RowStatement, Transaction } from "../../../server/kernel/database/database.ts";
import type { Features } from "../feature.ts";

/** The number of rows in the first batch. */
export const AT_ONCE = 20;
const LARGEST_BATCH = 1000;
/** The size of a batch in characters, estimated from the batch before. */
const BATCH_BYTES = 500_000;
/** The factor of the memory reserved for a text, since texts differ in length. */
const BYTES_TO_SPARE = 1.1;
/** The number of batches requested in advance, so that PostgreSQL does not wait for the client. */
const BATCHES_AHEAD = 3;

export interface Batch {
  readonly features: Features;
  readonly isLast: boolean;
}

/** Begins a batch. `position`: the number of rows before it; `expectedBytes`: the expected size of its text. */
type Begin = (position: number, expectedBytes: number | undefined) => Features;

/** The features of `statement`, at most about `most`, a batch at a time; the next batches are requested meanwhile. */
export async function* readFeatures(
  transaction: Transaction,
  statement: RowStatement,
  most: number,
  begin: Begin,
): AsyncGenerator<Batch, void> {
  const readPortion = transaction.readPortions(statement);
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
      next.catch(() => undefined); // awaited in its turn, unless the reader has left
      ahead.push(next);
    }
    yield batch;
    if (batch.isLast) return;
  }
}

/** The number of rows and the bytes of the next batch, estimated from the batch before. */
function sizeAfter({ rows, text: { length } }: Features): [rows: number, bytes: number] {
  const each = (length + 1) / rows;
  const size = Math.min(LARGEST_BATCH, Math.max(1, Math.floor(BATCH_BYTES / each)));
  return [size, Math.ceil(size * each * BYTES_TO_SPARE)];
}
