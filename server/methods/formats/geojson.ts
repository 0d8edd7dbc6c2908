import type { TextRow } from "../../kernel/database/database.ts";
import { geometryColumn, rowToJson } from "../columns.ts";
import { writeRows, type Format } from "./writer.ts";

/** RFC 7946: a FeatureCollection of the first geometry column; all other columns are properties. */
export const geojson: Format = {
  mediaType: "application/geo+json",
  open(write) {
    let at = -1;
    let geometryOf: (text: string) => string;
    let separator = "";
    let toJson: ReturnType<typeof rowToJson>;
    function featureOf(row: TextRow): string {
      const geometry = row[at] ?? null;
      const text = `${separator}{"type":"Feature","geometry":${geometry === null ? "null" : geometryOf(geometry)},"properties":${toJson(row)}}`;
      separator = ",\n";
      return text;
    }
    return {
      start(columns) {
        at = geometryColumn(columns);
        geometryOf = columns[at]?.output.json ?? String;
        toJson = rowToJson(columns, at);
        return write('{"type":"FeatureCollection","features":[');
      },
      rows: (rows) => writeRows(rows, featureOf, write),
      end: () => write("]}\n"),
    };
  },
};
