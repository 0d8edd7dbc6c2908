/**
 * The streamed answer to queries: a document with one collection, or, for several queries in WFS 2.0, with a collection
 * for each.
 */
import { setHeaders, write } from "../../../server/kernel/http/answer.ts";
import type { Reached, Transaction } from "../../../server/kernel/database/database.ts";
import { escapeXml, writeXml, type XmlElement } from "../../../server/types/xml.ts";
import { reading } from "../../collections/reach.ts";
import type { CollectionExchange } from "../../exchange/exchange.ts";
import { contentDatetime } from "../../exchange/parameters/datetime.ts";
import type { FeatureEncoding } from "../../features/encoding.ts";
import { writeFeatures } from "../../features/page/featuresBody.ts";
import { countMatched, endsOf } from "../../features/page/pageEnds.ts";
import type { Page } from "../../features/page/pagePlace.ts";
import { readPage, withIsoIntervals } from "../../features/page/readPage.ts";
import { ROUTES } from "../../door/routes.ts";
import type { OwsExchange } from "../exchange.ts";
import type { Asked } from "./asked.ts";
import { DIALECTS, PREFIX, toXmlName, type Dialect } from "./names.ts";

/** The most features of an answer, and of one whose request gives no number. */
export const MOST = 1_000_000;
export const JSON_TYPE = "application/geo+json";

/** The outer form of an answer. */
export interface Document {
  readonly isJson: boolean;
  /** The element of the collection in the XML document. */
  readonly element: "FeatureCollection" | "ValueCollection";
}

/** A query with its part of the page. */
interface Part extends Asked {
  /** The number of matching features; undefined where counting takes too long. */
  readonly matched: number | undefined;
  readonly offset: number;
  /** The number of its features on the page. */
  readonly limit: number;
  /** Whether it has features after the page. */
  readonly hasMore: boolean;
}

export async function answerQueries(exchange: OwsExchange, all: readonly Asked[], document: Document): Promise<void> {
  const { database, identity, context, given, response, request } = exchange;
  const isHits = given.resulttype === "hits";
  const reaches = all.map(
    ({ collection, selection }) => reading(context, collection, selection.condition !== undefined).reach,
  );
  const inside = {
    ...withIsoIntervals(context, { columns: all.flatMap(({ collection }) => collection.columns) }),
    reach: reaches.flatMap((reach) => (reach as readonly Reached[] | undefined) ?? []),
    snapshot: true,
  };
  await database.withIdentity(identity, inside, async (transaction) => {
    const parts = isHits ? await hitsOf(transaction, exchange, all) : await partsOf(transaction, exchange, all);
    const isJson = document.isJson && !isHits;
    const dialect = DIALECTS[exchange.version]!;
    setHeaders(response, {
      "Content-Type": isJson ? JSON_TYPE : dialect.mediaType,
      ...contentDatetime(all.map(({ collection }) => collection)),
    });
    if (request.method === "HEAD") {
      response.end();
      return;
    }
    const counts = {
      matched: parts.reduce<number | undefined>(
        (sum, { matched }) => (sum === undefined || matched === undefined ? undefined : sum + matched),
        0,
      ),
      returned: isHits ? 0 : parts.reduce((sum, { limit }) => sum + limit, 0),
    };
    const frame = isJson ? jsonFrame(counts) : xmlFrame(exchange, { parts, ...document, ...counts, isHits });
    await write(response, [frame.before]);
    const isNested = !isJson && parts.length > 1 && exchange.version === "2.0.0";
    let isFirst = true;
    for (const part of isHits ? [] : parts) {
      const inner = isNested ? nestedFrame(document, part) : undefined;
      if (inner) await write(response, [inner.before]);
      if (part.limit > 0) isFirst = await writePart(transaction, exchange, part, { frame, isFirst });
      if (inner) await write(response, [inner.after]);
    }
    await write(response, [frame.after]);
    response.end();
  });
}

/** The parts of a page. `startIndex` and `count` refer to the features of all queries in sequence. */
async function partsOf(transaction: Transaction, exchange: OwsExchange, all: readonly Asked[]): Promise<Part[]> {
  const counts: (number | undefined)[] = [];
  for (const asked of all) counts.push(await matchedBy(transaction, exchange, asked));
  // a count that took too long has ended its transaction, so all the numbers of the page are of the new one
  const isKnown = !counts.includes(undefined);
  let skipped = exchange.given.startindex ?? 0;
  let room = sizeOf(exchange);
  const parts: Part[] = [];
  for (const [index, asked] of all.entries()) {
    const read = { asked, matched: counts[index], limit: room, offset: skipped, isLast: index === all.length - 1 };
    const part = isKnown ? partOfCount(read, counts[index]!) : await partOfPage(transaction, read);
    parts.push(part);
    skipped -= part.offset;
    room -= part.limit;
  }
  return parts;
}

/** The numbers of features, without a page. */
async function hitsOf(transaction: Transaction, exchange: OwsExchange, all: readonly Asked[]): Promise<Part[]> {
  const parts: Part[] = [];
  for (const asked of all) {
    const matched = await matchedBy(transaction, exchange, asked);
    parts.push({ ...asked, matched, offset: 0, limit: 0, hasMore: false });
  }
  return parts;
}

/** The number of features that match; undefined where counting takes longer than `ogc.countBudgetMs`. */
function matchedBy(transaction: Transaction, exchange: OwsExchange, asked: Asked): Promise<number | undefined> {
  const { given, version, config } = exchange;
  // 1.1.0 has no word for an unknown number, and hits are all that the request asks for
  const isNeeded = given.resulttype === "hits" && version === "1.1.0";
  const { countBudgetMs: _, ...unlimited } = config;
  const counting = ofCollection(isNeeded ? { ...exchange, config: unlimited } : exchange, asked);
  const { selection, order } = asked;
  return countMatched(transaction, counting, { selection, page: { order, limit: 0, offset: 0 } }, UNREAD);
}

const UNREAD = { first: undefined, last: undefined, returned: 0, hasMore: true, isTolerant: false };

interface PartRead {
  readonly asked: Asked;
  readonly matched: number | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Whether no query follows. */
  readonly isLast: boolean;
}

function partOfCount({ asked, limit, offset }: PartRead, matched: number): Part {
  const start = Math.min(offset, matched);
  const returned = Math.min(limit, matched - start);
  return { ...asked, matched, offset: start, limit: returned, hasMore: matched > start + returned };
}

/** The part of a query whose features are not counted. Only the places of its page are read. */
async function partOfPage(transaction: Transaction, read: PartRead): Promise<Part> {
  const { asked, limit, offset, isLast } = read;
  const { selection, order, collection } = asked;
  const endsAt = (page: Pick<Page, "limit" | "offset">) =>
    endsOf(transaction, collection, { selection, page: { order, ...page } }, false);
  const { returned, hasMore } = await endsAt({ limit, offset });
  // nothing there: the features of the next query are skipped by as many fewer as this one has
  const isBefore = returned === 0 && !hasMore && offset > 0;
  const start = isBefore && !isLast ? (await endsAt({ limit: offset, offset: 0 })).returned : offset;
  const isWhole = !hasMore && (returned > 0 || offset === 0);
  const matched = isWhole ? offset + returned : read.matched;
  return { ...asked, matched, offset: start, limit: returned, hasMore };
}

/** The most features on a page. */
function sizeOf({ given }: OwsExchange): number {
  return Math.min(given.count ?? MOST, MOST);
}

function ofCollection(exchange: OwsExchange, { collection, crs }: Asked): CollectionExchange {
  return {
    ...exchange,
    route: ROUTES.find(({ id }) => id === "getFeatures")!,
    collection,
    parameters: { equalities: new Map(), crs },
    confirm: () => Promise.resolve(),
  };
}

interface Place {
  readonly frame: Frame;
  readonly isFirst: boolean;
}

/** Writes a part. Returns whether nothing has been written yet. */
async function writePart(
  transaction: Transaction,
  exchange: OwsExchange,
  part: Part,
  { frame, isFirst }: Place,
): Promise<boolean> {
  const { selection, order, limit, offset } = part;
  let isStill = isFirst;
  const encoding = new Framed(part.encoding, frame, part.crs.flipped ? "" : "x first");
  await readPage(transaction, ofCollection(exchange, part), { selection, page: { order, limit, offset }, encoding }, async (features) => {
    const { text } = features;
    if (text.length === 0) return true;
    await writeFeatures(exchange.response, isStill || frame.between === "" ? [text] : [frame.between, text], features);
    isStill = false;
    return true;
  }); // oxfmt-ignore
  return isStill;
}

/** The texts around all features, and around each. */
interface Frame {
  readonly before: string;
  readonly after: string;
  readonly between: string;
  readonly open: string;
  readonly close: string;
}

/** The encoding of a feature with the text around it. */
class Framed implements FeatureEncoding {
  readonly #inner: FeatureEncoding;
  readonly #open: Buffer;
  readonly #close: Buffer;
  readonly separator: string;
  readonly shape?: string;
  /** `word`: distinguishes its selection from others with the same `shape`. */
  constructor(inner: FeatureEncoding, frame: Pick<Frame, "open" | "close" | "between">, word: string) {
    this.#inner = inner;
    this.#open = Buffer.from(frame.open);
    this.#close = Buffer.from(frame.close);
    if (inner.shape !== undefined) this.shape = `${word} ${inner.shape}`;
    this.separator = frame.between;
  }
  get hasBinaryGeometry(): boolean {
    return this.#inner.hasBinaryGeometry ?? false;
  }
  get columns() {
    return this.#inner.columns;
  }
  get size() {
    return this.#inner.size;
  }
  geometry: FeatureEncoding["geometry"] = (source) => this.#inner.geometry(source);
  values: FeatureEncoding["values"] = (source) => this.#inner.values(source);
  write: FeatureEncoding["write"] = (row, key, out) => {
    out.putBytes(this.#open);
    const isShown = this.#inner.write(row, key, out);
    out.putBytes(this.#close);
    return isShown;
  };
}

interface Numbers {
  readonly matched: number | undefined;
  readonly returned: number;
}

function jsonFrame({ matched, returned }: Numbers): Frame {
  const rest = JSON.stringify({ numberReturned: returned, ...(matched !== undefined && { numberMatched: matched }) });
  return {
    before: `{"type":"FeatureCollection","timeStamp":"${new Date().toISOString()}","features":[\n`,
    after: `\n],${rest.slice(1)}\n`,
    between: ",\n",
    open: "",
    close: "",
  };
}

interface Content extends Numbers, Document {
  readonly parts: readonly Part[];
  readonly isHits: boolean;
}

function namespacesOf({ version, namespace, address }: OwsExchange, { parts }: Content): string {
  const { wfs, wfsSchema, gml }: Dialect = DIALECTS[version]!;
  const names = [...new Set(parts.map(({ collection }) => `${PREFIX}:${toXmlName(collection.id)}`))].join(",");
  const describe = `${address}?service=WFS&version=${version}&request=DescribeFeatureType&${
    version === "1.1.0" ? "typename" : "typenames"
  }=${encodeURI(names)}`;
  return `xmlns:wfs="${wfs}" xmlns:gml="${gml}" xmlns:${PREFIX}="${escapeXml(namespace)}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${wfs} ${wfsSchema} ${escapeXml(`${namespace} ${describe}`)}"`;
}

function xmlFrame(exchange: OwsExchange, content: Content): Frame {
  const { version } = exchange;
  const { matched, returned, isHits, element } = content;
  const counted =
    version === "1.1.0"
      ? `numberOfFeatures="${isHits ? matched! : returned}"`
      : `numberMatched="${matched ?? "unknown"}" numberReturned="${returned}"${pageLinks(exchange, content)}`;
  const [open, close] = version === "1.1.0" ? ["<gml:featureMember>", "</gml:featureMember>\n"] : MEMBER;
  return {
    before: `<?xml version="1.0" encoding="UTF-8"?>\n<wfs:${element} ${namespacesOf(exchange, content)} timeStamp="${new Date().toISOString()}" ${counted}>\n`,
    after: `</wfs:${element}>\n`,
    between: "",
    open,
    close,
  };
}

const MEMBER = ["<wfs:member>", "</wfs:member>\n"] as const;

/** OGC 09-025r2 §11.3.3.5: the answer to several queries has a collection for each. */
function nestedFrame({ element }: Document, part: Part): { before: string; after: string } {
  const [open, close] = MEMBER;
  const { matched } = part;
  return {
    before: `${open}<wfs:${element} timeStamp="${new Date().toISOString()}" numberMatched="${matched ?? "unknown"}" numberReturned="${part.limit}">\n`,
    after: `</wfs:${element}>${close}`,
  };
}

/** The longest address that is accepted everywhere, in characters. */
const LONGEST_ADDRESS = 16_000;

/**
 * OGC 09-025r2 §7.7.4.4: the links to the pages around this one; for a number of hits, the link to the first features.
 */
function pageLinks(exchange: OwsExchange, { matched, isHits, parts }: Content): string {
  const { address, given } = exchange;
  const { startindex: start = 0 } = given;
  const size = sizeOf(exchange);
  const hasMore = parts.some((part) => part.hasMore);
  if (isHits ? matched === 0 : size === 0 || (start === 0 && !hasMore)) return "";
  const query = exchange.body ? queryOfBody(exchange, exchange.body) : exchange.query;
  if (!query) return "";
  const at = (index: number): string => {
    const kept = [...query].filter(([name]) => !["startindex", "resulttype"].includes(name.toLowerCase()));
    const other = new URLSearchParams(kept);
    other.set("startIndex", String(index));
    return escapeXml(`${address}?${other}`);
  };
  if (isHits) return ` next="${at(start)}"`;
  const next = hasMore ? ` next="${at(start + size)}"` : "";
  const previous = start > 0 ? ` previous="${at(Math.max(0, start - size))}"` : "";
  return next + previous;
}

/** The request as a query string; undefined where it is too long for an address. */
function queryOfBody({ version }: OwsExchange, body: XmlElement): URLSearchParams | undefined {
  const query = new URLSearchParams({ service: "WFS", version, request: body.name });
  for (const name of ["count", "resultType", "outputFormat", "valueReference"]) {
    const value = body.attributes.get(name);
    if (value !== undefined) query.set(name, value);
  }
  const queries = body.children.filter(({ name }) => name === "Query");
  const lists = (texts: readonly string[]): string => (texts.length === 1 ? texts[0]! : texts.map((text) => `(${text})`).join("")); // oxfmt-ignore
  const inEach = (read: (each: XmlElement) => string | undefined): readonly string[] => queries.map((each) => read(each) ?? ""); // oxfmt-ignore
  const childrenOf = (each: XmlElement, wanted: string): readonly XmlElement[] => each.children.filter(({ name }) => name === wanted); // oxfmt-ignore
  const parameters: Readonly<Record<string, readonly string[]>> = {
    typeNames: inEach(({ attributes }) => attributes.get("typeNames")),
    filter: inEach((each) => childrenOf(each, "Filter").map(writeXml)[0]),
    propertyName: inEach((each) => childrenOf(each, "PropertyName").map(({ text }) => text).join(",")), // oxfmt-ignore
  };
  for (const [name, texts] of Object.entries(parameters)) {
    // a list cannot express that some queries have a value and others none
    if (texts.some((text) => text === "") && texts.some((text) => text !== "")) return undefined;
    if (texts[0] !== undefined && texts[0] !== "") query.set(name, lists(texts));
  }
  const [first] = queries;
  const srsName = first?.attributes.get("srsName");
  if (srsName !== undefined) query.set("srsName", srsName);
  const [sortBy] = first ? childrenOf(first, "SortBy") : [];
  if (sortBy)
    query.set(
      "sortBy",
      sortBy.children.map(({ children }) => children.map(({ text }) => text.trim()).join(" ")).join(","),
    );
  return query.toString().length > LONGEST_ADDRESS ? undefined : query;
}
