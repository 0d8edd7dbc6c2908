/**
 * The names of all file formats for rows: the one list, which loads nothing. REST, OpenAPI, the command line and tests import
 * it; `npm run docs` writes it for the database and the console.
 */

/** For each format, the ending of a file's name, the media type without parameters, and the title for people. */
export const FORMAT_NAMES = {
  json: { extension: "json", mediaType: "application/json", title: "JSON" },
  csv: { extension: "csv", mediaType: "text/csv", title: "CSV" },
  tsv: { extension: "tsv", mediaType: "text/tab-separated-values", title: "TSV, as COPY reads it" },
  ndjson: { extension: "ndjson", mediaType: "application/x-ndjson", title: "JSON, a row a line" },
  jsonseq: { extension: "jsonseq", mediaType: "application/json-seq", title: "JSON text sequence" },
  geojson: { extension: "geojson", mediaType: "application/geo+json", title: "GeoJSON", isOfFeatures: true },
  geojsonseq: {
    extension: "geojsons",
    mediaType: "application/geo+json-seq",
    title: "GeoJSON sequence",
    isOfFeatures: true,
    isOfTables: true,
  },
  jsonfg: {
    extension: "fg.json",
    mediaType: "application/vnd.ogc.fg+json",
    title: "JSON-FG",
    isOfFeatures: true,
  },
  flatgeobuf: {
    extension: "fgb",
    mediaType: "application/flatgeobuf",
    title: "FlatGeobuf",
    alias: "fgb",
    isOfFeatures: true,
    isOfTables: true,
  },
  kml: {
    extension: "kml",
    mediaType: "application/vnd.google-earth.kml+xml",
    title: "KML",
    isOfFeatures: true,
    isOfTables: true,
  },
  geopackage: {
    extension: "gpkg",
    mediaType: "application/geopackage+sqlite3",
    title: "GeoPackage",
    alias: "gpkg",
  },
  parquet: { extension: "parquet", mediaType: "application/vnd.apache.parquet", title: "Parquet" },
  arrow: { extension: "arrows", mediaType: "application/vnd.apache.arrow.stream", title: "Arrow" },
  excel: {
    extension: "xlsx",
    mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    title: "Excel",
  },
  markdown: { extension: "md", mediaType: "text/markdown", title: "Markdown" },
} as const satisfies Readonly<Record<string, FormatName>>;

interface FormatName {
  readonly extension: string;
  readonly mediaType: string;
  readonly title: string;
  /** Another word for it: that of the OGC API, which takes the name as well. */
  readonly alias?: string;
  /** Whether each row is a feature, so that the table must have a geometry. */
  readonly isOfFeatures?: true;
  /** Whether only rows of a table come as it, and no results of methods. */
  readonly isOfTables?: true;
}

/** Formats of the rows of a table. */
export type RowFormatName = keyof typeof FORMAT_NAMES;

export const ROW_FORMAT_NAMES = Object.keys(FORMAT_NAMES) as readonly RowFormatName[];

/** Aliases of the formats that have one. */
type Alias = {
  [Name in RowFormatName]: (typeof FORMAT_NAMES)[Name] extends { alias: infer A } ? A : never;
}[RowFormatName];

const BY_ALIAS = Object.fromEntries(
  ROW_FORMAT_NAMES.flatMap((name) => ("alias" in FORMAT_NAMES[name] ? [[FORMAT_NAMES[name].alias, name]] : [])),
) as Readonly<Record<Alias, RowFormatName>>;

/** The names and the other words. */
export const ROW_FORMAT_WORDS = [...ROW_FORMAT_NAMES, ...(Object.keys(BY_ALIAS) as Alias[])] as const;

/** The format with that name or alias. */
export function rowFormatNamed(word: RowFormatName | Alias): RowFormatName {
  return word in FORMAT_NAMES ? (word as RowFormatName) : BY_ALIAS[word as Alias];
}

export const ROW_FILE_EXTENSIONS = Object.fromEntries(
  Object.entries(FORMAT_NAMES).map(([name, { extension }]) => [name, extension]),
) as Readonly<Record<RowFormatName, string>>;

/** Formats of the results of methods. */
export type OutputFormat = {
  [Name in RowFormatName]: (typeof FORMAT_NAMES)[Name] extends { isOfTables: true } ? never : Name;
}[RowFormatName];

export const OUTPUT_FORMATS = ROW_FORMAT_NAMES.filter(
  (name): name is OutputFormat => !("isOfTables" in FORMAT_NAMES[name]),
);
