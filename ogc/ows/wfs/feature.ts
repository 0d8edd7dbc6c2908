/** GetFeature (OGC 09-025r2 §11, 04-094 §9): a streamed page of features as GML or GeoJSON. */
import { isOfValue, GatewayError } from "../../../server/ground/errors.ts";
import type { Transaction } from "../../../server/kernel/database/database.ts";
import { reading } from "../../collections/reach.ts";
import type { Collection } from "../../collections/collections.ts";
import type { Crs } from "../../crs/crs.ts";
import { sendText } from "../../exchange/exchange.ts";
import type { FeatureEncoding } from "../../features/encoding.ts";
import { Features } from "../../features/feature.ts";
import { geojsonEncoding } from "../../features/formats/geojson.ts";
import { oneStatement } from "../../features/page/featureSql.ts";
import { withIsoIntervals } from "../../features/page/readPage.ts";
import { givenColumns } from "../../features/propertySelection.ts";
import { exception } from "../exception.ts";
import type { OwsExchange } from "../exchange.ts";
import { layersNamed } from "../layers.ts";
import { escapeXml } from "../../../server/types/xml.ts";
import { answerQueries, JSON_TYPE } from "./answer.ts";
import { askedOf } from "./asked.ts";
import { crsNamedIn } from "./systems.ts";
import { GmlEncoding } from "./gml.ts";
import { keyOwners } from "./storedQueries.ts";
import { DIALECTS, keyOfId, PREFIX } from "./names.ts";
import { storedIdOf } from "./query.ts";

export async function getFeature(exchange: OwsExchange): Promise<void> {
  const id = storedIdOf(exchange);
  if (id !== undefined) return getFeatureById(exchange, id);
  const dialect = DIALECTS[exchange.version]!;
  const isJson = isJsonAsked(exchange.given.outputformat);
  // GeoJSON has x or longitude first in every system
  const asked = await askedOf(exchange, {
    xFirst: isJson,
    encoding: (scope) => (isJson ? geojsonEncoding(scope) : new GmlEncoding(scope, dialect)),
  });
  await answerQueries(exchange, asked, { isJson, element: "FeatureCollection" });
}

/** Answers the stored query that each service has (OGC 09-025r2 §7.9.3.6). The feature itself is the document. */
async function getFeatureById(exchange: OwsExchange, id: string): Promise<void> {
  const { given, version, database, identity, context, namespace, config } = exchange;
  const owner = (await keyOwners(exchange, [id])).get(id);
  const { collections, confirm } = owner ? await layersNamed(exchange, [owner.id]) : notFound(id);
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

interface One {
  readonly collection: Collection;
  readonly crs: Crs;
  readonly encoding: FeatureEncoding;
}

async function oneFeature(transaction: Transaction, asked: One, id: string): Promise<string | undefined> {
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
