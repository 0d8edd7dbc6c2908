/**
 * The formats of files whose rows are imported: the one list, which loads nothing. REST, the command line and tests import it;
 * `npm run docs` writes it for the console.
 */
import { FORMAT_NAMES } from "./names.ts";

interface ReadName {
  readonly mediaType: string;
  readonly title: string;
  /** Of names of files. */
  readonly endings: readonly string[];
  /** Whether its beginning does not identify the format. */
  readonly isWhole?: true;
  /** The parts of a file of which one is chosen, in the format's own word. */
  readonly layers?: "Layer" | "Sheet";
  /** Whether its reference system may be missing or unknown. */
  readonly mayLackSystem?: true;
  /** Whether its text may be in other encodings that the file does not state. */
  readonly hasEncodings?: true;
  /** Whether the separator of values can be chosen. */
  readonly hasDelimiters?: true;
}

export const READ_NAMES = {
  csv: { ...FORMAT_NAMES.csv, endings: ["csv", "txt"], hasEncodings: true, hasDelimiters: true },
  tsv: { ...FORMAT_NAMES.tsv, endings: ["tsv", "tab"], hasEncodings: true, hasDelimiters: true },
  geojson: { ...FORMAT_NAMES.geojson, endings: ["geojson", "json"] },
  json: { ...FORMAT_NAMES.json, endings: [] },
  geojsonseq: { ...FORMAT_NAMES.geojsonseq, endings: ["geojsonl", "geojsons", "ndjson"] },
  geopackage: { ...FORMAT_NAMES.geopackage, endings: ["gpkg"], isWhole: true, layers: "Layer" },
  shapefile: {
    mediaType: "application/zip",
    title: "Shapefile",
    endings: ["zip"],
    isWhole: true,
    layers: "Layer",
    hasEncodings: true,
    mayLackSystem: true,
  },
  excel: { ...FORMAT_NAMES.excel, endings: ["xlsx"], isWhole: true, layers: "Sheet" },
  kml: { ...FORMAT_NAMES.kml, endings: ["kml"] },
  kmz: { mediaType: "application/vnd.google-earth.kmz", title: "KMZ", endings: ["kmz"], isWhole: true },
  gpx: { mediaType: "application/gpx+xml", title: "GPX", endings: ["gpx"], layers: "Layer" },
  flatgeobuf: { ...FORMAT_NAMES.flatgeobuf, endings: ["fgb"], isWhole: true, mayLackSystem: true },
  parquet: { ...FORMAT_NAMES.parquet, endings: ["parquet"], isWhole: true, mayLackSystem: true },
} as const satisfies Readonly<Record<string, ReadName>>;

export type ReadFormatName = keyof typeof READ_NAMES;

/** The formats, each with its name. */
export const READ_FORMATS = Object.entries(READ_NAMES) as readonly (readonly [ReadFormatName, ReadName])[];

/** `.csv .txt …` */
export const READ_ENDINGS = READ_FORMATS.flatMap(([, { endings }]) => endings.map((ending) => `.${ending}`));
