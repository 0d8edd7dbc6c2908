import { rowToJson } from "../columns.ts";
import type { Format } from "./writer.ts";

/** One JSON object a line. */
export const ndjson: Format = {
  mediaType: "application/x-ndjson",
  aliases: ["application/ndjson", "application/jsonl"],
  open(write) {
    let toJson: ReturnType<typeof rowToJson>;
    return {
      start(columns) {
        toJson = rowToJson(columns);
      },
      rows(rows) {
        let chunk = "";
        for (const row of rows) chunk += `${toJson(row)}\n`;
        return write(chunk);
      },
      end() {},
    };
  },
};
