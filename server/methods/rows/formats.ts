/** The formats in which rows of a table may be had. */
import type { Stream } from "../../kernel/http/answer.ts";
import { FORMATS } from "../formats/all.ts";
import { flatgeobuf, type FeatureFile, type OpenFlatgeobuf } from "../formats/flatgeobuf.ts";
import { geojsonSequence } from "../formats/geojson.ts";
import { json } from "../formats/json.ts";
import type { Format } from "../formats/writer.ts";

/** What there is of one. */
interface RowFormat {
  /** Of a file's name. */
  readonly extension: string;
  readonly mediaType: Stream["mediaType"];
  /** Whether each row is a feature, so that there must be a geometry. */
  readonly isOfFeatures?: true;
  /** Whether geometries come as well-known binary, and which dimensions they have is known beforehand. */
  readonly isBinary?: true;
  open(file: FeatureFile, flatgeobuf: OpenFlatgeobuf): Format;
}

const rowFormat = (format: Format, extension: string, more: Pick<RowFormat, "isOfFeatures"> = {}): RowFormat => ({
  ...more,
  extension,
  mediaType: format.mediaType,
  open: () => format,
});

/** console/src/service/rowFormats.ts has the same names. */
export const ROW_FORMATS = {
  json: rowFormat(json, "json"),
  csv: rowFormat(FORMATS.csv, "csv"),
  tsv: rowFormat(FORMATS.tsv, "tsv"),
  ndjson: rowFormat(FORMATS.ndjson, "ndjson"),
  geojson: rowFormat(FORMATS.geojson, "geojson", { isOfFeatures: true }),
  geojsonseq: rowFormat(geojsonSequence, "geojsons", { isOfFeatures: true }),
  flatgeobuf: {
    extension: "fgb",
    mediaType: "application/flatgeobuf",
    isOfFeatures: true,
    isBinary: true,
    open: (file, open) => flatgeobuf(open, file),
  },
  excel: rowFormat(FORMATS.excel, "xlsx"),
  markdown: rowFormat(FORMATS.markdown, "md"),
} as const satisfies Readonly<Record<string, RowFormat>>;

export type RowFormatName = keyof typeof ROW_FORMATS;

export const ROW_FORMAT_NAMES = Object.keys(ROW_FORMATS) as readonly RowFormatName[];
