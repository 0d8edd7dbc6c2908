/**
 * The query parameters of the OGC API, one row each: the routes that take it, its values, its description and its
 * reader. The checks of a request, the OpenAPI document and the forms of `/api` use this table. Parameters are read in
 * the order of the rows.
 */
import { GatewayError } from "../../../server/ground/errors.ts";
import type { JsonSchema } from "../../../server/types/table.ts";
import { CRS84, crsNamed, takenIn, whyNotTaken, type Crs } from "../../crs/crs.ts";
import { FILTER_LANGUAGES } from "../../../server/filter/cql2/parse.ts";
import { readKeyset, type Keyset } from "../../features/page/keyset.ts";
import { MAX_TERMS, readTerms } from "../../features/filter.ts";
import { BODIES } from "../../features/propertySchema.ts";
import { readNames } from "../../features/propertySelection.ts";
import { readSortby } from "../../features/page/sorting.ts";
import { formatNamed, wordsOf } from "../formats.ts";
import { readColour, type Colour } from "../../maps/colours.ts";
import type { OperationId, RouteDescription } from "../route.ts";
import { readBbox } from "./bbox.ts";
import { readDatetime } from "./datetime.ts";
import { readBoolean, readDecimal, readWhole, unfit, type Parameter, type ParameterScope } from "./parameter.ts";
import { readCenter, readSubset, readSubsetOfTime } from "./subsetting.ts";

/** The longest side of a map, in pixels. */
export const MAX_PIXELS = 16_384;
/** The range of scale denominators: from full size to the whole world in fourteen pixels. */
const SCALES = [1, 1e10] as const;
/** The range of pixel sizes in millimetres: MapServer draws 10 to 1000 pixels per inch. */
const PIXEL_SIDES = [0.03, 2.5] as const;
/** The range of simplification offsets: from less than a pixel of any screen to the width of the world in metres. */
const OFFSETS = [1e-9, 1e8] as const;
/** The most decimals of coordinates: a float has no more. */
const MAX_DECIMALS = 15;
/** The style that every collection has, and that maps of several collections use. */
export const DEFAULT_STYLE = "default";
/** OGC 20-058 /req/display-resolution/mm-per-pixel-definition: the default. */
export const MM_PER_PIXEL = 0.28;

const DATASET_MAPS: readonly OperationId[] = ["map.dataset.getMap", "map.dataset.style.getMap"];
const MAPS: readonly OperationId[] = ["map.collection.getMap", "map.collection.style.getMap", ...DATASET_MAPS];

const tilesOf = (of: "collection" | "dataset", kind: "vector" | "map"): readonly OperationId[] =>
  (["getTileSetsList", "getTileSet", "getTile"] as const).map((name): OperationId => `portolan.${of}.${kind}.${name}`);

const STYLES: readonly OperationId[] = ["getStyle", "getCollectionStyle", "getSprite", "getCollectionSprite"];
/** A tileset takes the parameters of its tiles and writes them into the tiles' addresses. A style does the same. */
const VECTOR_TILES = [...tilesOf("collection", "vector"), ...tilesOf("dataset", "vector"), ...STYLES];
const MAP_TILES = [...tilesOf("collection", "map"), ...tilesOf("dataset", "map")];
const TILES = [...VECTOR_TILES, ...MAP_TILES];
const isOfTiles = ({ id }: RouteDescription): boolean => TILES.includes(id);

/** The routes for pictures whose address names no style. */
const STYLED: readonly OperationId[] = ["map.collection.getMap", "map.dataset.getMap", "getLegend"];

/** The default and the maximum of `limit` for the route. */
export function limitOf({ limit }: RouteDescription): { readonly default: number; readonly max: number } {
  return limit ?? { default: 10, max: 10_000 };
}

function readKeysetText(text: string): Keyset {
  return readKeyset(text) ?? unfit("the value of a link");
}

interface CrsOptions {
  /** Whether it also accepts the forms that other parameters accept only with `ogc.crsForms`. */
  readonly allForms?: boolean;
  /** Whether a system for output only is refused. */
  readonly isJudged?: boolean;
}

function crsParameter(
  name: string,
  on: readonly OperationId[],
  what: string,
  { allForms = false, isJudged = false }: CrsOptions = {},
): Parameter<Crs> & { readonly read: (text: string, scope: ParameterScope) => Crs } {
  return {
    on,
    description: `The coordinate reference system of ${what}.`,
    schema: ({ crs }) => ({
      type: "string",
      default: CRS84.uri,
      // the other forms are not in the enumeration, though a client that validates refuses them
      ...(allForms ? { example: takenIn(crs).at(-1)?.uri } : { format: "uri", enum: crs.map(({ uri }) => uri) }),
    }),
    readsEmpty: true,
    read(text, { crs, config }) {
      const found = crsNamed(text, crs, allForms || config.crsForms === "all");
      if (isJudged && found?.againstRegistry) throw new GatewayError("INVALID_CRS", whyNotTaken(name, found));
      if (found) return found;
      throw new GatewayError(
        "INVALID_CRS",
        `${name}: ${JSON.stringify(text.slice(0, 200))} is not one of ${crs.map(({ uri }) => uri).join(", ")}`,
      );
    },
  };
}

const pixels: JsonSchema = { type: "integer", minimum: 1, maximum: MAX_PIXELS };

export const PARAMETERS = {
  f: {
    on: "every route",
    description: "The format of the answer, in place of the header Accept: a name, or a media type.",
    schema: ({ route }) => ({ type: "string", enum: route.formats.flatMap(wordsOf) }),
    read: (text, { route: { formats } }) =>
      formatNamed(text, formats) ?? unfit(formats.map(({ name }) => name).join(" or ")),
  },
  type: {
    on: ["getSchema"],
    description:
      "The schema, in GeoJSON, of a body that creates or replaces a feature. Default: the schema of features in any format.",
    schema: { type: "string", enum: BODIES },
    read: (text) => BODIES.find((each) => each === text) ?? unfit(BODIES.join(" or ")),
  },
  limit: {
    on: ["getCollections", "getFeatures"],
    description: "The largest number of results. A number above the maximum means the maximum.",
    schema: ({ route }) => ({
      type: "integer",
      minimum: 1,
      maximum: limitOf(route).max,
      default: limitOf(route).default,
    }),
    read: (text, { route }) => Math.min(readWhole(text, 1), limitOf(route).max),
  },
  offset: {
    on: ["getCollections", "getFeatures"],
    description:
      "The number of results to skip. Links to other pages use `after` and `before` where features have a key, which costs the same on every page.",
    schema: { type: "integer", minimum: 0, default: 0 },
    read: (text) => Math.min(readWhole(text, 0), Number.MAX_SAFE_INTEGER),
  },
  properties: {
    on: ["getFeatures", ...VECTOR_TILES],
    description: "The properties to include. Id and geometry are always included.",
    schema: { type: "array", minItems: 1, items: { type: "string" } },
    read: readNames,
  },
  "exclude-properties": {
    on: ["getFeatures", ...VECTOR_TILES],
    description: "The properties to leave out; not together with `properties`.",
    schema: { type: "array", minItems: 1, items: { type: "string" } },
    read: readNames,
  },
  sortby: {
    on: ["getFeatures"],
    description:
      "Sortables separated by commas, each after `+` (ascending, the default) or `-` (descending). A name with a comma is in double quotes. Nulls are last in ascending order. Features that are equal in all of them are in the order of their ids.",
    schema: { type: "array", minItems: 1, items: { type: "string", pattern: "[+|-]?[A-Za-z_].*" } },
    read: readSortby,
  },
  after: {
    on: ["getFeatures"],
    description: "Only results after this place: an opaque text from a link `next`.",
    schema: { type: "string" },
    read: readKeysetText,
  },
  before: {
    on: ["getFeatures"],
    description: "Only results before this place: an opaque text from a link `prev`.",
    schema: { type: "string" },
    read: readKeysetText,
  },
  "bbox-crs": crsParameter("bbox-crs", ["getFeatures", ...MAPS], "`bbox`"),
  bbox: {
    on: ["getFeatures", ...MAPS],
    description:
      "Only features whose geometry shares a point with this rectangle: lower and upper corner, in `bbox-crs` and its axis order, each with two numbers, or three to include heights.",
    schema: {
      type: "array",
      minItems: 4,
      maxItems: 6,
      oneOf: [
        { minItems: 4, maxItems: 4 },
        { minItems: 6, maxItems: 6 },
      ],
      items: { type: "number" },
    },
    crs: "bbox-crs",
    read: readBbox,
  },
  "filter-crs": crsParameter("filter-crs", ["getFeatures", ...MAPS, ...TILES], "the geometries in `filter`", {
    allForms: true,
    isJudged: true,
  }),
  signature: {
    on: ["getDownload"],
    description: "The signature of an address that needs no token.",
    schema: { type: "string" },
    read: (text): string => text,
  },
  "filter-lang": {
    on: ["getFeatures", ...MAPS, ...TILES],
    description:
      "The language of `filter`. `cql-text`: as GDAL writes it, with ILIKE and with text for days and instants.",
    schema: { type: "string", enum: FILTER_LANGUAGES, default: FILTER_LANGUAGES[0] },
    read: (text) => FILTER_LANGUAGES.find((each) => each === text) ?? unfit(FILTER_LANGUAGES.join(", ")),
  },
  filter: {
    on: ["getFeatures", ...MAPS, ...TILES],
    description:
      "Only features that meet this condition, in CQL2 (OGC 21-065r2) over the queryables, such as population > 100000 AND CASEI(name) LIKE CASEI('b%').",
    schema: { type: "string" },
    // its names depend on the collection: see filterOf
    read: (text): string => text,
  },
  q: {
    on: ["getFeatures"],
    description:
      "Only features that have one of these terms, separated by commas, in a property of text, in upper or lower case. The words of a term follow one another.",
    schema: { type: "array", minItems: 1, maxItems: MAX_TERMS, items: { type: "string" } },
    read: readTerms,
  },
  crs: crsParameter("crs", ["getFeatures", "getFeature", ...MAPS], "the answer"),
  datetime: {
    on: ["getFeatures", "getFeature", ...MAPS, ...TILES],
    description:
      "An instant in ISO 8601. A collection with history is shown as it was then. It has no effect on others.",
    schema: { type: "string" },
    read: readDatetime,
  },
  skipGeometry: {
    on: ["getFeatures"],
    description: "Whether to leave out the geometries, which are then null.",
    schema: { type: "boolean", default: false },
    read: readBoolean,
  },
  precision: {
    on: ["getFeatures"],
    description:
      "The number of decimals to which coordinates are rounded. Default: 9 in degrees, else 6. FlatGeobuf always has all decimals.",
    schema: { type: "integer", minimum: 0, maximum: MAX_DECIMALS },
    read: (text) => readWhole(text, 0, MAX_DECIMALS),
  },
  "max-allowable-offset": {
    on: ["getFeatures"],
    description:
      "The largest distance of simplified lines and outlines from the original, in units of `crs`. Geometries stay valid. Default: all positions.",
    schema: { type: "number", minimum: OFFSETS[0], maximum: OFFSETS[1] },
    read: (text) => readDecimal(text, OFFSETS),
  },
  width: {
    on: [...MAPS, ...MAP_TILES],
    description:
      "Width of the picture in pixels. Default: by the height and the rectangle, else 1024; for a tile its height, else the size in its tile matrix set. At most 2048 for a tile.",
    schema: pixels,
    read: (text) => readWhole(text, 1, MAX_PIXELS),
  },
  height: {
    on: [...MAPS, ...MAP_TILES],
    description:
      "Height of the picture in pixels. Default: by the width and the rectangle; for a tile its width. At most 2048 for a tile.",
    schema: pixels,
    read: (text) => readWhole(text, 1, MAX_PIXELS),
  },
  transparent: {
    on: [...MAPS, ...MAP_TILES],
    description: "Whether the background is transparent. Default: true for PNG without bgcolor.",
    schema: { type: "boolean" },
    read: readBoolean,
  },
  bgcolor: {
    on: [...MAPS, ...MAP_TILES],
    description: "Colour of the background: 0xRRGGBB, RRGGBB or a CSS colour name.",
    schema: { type: "string", default: "0xFFFFFF" },
    read: readColour,
  },
  "void-color": {
    on: [...MAPS, ...MAP_TILES],
    description:
      "Colour of the area outside the world of a system, such as beyond 180 degrees: 0xRRGGBB, RRGGBB or a CSS colour name. Default: that of the background.",
    schema: { type: "string" },
    read: readColour,
  },
  "void-transparent": {
    on: [...MAPS, ...MAP_TILES],
    description: "Whether the area outside the world of a system is transparent. Default: as the background.",
    schema: { type: "boolean" },
    read: readBoolean,
  },
  "scale-denominator": {
    on: [...MAPS, ...MAP_TILES],
    description:
      "The number of metres of the world in a metre of the screen, in the middle of the map. With `bbox` or `subset` it determines the size of the picture, otherwise the area around the center; for a tile it is the scale that styles use.",
    schema: { type: "number", minimum: SCALES[0], maximum: SCALES[1] },
    read: (text) => readDecimal(text, SCALES),
  },
  "mm-per-pixel": {
    on: [...MAPS, ...MAP_TILES],
    description: "Side of a pixel of the screen in millimetres. It determines scales and the size of symbols.",
    schema: { type: "number", minimum: PIXEL_SIDES[0], maximum: PIXEL_SIDES[1], default: MM_PER_PIXEL },
    read: (text) => readDecimal(text, PIXEL_SIDES),
  },
  "center-crs": crsParameter("center-crs", MAPS, "`center`: http or https, or [EPSG:code]", { allForms: true }),
  center: {
    on: MAPS,
    description: "The middle of the map, in `center-crs` and its axis order; not with `bbox` or `subset`.",
    schema: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 },
    crs: "center-crs",
    read: readCenter,
  },
  "subset-crs": crsParameter("subset-crs", MAPS, "`subset`: http or https, or [EPSG:code]", { allForms: true }),
  subset: {
    on: [...MAPS, ...TILES],
    description:
      'The part of an axis that is shown. For maps, in `subset-crs`: Lat(50:52),Lon(10:12), or E(low:high),N(low:high); may be given for each axis; not with `bbox`; Lon(170:-170) crosses the antimeridian. For tiles: datetime("2026-01-31T12:00:00Z"), which means the same as `datetime`.',
    schema: ({ route }) => ({
      type: "string",
      pattern: isOfTiles(route)
        ? '^[Dd][Aa][Tt][Ee][Tt][Ii][Mm][Ee]\\("[^"]+"\\)$'
        : "^[A-Za-z][A-Za-z0-9]*\\([^()]+\\)(,[A-Za-z][A-Za-z0-9]*\\([^()]+\\))*$",
    }),
    crs: "subset-crs",
    repeats: true, // OGC 20-058 /req/spatial-subsetting/subset-definition
    read: (text, scope, crs) => (isOfTiles(scope.route) ? readSubsetOfTime : readSubset)(text, scope, crs),
  },
  style: {
    on: [...tilesOf("collection", "vector"), ...tilesOf("dataset", "vector"), ...MAP_TILES, ...STYLED],
    description:
      "The style to draw in, by its id in …/styles. Without it a picture is in the default style. A vector tile has the values that this style uses, besides its attributes.",
    schema: { type: "string", example: DEFAULT_STYLE },
    // the styles depend on the collection: see inStyleAsked
    read: (text): string => text,
  },
  "style-definition": {
    on: ["map.collection.getMap", ...tilesOf("collection", "vector"), "getCollectionStyle", "getCollectionSprite"],
    description:
      "A style to draw with instead of that of the collection: a list of classes as JSON, as /api/v4/schemas/{schema}/tables/{table}/style takes it. A vector tile has the values that this style uses, besides its attributes.",
    schema: { type: "string" },
    // its names depend on the collection: see inDraftStyle
    read: (text): string => text,
  },
  color: {
    on: ["map.collection.getMap", "getCollectionStyle", "getStyle"],
    description:
      "The colour in which a collection without a style is drawn: RRGGBB, 0xRRGGBB or a CSS colour name. With `collections`, one for each of them, in the same order; an empty one leaves the default.",
    schema: { type: "string", example: "0072b2" },
    read: (text): readonly (Colour | undefined)[] =>
      text.split(",").map((each) => (each === "" ? undefined : readColour(each))),
  },
  collections: {
    on: [...DATASET_MAPS, ...tilesOf("dataset", "vector"), ...tilesOf("dataset", "map"), "getStyle", "getSprite"],
    description: "Ids of collections of one schema, the lowest first.",
    schema: { type: "array", items: { type: "string" }, minItems: 1 },
    read(text): readonly string[] {
      const ids = text.split(",");
      return ids.includes("") ? unfit("ids joined by commas") : ids;
    },
  },
} satisfies Readonly<Record<string, Parameter<unknown>>>;
