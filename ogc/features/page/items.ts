/** `/collections/{collectionId}/items`: a streamed page of the features of a collection. */
import { contentCrs, CRS84 } from "../../crs/crs.ts";
import { contentDatetime } from "../../exchange/parameters/datetime.ts";
import { setHeaders } from "../../../server/kernel/http/answer.ts";
import type { CollectionExchange } from "../../exchange/exchange.ts";
import type { Piece } from "./document.ts";
import type { EncodingScope } from "../encoding.ts";
import { FeaturesBody, ReadSoFar } from "./featuresBody.ts";
import type { Selection } from "./featureSql.ts";
import type { Page } from "./pagePlace.ts";
import { documentOf } from "../formats/all.ts";
import { geojsonEncoding } from "../formats/geojson.ts";
import { filterOf } from "../filter.ts";
import { HTML } from "../../exchange/formats.ts";
import { itemsPage } from "../../pages/itemsPage.ts";
import { countMatched } from "./pageEnds.ts";
import { ownLinks, pageLinks, pageOf } from "./paging.ts";
import { givenColumns } from "../propertySelection.ts";
import { readPage, readWhole, withIsoIntervals } from "./readPage.ts";

export async function items(exchange: CollectionExchange): Promise<void> {
  const { database, identity, context, collection, parameters } = exchange;
  const page = pageOf(exchange);
  const condition = await filterOf(exchange, collection);
  const selection = { ...parameters, condition };
  if (exchange.format === HTML) {
    await itemsAsPage(exchange, selection, page);
    return;
  }
  const document = documentOf(exchange.format.name, scopeOf(exchange));
  const reading = { ...withIsoIntervals(context, collection), snapshot: true };
  try {
    await database.withIdentity(identity, reading, async (transaction) => {
      await document.prepare?.(transaction, selection, page);
      const asked = { selection, page, encoding: document.encoding };
      const body = new FeaturesBody(exchange, document, { transaction, selection, page });
      let isTolerant = false;
      const whole = await readWhole(transaction, exchange, asked);
      if (whole) await body.add(whole.features, { ...whole, isLast: true, isTolerant });
      else isTolerant = await readPage(transaction, exchange, asked, (features, coming) => body.add(features, coming));
      if (body.isWanted) await body.end(isTolerant);
    });
  } finally {
    await document.close?.();
  }
}

export function scopeOf({ collection, parameters, config }: CollectionExchange): EncodingScope {
  const { crs = CRS84 } = parameters;
  return {
    collection,
    crs,
    given: givenColumns(collection, parameters),
    exactness: { precision: parameters.precision, maxOffset: parameters["max-allowable-offset"] },
    isSorted: parameters.sortby !== undefined,
    config,
  };
}

/** The most features on an HTML page. */
const MOST_IN_HTML = 1000;

async function itemsAsPage(exchange: CollectionExchange, selection: Selection, asked: Page): Promise<void> {
  const { response, database, identity, context, collection, parameters } = exchange;
  const page = { ...asked, limit: Math.min(asked.limit, MOST_IN_HTML) };
  const encoding = geojsonEncoding(scopeOf(exchange));
  const read = new ReadSoFar(encoding.separator);
  const texts: Piece[] = [];
  const reading = { ...withIsoIntervals(context, collection), snapshot: true };
  const numberMatched = await database.withIdentity(identity, reading, async (transaction) => {
    const isTolerant = await readPage(transaction, exchange, { selection, page, encoding }, (features) => {
      texts.push(...read.add(features));
      return Promise.resolve(true);
    });
    return countMatched(transaction, exchange, { selection, page }, { ...read.ends, isTolerant });
  });
  const links = [...ownLinks(exchange), ...pageLinks(exchange, page, read.ends)];
  setHeaders(response, { "Content-Crs": contentCrs(parameters.crs ?? CRS84), ...contentDatetime([collection]) });
  const { problems } = read;
  itemsPage(exchange, { text: texts.join(""), problems, numberMatched, links });
}
