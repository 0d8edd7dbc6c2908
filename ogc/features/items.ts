/** `/collections/{collectionId}/items`: features of a collection, a page at a time, streamed. */
import type { Transaction } from "../../server/kernel/database/database.ts";
import { SQLSTATE, sqlstateOf } from "../../server/kernel/errors.ts";
import { collectionLink } from "../collection.ts";
import { contentCrs, CRS84, type Crs } from "../crs.ts";
import { contentDatetime } from "../parameters/datetime.ts";
import { setHeaders, write } from "../../server/kernel/http/answer.ts";
import { selfLinks, type CollectionExchange } from "../exchange.ts";
import { SEPARATOR, type Features, type Problem } from "./feature.ts";
import type { Page, Selection } from "./featureSql.ts";
import { filterOf } from "../filter.ts";
import { linkHeaders, queryString, type Link } from "../links.ts";
import { HTML } from "../formats.ts";
import { itemsPage } from "../pages/itemsPage.ts";
import { pageLinks, pageOf, withoutPage, type PageEnds } from "./paging.ts";
import { readPage, useIsoIntervals } from "./readPage.ts";

export async function items(exchange: CollectionExchange): Promise<void> {
  const { database, identity, context, collection, parameters } = exchange;
  const page = pageOf(exchange);
  const selection = { ...parameters, condition: filterOf(collection, parameters) };
  if (exchange.format === HTML) {
    await itemsAsPage(exchange, selection, page);
    return;
  }
  const body = new Body(exchange, page);
  await database.withIdentity(identity, { ...context, snapshot: true }, async (transaction) => {
    await useIsoIntervals(transaction, collection);
    const isTolerant = await readPage(transaction, exchange, selection, page, (features, isLast) =>
      body.add(features, isLast),
    );
    if (!body.isWanted) return;
    await body.end(await countMatched(transaction, exchange, selection, page, { ...body.ends, isTolerant }));
  });
}

/** A page for people holds so many. */
const MOST_IN_HTML = 1000;

async function itemsAsPage(exchange: CollectionExchange, selection: Selection, asked: Page): Promise<void> {
  const { response, database, identity, context, collection, parameters } = exchange;
  const page = { ...asked, limit: Math.min(asked.limit, MOST_IN_HTML) };
  const read = new ReadSoFar();
  const texts: Buffer[] = [];
  const numberMatched = await database.withIdentity(identity, { ...context, snapshot: true }, async (transaction) => {
    await useIsoIntervals(transaction, collection);
    const isTolerant = await readPage(transaction, exchange, selection, page, (features) => {
      texts.push(...read.add(features));
      return Promise.resolve(true);
    });
    return countMatched(transaction, exchange, selection, page, { ...read.ends, isTolerant });
  });
  const links = [...ownLinks(exchange), ...pageLinks(exchange, page, read.ends)];
  setHeaders(response, { "Content-Crs": contentCrs(parameters.crs ?? CRS84), ...contentDatetime([collection]) });
  const { problems } = read;
  itemsPage(exchange, { text: Buffer.concat(texts).toString(), problems, numberMatched, links });
}

/** What came of a page by now. */
class ReadSoFar {
  readonly problems: Problem[] = [];
  #ends: PageEnds = { first: undefined, last: undefined, returned: 0, hasMore: false };

  get ends(): PageEnds {
    return this.#ends;
  }

  /** Gives the text of the features that came, as it follows that of those before. */
  add({ first, last, count, hasMore, problems, text }: Features): Buffer[] {
    const { returned } = this.#ends;
    this.problems.push(...problems);
    this.#ends = {
      first: this.#ends.first ?? first,
      last: last ?? this.#ends.last,
      returned: returned + count,
      hasMore: this.#ends.hasMore || hasMore,
    };
    if (count === 0) return [];
    return returned > 0 ? [Buffer.from(SEPARATOR), text] : [text];
  }
}

/** The page itself, in all its formats, and the collection. */
function ownLinks(exchange: CollectionExchange): Link[] {
  const { addresses, collection } = exchange;
  const address = addresses.of(["collections", collection.id, "items"]);
  const { offset, after, before } = Object.fromEntries(exchange.query);
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
    const options = { tolerant: isTolerant, budgetMs: countBudgetMs };
    return await counts.of(transaction, database, collection, selection, options);
  } catch (error) {
    if (countBudgetMs !== undefined && sqlstateOf(error) === SQLSTATE.queryCanceled) return undefined;
    throw error;
  }
}

/** So much text is held back for the sake of complete headers. */
const HELD_BYTES = 250_000;

/** The text of a FeatureCollection, begun when the first rows are there: what is known only then stands at its end. */
class Body {
  readonly #exchange: CollectionExchange;
  readonly #page: Page;
  readonly #crs: Crs;
  readonly #read = new ReadSoFar();
  /** Whether the answer goes on: not after HEAD. */
  isWanted = true;
  #isBegun = false;
  /** Text that is not sent yet. */
  #held: Buffer[] = [];

  constructor(exchange: CollectionExchange, page: Page) {
    this.#exchange = exchange;
    this.#page = page;
    this.#crs = exchange.parameters.crs ?? CRS84;
  }

  get ends(): PageEnds {
    return this.#read.ends;
  }

  /** Takes features; gives back whether more are wanted. */
  async add(features: Features, isLast: boolean): Promise<boolean> {
    this.#held.push(...this.#read.add(features));
    // of a page that is not large all is known before its headers are sent
    const bytes = this.#held.reduce((sum, { length }) => sum + length, 0);
    if (!this.#isBegun && !isLast && bytes < HELD_BYTES) return true;
    if (!this.#isBegun) this.#begin(isLast);
    if (!this.isWanted) return false;
    const { response } = this.#exchange;
    const isGone = await write(response, this.#held.splice(0));
    if (isGone && features.text.length > response.writableHighWaterMark) features.release();
    return true;
  }

  /** Sends the headers, and holds the text before the first feature. */
  #begin(isLast: boolean): void {
    const { request, response, format } = this.#exchange;
    this.#isBegun = true;
    setHeaders(response, {
      "Content-Type": format.mediaType,
      "Content-Crs": contentCrs(this.#crs),
      ...contentDatetime([this.#exchange.collection]),
      ...linkHeaders(isLast ? this.#links() : ownLinks(this.#exchange)),
    });
    if (request.method === "HEAD") {
      this.isWanted = false;
      response.end();
      return;
    }
    const timeStamp = JSON.stringify(new Date().toISOString());
    this.#held.unshift(Buffer.from(`{"type":"FeatureCollection","timeStamp":${timeStamp},"features":[\n`));
  }

  #links(): Link[] {
    return [...ownLinks(this.#exchange), ...pageLinks(this.#exchange, this.#page, this.ends)];
  }

  /** `numberMatched`: undefined where it is not known. */
  async end(numberMatched: number | undefined): Promise<void> {
    const { response } = this.#exchange;
    const { problems } = this.#read;
    const rest = JSON.stringify({
      numberReturned: this.ends.returned,
      ...(numberMatched !== undefined && { numberMatched }),
      links: this.#links(),
      ...(problems.length > 0 && { problems }),
    });
    await write(response, [`\n],${rest.slice(1)}\n`]);
    response.end();
  }
}
