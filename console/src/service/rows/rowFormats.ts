/** The formats in which the service gives rows: made by npm run docs of server/formats/names.ts. */

export interface RowFormat {
  /** The name in the interface. */
  readonly name: string;
  readonly label: string;
  readonly extension: string;
  readonly needsGeometry?: true;
}

export const ROW_FORMATS: readonly RowFormat[] = [
  { name: "csv", label: "CSV", extension: "csv" },
  { name: "excel", label: "Excel", extension: "xlsx" },
  { name: "json", label: "JSON", extension: "json" },
  { name: "tsv", label: "TSV, as COPY reads it", extension: "tsv" },
  { name: "ndjson", label: "JSON, a row a line", extension: "ndjson" },
  { name: "jsonseq", label: "JSON text sequence", extension: "jsonseq" },
  { name: "geojson", label: "GeoJSON", extension: "geojson", needsGeometry: true },
  { name: "geojsonseq", label: "GeoJSON sequence", extension: "geojsons", needsGeometry: true },
  { name: "jsonfg", label: "JSON-FG", extension: "fg.json", needsGeometry: true },
  { name: "flatgeobuf", label: "FlatGeobuf", extension: "fgb", needsGeometry: true },
  { name: "kml", label: "KML", extension: "kml", needsGeometry: true },
  { name: "geopackage", label: "GeoPackage", extension: "gpkg" },
  { name: "parquet", label: "Parquet", extension: "parquet" },
  { name: "arrow", label: "Arrow", extension: "arrows" },
  { name: "markdown", label: "Markdown", extension: "md" },
];

/** The formats of files of collections: made of ogc/exchange/formats.ts. */
export const FILE_FORMATS: readonly Pick<RowFormat, "name" | "label">[] = [
  { name: "json", label: "GeoJSON" },
  { name: "geojsonseq", label: "GeoJSON text sequence" },
  { name: "ndjson", label: "Newline-delimited GeoJSON" },
  { name: "csv", label: "CSV" },
  { name: "jsonfg", label: "JSON-FG" },
  { name: "fgb", label: "FlatGeobuf" },
  { name: "gpkg", label: "GeoPackage" },
  { name: "kml", label: "KML" },
  { name: "parquet", label: "GeoParquet" },
  { name: "arrow", label: "GeoArrow" },
];

/** A format of files that are imported, by the ending of a file's name. */
export interface FileFormat {
  readonly ending: string;
  readonly mediaType: string;
  /** Whether a preview needs the whole file. */
  readonly isWhole?: true;
  /** What a file may have several of, of which one is read. */
  readonly layers?: "Layer" | "Sheet";
  readonly mayLackSystem?: true;
  readonly hasEncodings?: true;
  readonly hasDelimiters?: true;
}

/** Made of server/formats/readNames.ts. */
export const IMPORT_FORMATS: readonly FileFormat[] = [
  { ending: "csv", mediaType: "text/csv", hasEncodings: true, hasDelimiters: true },
  { ending: "txt", mediaType: "text/csv", hasEncodings: true, hasDelimiters: true },
  { ending: "tsv", mediaType: "text/tab-separated-values", hasEncodings: true, hasDelimiters: true },
  { ending: "tab", mediaType: "text/tab-separated-values", hasEncodings: true, hasDelimiters: true },
  { ending: "geojson", mediaType: "application/geo+json" },
  { ending: "json", mediaType: "application/geo+json" },
  { ending: "geojsonl", mediaType: "application/geo+json-seq" },
  { ending: "geojsons", mediaType: "application/geo+json-seq" },
  { ending: "ndjson", mediaType: "application/geo+json-seq" },
  { ending: "gpkg", mediaType: "application/geopackage+sqlite3", isWhole: true, layers: "Layer" },
  {
    ending: "zip",
    mediaType: "application/zip",
    isWhole: true,
    layers: "Layer",
    mayLackSystem: true,
    hasEncodings: true,
  },
  {
    ending: "xlsx",
    mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    isWhole: true,
    layers: "Sheet",
  },
  { ending: "kml", mediaType: "application/vnd.google-earth.kml+xml" },
  { ending: "kmz", mediaType: "application/vnd.google-earth.kmz", isWhole: true },
  { ending: "gpx", mediaType: "application/gpx+xml", layers: "Layer" },
  { ending: "fgb", mediaType: "application/flatgeobuf", isWhole: true, mayLackSystem: true },
  { ending: "parquet", mediaType: "application/vnd.apache.parquet", isWhole: true, mayLackSystem: true },
];

/** The formats for results of methods. */
export const OUTPUT_FORMATS = [
  "json",
  "csv",
  "tsv",
  "ndjson",
  "jsonseq",
  "geojson",
  "jsonfg",
  "geopackage",
  "parquet",
  "arrow",
  "excel",
  "markdown",
] as const;
