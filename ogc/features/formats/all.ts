/**
 * The formats of features. To add one: add a file beside this one, its `Format` to those of features (formats.ts), and
 * its line here.
 */
import type { FeaturesFormat } from "../../exchange/formats.ts";
import type { FeatureDocument } from "../page/document.ts";
import type { EncodingScope } from "../encoding.ts";
import { CsvDocument } from "./csv.ts";
import { FileDocument } from "./file.ts";
import { FlatgeobufDocument } from "./flatgeobuf.ts";
import { GeojsonDocument, GeojsonSeqDocument, NdjsonDocument } from "./geojson.ts";
import { JsonfgDocument } from "./jsonfg.ts";

type Document = (scope: EncodingScope) => FeatureDocument;

const DOCUMENTS: Readonly<Record<FeaturesFormat, Document>> = {
  arrow: (scope) => new FileDocument("arrow", scope),
  csv: (scope) => new CsvDocument(scope),
  fgb: (scope) => new FlatgeobufDocument(scope),
  gpkg: (scope) => new FileDocument("geopackage", scope),
  jsonfg: (scope) => new JsonfgDocument(scope),
  kml: (scope) => new FileDocument("kml", scope),
  parquet: (scope) => new FileDocument("parquet", scope),
  json: (scope) => new GeojsonDocument(scope),
  geojsonseq: (scope) => new GeojsonSeqDocument(scope),
  ndjson: (scope) => new NdjsonDocument(scope),
};

/** The document of a format. `name`: of a `Format` of the features route that has a document. */
export function documentOf(name: string, scope: EncodingScope): FeatureDocument {
  return DOCUMENTS[name as FeaturesFormat](scope);
}
