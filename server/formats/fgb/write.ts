import type { TextRow } from "../../kernel/database/database.ts";
import { geometryColumn, type Column } from "../../methods/values/columns.ts";
import type { FeatureFile } from "../featureFile.ts";
import type { Format } from "../writer.ts";

/** Writes features of columns as FlatGeobuf. `geometry`: PostgreSQL's text of well-known binary. */
export interface FlatgeobufWriter {
  readonly head: Uint8Array;
  feature(values: readonly (string | null)[], geometry: string | null): Uint8Array;
}

export type OpenFlatgeobuf = (
  file: Pick<FeatureFile, "name" | "srs" | "dimensions">,
  columns: readonly Column[],
) => FlatgeobufWriter;

/** FlatGeobuf 3.0 without an index, which would take all features at once. */
export const flatgeobuf = (open: OpenFlatgeobuf, file: FeatureFile): Format => ({
  mediaType: "application/flatgeobuf",
  binary: true,
  open(write) {
    let at = -1;
    let others: readonly Column[] = [];
    let writer: FlatgeobufWriter;
    const without = <T>(all: readonly T[]): readonly T[] => all.filter((_, index) => index !== at);
    const featureOf = (row: TextRow): Uint8Array => {
      const values = without(row).map((text, index) => (text === null ? null : valueOf(others[index]!, text)));
      return writer.feature(values, row[at]!);
    };
    return {
      start(columns) {
        at = geometryColumn(columns);
        others = without(columns);
        writer = open(file, others);
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
