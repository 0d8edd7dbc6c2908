/** The formats of files to read, by their media type, and by the file name where there is none. */
import { FORMAT_NAMES } from "./names.ts";
import { badInput } from "../ground/errors.ts";
import { csvSource } from "./csv/read.ts";
import { geojsonSource } from "./geojson/read.ts";
import { geopackageSource } from "./gpkg/read.ts";
import type { Source } from "./source.ts";
import { checkEncoding } from "./text.ts";

export interface FormatOptions {
  readonly delimiter?: string | undefined;
  readonly null?: string | undefined;
  /** Default utf-8. */
  readonly encoding?: string | undefined;
  readonly layer?: string | undefined;
  /** The number of rows in a portion. */
  readonly portion?: number | undefined;
}

type Open = (bytes: AsyncIterable<Uint8Array>, options: FormatOptions) => Source;

const csv: Open = (bytes, { encoding = "utf-8", ...options }) => {
  checkEncoding(encoding);
  return csvSource(bytes, { ...options, encoding });
};
const collection: Open = (bytes, { portion }) => geojsonSource(bytes, "collection", portion);

const FORMATS: Readonly<Record<string, { readonly endings: readonly string[]; readonly open: Open }>> = {
  [FORMAT_NAMES.csv.mediaType]: { endings: ["csv", "txt"], open: csv },
  [FORMAT_NAMES.tsv.mediaType]: {
    endings: ["tsv", "tab"],
    open: (bytes, options) => csv(bytes, { delimiter: "\t", ...options }),
  },
  [FORMAT_NAMES.geojson.mediaType]: { endings: ["geojson", "json"], open: collection },
  [FORMAT_NAMES.json.mediaType]: { endings: [], open: collection },
  [FORMAT_NAMES.geojsonseq.mediaType]: {
    endings: ["geojsonl", "geojsons", "ndjson"],
    open: (bytes, { portion }) => geojsonSource(bytes, "sequence", portion),
  },
  [FORMAT_NAMES.geopackage.mediaType]: {
    endings: ["gpkg"],
    open: (bytes, { layer, portion }) => geopackageSource(bytes, layer, portion),
  },
};

export const MEDIA_TYPES = Object.keys(FORMATS);

/** `mediaType`: one of `MEDIA_TYPES`. Throws `BAD_USER_INPUT` for wrong options. */
export function openSource(mediaType: string, bytes: AsyncIterable<Uint8Array>, options: FormatOptions): Source {
  const { delimiter, null: nothing, encoding, layer, portion } = options;
  return FORMATS[mediaType]!.open(bytes, { delimiter, null: nothing, encoding, layer, portion });
}

/** The media type for the ending of a file's name. Throws `BAD_USER_INPUT` for an unknown one. */
export function mediaTypeOf(file: string): string {
  const ending = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? "";
  const found = Object.entries(FORMATS).find(([, { endings }]) => endings.includes(ending));
  return (
    found?.[0] ??
    badInput(
      `${file}: the name must end in one of ${Object.values(FORMATS)
        .flatMap(({ endings }) => endings.map((each) => `.${each}`))
        .join(" ")}`,
    )
  );
}
