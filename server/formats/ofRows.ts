/** The formats for the rows of a table. */
import type { Stream } from "../kernel/http/answer.ts";
import { FORMATS } from "./all.ts";
import type { FeatureFile } from "./featureFile.ts";
import { flatgeobuf } from "./fgb/write.ts";
import { geojsonSequence } from "./geojson/write.ts";
import { geopackage } from "./gpkg/write.ts";
import { json } from "./json.ts";
import type { Format } from "./writer.ts";
import type { RowFormatName } from "./names.ts";

/** What there is of one. */
interface RowFormat {
  readonly mediaType: Stream["mediaType"];
  /** Whether each row is a feature, so that the table must have a geometry. */
  readonly isOfFeatures?: true;
  /** Whether geometries are well-known binary, and their kinds must be known beforehand. */
  readonly isBinary?: true;
  open(file: FeatureFile): Format;
}

const rowFormat = (format: Format, more: Pick<RowFormat, "isOfFeatures"> = {}): RowFormat => ({
  ...more,
  mediaType: format.mediaType,
  open: () => format,
});

export const ROW_FORMATS: Readonly<Record<RowFormatName, RowFormat>> = {
  json: rowFormat(json),
  csv: rowFormat(FORMATS.csv),
  tsv: rowFormat(FORMATS.tsv),
  ndjson: rowFormat(FORMATS.ndjson),
  geojson: rowFormat(FORMATS.geojson, { isOfFeatures: true }),
  geojsonseq: rowFormat(geojsonSequence, { isOfFeatures: true }),
  flatgeobuf: {
    mediaType: "application/flatgeobuf",
    isOfFeatures: true,
    isBinary: true,
    open: flatgeobuf,
  },
  geopackage: {
    mediaType: "application/geopackage+sqlite3",
    isBinary: true,
    open: geopackage,
  },
  excel: rowFormat(FORMATS.excel),
  markdown: rowFormat(FORMATS.markdown),
};
