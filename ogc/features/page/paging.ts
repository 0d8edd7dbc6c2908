/** The page that a request asks for, and the links to the pages around it. */
import { GatewayError } from "../../../server/ground/errors.ts";
import { collectionLink } from "../../about/collection.ts";
import { selfLinksOfMany, type CollectionExchange } from "../../exchange/exchange.ts";
import { keysetOf, type FeaturePlace } from "../feature.ts";
import type { Page } from "./pagePlace.ts";
import { writeKeyset, type Keyset } from "./keyset.ts";
import { queryString, type Link, type Links } from "../../exchange/links.ts";
import { orderName, orderOf } from "./sorting.ts";
import { limitOf } from "../../exchange/parameters/table.ts";

/** The page of a request. Throws `INVALID_PARAMETER` where parameters contradict each other about its place. */
export function pageOf({ collection, parameters, route }: CollectionExchange): Page {
  const { limit = limitOf(route).default, offset, after, before } = parameters;
  if (after && before) throw new GatewayError("INVALID_PARAMETER", "after and before: give one of them");
  const order = orderOf(collection, parameters.sortby);
  return { order, limit, offset: offset ?? 0, after, before, last: before !== undefined };
}

/** The facts about a page that has been read. */
export interface PageEnds {
  readonly first: FeaturePlace | undefined;
  readonly last: FeaturePlace | undefined;
  readonly returned: number;
  /** Whether there are more features in the direction of reading. */
  readonly hasMore: boolean;
}

/** The parameters that choose the page. */
const PLACE: ReadonlySet<string> = new Set(["offset", "after", "before"]);

/** The query of a request without its format, as two texts: the parameters that choose the page, and the rest. */
interface QueryTexts {
  readonly kept: string;
  readonly place: string;
}

function queryTexts(query: URLSearchParams): QueryTexts {
  let texts = known.get(query);
  if (texts) return texts;
  const kept: Record<string, string> = {};
  const place: Record<string, string | undefined> = { offset: undefined, after: undefined, before: undefined };
  for (const [name, value] of query)
    if (PLACE.has(name)) place[name] = value;
    else if (name !== "f") kept[name] = value;
  texts = { kept: queryString(kept), place: queryString(place) };
  known.set(query, texts);
  return texts;
}

/** The texts of running requests. The links of a page are made in two steps. */
const known = new WeakMap<URLSearchParams, QueryTexts>();

const joined = (...queries: readonly string[]): string => queries.filter((query) => query !== "").join("&");

/** The links to the page in all its formats, and to the collection. */
export function ownLinks(exchange: CollectionExchange): Links {
  const { addresses, collection } = exchange;
  const address = `${addresses.ofCollection(collection.id)}/items`;
  const { kept, place } = queryTexts(exchange.query);
  const query = joined(kept, place);
  const own = selfLinksOfMany(exchange, query === "" ? address : `${address}?${query}`, "This page");
  return own.with([collectionLink(exchange, collection)]);
}

/**
 * The longest place, in characters: a longer one, of texts that features are sorted by, does not fit into an address.
 * The page is then counted from the last shorter place.
 */
const LONGEST_PLACE = 1500;

type Place = Readonly<Record<string, string | number | undefined>>;

/**
 * The links `next` and `prev`. They are by key where features have one, so that rows that are inserted or removed
 * meanwhile shift no other feature.
 */
export function pageLinks(exchange: CollectionExchange, page: Page, ends: PageEnds): Link[] {
  const { addresses, collection, format } = exchange;
  const address = `${addresses.ofCollection(collection.id)}/items`;
  const { kept } = queryTexts(exchange.query);
  const link = (rel: string, title: string, place: Place): Link => ({
    rel,
    type: format.mediaType,
    title,
    href: `${address}?${joined(kept, queryString({ ...place, f: format.name }))}`,
  });
  const keyset = (place: FeaturePlace | undefined): Keyset | undefined => {
    const found = place && keysetOf(place, collection, orderName(page.order));
    return found && writeKeyset(found).length <= LONGEST_PLACE ? found : undefined;
  };
  const next = nextPlace(page, ends, keyset);
  const previous = previousPlace(page, ends, keyset);
  return [
    ...(next ? [link("next", "The next page", next)] : []),
    ...(previous ? [link("prev", "The page before", previous)] : []),
  ];
}

type ToKeyset = (place: FeaturePlace | undefined) => Keyset | undefined;

function nextPlace(page: Page, { last, hasMore, returned }: PageEnds, toKeyset: ToKeyset): Place | undefined {
  const keyset = toKeyset(last);
  if (page.before) {
    if (keyset) return { after: writeKeyset(keyset) };
    const skipped = page.offset - page.limit;
    return skipped < 0
      ? { after: writeKeyset(turned(page.before)) }
      : { before: writeKeyset(page.before), offset: skipped || undefined };
  }
  if (!hasMore) return undefined;
  const from = page.after && writeKeyset(page.after);
  return keyset ? { after: writeKeyset(keyset) } : { after: from, offset: page.offset + returned };
}

function previousPlace(page: Page, { first, hasMore, returned }: PageEnds, toKeyset: ToKeyset): Place | undefined {
  if (!page.after && !page.before && page.offset === 0) return undefined;
  const keyset = toKeyset(first);
  if (page.before) {
    if (!hasMore) return undefined;
    const from = writeKeyset(page.before);
    return keyset ? { before: writeKeyset(keyset) } : { before: from, offset: page.offset + returned };
  }
  if (keyset && (page.after || page.offset > 0)) return { before: writeKeyset(keyset) };
  if (page.offset > 0)
    return {
      after: page.after && writeKeyset(page.after),
      offset: Math.max(0, page.offset - page.limit) || undefined,
    };
  return page.after && { before: writeKeyset(turned(page.after)) };
}

/** The way back from an empty page: to the features on the other side of its place. */
function turned(keyset: Keyset): Keyset {
  return { ...keyset, inclusive: !keyset.inclusive };
}
