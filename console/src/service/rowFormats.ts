/** The formats in which the service gives rows of a table. */

export interface RowFormat {
  /** As the interface calls it. */
  readonly name: string;
  readonly label: string;
  readonly extension: string;
  readonly needsGeometry?: true;
}

/** server/formats/names.ts has the same names. */
export const ROW_FORMATS: readonly RowFormat[] = [
  { name: "csv", label: "CSV", extension: "csv" },
  { name: "excel", label: "Excel", extension: "xlsx" },
  { name: "json", label: "JSON", extension: "json" },
  { name: "ndjson", label: "JSON, a row a line", extension: "ndjson" },
  { name: "tsv", label: "TSV, as COPY reads it", extension: "tsv" },
  { name: "markdown", label: "Markdown", extension: "md" },
  { name: "geojson", label: "GeoJSON", extension: "geojson", needsGeometry: true },
  { name: "geojsonseq", label: "GeoJSON sequence", extension: "geojsons", needsGeometry: true },
  { name: "flatgeobuf", label: "FlatGeobuf", extension: "fgb", needsGeometry: true },
  { name: "geopackage", label: "GeoPackage", extension: "gpkg" },
];
