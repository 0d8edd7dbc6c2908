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
import { BODIES } from "../../features/propertySchema.ts";
import { readNames } from "../../features/propertySelection.ts";
import { readSortby } from "../../features/page/sorting.ts";
import { formatNamed, wordsOf } from "../formats.ts";
import { readColour } from "../../maps/colours.ts";
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

const STYLES: readonly OperationId[] = ["getStyle", "getCollectionStyle"];
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
  return readKeyset(text) ?? unfit("what a link said");
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
    description: "What to answer with, in place of the header Accept: a word, or a media type.",
    schema: ({ route }) => ({ type: "string", enum: route.formats.flatMap(wordsOf) }),
    read: (text, { route: { formats } }) =>
      formatNamed(text, formats) ?? unfit(formats.map(({ name }) => name).join(" or ")),
  },
  type: {
    on: ["getSchema"],
    description:
      "The schema, in GeoJSON, of a body that creates or replaces a feature. Default: what features consist of, in any format.",
    schema: { type: "string", enum: BODIES },
    read: (text) => BODIES.find((each) => each === text) ?? unfit(BODIES.join(" or ")),
  },
  limit: {
    on: ["getCollections", "getFeatures"],
    description: "How many to give at most. More than the maximum is taken for the maximum.",
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
      "How many to skip. Links to other pages use `after` and `before` where features have a key, which costs the same on every page.",
    schema: { type: "integer", minimum: 0, default: 0 },
    read: (text) => Math.min(readWhole(text, 0), Number.MAX_SAFE_INTEGER),
  },
  properties: {
    on: ["getFeatures", ...VECTOR_TILES],
    description: "The properties that features are given with. Id and geometry are given in any case.",
    schema: { type: "array", minItems: 1, items: { type: "string" } },
    read: readNames,
  },
  "exclude-properties": {
    on: ["getFeatures", ...VECTOR_TILES],
    description: "The properties that features are given without; not with `properties`.",
    schema: { type: "array", minItems: 1, items: { type: "string" } },
    read: readNames,
  },
  sortby: {
    on: ["getFeatures"],
    description:
      "Sortables by commas, each with `+` (ascending, the default) or `-` (descending) before it; in double quotes where a name has a comma. Nulls are last where it ascends; features that are equal in all are in the order of their ids.",
    schema: { type: "array", minItems: 1, items: { type: "string", pattern: "[+|-]?[A-Za-z_].*" } },
    read: readSortby,
  },
  after: {
    on: ["getFeatures"],
    description: "Only what comes after this place: opaque, from a link `next`.",
    schema: { type: "string" },
    read: readKeysetText,
  },
  before: {
    on: ["getFeatures"],
    description: "Only what comes before this place: opaque, from a link `prev`.",
    schema: { type: "string" },
    read: readKeysetText,
  },
  "bbox-crs": crsParameter("bbox-crs", ["getFeatures", ...MAPS], "`bbox`"),
  bbox: {
    on: ["getFeatures", ...MAPS],
    description:
      "Only features whose geometry shares a point with this rectangle: lower and upper corner, in `bbox-crs` and its axis order, each with two numbers, or three where heights count.",
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
    description: "Of an address that needs no token.",
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
  crs: crsParameter("crs", ["getFeatures", "getFeature", ...MAPS], "the answer"),
  datetime: {
    on: ["getFeatures", "getFeature", ...MAPS, ...TILES],
    description:
      "An instant in ISO 8601. A versioned collection is shown as it was then; for others it does not matter.",
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
      "How many decimals the coordinates of geometries are rounded to. Default: 9 in degrees, else 6. FlatGeobuf has all of them in any case.",
    schema: { type: "integer", minimum: 0, maximum: MAX_DECIMALS },
    read: (text) => readWhole(text, 0, MAX_DECIMALS),
  },
  "max-allowable-offset": {
    on: ["getFeatures"],
    description:
      "Lines and outlines are written with fewer positions: none is further from its original than this, in units of `crs`. Geometries stay valid. Default: all positions.",
    schema: { type: "number", minimum: OFFSETS[0], maximum: OFFSETS[1] },
    read: (text) => readDecimal(text, OFFSETS),
  },
  width: {
    on: [...MAPS, ...MAP_TILES],
    description:
      "Width of the picture in pixels. Default: what the height and the rectangle make it, else 1024; of a tile its height, else what its set says. Of a tile at most 2048.",
    schema: pixels,
    read: (text) => readWhole(text, 1, MAX_PIXELS),
  },
  height: {
    on: [...MAPS, ...MAP_TILES],
    description:
      "Height of the picture in pixels. Default: what the width and the rectangle make it; of a tile its width. Of a tile at most 2048.",
    schema: pixels,
    read: (text) => readWhole(text, 1, MAX_PIXELS),
  },
  transparent: {
    on: [...MAPS, ...MAP_TILES],
    description: "Whether the background shows through. Default: true for png without bgcolor.",
    schema: { type: "boolean" },
    read: readBoolean,
  },
  bgcolor: {
    on: [...MAPS, ...MAP_TILES],
    description: "Colour of the background: 0xRRGGBB, RRGGBB or a name of CSS.",
    schema: { type: "string", default: "0xFFFFFF" },
    read: readColour,
  },
  "void-color": {
    on: [...MAPS, ...MAP_TILES],
    description:
      "Colour of what lies outside the world of a system, such as beyond 180 degrees: 0xRRGGBB, RRGGBB or a name of CSS. Default: that of the background.",
    schema: { type: "string" },
    read: readColour,
  },
  "void-transparent": {
    on: [...MAPS, ...MAP_TILES],
    description: "Whether what lies outside the world of a system shows through. Default: as the background.",
    schema: { type: "boolean" },
    read: readBoolean,
  },
  "scale-denominator": {
    on: [...MAPS, ...MAP_TILES],
    description:
      "How many metres of the world are one on the screen, in the middle of the map. With `bbox` or `subset` it gives the size of the picture; else what is shown around the center; of a tile the scale that styles are for.",
    schema: { type: "number", minimum: SCALES[0], maximum: SCALES[1] },
    read: (text) => readDecimal(text, SCALES),
  },
  "mm-per-pixel": {
    on: [...MAPS, ...MAP_TILES],
    description: "Side of a pixel of the screen in millimetres: scales are reckoned by it, and symbols drawn by it.",
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
      'What of an axis is shown. Of maps, in `subset-crs`: Lat(50:52),Lon(10:12), or E(low:high),N(low:high); may be given for each axis; not with `bbox`; Lon(170:-170) goes over the antimeridian. Of tiles: datetime("2026-01-31T12:00:00Z"), which is `datetime` in other words.',
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
      "The style to draw in, by its id in …/styles. Without it a picture is in the default style. A vector tile has what the style named here chooses by and writes, beside its attributes.",
    schema: { type: "string", example: DEFAULT_STYLE },
    // the styles depend on the collection: see inStyleAsked
    read: (text): string => text,
  },
  "style-definition": {
    on: ["map.collection.getMap"],
    description:
      "A style to draw with instead of that of the collection: a list of classes as JSON, as /api/v4/schemas/{schema}/tables/{table}/style takes it.",
    schema: { type: "string" },
    // its names depend on the collection: see inDraftStyle
    read: (text): string => text,
  },
  collections: {
    on: [...DATASET_MAPS, ...tilesOf("dataset", "vector"), ...tilesOf("dataset", "map"), "getStyle"],
    description: "Ids of collections of one schema, the lowest first.",
    schema: { type: "array", items: { type: "string" }, minItems: 1 },
    read(text): readonly string[] {
      const ids = text.split(",");
      return ids.includes("") ? unfit("ids joined by commas") : ids;
    },
  },
} satisfies Readonly<Record<string, Parameter<unknown>>>;
