/**
 * `…/tiles` and `…/tiles/{tileMatrixSetId}`: the tilesets, and links to their tiles (OGC 20-057 §8, §9; 17-083r4 §8).
 */
import { spatial, type Collection, type CollectionColumn } from "../collections/collections.ts";
import type { Bounds } from "../collections/bounds.ts";
import { CRS84 } from "../crs/crs.ts";
import { selfLinks, sendJson, withFormat, type CollectionExchange, type Exchange } from "../exchange/exchange.ts";
import { propertySchema } from "../features/propertySchema.ts";
import { givenColumns } from "../features/propertySelection.ts";
import { HTML, JPEG, JSON_FORMAT, MVT, PNG, TILEJSON, type Format } from "../exchange/formats.ts";
import type { Link } from "../exchange/links.ts";
import { conditionOf } from "../maps/map.ts";
import { shapesOf } from "../maps/mapData.ts";
import { tilesetPage, tilesetsPage } from "../pages/tilesetPage.ts";
import { layersOf, stylesLink } from "../styles/styles.ts";
import { inDraftStyle } from "../maps/draftStyle.ts";
import { inColours } from "../maps/layerColours.ts";
import { inStyleAsked } from "../maps/styleOf.ts";
import { GatewayError } from "../../server/ground/errors.ts";
import { plainColumns } from "./tileSql.ts";
import { mapTileCollections, tileCollections } from "./tileCollections.ts";
import { tileMatrixSetOf, tileMatrixSetsOf, TILING_SCHEME_REL } from "./tileMatrixSets.ts";
import type { TileMatrixSet } from "./tileMatrixSet.ts";
import { degreesAround, tilesetLimits } from "./tilesetLimits.ts";
import { tileTemplate, type TileKind, type TileSource } from "./tileSource.ts";
import { tileTagOf } from "./tileTag.ts";

/** The formats, the best last: OpenLayers takes the last picture format that it knows. */
const FORMATS: Readonly<Record<TileKind, readonly Format[]>> = { vector: [MVT], map: [JPEG, PNG] };

/** OGC 20-057: the source of a list or a tileset of one collection. */
export async function collectionSource(exchange: CollectionExchange, kind: TileKind): Promise<TileSource> {
  const { collection } = exchange;
  if (kind === "vector" && collection.raster)
    throw new GatewayError("INVALID_PARAMETER", `${collection.id} is a raster, which has no vector tiles`);
  const path = ["collections", collection.id, ...(kind === "map" ? ["map"] : []), "tiles"];
  await refuseOfTiles(exchange, [collection]);
  const collections = inColours(exchange, [await inDraftStyle(exchange, inStyleAsked(exchange, collection))]);
  return { kind, title: collection.title, path, collections, query: queryOf(exchange) };
}

export async function datasetSource(exchange: Exchange, kind: TileKind): Promise<TileSource> {
  const { database, parameters } = exchange;
  const path = [...(kind === "map" ? ["map"] : []), "tiles"];
  const collections =
    kind === "vector" ? await tileCollections(exchange) : (await mapTileCollections(exchange)).collections;
  await refuseOfTiles(exchange, collections);
  const title =
    parameters.collections === undefined ? database.name : collections.map((collection) => collection.title).join(", ");
  return { kind, title, path, collections, query: queryOf(exchange) };
}

/**
 * Refuses parameters that the tiles would refuse, because a user of a client that reads both does not see the errors of
 * tiles.
 */
async function refuseOfTiles(exchange: Exchange, collections: readonly Collection[]): Promise<void> {
  for (const collection of collections) {
    await conditionOf(exchange, collection);
    givenColumns(collection, exchange.parameters);
  }
}

/** The parameters of a tileset, which it passes on to its tiles. A colour changes none of them. */
function queryOf({ query }: Exchange): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries([...query].filter(([name]) => name !== "f" && name !== "color"));
}

export async function sendTilesets(exchange: Exchange, source: TileSource): Promise<void> {
  const { addresses } = exchange;
  const address = addresses.of(source.path, source.query);
  const title = `${source.kind === "map" ? "Map tiles" : "Vector tiles"} of ${source.title}`;
  const links = selfLinks(exchange, address, title);
  const sets = await tileMatrixSetsOf(exchange);
  if (exchange.format === HTML) return tilesetsPage(exchange, { title, source, sets, links });
  const degrees = await degreesAround(exchange, source.collections);
  const tilesets = await Promise.all(
    sets.map(async (set) => ({
      title: `${title}, ${set.title}`,
      dataType: source.kind,
      crs: set.crs.uri,
      tileMatrixSetURI: set.uri,
      // clients need it here too
      tileMatrixSetId: set.id,
      tileMatrixSetLimits: await tilesetLimits(exchange, set, degrees),
      links: [tilesetLink(exchange, source, set), tilingSchemeLink(exchange, set), ...tileLinks(exchange, source, set)],
    })),
  );
  sendJson(exchange, { tilesets, links }, links);
}

function tilesetLink({ addresses }: Exchange, { path, query, title }: TileSource, set: TileMatrixSet): Link {
  const href = addresses.of([...path, set.id], query);
  return {
    rel: "self",
    type: JSON_FORMAT.mediaType,
    title: `${title} in ${set.id}`,
    href: withFormat(href, JSON_FORMAT),
  };
}

function tilingSchemeLink({ addresses }: Exchange, { id, title }: TileMatrixSet): Link {
  const href = withFormat(addresses.of(["tileMatrixSets", id]), JSON_FORMAT);
  return { rel: TILING_SCHEME_REL, type: JSON_FORMAT.mediaType, title, href };
}

interface TemplatedLink extends Link {
  readonly templated: true;
}

function tileLinks(exchange: Exchange, source: TileSource, set: TileMatrixSet): TemplatedLink[] {
  return FORMATS[source.kind].map((format) => ({
    rel: "item",
    type: format.mediaType,
    title: `Tiles of ${source.title} as ${format.title}`,
    href: tileTemplate(exchange, source, set, format),
    templated: true,
  }));
}

export async function sendTileset(exchange: Exchange, source: TileSource): Promise<void> {
  const { addresses } = exchange;
  const set = await tileMatrixSetOf(exchange);
  const title = `${source.kind === "map" ? "Map tiles" : "Vector tiles"} of ${source.title}`;
  const address = addresses.of([...source.path, set.id], source.query);
  const degrees = await degreesAround(exchange, source.collections);
  const links = [
    // TileJSON supports no other set
    ...selfLinks(exchange, address, title).filter(({ type }) => type !== TILEJSON.mediaType || hasTileJson(set)),
    tilingSchemeLink(exchange, set),
    ...tileLinks(exchange, source, set),
    ...(source.kind === "vector" && hasTileJson(set)
      ? [stylesLink(addresses, source.path.slice(0, -1), `Styles of ${source.title}`)]
      : []),
    ...source.collections.map(({ id, title: name }) => ({
      rel: "http://www.opengis.net/def/rel/ogc/1.0/geodata",
      type: JSON_FORMAT.mediaType,
      title: name,
      href: addresses.of(["collections", id]),
    })),
  ];
  if (exchange.format === TILEJSON) return sendJson(exchange, tileJson(exchange, { title, source, set, degrees }), []);
  const limits = await tilesetLimits(exchange, set, degrees);
  if (exchange.format === HTML) {
    const style = source.kind === "vector" ? readableLayers(exchange, source) : UNSTYLED;
    return tilesetPage(exchange, { title, source, set, style, degrees, limits, links });
  }
  const body = {
    title,
    dataType: source.kind,
    crs: set.crs.uri,
    tileMatrixSetURI: set.uri,
    tileMatrixSetId: set.id,
    tileMatrixSetLimits: limits,
    ...(degrees && { boundingBox: boundingBox(degrees) }),
    layers: source.collections.map((collection) => layerJson(exchange, source.kind, collection)),
    links,
  };
  sendJson(
    exchange,
    body,
    links.filter((link) => !("templated" in link)),
  );
}

function boundingBox([minx, miny, maxx, maxy]: Bounds): object {
  return { lowerLeft: [minx, miny], upperRight: [maxx, maxy], crs: CRS84.uri };
}

const DIMENSIONS = { point: 0, line: 1, polygon: 2 } as const;

/** A layer by OGC 17-083r4 §9, geospatialData. */
function layerJson(exchange: Exchange, kind: TileKind, collection: Collection): object {
  const { id, title, description } = collection;
  const shapes = shapesOf(spatial(collection));
  const schemas = Object.fromEntries(
    shownColumns(exchange, collection).map((each) => [each.name, propertySchema(each)]),
  );
  return {
    id,
    title,
    ...(description !== undefined && { description }),
    dataType: kind === "map" ? "map" : "vector",
    ...(!collection.raster && shapes.length === 1 && { geometryDimension: DIMENSIONS[shapes[0]!] }),
    ...(kind === "vector" && { propertiesSchema: { type: "object", properties: schemas } }),
  };
}

/** The attributes of features in vector tiles. */
export function shownColumns({ tiles }: Pick<Exchange, "tiles">, collection: Collection): readonly CollectionColumn[] {
  return tileTagOf(collection, tiles.log).columns ?? plainColumns(collection);
}

const UNSTYLED = { layers: [], query: {} };

/**
 * The layers of the style; none where it needs a column that the caller may not read. The tiles are shown nevertheless.
 */
function readableLayers(exchange: Exchange, source: TileSource): ReturnType<typeof layersOf> {
  try {
    return layersOf(exchange, source);
  } catch (error) {
    if (error instanceof GatewayError) return UNSTYLED;
    throw error;
  }
}

const hasTileJson = ({ id }: TileMatrixSet): boolean => id === "WebMercatorQuad";

/** TileJSON 3.0.0, which supports only Web Mercator, with x, y and z. */
export function tileJson(
  exchange: Exchange,
  {
    title,
    source,
    set,
    degrees,
  }: { title: string; source: TileSource; set: TileMatrixSet; degrees: Bounds | undefined },
): object {
  if (!hasTileJson(set)) throw new GatewayError("INVALID_PARAMETER", "f: TileJSON supports only WebMercatorQuad");
  const format = FORMATS[source.kind].at(-1);
  const template = tileTemplate(exchange, source, set, format!)
    .replace("{tileMatrix}", "{z}")
    .replace("{tileRow}", "{y}")
    .replace("{tileCol}", "{x}");
  return {
    tilejson: "3.0.0",
    name: title,
    scheme: "xyz",
    tiles: [template],
    minzoom: 0,
    maxzoom: MOST_USEFUL_ZOOM,
    ...(degrees && { bounds: degrees }),
    ...(source.kind === "vector" && {
      vector_layers: source.collections.map((collection) => vectorLayer(exchange, collection)),
    }),
  };
}

/**
 * The highest zoom with tiles. Its unit is about a tenth of a metre, so clients can draw higher zooms from it without
 * loss.
 */
const MOST_USEFUL_ZOOM = 16;

function vectorLayer(exchange: Exchange, collection: Collection): object {
  const { id, title, description } = collection;
  const fields = shownColumns(exchange, collection).map(({ name, type }) => [
    name,
    type.kind === "boolean" ? "Boolean" : ["integer", "bigint", "float"].includes(type.kind) ? "Number" : "String",
  ]);
  return {
    id,
    description: description ?? title,
    minzoom: 0,
    maxzoom: MOST_USEFUL_ZOOM,
    fields: { id: "String", ...(Object.fromEntries(fields) as object) },
  };
}
