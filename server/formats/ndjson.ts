import { FORMAT_NAMES } from "./names.ts";
import { rowToJson } from "./column.ts";
import { writeRows, type Format } from "./writer.ts";

/** One JSON object a line. */
export const ndjson: Format = {
  mediaType: FORMAT_NAMES.ndjson.mediaType,
  aliases: ["application/ndjson", "application/jsonl"],
  open(write) {
    let toJson: ReturnType<typeof rowToJson>;
    return {
      start(columns) {
        toJson = rowToJson(columns);
      },
      rows: (rows) => writeRows(rows, (row) => `${toJson(row)}\n`, write),
      json: { after: "\n", add: async (bytes) => write(bytes) },
      end() {},
    };
  },
};
