/** GetFeature (OGC 09-025r2 §11, 04-094 §9): features of a type as GML or GeoJSON, a page at a time, streamed. */
import { setHeaders, write } from "../../../server/kernel/http/answer.ts";
import { isOfValue, GatewayError } from "../../../server/ground/errors.ts";
import type { Transaction } from "../../../server/kernel/database/database.ts";
import { reading } from "../../collections/reach.ts";
import type { Collection } from "../../collections/collections.ts";
import type { Crs } from "../../crs/crs.ts";
import { contentDatetime } from "../../exchange/parameters/datetime.ts";
import { sendText, type CollectionExchange } from "../../exchange/exchange.ts";
import type { FeatureEncoding } from "../../features/encoding.ts";
import { Features } from "../../features/feature.ts";
import { geojsonEncoding } from "../../features/formats/geojson.ts";
import { oneStatement, type Selection } from "../../features/page/featureSql.ts";
import { countMatched } from "../../features/page/pageEnds.ts";
import type { Page } from "../../features/page/pagePlace.ts";
import { readPage, withIsoIntervals } from "../../features/page/readPage.ts";
import { orderOf } from "../../features/page/sorting.ts";
import { givenColumns } from "../../features/propertySelection.ts";
import { ROUTES } from "../../door/routes.ts";
import { exception } from "../exception.ts";
import type { OwsExchange } from "../exchange.ts";
import { layersNamed } from "../layers.ts";
import { escapeXml } from "../xml.ts";
import { boxOf, crsNamedIn } from "./systems.ts";
import { GmlEncoding } from "./gml.ts";
import { GET_FEATURE_BY_ID } from "./storedQueries.ts";
import { DIALECTS, keyOfId, localName, PREFIX, type Dialect } from "./names.ts";

/** Features of an answer that names no number. */
const MOST = 1_000_000;
const JSON_TYPE = "application/geo+json";

interface Asked {
  readonly collection: Collection;
  readonly crs: Crs;
  readonly isJson: boolean;
  readonly dialect: Dialect;
  readonly selection: Selection;
  readonly page: Page;
  readonly encoding: FeatureEncoding;
}

export async function getFeature(exchange: OwsExchange): Promise<void> {
  const { version, given } = exchange;
  if (given.filter !== undefined)
    throw exception(
      "OperationNotSupported",
      "FILTER: there are BBOX and RESOURCEID here; the OGC API has filters",
      "filter",
    );
  if (given.storedquery_id !== undefined) return getFeatureById(exchange);
  const ids = given.resourceid;
  const names = given.typenames?.map(localName) ?? typesOf(exchange, ids ?? []);
  if (names.length !== 1)
    throw names.length === 0
      ? exception("MissingParameterValue", `${version === "1.1.0" ? "TYPENAME" : "TYPENAMES"}: is missing`, "typenames")
      : exception("OperationNotSupported", "TYPENAMES: a request is for features of one type", "typenames");
  const { collections, confirm } = await layersNamed(exchange, names);
  const collection = collections[0]!;
  if (collection.raster)
    throw exception(
      "InvalidParameterValue",
      `TYPENAMES: ${collection.id} is a raster, which has no features`,
      "typenames",
    );
  const dialect = DIALECTS[version]!;
  const isJson = isJsonAsked(given.outputformat);
  const named = crsNamedIn(given.srsname, collection, "srsname");
  // GeoJSON has x or longitude first in every system
  const crs = isJson ? { ...named, flipped: false } : named;
  const columns = givenColumns(
    collection,
    given.propertyname ? { properties: propertiesOf(given.propertyname, collection) } : {},
  );
  const scope = { collection, crs, given: columns, isSorted: given.sortby !== undefined, config: exchange.config };
  await confirm();
  await answer(exchange, {
    collection,
    crs,
    isJson,
    dialect,
    selection: { bbox: boxOf(given.bboxtext, collection), equalities: new Map() },
    page: {
      order: orderOf(collection, given.sortby),
      limit: Math.min(given.count ?? MOST, MOST),
      offset: given.startindex ?? 0,
    },
    encoding: isJson
      ? new Framed(geojsonEncoding(scope), { open: "", close: "", between: ",\n" }, "x first")
      : new GmlEncoding(scope, dialect),
  });
}

/** The stored query that each service has (OGC 09-025r2 §7.9.3.6): the feature itself is the document. */
async function getFeatureById(exchange: OwsExchange): Promise<void> {
  const { given, version, database, identity, context, namespace, config } = exchange;
  if (given.storedquery_id !== GET_FEATURE_BY_ID)
    throw exception("InvalidParameterValue", `STOREDQUERY_ID: expected ${GET_FEATURE_BY_ID}`, "storedquery_id");
  const { id } = given;
  if (id === undefined) throw exception("MissingParameterValue", "ID: is missing", "id");
  const names = typesOf(exchange, [id]);
  const { collections, confirm } = names.length > 0 ? await layersNamed(exchange, names) : notFound(id);
  const collection = collections[0]!;
  await confirm();
  const dialect = DIALECTS[version]!;
  const crs = crsNamedIn(given.srsname, collection, "srsname");
  const scope = { collection, crs, given: givenColumns(collection, {}), isSorted: false, config };
  const asked = { collection, crs, encoding: new GmlEncoding(scope, dialect) };
  const inside = reading(withIsoIntervals(context, collection), collection, false);
  const text = await database.withIdentity(identity, inside, (transaction) => oneFeature(transaction, asked, id));
  if (text === undefined) return notFound(id);
  const spaces = `xmlns:${PREFIX}="${escapeXml(namespace)}" xmlns:gml="${dialect.gml}"`;
  const document = text.replace(" ", ` ${spaces} `);
  sendText(exchange, {
    mediaType: dialect.mediaType,
    text: `<?xml version="1.0" encoding="UTF-8"?>\n${document}\n`,
    links: [],
  });
}

function notFound(id: string): never {
  throw new GatewayError("FEATURE_NOT_FOUND", `There is no feature ${JSON.stringify(id.slice(0, 200))}`, {
    members: { exceptionCode: "NotFound", locator: "id" },
  });
}

/** The types of ids, where the request names none. */
function typesOf({ offered }: OwsExchange, ids: readonly string[]): string[] {
  const found = ids.map((id) => {
    const own = offered.filter((collection) => keyOfId(collection, id) !== undefined);
    // the longest name is meant: those of further geometries begin with that of the first
    return own.toSorted((a, b) => b.id.length - a.id.length)[0]?.id ?? "";
  });
  return [...new Set(found)].filter((id) => id !== "");
}

/** The properties without those that every feature has anyway. */
function propertiesOf(names: readonly string[], { geometry }: Collection): readonly string[] {
  const local = names.map((name) => localName(name.replace(/^.*\//, "")));
  return local.filter((name) => name !== geometry.name && name !== "*");
}

function isJsonAsked(format = ""): boolean {
  const bare = format.split(";")[0]!.trim().toLowerCase();
  if (["application/json", JSON_TYPE, "json", "geojson"].includes(bare)) return true;
  if (bare === "" || /gml/i.test(format) || bare === "text/xml") return false;
  throw exception(
    "InvalidParameterValue",
    `OUTPUTFORMAT: expected GML or ${JSON_TYPE}, got ${JSON.stringify(format.slice(0, 100))}`,
    "outputformat",
  );
}

async function answer(exchange: OwsExchange, asked: Asked): Promise<void> {
  const { database, identity, context, given, response, request } = exchange;
  const { collection, page, selection, dialect, isJson } = asked;
  const route = ROUTES.find(({ id }) => id === "getFeatures")!;
  const features: CollectionExchange = {
    ...exchange,
    route,
    collection,
    parameters: { equalities: new Map(), crs: asked.crs },
    confirm: () => Promise.resolve(),
  };
  const inside = { ...reading(withIsoIntervals(context, collection), collection, false), snapshot: true };
  await database.withIdentity(identity, inside, async (transaction) => {
    const found = given.resourceid ? await oneByOne(transaction, asked, given.resourceid) : undefined;
    const isHits = given.resulttype === "hits";
    const ends = { first: undefined, last: undefined, returned: 0, hasMore: true, isTolerant: false };
    const matched = found ? found.length : await countMatched(transaction, features, { selection, page }, ends);
    const left = Math.max(0, (matched ?? Infinity) - page.offset);
    const returned = isHits ? 0 : found ? found.length : Math.min(page.limit, left);
    setHeaders(response, {
      "Content-Type": isJson && !isHits ? JSON_TYPE : dialect.mediaType,
      ...contentDatetime([collection]),
    });
    if (request.method === "HEAD") {
      response.end();
      return;
    }
    const frame = frameOf(exchange, asked, { matched, returned, isHits });
    await write(response, [frame.before]);
    if (found)
      await write(
        response,
        found.map((text) => frame.member(text)),
      );
    else if (!isHits && returned > 0) {
      let isFirst = true;
      const one = { ...asked, encoding: new Framed(asked.encoding, frame) };
      await readPage(transaction, features, one, async ({ text }) => {
        if (text.length === 0) return true;
        await write(response, isFirst || frame.between === "" ? [text] : [frame.between, text]);
        isFirst = false;
        return true;
      });
    }
    await write(response, [frame.after]);
    response.end();
  });
}

/** Texts around all features, and around each. */
interface Frame {
  readonly before: string;
  readonly after: string;
  readonly between: string;
  readonly open: string;
  readonly close: string;
  member(text: string): string;
}

/** The encoding of a feature with the text around it. */
class Framed implements FeatureEncoding {
  readonly #inner: FeatureEncoding;
  readonly #frame: Pick<Frame, "open" | "close" | "between">;
  readonly separator: string;
  readonly shape?: string;
  /** `word`: tells its selection from that of others with the same `shape`. */
  constructor(inner: FeatureEncoding, frame: Pick<Frame, "open" | "close" | "between">, word = "") {
    this.#inner = inner;
    this.#frame = frame;
    if (inner.shape !== undefined) this.shape = `${word} ${inner.shape}`;
    this.separator = frame.between;
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
    out.put(this.#frame.open);
    const isShown = this.#inner.write(row, key, out);
    out.put(this.#frame.close);
    return isShown;
  };
}

interface Numbers {
  readonly matched: number | undefined;
  readonly returned: number;
  readonly isHits: boolean;
}

function frameOf(exchange: OwsExchange, { dialect, isJson, collection }: Asked, numbers: Numbers): Frame {
  const { version, namespace, address, given } = exchange;
  const { matched, returned, isHits } = numbers;
  const timeStamp = new Date().toISOString();
  if (isJson && !isHits) {
    const rest = JSON.stringify({ numberReturned: returned, ...(matched !== undefined && { numberMatched: matched }) });
    return {
      before: `{"type":"FeatureCollection","timeStamp":"${timeStamp}","features":[\n`,
      after: `\n],${rest.slice(1)}\n`,
      between: ",\n",
      open: "",
      close: "",
      member: (text) => text,
    };
  }
  const describe = `${address}?service=WFS&version=${version}&request=DescribeFeatureType&${
    version === "1.1.0" ? "typename" : "typenames"
  }=${PREFIX}:${encodeURIComponent(collection.id)}`;
  const namespaces = `xmlns:wfs="${dialect.wfs}" xmlns:gml="${dialect.gml}" xmlns:${PREFIX}="${escapeXml(namespace)}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${dialect.wfs} ${dialect.wfsSchema} ${escapeXml(`${namespace} ${describe}`)}"`;
  const counted =
    version === "1.1.0"
      ? `numberOfFeatures="${isHits ? (matched ?? 0) : returned}"`
      : `numberMatched="${matched ?? "unknown"}" numberReturned="${returned}"${pageLinks(exchange, numbers, given.startindex ?? 0)}`;
  const [open, close] =
    version === "1.1.0" ? ["<gml:featureMember>", "</gml:featureMember>\n"] : ["<wfs:member>", "</wfs:member>\n"];
  return {
    before: `<?xml version="1.0" encoding="UTF-8"?>\n<wfs:FeatureCollection ${namespaces} timeStamp="${timeStamp}" ${counted}>\n`,
    after: "</wfs:FeatureCollection>\n",
    between: "",
    open,
    close,
    member: (text) => `${open}${text}${close}`,
  };
}

/** OGC 09-025r2 §7.7.4.4: where the pages around this one are. */
function pageLinks({ query, address, given }: OwsExchange, { matched, isHits }: Numbers, start: number): string {
  const { count } = given;
  if (count === undefined || isHits) return "";
  const at = (index: number): string => {
    const other = new URLSearchParams([...query].filter(([name]) => name.toLowerCase() !== "startindex"));
    other.set("startIndex", String(index));
    return escapeXml(`${address}?${other}`);
  };
  const next = matched === undefined || start + count < matched ? ` next="${at(start + count)}"` : "";
  const previous = start > 0 ? ` previous="${at(Math.max(0, start - count))}"` : "";
  return next + previous;
}

/** The features of ids, in their order; those that there are not are left out. */
async function oneByOne(transaction: Transaction, asked: Asked, ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const id of ids) {
    const text = await oneFeature(transaction, asked, id);
    if (text !== undefined) found.push(text);
  }
  return found;
}

async function oneFeature(
  transaction: Transaction,
  asked: Pick<Asked, "collection" | "crs" | "encoding">,
  id: string,
): Promise<string | undefined> {
  const { collection, encoding, crs } = asked;
  const key = keyOfId(collection, id);
  if (key === undefined || collection.key.length === 0) return undefined;
  let features = new Features(collection, { crs, encoding });
  try {
    const statement = oneStatement(collection, key, { encoding, tolerant: true });
    await transaction.read(
      { ...statement, onAgain: () => void (features = new Features(collection, { crs, encoding })) },
      (row) => features.add(row),
    );
  } catch (error) {
    if (isOfValue(error) || (error instanceof GatewayError && error.code === "BAD_USER_INPUT")) return undefined;
    throw error;
  }
  return features.count > 0 ? features.text.toString() : undefined;
}
