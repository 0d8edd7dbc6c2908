/** `/collections/{collectionId}/items`: features of a collection, a page at a time, streamed. */
import type { Transaction } from "../server/database.ts";
import { SQLSTATE, sqlstateOf } from "../server/errors.ts";
import { collectionLink } from "./collection.ts";
import { contentCrs, CRS84, type Crs } from "./crs.ts";
import { contentDatetime } from "./datetime.ts";
import { selfLinks, type CollectionExchange } from "./exchange.ts";
import { featureText, type Problem } from "./feature.ts";
import type { FeatureRow, Page, Selection } from "./featureSql.ts";
import { write } from "./featureStream.ts";
import { linkHeaders, queryString, type Link } from "./links.ts";
import { HTML } from "./formats.ts";
import { itemsPage } from "./pages/itemsPage.ts";
import { pageLinks, pageOf, withoutPage, type PageEnds } from "./paging.ts";
import { readPage, useIsoIntervals } from "./readPage.ts";

export async function items(exchange: CollectionExchange): Promise<void> {
  const { database, identity, context, collection, parameters } = exchange;
  const page = pageOf(exchange);
  if (exchange.format === HTML) {
    await itemsAsPage(exchange, page);
    return;
  }
  const body = new Body(exchange, page);
  await database.withIdentity(identity, { ...context, snapshot: true }, async (transaction) => {
    await useIsoIntervals(transaction, collection);
    body.isTolerant = await readPage(transaction, exchange, parameters, page, (rows, isLast) => body.add(rows, isLast));
    if (body.isWanted) await body.end(await countMatched(transaction, exchange, parameters, page, body));
  });
}

/** A page for people holds so many. */
const MOST_IN_HTML = 1000;

async function itemsAsPage(exchange: CollectionExchange, asked: Page): Promise<void> {
  const { response, database, identity, context, collection, parameters } = exchange;
  const page = { ...asked, limit: Math.min(asked.limit, MOST_IN_HTML) };
  const rows: FeatureRow[] = [];
  const numberMatched = await database.withIdentity(identity, { ...context, snapshot: true }, async (transaction) => {
    await useIsoIntervals(transaction, collection);
    const isTolerant = await readPage(transaction, exchange, parameters, page, (some) => {
      rows.push(...some);
      return Promise.resolve(true);
    });
    return countMatched(transaction, exchange, parameters, page, { ...endsOf(rows, page), isTolerant });
  });
  const ends = endsOf(rows, page);
  const shown = ends.hasMore ? (page.last ? rows.slice(1) : rows.slice(0, -1)) : rows;
  const links = [
    ...ownLinks(exchange),
    ...pageLinks(exchange, page, { ...ends, first: shown[0], last: shown.at(-1), returned: shown.length }),
  ];
  response.set({ "Content-Crs": contentCrs(parameters.crs ?? CRS84), ...contentDatetime([collection]) });
  itemsPage(exchange, { rows: shown, numberMatched, links });
}

function endsOf(rows: readonly FeatureRow[], { limit }: Page): PageEnds {
  return {
    first: rows[0],
    last: rows.at(-1),
    returned: Math.min(rows.length, limit),
    hasMore: rows.length > limit,
  };
}

/** The page itself, in all its formats, and the collection. */
function ownLinks(exchange: CollectionExchange): Link[] {
  const { addresses, collection, request } = exchange;
  const address = addresses.of(["collections", collection.id, "items"]);
  const { offset, after, before } = Object.fromEntries(new URL(request.originalUrl, "http://host").searchParams);
  const query = queryString({ ...withoutPage(exchange), offset, after, before });
  return [
    ...selfLinks(exchange, query === "" ? address : `${address}?${query}`, "This page"),
    collectionLink(exchange, collection),
  ];
}

/** How many features there are on all pages; undefined where counting would take longer than it may. */
export async function countMatched(
  transaction: Transaction,
  { collection, database, counts, config: { countBudgetMs } }: CollectionExchange,
  selection: Selection,
  page: Page,
  { returned, hasMore, isTolerant }: PageEnds & { readonly isTolerant: boolean },
): Promise<number | undefined> {
  // the last page of those that were counted off tells it
  if (!page.after && !page.before && !hasMore && (returned > 0 || page.offset === 0)) return page.offset + returned;
  try {
    if (countBudgetMs !== undefined)
      await transaction.query({
        text: "select set_config('statement_timeout', $1, true)",
        values: [String(countBudgetMs)],
      });
    return await counts.of(transaction, database, collection, selection, isTolerant);
  } catch (error) {
    if (countBudgetMs !== undefined && sqlstateOf(error) === SQLSTATE.queryCanceled) return undefined;
    throw error;
  }
}

/** So much text is held back for the sake of complete headers. */
const HELD_CHARACTERS = 250_000;

/** The text of a FeatureCollection, begun when the first rows are there: what is known only then stands at its end. */
class Body implements PageEnds {
  readonly #exchange: CollectionExchange;
  readonly #page: Page;
  readonly #crs: Crs;
  readonly #problems: Problem[] = [];
  first: FeatureRow | undefined;
  last: FeatureRow | undefined;
  returned = 0;
  hasMore = false;
  isTolerant = false;
  /** Whether the answer goes on: not after HEAD. */
  isWanted = true;
  #isBegun = false;
  /** Features that are not sent yet. */
  #held = "";
  #taken = 0;

  constructor(exchange: CollectionExchange, page: Page) {
    this.#exchange = exchange;
    this.#page = page;
    this.#crs = exchange.parameters.crs ?? CRS84;
  }

  /** Takes rows; gives back whether more are wanted. */
  async add(rows: readonly FeatureRow[], isLast: boolean): Promise<boolean> {
    const { collection, response } = this.#exchange;
    const shown = this.#withoutExtra(rows);
    this.first ??= shown[0];
    this.last = shown.at(-1) ?? this.last;
    const texts = shown.map((row) => {
      const { members, problem } = featureText(collection, row, this.#crs);
      if (problem) this.#problems.push(problem);
      return `{${members}}`;
    });
    if (texts.length > 0) this.#held += (this.returned > 0 ? ",\n" : "") + texts.join(",\n");
    this.returned += texts.length;
    this.#taken += rows.length;
    // of a page that is not large all is known before its headers are sent
    if (!this.#isBegun && !isLast && this.#held.length < HELD_CHARACTERS) return true;
    const head = this.#isBegun ? "" : this.#begin(isLast);
    if (!this.isWanted) return false;
    await write(response, head + this.#held);
    this.#held = "";
    return true;
  }

  /** One row more than the limit was asked for, to see whether there is one. */
  #withoutExtra(rows: readonly FeatureRow[]): readonly FeatureRow[] {
    const { limit, last: isFromEnd } = this.#page;
    const isExtra = isFromEnd ? this.#taken === 0 && (rows[0]?.[3] ?? 0) > limit : this.returned + rows.length > limit;
    this.hasMore ||= isExtra;
    if (!isExtra) return rows;
    return isFromEnd ? rows.slice(1) : rows.slice(0, -1);
  }

  /** Sends the headers; gives the text before the first feature. */
  #begin(isLast: boolean): string {
    const { request, response, format } = this.#exchange;
    this.#isBegun = true;
    response.status(200).set({
      "Content-Type": format.mediaType,
      "Content-Crs": contentCrs(this.#crs),
      ...contentDatetime([this.#exchange.collection]),
      ...linkHeaders(isLast ? this.#links() : ownLinks(this.#exchange)),
    });
    if (request.method === "HEAD") {
      this.isWanted = false;
      response.end();
      return "";
    }
    return `{"type":"FeatureCollection","timeStamp":${JSON.stringify(new Date().toISOString())},"features":[\n`;
  }

  #links(): Link[] {
    return [...ownLinks(this.#exchange), ...pageLinks(this.#exchange, this.#page, this)];
  }

  /** `numberMatched`: undefined where it is not known. */
  async end(numberMatched: number | undefined): Promise<void> {
    const { response } = this.#exchange;
    const rest = JSON.stringify({
      numberReturned: this.returned,
      ...(numberMatched !== undefined && { numberMatched }),
      links: this.#links(),
      ...(this.#problems.length > 0 && { problems: this.#problems }),
    });
    await write(response, `\n],${rest.slice(1)}\n`);
    response.end();
  }
}
