/**
 * The names of the formats in which rows of a table may be had: the one list, which loads nothing. The console has the same
 * with titles, in console/src/service/rowFormats.ts; a test holds them together.
 */

/** The ending of a file's name. */
export const ROW_FILE_EXTENSIONS = {
  json: "json",
  csv: "csv",
  tsv: "tsv",
  ndjson: "ndjson",
  geojson: "geojson",
  geojsonseq: "geojsons",
  flatgeobuf: "fgb",
  geopackage: "gpkg",
  excel: "xlsx",
  markdown: "md",
} as const;

export type RowFormatName = keyof typeof ROW_FILE_EXTENSIONS;

export const ROW_FORMAT_NAMES = Object.keys(ROW_FILE_EXTENSIONS) as readonly RowFormatName[];
