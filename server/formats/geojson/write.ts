import { FORMAT_NAMES } from "../names.ts";
import type { TextRow } from "../../kernel/database/database.ts";
import { geometryColumn, rowToJson, type Column } from "../column.ts";
import { writeRows, type Format } from "../writer.ts";

/** A function that writes a row as a Feature of its first geometry column; all other columns are properties. */
function rowToFeature(columns: readonly Column[]): (row: TextRow) => string {
  const at = geometryColumn(columns);
  const geometryOf = columns[at]?.output.json ?? String;
  const toJson = rowToJson(columns, at);
  return (row) => {
    const geometry = row[at] ?? null;
    return `{"type":"Feature","geometry":${geometry === null ? "null" : geometryOf(geometry)},"properties":${toJson(row)}}`;
  };
}

/** RFC 7946: a FeatureCollection. */
export const geojson: Format = {
  mediaType: FORMAT_NAMES.geojson.mediaType,
  open(write) {
    let toFeature: ReturnType<typeof rowToFeature>;
    let separator = "";
    function featureOf(row: TextRow): string {
      const text = separator + toFeature(row);
      separator = ",\n";
      return text;
    }
    return {
      start(columns) {
        toFeature = rowToFeature(columns);
        return write('{"type":"FeatureCollection","features":[');
      },
      rows: (rows) => writeRows(rows, featureOf, write),
      end: () => write("]}\n"),
    };
  },
};

/** RFC 8142: a text for each feature, between a record separator and a line feed. */
export const geojsonSequence: Format = {
  mediaType: FORMAT_NAMES.geojsonseq.mediaType,
  open(write) {
    let toFeature: ReturnType<typeof rowToFeature>;
    return {
      start(columns) {
        toFeature = rowToFeature(columns);
      },
      rows: (rows) => writeRows(rows, (row) => `\x1e${toFeature(row)}\n`, write),
      end() {},
    };
  },
};
