/**
 * ListStoredQueries and DescribeStoredQueries (OGC 09-025r2 §14): they describe the only one, which each service has.
 */
import type { Collection } from "../../collections/collections.ts";
import { sendText } from "../../exchange/exchange.ts";
import { exception } from "../exception.ts";
import type { OwsExchange } from "../exchange.ts";
import { layersSeen, seenOf } from "../layers.ts";
import { xml, xmlDocument, type Xml } from "../xml.ts";
import { DIALECTS, keyOfId, PREFIX, toXmlName } from "./names.ts";

export const GET_FEATURE_BY_ID = "urn:ogc:def:query:OGC-WFS::GetFeatureById";

/**
 * The collections of feature ids, without the ids of no collection that the caller may see. A collection is the one
 * with the longest matching name, since the names of further geometries begin with the name of the first.
 */
export async function keyOwners(
  exchange: OwsExchange,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Collection>> {
  const isOf = (collection: Collection, id: string): boolean => keyOfId(collection, id) !== undefined;
  const possible = exchange.offered.filter((collection) => ids.some((id) => isOf(collection, id)));
  const seen = (await seenOf(exchange, possible)).toSorted((a, b) => b.id.length - a.id.length);
  return new Map(
    ids.flatMap((id) => {
      const owner = seen.find((collection) => isOf(collection, id));
      return owner ? [[id, owner] as const] : [];
    }),
  );
}

const TITLE = "The feature with an id";

function send(exchange: OwsExchange, body: Xml): void {
  sendText(exchange, { mediaType: "text/xml", text: xmlDocument(body), links: [] });
}

async function typesOf(exchange: OwsExchange): Promise<readonly string[]> {
  const seen = await layersSeen(exchange);
  return seen.filter(({ raster }) => !raster).map(({ id }) => `${PREFIX}:${toXmlName(id)}`);
}

export async function listStoredQueries(exchange: OwsExchange): Promise<void> {
  const { wfs } = DIALECTS["2.0.0"]!;
  const types = await typesOf(exchange);
  send(
    exchange,
    xml`<wfs:ListStoredQueriesResponse xmlns:wfs="${wfs}" xmlns:${PREFIX}="${exchange.namespace}"><wfs:StoredQuery id="${GET_FEATURE_BY_ID}"><wfs:Title>${TITLE}</wfs:Title>${types.map((name) => xml`<wfs:ReturnFeatureType>${name}</wfs:ReturnFeatureType>`)}</wfs:StoredQuery></wfs:ListStoredQueriesResponse>`,
  );
}

export async function describeStoredQueries(exchange: OwsExchange): Promise<void> {
  const unknown = exchange.given.storedquery_id?.split(",").find((id) => id !== GET_FEATURE_BY_ID);
  if (unknown !== undefined)
    throw exception("InvalidParameterValue", `STOREDQUERY_ID: expected ${GET_FEATURE_BY_ID}`, "storedquery_id");
  const { wfs } = DIALECTS["2.0.0"]!;
  const types = (await typesOf(exchange)).join(" ");
  send(
    exchange,
    xml`<wfs:DescribeStoredQueriesResponse xmlns:wfs="${wfs}" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:${PREFIX}="${exchange.namespace}"><wfs:StoredQueryDescription id="${GET_FEATURE_BY_ID}"><wfs:Title>${TITLE}</wfs:Title><wfs:Parameter name="ID" type="xsd:string"/><wfs:QueryExpressionText returnFeatureTypes="${types}" language="urn:ogc:def:queryLanguage:OGC-WFS::WFSQueryExpression" isPrivate="true"/></wfs:StoredQueryDescription></wfs:DescribeStoredQueriesResponse>`,
  );
}
