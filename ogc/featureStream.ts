/** Rows of features in constant memory, and their text to the client no faster than it reads. */
import type { Response } from "express";
import { sql, type SQL } from "pg-sql2";
import type { Transaction } from "../server/database.ts";
import { GatewayError } from "../server/errors.ts";
import type { FeatureRow } from "./featureSql.ts";

/** So few rows come at once. */
const AT_ONCE = 20;
const LARGEST_BATCH = 1000;
/** What a batch may hold of text, as far as the one before it tells. */
const BATCH_CHARACTERS = 500_000;
/** So many batches are asked for before they are needed, so that PostgreSQL need not wait for the client. */
const BATCHES_AHEAD = 2;
/** A client that takes nothing for so long gives its connection to the database to others. */
const STALLED_MS = 60_000;

export interface Batch {
  readonly rows: readonly FeatureRow[];
  readonly isLast: boolean;
}

/** The rows of `query`, of which at most `most` are expected, a batch at a time; the next ones are on their way meanwhile. */
export async function* readRows(transaction: Transaction, query: SQL, most: number): AsyncGenerator<Batch, void> {
  const { text, values } = sql.compile(query);
  if (most <= AT_ONCE) {
    const { rows } = await transaction.query<FeatureRow>({ text, values, rowMode: "array" });
    yield { rows, isLast: true };
    return;
  }
  await transaction.query({ text: `declare portolan_features no scroll cursor for ${text}`, values });
  let given = 0;
  const fetch = async (size: number): Promise<Batch> => {
    const { rows } = await transaction.query<FeatureRow>({
      text: `fetch forward ${size} from portolan_features`,
      rowMode: "array",
    });
    given += rows.length;
    return { rows, isLast: rows.length < size || given >= most };
  };
  const ahead: Promise<Batch>[] = [fetch(AT_ONCE)];
  for (;;) {
    const batch = await ahead.shift()!;
    while (!batch.isLast && ahead.length < BATCHES_AHEAD) {
      const next = fetch(sizeAfter(batch.rows));
      next.catch(() => undefined); // awaited in its turn, unless whoever reads has left
      ahead.push(next);
    }
    yield batch;
    if (batch.isLast) break;
  }
  await transaction.query({ text: "close portolan_features" });
}

function sizeAfter(rows: readonly FeatureRow[]): number {
  const characters = rows.reduce((sum, [geometry, properties]) => sum + (geometry?.length ?? 0) + properties.length, 1);
  return Math.min(LARGEST_BATCH, Math.max(1, Math.floor((BATCH_CHARACTERS * rows.length) / characters)));
}

/** Resolves when the client has taken enough. Throws `CLIENT_GONE` when it has left, or takes nothing for a minute. */
export async function write(response: Response, text: string): Promise<void> {
  if (response.destroyed) throw new GatewayError("CLIENT_GONE");
  if (response.write(text)) return;
  await new Promise<void>((resolve, reject) => {
    const end = (error?: GatewayError): void => {
      clearTimeout(timer);
      response.off("close", gone).off("drain", drained);
      if (error) reject(error);
      else resolve();
    };
    const gone = (): void => end(new GatewayError("CLIENT_GONE"));
    const drained = (): void => end();
    const timer = setTimeout(gone, STALLED_MS);
    response.on("close", gone).on("drain", drained);
  });
}
