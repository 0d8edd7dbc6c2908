/** The body of an answer with features, in any format. It begins when the first rows have come. */
import type { ServerResponse } from "node:http";
import type { Transaction } from "../../../server/kernel/database/database.ts";
import { GatewayError } from "../../../server/ground/errors.ts";
import { setHeaders, write, type Headers, type Write } from "../../../server/kernel/http/answer.ts";
import { contentCrs, CRS84 } from "../../crs/crs.ts";
import type { CollectionExchange } from "../../exchange/exchange.ts";
import { linkHeaders, type Links } from "../../exchange/links.ts";
import { contentDatetime } from "../../exchange/parameters/datetime.ts";
import type { FeatureDocument, Piece, Summary } from "./document.ts";
import type { Features, Problem } from "../feature.ts";
import type { Selection } from "./featureSql.ts";
import type { Page } from "./pagePlace.ts";
import { countMatched, endsOf } from "./pageEnds.ts";
import { ownLinks, pageLinks, type PageEnds } from "./paging.ts";
import type { Coming } from "./readPage.ts";

/** The part of a page that has been read. */
export class ReadSoFar {
  readonly #separator: string;
  readonly problems: Problem[] = [];
  #ends: PageEnds = { first: undefined, last: undefined, returned: 0, hasMore: false };

  /** `separator`: the text between two features. */
  constructor(separator: string) {
    this.#separator = separator;
  }

  get ends(): PageEnds {
    return this.#ends;
  }

  /** Adds features that came. Returns their text, as it follows the text before. */
  add({ first, last, count, hasMore, problems, text }: Features): Piece[] {
    const { returned } = this.#ends;
    this.problems.push(...problems);
    this.#ends = {
      first: this.#ends.first ?? first,
      last: last ?? this.#ends.last,
      returned: returned + count,
      hasMore: this.#ends.hasMore || hasMore,
    };
    if (count === 0) return [];
    return returned > 0 && this.#separator !== "" ? [this.#separator, text] : [text];
  }
}

/** The way in which the features are read. */
export interface Reading {
  readonly transaction: Transaction;
  readonly selection: Selection;
  readonly page: Page;
}

/** Writes pieces, the last of which is the text of the features. Its memory is used again, if it can be. */
export async function writeFeatures(
  response: ServerResponse,
  pieces: readonly Piece[],
  features: Features,
): Promise<void> {
  const isGone = await write(response, pieces);
  if (isGone && features.text.length > response.writableHighWaterMark) features.release();
}

/** An answer of at most this many bytes is assembled and sent at once, if nothing is left to wait for. */
const SMALL_BYTES = 65_536;

export class FeaturesBody {
  readonly #exchange: CollectionExchange;
  readonly #document: FeatureDocument;
  readonly #reading: Reading;
  readonly #read: ReadSoFar;
  /** Whether the answer goes on. It does not for HEAD. */
  isWanted = true;
  #isBegun = false;
  /** The bytes that have not been sent yet. */
  #held: Piece[] = [];
  /** The links; undefined until the ends of the page are known. */
  #allLinks: Links | undefined;
  /** The number of features on all pages, if it came with the features. */
  #numberMatched: number | undefined;

  constructor(exchange: CollectionExchange, document: FeatureDocument, reading: Reading) {
    this.#exchange = exchange;
    this.#document = document;
    this.#reading = reading;
    this.#read = new ReadSoFar(document.encoding.separator);
  }

  /**
   * Adds features. Returns whether more are wanted. Throws `INVALID_PARAMETER` where the very first feature cannot be
   * shown and nothing in the answer could say so.
   */
  async add(features: Features, coming: Coming): Promise<boolean> {
    const isFirst = this.#read.ends.returned === 0;
    if (isFirst && features.isFirstUnshown && !this.#document.end)
      throw new GatewayError("INVALID_PARAMETER", `The first feature: ${features.problems[0]!.message.toLowerCase()}`);
    this.#held.push(...this.#read.add(features));
    this.#numberMatched = coming.numberMatched;
    // a small page is known completely before its headers are sent
    const bytes = this.#held.reduce((sum, { length }) => sum + length, 0);
    const isHeld = !coming.isLast && this.#document.holds(bytes, this.#read.ends.returned);
    if (!this.#isBegun && isHeld) return true;
    if (!this.#isBegun) await this.#begin(coming);
    if (!this.isWanted) return false;
    const { written } = this.#document;
    if (written) {
      await written.add(this.#held.splice(0), this.#write);
      features.release();
      return true;
    }
    const isCounted = coming.numberMatched !== undefined || !this.#read.ends.hasMore;
    if (coming.isLast && isCounted && bytes < SMALL_BYTES && !this.#exchange.response.headersSent) return true; // `end` sends it
    await writeFeatures(this.#exchange.response, this.#held.splice(0), features);
    return true;
  }

  readonly #write: Write = (chunk) => write(this.#exchange.response, [chunk]);

  /** Sends the headers, and holds the text before the first feature. */
  async #begin({ isLast, isTolerant }: Coming): Promise<void> {
    const { request, response, format, parameters, collection } = this.#exchange;
    const isInHeaders = !this.#document.end;
    const numberMatched = isInHeaders ? await this.#count({ isTolerant, isAll: isLast }) : undefined;
    const ends = isLast || !isInHeaders ? this.#read.ends : await this.#endsBeforehand(isTolerant, numberMatched);
    const summary = isInHeaders ? summaryHeaders(this.#summary(ends, numberMatched)) : {};
    this.#isBegun = true;
    setHeaders(response, {
      "Content-Type": format.mediaType,
      "Content-Crs": contentCrs(parameters.crs ?? CRS84),
      ...contentDatetime([collection]),
      ...linkHeaders(isLast ? this.#links(ends) : ownLinks(this.#exchange)),
      ...summary,
    });
    if (request.method === "HEAD") {
      this.isWanted = false;
      response.end();
      return;
    }
    this.#held = [...this.#document.begin(this.#held, { numberReturned: ends.returned, isWhole: isLast })];
  }

  /** The ends of a page that was not read completely. `numberMatched`: undefined where it is not known. */
  async #endsBeforehand(isTolerant: boolean, numberMatched: number | undefined): Promise<PageEnds> {
    const { transaction, selection, page } = this.#reading;
    const { first } = this.#read.ends;
    const isLastPage = numberMatched !== undefined && numberMatched <= page.offset + page.limit;
    if (isLastPage && !page.after && !page.before)
      return { first, last: undefined, returned: numberMatched - page.offset, hasMore: false };
    return { first, ...(await endsOf(transaction, this.#exchange.collection, { selection, page }, isTolerant)) };
  }

  #links(ends: PageEnds): Links {
    return (this.#allLinks ??= ownLinks(this.#exchange).with(pageLinks(this.#exchange, this.#reading.page, ends)));
  }

  #summary(ends: PageEnds, numberMatched: number | undefined): Summary {
    return {
      numberReturned: ends.returned,
      numberMatched,
      links: this.#links(ends),
      problems: this.#read.problems,
    };
  }

  /** The number of features on all pages. `isAll`: whether the whole page was read. */
  #count({
    isTolerant,
    isAll,
  }: {
    readonly isTolerant: boolean;
    readonly isAll: boolean;
  }): Promise<number | undefined> {
    const { transaction, selection, page } = this.#reading;
    if (this.#numberMatched !== undefined) return Promise.resolve(this.#numberMatched);
    const { ends } = this.#read;
    const known = { ...ends, hasMore: ends.hasMore || !isAll, isTolerant };
    return countMatched(transaction, this.#exchange, { selection, page }, known);
  }

  async end(isTolerant: boolean): Promise<void> {
    const { response } = this.#exchange;
    if (this.#document.written) {
      await this.#document.written.end(this.#write);
      response.end();
      return;
    }
    if (this.#document.end)
      this.#held.push(
        this.#document.end(this.#summary(this.#read.ends, await this.#count({ isTolerant, isAll: true }))),
      );
    if (response.headersSent) {
      await write(response, this.#held);
      response.end();
      return;
    }
    const body = this.#held.map(byteString).join("");
    response.setHeader("Content-Length", body.length);
    response.end(body, "latin1");
  }
}

/** A text with a character for each byte, so that Node sends it in one write with the headers. */
function byteString(piece: Piece): string {
  if (typeof piece !== "string") return piece.toString("latin1");
  return Buffer.byteLength(piece) === piece.length ? piece : Buffer.from(piece).toString("latin1");
}

/**
 * The headers with the numbers, for formats without a place for them. Their names are from WFS 3 drafts and other
 * services.
 */
function summaryHeaders({ numberReturned, numberMatched, links }: Summary): Headers {
  return {
    ...linkHeaders(links),
    "OGC-NumberReturned": String(numberReturned),
    ...(numberMatched !== undefined && { "OGC-NumberMatched": String(numberMatched) }),
  };
}
