import { FORMAT_NAMES } from "../names.ts";
import type { TextRow } from "../../kernel/database/database.ts";
import { geometryColumn, type Column } from "../column.ts";
import type { FeatureFile } from "../featureFile.ts";
import type { Format } from "../writer.ts";
import { flatgeobufOf, type RowsWriter } from "./ofColumns.ts";

/** FlatGeobuf 3.0 without an index, which would take all features at once. */
export const flatgeobuf = (file: FeatureFile): Format => ({
  mediaType: FORMAT_NAMES.flatgeobuf.mediaType,
  binary: true,
  open(write) {
    let at = -1;
    let others: readonly Column[] = [];
    let writer: RowsWriter;
    const without = <T>(all: readonly T[]): readonly T[] => all.filter((_, index) => index !== at);
    const featureOf = (row: TextRow): Uint8Array => {
      const values = without(row).map((text, index) => (text === null ? null : valueOf(others[index]!, text)));
      return writer.feature(values, row[at]!);
    };
    return {
      start(columns) {
        at = geometryColumn(columns);
        others = without(columns);
        writer = flatgeobufOf(file, others);
        return write(writer.head);
      },
      rows: (rows) => write(Buffer.concat(rows.map(featureOf))),
      end() {},
    };
  },
});

/** Numbers and booleans as PostgreSQL writes them, all other values as in cells of a table. */
function valueOf({ type, output }: Column, text: string): string {
  return type.kind === "boolean" || type.kind === "float" ? text : output.plain(text);
}
