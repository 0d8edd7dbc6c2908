/**
 * The formats of features. To add one: add a file beside this one, its `Format` to those of features (formats.ts), and
 * its line here.
 */
import type { FeaturesFormat } from "../../exchange/formats.ts";
import type { FeatureDocument } from "../page/document.ts";
import type { EncodingScope } from "../encoding.ts";
import { CsvDocument } from "./csv.ts";
import { ArrowDocument, GeoPackageDocument, ParquetDocument } from "./file.ts";
import { FlatgeobufDocument } from "./flatgeobuf.ts";
import { GeojsonDocument, GeojsonSeqDocument, NdjsonDocument } from "./geojson.ts";
import { JsonfgDocument } from "./jsonfg.ts";

const DOCUMENTS: Readonly<Record<FeaturesFormat, new (scope: EncodingScope) => FeatureDocument>> = {
  arrow: ArrowDocument,
  csv: CsvDocument,
  fgb: FlatgeobufDocument,
  gpkg: GeoPackageDocument,
  jsonfg: JsonfgDocument,
  parquet: ParquetDocument,
  json: GeojsonDocument,
  geojsonseq: GeojsonSeqDocument,
  ndjson: NdjsonDocument,
};

/** The document of a format. `name`: of a `Format` of the features route that has a document. */
export function documentOf(name: string, scope: EncodingScope): FeatureDocument {
  return new DOCUMENTS[name as FeaturesFormat](scope);
}
