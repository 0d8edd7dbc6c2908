/** The rows of a page, whatever its geometries are. */
import { sql } from "pg-sql2";
import type { Transaction } from "../../server/kernel/database/database.ts";
import { sqlstateOf } from "../../server/kernel/errors.ts";
import type { Collection } from "../collections.ts";
import { CRS84 } from "../crs.ts";
import type { FeatureEncoding } from "./encoding.ts";
import { GEOMETRY_ERROR } from "./geometryJson.ts";
import type { CollectionExchange } from "../exchange.ts";
import { Features, keysetOf, type FeaturePlace } from "./feature.ts";
import { selectPage, type Page, type Selection } from "./featureSql.ts";
import { prepared } from "./prepared.ts";
import { orderName } from "./sorting.ts";
import { readFeatures } from "./featureStream.ts";

/** Intervals as ISO 8601 durations, where there are any. */
export async function useIsoIntervals(transaction: Transaction, { columns }: Collection): Promise<void> {
  if (columns.some(({ type }) => [type, type.element].some((each) => each?.kind === "interval")))
    await transaction.query({ text: "select set_config('intervalstyle', 'iso_8601', true)" });
}

/** How features come: `isLast`, whether they are the last ones; `isTolerant`, whether they were read in the slower way. */
export interface Coming {
  readonly isLast: boolean;
  readonly isTolerant: boolean;
}

/** Takes features. Gives back whether more are wanted. */
type Take = (features: Features, coming: Coming) => Promise<boolean>;

/**
 * Gives the features of the page to `take`, in its order. One row more is read, to see whether there is one. A geometry that
 * PostGIS cannot work with fails the whole statement: it is then read on from there in the slower way, in which that
 * one alone is missing. Gives back whether that was needed.
 */
export async function readPage(
  transaction: Transaction,
  { collection, parameters }: Pick<CollectionExchange, "collection" | "parameters">,
  selection: Selection,
  page: Page,
  encoding: FeatureEncoding,
  take: Take,
): Promise<boolean> {
  const { crs = CRS84, skipGeometry } = parameters;
  const most = page.limit + 1;
  let done = 0;
  let last: FeaturePlace | undefined;
  const read = async (tolerant: boolean): Promise<void> => {
    const after = last && keysetOf(last, collection, orderName(page.order));
    const place = after ? { after, offset: 0 } : { offset: page.offset + done };
    const query = selectPage(
      collection,
      selection,
      { ...page, ...place, limit: most - done },
      { encoding, tolerant, skipGeometry },
    );
    const before = done;
    const begin = (position: number, expectedBytes: number | undefined): Features => {
      const room = page.limit - before - position;
      return new Features(collection, {
        crs,
        encoding,
        expectedBytes,
        room: page.last ? undefined : room,
        roomAtEnd: page.last && position === 0 ? room : undefined,
      });
    };
    const { bbox, condition, equalities } = selection;
    const isAnywhere = bbox || condition || equalities.size > 0;
    const statement = isAnywhere ? sql.compile(query) : prepared(query);
    for await (const { features, isLast } of readFeatures(transaction, statement, most - done, begin)) {
      done += features.rows;
      last = features.last ?? last;
      if (!(await take(features, { isLast, isTolerant: tolerant }))) return;
    }
  };
  try {
    await read(false);
    return false;
  } catch (error) {
    if (sqlstateOf(error) !== GEOMETRY_ERROR) throw error;
    await read(true);
    return true;
  }
}
