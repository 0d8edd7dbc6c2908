/** Reads the rows of a page, even if some geometries cannot be shown. */
import type { RequestContext, Transaction } from "../../../server/kernel/database/database.ts";
import { sqlstateOf } from "../../../server/ground/errors.ts";
import type { Collection } from "../../collections/collections.ts";
import { CRS84 } from "../../crs/crs.ts";
import { FEATURE_COLUMNS, type FeatureEncoding } from "../encoding.ts";
import { GEOMETRY_ERROR } from "../../crs/geometryJson.ts";
import type { CollectionExchange } from "../../exchange/exchange.ts";
import type { Bbox } from "../../exchange/parameters/bbox.ts";
import { Features, keysetOf, type FeaturePlace } from "../feature.ts";
import { fewStatement, pageStatement, TOO_MANY, type Asked, type Selection } from "./featureSql.ts";
import type { Page } from "./pagePlace.ts";
import { orderName } from "./sorting.ts";
import { AT_ONCE, readFeatures } from "./featureStream.ts";

/**
 * Sets the output of intervals to ISO 8601 durations, if the collection has intervals. It does so in each transaction,
 * also in a repeated one.
 */
export function withIsoIntervals(context: RequestContext, collection: Pick<Collection, "columns">): RequestContext {
  let isoIntervals = intervals.get(collection);
  if (isoIntervals === undefined) {
    const { columns } = collection;
    isoIntervals = columns.some(({ type }) => [type, type.element].some((each) => each?.kind === "interval"));
    intervals.set(collection, isoIntervals);
  }
  return { ...context, isoIntervals };
}

/** Whether the columns of a collection include intervals. */
const intervals = new WeakMap<object, boolean>();

/**
 * The circumstances in which features come. `isLast`: they are the last ones; `isTolerant`: they were read in the
 * slower way;
 * `numberMatched`: the number of features on all pages, if it came with them.
 */
export interface Coming {
  readonly isLast: boolean;
  readonly isTolerant: boolean;
  readonly numberMatched?: number | undefined;
}

/** The requested features, and their encoding. */
interface Encoded extends Asked {
  readonly encoding: FeatureEncoding;
}

/** Takes features. Returns whether more are wanted. */
type Take = (features: Features, coming: Coming) => Promise<boolean>;

/**
 * Passes the features of the page to `take`, in order. It reads one row more, to know whether there is one. A geometry
 * that PostGIS cannot process fails the whole statement. Reading then continues from there in a slower way, in which
 * only that geometry is missing. Returns whether that was necessary.
 */
export async function readPage(
  transaction: Transaction,
  { collection, parameters }: Pick<CollectionExchange, "collection" | "parameters">,
  { selection, page, encoding }: Encoded,
  take: Take,
): Promise<boolean> {
  const { crs = CRS84, skipGeometry } = parameters;
  const most = page.limit + 1;
  let done = 0;
  let last: FeaturePlace | undefined;
  const read = async (tolerant: boolean): Promise<void> => {
    const after = last && keysetOf(last, collection, orderName(page.order));
    const place = after ? { after, offset: 0 } : { offset: page.offset + done };
    const statement = pageStatement(
      collection,
      selection,
      { ...page, ...place, limit: most - done },
      { encoding, tolerant, lenient: tolerant && done > 0, skipGeometry },
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

/** A page that was read in one round trip. */
export interface WholePage {
  readonly features: Features;
  readonly numberMatched: number;
}

type Whole = Pick<
  CollectionExchange,
  "collection" | "parameters" | "counts" | "database" | "identity" | "context" | "tiles" | "config"
>;

/**
 * Reads a small page with COMMIT in the same message, and the number of features on all pages, either counted with the
 * rows or remembered. Undefined where that was not possible: `readPage` must then read the page in a new transaction.
 */
export async function readWhole(
  transaction: Transaction,
  exchange: Whole,
  { selection, page, encoding }: Encoded,
): Promise<WholePage | undefined> {
  const { collection, parameters, counts } = exchange;
  const { crs = CRS84, skipGeometry } = parameters;
  const few = mayBeFew(exchange, selection, page) ? selection.bbox : undefined;
  if (page.limit >= AT_ONCE || page.last || !(few || counts.expects(exchange, selection))) return undefined;
  const wanted = { ...page, limit: page.limit + 1 };
  const options = { encoding, tolerant: false, skipGeometry };
  const statement = (few ? fewStatement : pageStatement)(collection, selection, wanted, options);
  const newFeatures = (): Features => new Features(collection, { crs, encoding, room: page.limit });
  let features = newFeatures();
  let counted = 0;
  const onAgain = (): void => {
    features = newFeatures();
    counted = 0;
  };
  try {
    const ignoresSnapshot = few !== undefined; // the rows have their number
    await transaction.read({ ...statement, last: true, onAgain, ignoresSnapshot }, (row) => {
      if (few) counted ||= Number(row.text(FEATURE_COLUMNS.count));
      features.add(row);
    });
  } catch (error) {
    if (sqlstateOf(error) !== GEOMETRY_ERROR) throw error;
    return undefined; // to be read in the slower way
  }
  if (few) return wereFew(collection, few, counted) ? { features, numberMatched: counted } : undefined;
  const isLastPage = isFirst(page) && !features.hasMore;
  const numberMatched = isLastPage ? features.count : counts.kept(transaction, exchange, selection);
  return numberMatched === undefined ? undefined : { features, numberMatched };
}

const isFirst = ({ offset, after, before }: Page): boolean => offset === 0 && !after && !before;

/**
 * The size from which on boxes had too many features, by collection and system. It is an area in square units of the
 * system.
 */
const manyFrom = new WeakMap<Collection, Map<number, number>>();
/**
 * Each larger box raises the limit by this factor, so that a box is tried again some time: another place may be less
 * dense.
 */
const GROWTH = 1.1;

function sizeOf({ bounds: [minx, miny, maxx, maxy] }: Bbox): number {
  return Math.abs(maxx - minx) * (maxy - miny);
}

/**
 * Whether to try for few features. Not for a view, whose rows may take any time, nor where counting has a short limit.
 */
function mayBeFew({ collection, config }: Whole, { bbox, condition, equalities }: Selection, page: Page): boolean {
  if (!bbox || condition || equalities.size > 0 || !isFirst(page)) return false;
  if (!"rpm".includes(collection.kind) || config.countBudgetMs !== undefined) return false;
  const sizes = manyFrom.get(collection);
  const size = sizes?.get(bbox.crs.srid);
  if (size === undefined || sizeOf(bbox) < size) return true;
  sizes!.set(bbox.crs.srid, size * GROWTH);
  return false;
}

/** Whether the box had few features. Remembers its size if it had not. */
function wereFew(collection: Collection, bbox: Bbox, count: number): boolean {
  if (count < TOO_MANY) return true;
  const sizes = manyFrom.get(collection) ?? new Map<number, number>();
  sizes.set(bbox.crs.srid, sizeOf(bbox));
  manyFrom.set(collection, sizes);
  return false;
}
