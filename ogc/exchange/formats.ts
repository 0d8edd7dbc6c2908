/** The formats of a resource, and the choice of the one that a request wants. */
import type { IncomingHttpHeaders } from "node:http";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import { GatewayError } from "../../server/ground/errors.ts";
import { FORMAT_NAMES } from "../../server/formats/names.ts";

export interface Format {
  /** The value of the parameter `f`. */
  readonly name:
    | "json"
    | "html"
    | "png"
    | "jpeg"
    | "tiff"
    | "mvt"
    | "tilejson"
    | "mbs"
    | "sld"
    | "qml"
    | "pbf"
    | "csv"
    | "geojsonseq"
    | "ndjson"
    | "fgb"
    | "gpkg"
    | "jsonfg"
    | "kml"
    | "parquet"
    | "pmtiles"
    | "arrow";
  /** Another value of `f` for it. */
  readonly alias?: string;
  /** The Content-Type of answers; the parameter `f` accepts it too. */
  readonly mediaType: string;
  /** Other media types with the same meaning. */
  readonly also?: readonly string[];
  /** Whether it is text without a JSON Schema. Default: it is binary, or JSON. */
  readonly isText?: boolean;
  /** The name of the format in the titles of links. */
  readonly title: string;
}

export const JSON_FORMAT: Format = { name: "json", mediaType: FORMAT_NAMES.json.mediaType, title: "JSON" };
export const HTML = { name: "html", mediaType: "text/html", isText: true, title: "HTML" } as const satisfies Format;
export const GEOJSON = {
  name: "json",
  mediaType: FORMAT_NAMES.geojson.mediaType,
  also: ["application/json", "application/vnd.geo+json"],
  alias: "geojson",
  title: "GeoJSON",
} as const satisfies Format;
const GEOJSON_SEQ = {
  name: "geojsonseq",
  mediaType: FORMAT_NAMES.geojsonseq.mediaType,
  isText: true,
  title: "GeoJSON text sequence",
} as const satisfies Format;
const NDJSON = {
  name: "ndjson",
  mediaType: FORMAT_NAMES.ndjson.mediaType,
  also: ["application/ndjson", "application/jsonl", "application/geo+json-lines"],
  isText: true,
  title: "Newline-delimited GeoJSON",
} as const satisfies Format;
const CSV = {
  name: "csv",
  mediaType: FORMAT_NAMES.csv.mediaType,
  isText: true,
  title: "CSV",
} as const satisfies Format;
const FLATGEOBUF = {
  name: FORMAT_NAMES.flatgeobuf.alias,
  alias: "flatgeobuf",
  mediaType: FORMAT_NAMES.flatgeobuf.mediaType,
  title: "FlatGeobuf",
} as const satisfies Format;
/** JSON-FG 1.0. Its media type is that of GeoJSON, so the one of its drafts tells the two apart (§16). */
export const JSONFG = {
  name: "jsonfg",
  mediaType: FORMAT_NAMES.jsonfg.mediaType,
  also: ["application/fg+json"],
  title: "JSON-FG",
} as const satisfies Format;
const GEOPACKAGE = {
  name: FORMAT_NAMES.geopackage.alias,
  alias: "geopackage",
  mediaType: FORMAT_NAMES.geopackage.mediaType,
  also: ["application/x-sqlite3"],
  title: "GeoPackage",
} as const satisfies Format;
const KML = {
  name: "kml",
  mediaType: FORMAT_NAMES.kml.mediaType,
  isText: true,
  title: "KML",
} as const satisfies Format;
const PARQUET = {
  name: "parquet",
  mediaType: FORMAT_NAMES.parquet.mediaType,
  also: ["application/x-parquet"],
  title: "GeoParquet",
} as const satisfies Format;
const ARROW = {
  name: "arrow",
  mediaType: FORMAT_NAMES.arrow.mediaType,
  title: "GeoArrow",
} as const satisfies Format;
const OF_FEATURES = [
  GEOJSON,
  HTML,
  GEOJSON_SEQ,
  NDJSON,
  CSV,
  JSONFG,
  FLATGEOBUF,
  GEOPACKAGE,
  KML,
  PARQUET,
  ARROW,
] as const;
/** The formats of a page of features. */
export const FEATURES_FORMATS: readonly Format[] = OF_FEATURES;
/** The formats with a document. The HTML page has none. */
export type FeaturesFormat = Exclude<(typeof OF_FEATURES)[number], typeof HTML>["name"];
/** The formats of features as files, with their file extensions. */
export const FILE_FORMATS: readonly (Format & { readonly extension: string })[] = OF_FEATURES.filter(
  (format) => format !== HTML,
).map((format) => ({
  ...format,
  extension: Object.values(FORMAT_NAMES).find(({ mediaType }) => mediaType === format.mediaType)?.extension ?? "txt",
}));
export const OPENAPI: Format = {
  name: "json",
  mediaType: "application/vnd.oai.openapi+json;version=3.0",
  also: ["application/vnd.oai.openapi+json", "application/json"],
  title: "OpenAPI 3.0",
};
export const JSON_SCHEMA: Format = {
  name: "json",
  mediaType: "application/schema+json",
  also: ["application/json"],
  title: "JSON Schema",
};

export const PNG: Format = { name: "png", mediaType: "image/png", title: "PNG" };
export const JPEG: Format = { name: "jpeg", mediaType: "image/jpeg", also: ["image/jpg"], title: "JPEG" };
export const TIFF: Format = { name: "tiff", mediaType: "image/tiff", title: "TIFF" };

export const MVT: Format = {
  name: "mvt",
  mediaType: "application/vnd.mapbox-vector-tile",
  also: ["application/x-protobuf"],
  title: "Mapbox Vector Tile",
};
export const PMTILES: Format = { name: "pmtiles", mediaType: "application/vnd.pmtiles", title: "PMTiles" };
export const TILEJSON: Format = {
  name: "tilejson",
  mediaType: "application/vnd.mapbox.tile+json",
  title: "TileJSON 3.0",
};
export const MAPBOX_STYLE: Format = {
  name: "mbs",
  mediaType: "application/vnd.mapbox.style+json",
  also: ["application/json"],
  title: "MapLibre style",
};
export const SLD: Format = {
  name: "sld",
  mediaType: "application/vnd.ogc.sld+xml",
  also: ["application/vnd.ogc.se+xml"],
  isText: true,
  title: "SLD 1.1",
};
/** Style files of QGIS, which has no media type for them. */
export const QML: Format = {
  name: "qml",
  mediaType: "application/x-qgis-qml",
  isText: true,
  title: "QML",
};
export const GLYPHS: Format = { name: "pbf", mediaType: "application/x-protobuf", title: "Glyphs" };

/** The media type without parameters and spaces, in lower case. */
function bare(mediaType: string): string {
  return mediaType.split(";")[0]!.trim().toLowerCase();
}

/** The values of `f` other than media types. */
export function wordsOf({ name, alias }: Format): readonly string[] {
  return alias === undefined ? [name] : [name, alias];
}

function bareTypes({ mediaType, also = [] }: Format): string[] {
  return [mediaType, ...also].map(bare);
}

function namesOf(format: Format): readonly string[] {
  const { mediaType, also = [] } = format;
  return [...wordsOf(format), ...[mediaType, ...also].flatMap((type) => [type, bare(type)])];
}

/** The format that `f` names. A `+` of a media type may have come as a space. */
export function formatNamed(text: string, formats: readonly Format[]): Format | undefined {
  const wanted = text.trim().replaceAll(" ", "+");
  return formats.find((format) => namesOf(format).some((name) => name === text || name === wanted));
}

/**
 * The Accept header that Java's HttpURLConnection sends when the program sets none. It would get HTML pages in place of
 * maps and features.
 */
const JAVA_DEFAULT = /^text\/html, image\/gif, image\/jpeg,( \*; q=\.2,)? \*\/\*; q=0?\.2$/;

/**
 * The format that the header `Accept` prefers (RFC 9110 §12.5.1). Parameters of media types are ignored. Throws
 * `NOT_ACCEPTABLE` (406).
 */
export function negotiate({ accept = "" }: IncomingHttpHeaders, formats: readonly Format[]): Format {
  const known = preferred.get(formats)?.get(accept);
  if (known) return known;
  const format = preferredOf(accept, formats);
  let ofFormats = preferred.get(formats);
  if (!ofFormats) preferred.set(formats, (ofFormats = new LRUCache({ max: 100 })));
  if (accept.length <= LONGEST_KEPT) ofFormats.set(accept, format);
  return format;
}

/** What clients prefer of the formats of a route, by their header: few programs, each of which sends the same again and again. */
const preferred = new WeakMap<readonly Format[], LRUCache<string, Format>>();
const LONGEST_KEPT = 500;

function preferredOf(accept: string, formats: readonly Format[]): Format {
  const [first] = formats;
  if (!first) throw new Error("a resource has no format");
  if (accept.trim() === "" || JAVA_DEFAULT.test(accept)) return first;
  const headers = { accept: accept.replaceAll(/;\s*(?!q=)[^,;]*/gi, "") };
  const wanted = new Negotiator({ headers }).mediaType(formats.flatMap(bareTypes));
  const format = wanted === undefined ? undefined : formats.find((one) => bareTypes(one).includes(wanted));
  if (format) return format;
  const all = formats.map(({ mediaType }) => mediaType).join(", ");
  throw new GatewayError("NOT_ACCEPTABLE", `There is ${all} here`);
}
