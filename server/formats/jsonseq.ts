import { FORMAT_NAMES } from "./names.ts";
import { rowToJson } from "./column.ts";
import { writeRows, type Format } from "./writer.ts";

/** RFC 7464: a JSON object for each row, between a record separator and a line feed. */
export const jsonseq: Format = {
  mediaType: FORMAT_NAMES.jsonseq.mediaType,
  open(write) {
    let toJson: ReturnType<typeof rowToJson>;
    return {
      start(columns) {
        toJson = rowToJson(columns);
      },
      rows: (rows) => writeRows(rows, (row) => `\x1e${toJson(row)}\n`, write),
      end() {},
    };
  },
};
