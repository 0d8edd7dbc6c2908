/** Writes all features that a request selects as one file of a format, in the order of their key. */
import type { Write } from "../../server/kernel/http/answer.ts";
import type { Transaction } from "../../server/kernel/database/database.ts";
import type { CollectionExchange } from "../exchange/exchange.ts";
import { ownLinks } from "../features/page/paging.ts";
import type { FeatureDocument } from "../features/page/document.ts";
import { ReadSoFar } from "../features/page/featuresBody.ts";
import type { Selection } from "../features/page/featureSql.ts";
import { orderOf } from "../features/page/sorting.ts";
import { readPage } from "../features/page/readPage.ts";

export interface WantedFile {
  readonly document: FeatureDocument;
  readonly selection: Selection;
  /** Receives the number of features so far. */
  onFeatures(count: number): void;
}

/** More rows than any table has. One less than the largest safe integer, since one more row is asked for. */
const ALL = Number.MAX_SAFE_INTEGER - 1;

/** Writes the file in a transaction of the account. Returns the number of its features. */
export async function writeFile(
  transaction: Transaction,
  exchange: CollectionExchange,
  { document, selection, onFeatures }: WantedFile,
  write: Write,
): Promise<number> {
  const page = { order: orderOf(exchange.collection, undefined), limit: ALL, offset: 0, last: false };
  const { encoding } = document;
  const read = new ReadSoFar(encoding.separator);
  let isBegun = false;
  await document.prepare?.(transaction, selection, page);
  await readPage(transaction, exchange, { selection, page, encoding }, async (features, { isLast }) => {
    let pieces = read.add(features);
    const { returned } = read.ends;
    // the total is known only where all features came at once; otherwise 0 stands for an unknown number
    if (!isBegun) pieces = [...document.begin(pieces, { numberReturned: isLast ? returned : 0, isWhole: isLast })];
    isBegun = true;
    if (document.written) await document.written.add(pieces, write);
    else for (const piece of pieces) await write(piece);
    onFeatures(returned);
    return true;
  });
  const { returned } = read.ends;
  const summary = { numberReturned: returned, numberMatched: returned, links: ownLinks(exchange) };
  if (document.end) await write(document.end({ ...summary, problems: read.problems }));
  await document.written?.end(write);
  return returned;
}
