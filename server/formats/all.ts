/** The output formats other than JSON. */
import type { OutputFormat } from "./names.ts";
import { csv } from "./csv/write.ts";
import { excel } from "./excel.ts";
import { geojson } from "./geojson/write.ts";
import { markdown } from "./markdown.ts";
import { ndjson } from "./ndjson.ts";
import { tsv } from "./tsv.ts";
import type { Format } from "./writer.ts";

export const FORMATS: Readonly<Record<Exclude<OutputFormat, "json">, Format>> = {
  csv,
  tsv,
  ndjson,
  geojson,
  excel,
  markdown,
};
