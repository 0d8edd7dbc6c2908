import { FORMAT_NAMES } from "./names.ts";
import { rowToJson } from "./column.ts";
import { writeRows, type Format } from "./writer.ts";

/** One array of objects, a row on each line. */
export const json: Format = {
  mediaType: `${FORMAT_NAMES.json.mediaType}; charset=utf-8`,
  open(write) {
    let toJson: ReturnType<typeof rowToJson>;
    let before = "[";
    return {
      start(columns) {
        toJson = rowToJson(columns);
      },
      rows: (rows) =>
        writeRows(
          rows,
          (row) => {
            const text = before + toJson(row);
            before = ",\n";
            return text;
          },
          write,
        ),
      end: () => write(before === "[" ? "[]\n" : "]\n"),
    };
  },
};
