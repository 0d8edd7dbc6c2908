/** The formats for the rows of a table. */
import { arrow } from "./arrow/write.ts";
import { FORMATS } from "./all.ts";
import type { FeatureFile } from "./featureFile.ts";
import { flatgeobuf } from "./fgb/write.ts";
import { geojsonSequence } from "./geojson/write.ts";
import { geopackage } from "./gpkg/write.ts";
import { json } from "./json.ts";
import { jsonfg } from "./jsonfg/write.ts";
import { kml } from "./kml/write.ts";
import { parquet } from "./parquet/write.ts";
import type { Format } from "./writer.ts";
import { FORMAT_NAMES, type RowFormatName } from "./names.ts";

/** A format of the rows of a table. */
interface RowFormat {
  readonly mediaType: string;
  /** Whether geometries are well-known binary, and their kinds must be known beforehand. */
  readonly isBinary?: true;
  /** Whether they have arcs, surfaces and measures as they are; else they are made of points, lines and polygons. */
  readonly isExact?: true;
  open(file: FeatureFile): Format;
}

const rowFormat = (format: Format): RowFormat => ({ mediaType: format.mediaType, open: () => format });

/** The formats of results of methods: a row of a table is written like any other. */
const OF_RESULTS = Object.fromEntries(
  Object.entries(FORMATS).map(([name, format]) => [name, rowFormat(format)]),
) as Readonly<Record<keyof typeof FORMATS, RowFormat>>;

export const ROW_FORMATS: Readonly<Record<RowFormatName, RowFormat>> = {
  json: rowFormat(json),
  ...OF_RESULTS,
  geojsonseq: rowFormat(geojsonSequence),
  jsonfg: { mediaType: FORMAT_NAMES.jsonfg.mediaType, isBinary: true, isExact: true, open: jsonfg },
  flatgeobuf: {
    mediaType: FORMAT_NAMES.flatgeobuf.mediaType,
    isBinary: true,
    open: flatgeobuf,
  },
  kml: { mediaType: FORMAT_NAMES.kml.mediaType, isBinary: true, open: kml },
  geopackage: {
    mediaType: FORMAT_NAMES.geopackage.mediaType,
    isBinary: true,
    open: geopackage,
  },
  parquet: { mediaType: FORMAT_NAMES.parquet.mediaType, isBinary: true, open: parquet },
  arrow: { mediaType: FORMAT_NAMES.arrow.mediaType, isBinary: true, open: arrow },
};
