/** The output formats other than JSON. */
import type { OutputFormat } from "./names.ts";
import { csv } from "./csv/write.ts";
import { excel } from "./excel/write.ts";
import { geojson } from "./geojson/write.ts";
import { jsonseq } from "./jsonseq.ts";
import { markdown } from "./markdown.ts";
import { ndjson } from "./ndjson.ts";
import { tsv } from "./tsv.ts";
import type { FeatureFile } from "./featureFile.ts";
import { arrow } from "./arrow/write.ts";
import { geopackage } from "./gpkg/write.ts";
import { jsonfg } from "./jsonfg/write.ts";
import { parquet } from "./parquet/write.ts";
import type { Format, GeometryForm } from "./writer.ts";

const WGS84 = 4326;

/** The format for results of a statement, whose geometries are unknown beforehand. */
function ofResult(of: (file: FeatureFile) => Format, geometries: GeometryForm): Format {
  const fileOf = (srs: number): FeatureFile => ({
    ...{ name: "rows", table: "rows", srs, geometryType: "GEOMETRY", dimensions: { z: false, m: false } },
    system: { organization: "EPSG", code: srs, definition: "undefined" },
  });
  return { ...of(fileOf(WGS84)), geometries, open: (write, srs = WGS84) => of(fileOf(srs)).open(write) };
}

export const FORMATS: Readonly<Record<Exclude<OutputFormat, "json">, Format>> = {
  csv,
  tsv,
  ndjson,
  jsonseq,
  geojson,
  jsonfg: ofResult(jsonfg, "exact"),
  geopackage: ofResult(geopackage, "straight"),
  parquet: ofResult(parquet, "straight"),
  arrow: ofResult(arrow, "straight"),
  excel,
  markdown,
};
