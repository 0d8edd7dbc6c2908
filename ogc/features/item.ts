/** `/collections/{collectionId}/items/{featureId}`: one feature. */
import type { Transaction } from "../../server/kernel/database/database.ts";
import { GatewayError, isOfValue, sqlstateOf } from "../../server/ground/errors.ts";
import { collectionLink } from "../about/collection.ts";
import type { Collection, CollectionColumn } from "../collections/collections.ts";
import { contentCrs, CRS84, type Crs } from "../crs/crs.ts";
import { contentDatetime } from "../exchange/parameters/datetime.ts";
import { setHeaders } from "../../server/kernel/http/answer.ts";
import { selfLinks, sendText, type CollectionExchange } from "../exchange/exchange.ts";
import { Features } from "./feature.ts";
import { FEATURE_COLUMNS } from "./encoding.ts";
import { oneStatement, type ReadOptions } from "./page/featureSql.ts";
import { geojsonEncoding } from "./formats/geojson.ts";
import { jsonfgEncoding, refuseAgainstRegistry, rootMembers, withProfile } from "./formats/jsonfg.ts";
import { HTML, JSONFG } from "../exchange/formats.ts";
import { argumentsOf } from "../collections/routines.ts";
import { queryString, type Link } from "../exchange/links.ts";
import { writeRights } from "../editing/writeRights.ts";
import { itemPage } from "../pages/itemPage.ts";
import { GEOMETRY_ERROR } from "../crs/geometryJson.ts";
import { givenColumns } from "./propertySelection.ts";
import { withIsoIntervals } from "./page/readPage.ts";

export async function item(exchange: CollectionExchange): Promise<void> {
  const { response, collection, addresses, parameters, format } = exchange;
  const featureId = exchange.pathParameters["featureId"] ?? "";
  const crs = parameters.crs ?? CRS84;
  if (format.name === JSONFG.name) refuseAgainstRegistry(crs);
  const feature = await readFeature(exchange, featureId);
  const address = `${addresses.ofCollection(collection.id)}/items/${encodeURIComponent(featureId)}`;
  const datetime = exchange.query.get("datetime") ?? undefined;
  const query = queryString({ ...argumentsOf(collection), crs: parameters.crs?.uri, datetime });
  const links = [
    ...selfLinks(exchange, query === "" ? address : `${address}?${query}`, `Feature ${featureId}`),
    collectionLink(exchange, collection),
  ];
  setHeaders(response, { "Content-Crs": contentCrs(crs), ...contentDatetime([collection]) });
  if (format === HTML) {
    const mayWrite =
      collection.isWritable && exchange.identity.name !== "anonymous" && collection.instant === undefined;
    const rights = mayWrite ? await writeRights(exchange, collection) : undefined;
    itemPage(exchange, featureId, feature, { links, rights });
    return;
  }
  const text =
    format.name === JSONFG.name
      ? Buffer.concat([
          Buffer.from(`{${rootMembers({ collection, crs }, false)},`),
          textWithLinks(feature, withProfile(links)).subarray(1),
        ])
      : textWithLinks(feature, links);
  sendText(exchange, { mediaType: format.mediaType, text, links, version: feature.version });
}

export function textWithLinks(feature: Features, links: readonly Link[]): Buffer {
  const members = feature.text.subarray(0, -1); // the text without the closing brace
  return Buffer.concat([members, Buffer.from(`,"links":${JSON.stringify(links)}}`)]);
}

/** Reads the feature. Throws `FEATURE_NOT_FOUND`, also for a text that cannot be a key. */
async function readFeature(exchange: CollectionExchange, featureId: string): Promise<Features> {
  const { database, identity, context, collection } = exchange;
  const feature = await database.withIdentity(identity, withIsoIntervals(context, collection), (transaction) =>
    findFeature(transaction, collection, featureId, {
      crs: exchange.parameters.crs ?? CRS84,
      encode: exchange.format.name === JSONFG.name ? jsonfgEncoding : geojsonEncoding,
    }),
  );
  return feature ?? featureNotFound(collection, featureId);
}

/** Throws `FEATURE_NOT_FOUND`; typed `never` so that it can stand in an expression. */
export function featureNotFound({ id }: Pick<Collection, "id">, featureId: string): never {
  throw new GatewayError("FEATURE_NOT_FOUND", `There is no feature ${JSON.stringify(featureId)} in ${id}`);
}

interface FindOptions extends Partial<Omit<ReadOptions, "encoding">> {
  readonly crs: Crs;
  /** The properties of the feature. Default: all columns but the geometry. */
  readonly given?: readonly CollectionColumn[];
  /** Default: GeoJSON. */
  readonly encode?: typeof geojsonEncoding;
}

/**
 * The feature; undefined where there is none. `tolerant`: for a transaction that writes, which cannot go on after an
 * error of PostgreSQL.
 */
export async function findFeature(
  transaction: Transaction,
  collection: Collection,
  featureId: string,
  options: FindOptions,
): Promise<Features | undefined> {
  if (collection.key.length === 0) return undefined;
  const { crs, given = givenColumns(collection, {}), skipGeometry, encode = geojsonEncoding } = options;
  const encoding = encode({ collection, crs, given });
  const read = async (tolerant: boolean): Promise<Features | undefined> => {
    let feature = new Features(collection, { crs, encoding });
    const onAgain = (): void => void (feature = new Features(collection, { crs, encoding }));
    const statement = oneStatement(collection, featureId, { encoding, tolerant, skipGeometry });
    await transaction.read({ ...statement, last: true, onAgain }, (row) => {
      feature.add(row);
      feature.version = row.text(FEATURE_COLUMNS.version) ?? undefined;
    });
    return feature.count > 0 ? feature : undefined;
  };
  try {
    return await read(options.tolerant ?? false);
  } catch (error) {
    // the text is no value of the key's type
    if (isOfValue(error) || (error instanceof GatewayError && error.code === "BAD_USER_INPUT")) return undefined;
    if (sqlstateOf(error) !== GEOMETRY_ERROR) throw error;
    return read(true);
  }
}
