/** The formats of files to read, by their media type, and by the file name where there is none. */
import { badInput } from "../ground/errors.ts";
import { csvSource } from "./csv/read.ts";
import { excelSource } from "./excel/read.ts";
import { geojsonSource } from "./geojson/read.ts";
import { geopackageSource } from "./gpkg/read.ts";
import type { Source } from "./source.ts";
import { flatgeobufSource } from "./fgb/read.ts";
import { gpxSource } from "./gpx/read.ts";
import { kmlSource, kmzSource } from "./kml/read.ts";
import { parquetSource } from "./parquet/read.ts";
import { READ_ENDINGS, READ_FORMATS, type ReadFormatName } from "./readNames.ts";
import { shapefileSource } from "./shapefile/read.ts";
import { checkEncoding } from "./text.ts";

export interface FormatOptions {
  readonly delimiter?: string | undefined;
  readonly null?: string | undefined;
  /** Default utf-8. */
  readonly encoding?: string | undefined;
  /** The layer of a file that has several. Default the only one. */
  readonly layer?: string | undefined;
  /** EPSG code of geometries whose system the file does not say. */
  readonly srid?: string | undefined;
  /** Bytes of a compressed file when it is decompressed. Default 4 GB. */
  readonly maxBytes?: number | undefined;
  /** The columns that are wanted, where that is known: others may be of types that are not read. */
  readonly wanted?: readonly string[] | undefined;
  /** The number of rows in a portion. */
  readonly portion?: number | undefined;
}

type Open = (bytes: AsyncIterable<Uint8Array>, options: FormatOptions) => Source;

const csv: Open = (bytes, { delimiter, null: nothing, encoding = "utf-8", portion }) => {
  checkEncoding(encoding);
  return csvSource(bytes, { delimiter, null: nothing, portion, encoding });
};
const collection: Open = (bytes, { portion }) => geojsonSource(bytes, "collection", portion);

const MOST_BYTES = 4_000_000_000;
const codeOf = (srid: string | undefined): number | undefined => (srid === undefined ? undefined : Number(srid));

const OPEN: Readonly<Record<ReadFormatName, Open>> = {
  csv,
  tsv: (bytes, { delimiter = "\t", ...options }) => csv(bytes, { delimiter, ...options }),
  geojson: collection,
  json: collection,
  geojsonseq: (bytes, { portion }) => geojsonSource(bytes, "sequence", portion),
  geopackage: (bytes, { layer, portion }) => geopackageSource(bytes, layer, portion),
  shapefile: (bytes, { layer, encoding, srid, maxBytes = MOST_BYTES, portion }) =>
    shapefileSource(bytes, { layer, encoding, srid: codeOf(srid), maxBytes, portion }),
  excel: (bytes, { layer, maxBytes = MOST_BYTES, portion }) => excelSource(bytes, { layer, maxBytes, portion }),
  kml: (bytes, { portion }) => kmlSource(bytes, portion),
  kmz: (bytes, { maxBytes = MOST_BYTES, portion }) => kmzSource(bytes, maxBytes, portion),
  gpx: (bytes, { layer, portion }) => gpxSource(bytes, layer, portion),
  flatgeobuf: (bytes, { srid, portion }) => flatgeobufSource(bytes, { srid: codeOf(srid), portion }),
  parquet: (bytes, { srid, wanted, portion }) => parquetSource(bytes, { srid: codeOf(srid), wanted, portion }),
};

const NAMES = new Map(READ_FORMATS.map(([name, { mediaType }]) => [mediaType, name]));

export const MEDIA_TYPES: readonly string[] = [...NAMES.keys()];

/** `mediaType`: one of `MEDIA_TYPES`. Throws `BAD_USER_INPUT` for wrong options. */
export function openSource(mediaType: string, bytes: AsyncIterable<Uint8Array>, options: FormatOptions): Source {
  const { delimiter, null: nothing, encoding, layer, srid, maxBytes, wanted, portion } = options;
  return OPEN[NAMES.get(mediaType)!](bytes, {
    delimiter,
    null: nothing,
    encoding,
    layer,
    srid,
    maxBytes,
    wanted,
    portion,
  });
}

/** The media type for the ending of a file's name. Throws `BAD_USER_INPUT` for an unknown one. */
export function mediaTypeOf(file: string): string {
  const ending = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? "";
  const found = READ_FORMATS.find(([, { endings }]) => endings.includes(ending));
  return found?.[1].mediaType ?? badInput(`${file}: the name must end in one of ${READ_ENDINGS.join(" ")}`);
}
