/** GetFeatureInfo (OGC 06-042 §7.4, 01-068r3 §7.3): the features at a pixel of a map. */
import { spatial, type Collection } from "../../collections/collections.ts";
import { CRS84 } from "../../crs/crs.ts";
import { sendText } from "../../exchange/exchange.ts";
import { givenColumns } from "../../features/propertySelection.ts";
import { geojsonEncoding } from "../../features/formats/geojson.ts";
import { ReadSoFar } from "../../features/page/featuresBody.ts";
import { readPage, withIsoIntervals } from "../../features/page/readPage.ts";
import { reading } from "../../collections/reach.ts";
import { MM_PER_PIXEL } from "../../exchange/parameters/table.ts";
import { shapesOf } from "../../maps/mapData.ts";
import type { Frame } from "../../maps/mapFrame.ts";
import { exception } from "../exception.ts";
import type { OwsExchange } from "../exchange.ts";
import { layersNamed } from "../layers.ts";
import { INFO_FORMATS, type Feature, type Found, type InfoFormat } from "./infoFormats.ts";
import { frameOf, refuseTooMany, stylesAsked } from "./picture.ts";

/**
 * The largest distance of a point or a line from the clicked pixel, in pixels of the default size. A polygon must
 * contain it.
 */
const REACH = 5;

export async function getFeatureInfo(exchange: OwsExchange): Promise<void> {
  const { given, version } = exchange;
  const { layers = [], query_layers: queried = [], feature_count: most = 1, info_format: name = "text/plain" } = given;
  const styles = stylesAsked(exchange, layers);
  const format = infoFormatNamed(name, "info_format");
  refuseTooMany(exchange, layers);
  const other = queried.find((layer) => !layers.includes(layer));
  if (other !== undefined)
    throw exception(
      "LayerNotDefined",
      `QUERY_LAYERS: ${JSON.stringify(other.slice(0, 200))} is not one of LAYERS`,
      "query_layers",
    );
  const drawn = await layersNamed(exchange, layers, styles);
  const { collections, confirm } = await layersNamed(exchange, queried);
  refuseRasters(collections, "query_layers");
  const frame = frameOf(exchange, drawn.collections);
  const { i = 0, j = 0 } = given;
  if (i >= frame.width || j >= frame.height)
    throw exception("InvalidPoint", `${version === "1.1.1" ? "X and Y" : "I and J"}: the pixel is outside of the map`);
  await confirm();
  const found = await featuresFound(exchange, collections, { frame, i, j, most });
  sendText(exchange, { mediaType: format.mediaType, text: format.write(found), links: [] });
}

/** The format of this name. Throws `InvalidFormat`. */
export function infoFormatNamed(name: string, locator: string): InfoFormat {
  const found = INFO_FORMATS.find(({ mediaType, also = [] }) => [mediaType, ...also].includes(name.toLowerCase()));
  if (found) return found;
  const all = INFO_FORMATS.map(({ mediaType }) => mediaType).join(", ");
  throw exception("InvalidFormat", `${locator.toUpperCase()}: expected ${all}`, locator);
}

/** Refuses rasters. Throws `LayerNotQueryable`. */
export function refuseRasters(collections: readonly Collection[], locator: string): void {
  const raster = collections.find((collection) => collection.raster);
  if (!raster) return;
  const message = `${locator.toUpperCase()}: ${raster.id} is a raster, which has no features`;
  throw exception("LayerNotQueryable", message, locator);
}

/** The features at a pixel, those of the highest layer first, as they appear on the map. */
export async function featuresFound(
  exchange: OwsExchange,
  collections: readonly Collection[],
  place: Place,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const collection of collections.toReversed()) {
    const features = await featuresAt(exchange, collection, place);
    if (features.length > 0) found.push({ collection, features });
  }
  return found;
}

/** A pixel of a picture, and the number of features that are wanted of each layer. */
interface Place {
  readonly frame: Frame;
  readonly i: number;
  readonly j: number;
  readonly most: number;
}

async function featuresAt(
  exchange: OwsExchange,
  collection: Collection,
  { frame, i, j, most }: Place,
): Promise<readonly Feature[]> {
  const { database, identity, context } = exchange;
  const [minx, , maxx, maxy] = frame.bounds;
  const [cellX, cellY] = [(maxx - minx) / frame.width, (maxy - frame.bounds[1]) / frame.height];
  const [x, y] = [minx + (i + 0.5) * cellX, maxy - (j + 0.5) * cellY];
  const isArea = shapesOf(spatial(collection)).every((shape) => shape === "polygon");
  const reach = isArea ? 0.5 : (REACH * MM_PER_PIXEL) / frame.mmPerPixel;
  const [reachX, reachY] = [cellX * reach, cellY * reach];
  const { crs } = frame;
  const bbox = { bounds: [x - reachX, y - reachY, x + reachX, y + reachY] as const, heights: undefined, crs };
  const encoding = geojsonEncoding({
    collection,
    crs: CRS84,
    given: givenColumns(collection, {}),
  });
  const read = new ReadSoFar(encoding.separator);
  const texts: (string | Buffer)[] = [];
  const asked = {
    selection: { bbox, equalities: new Map<string, string>() },
    page: { order: [], limit: most, offset: 0 },
    encoding,
  };
  const options = { ...reading(withIsoIntervals(context, collection), collection, false) };
  await database.withIdentity(identity, options, (transaction) =>
    readPage(transaction, { collection, parameters: exchange.parameters }, asked, (features) => {
      texts.push(...read.add(features).map((piece) => piece.toString()));
      return Promise.resolve(true);
    }),
  );
  return JSON.parse(`[${texts.join("")}]`) as Feature[];
}
