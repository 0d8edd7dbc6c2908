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
  { name: "geojson", label: "GeoJSON", extension: "geojson", needsGeometry: true },
  { name: "geojsonseq", label: "GeoJSON sequence", extension: "geojsons", needsGeometry: true },
  { name: "jsonfg", label: "JSON-FG", extension: "fg.json", needsGeometry: true },
  { name: "flatgeobuf", label: "FlatGeobuf", extension: "fgb", needsGeometry: true },
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
  { name: "parquet", label: "GeoParquet" },
  { name: "arrow", label: "GeoArrow" },
];

/** The formats for results of methods. */
export const OUTPUT_FORMATS = [
  "json",
  "csv",
  "tsv",
  "ndjson",
  "geojson",
  "jsonfg",
  "geopackage",
  "parquet",
  "arrow",
  "excel",
  "markdown",
] as const;
