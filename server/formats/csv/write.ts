import { FORMAT_NAMES } from "../names.ts";
import { COMMA, putLineEnd, putText } from "./bytes.ts";
import type { ByteRow, Bytes, TextRow, WriteRow } from "../../kernel/database/database.ts";
import { harmless, quoteCell } from "./cell.ts";
import { rowOf } from "../../types/table.ts";
import { outputs } from "../../types/textJson.ts";
import type { Column } from "../column.ts";
import { writeRows, type Format } from "../writer.ts";

/** RFC 4180, with a header; NULL is nothing, an empty text `""`. A text that a spreadsheet would evaluate gets a `'`. */
export const csv: Format = {
  mediaType: `${FORMAT_NAMES.csv.mediaType}; charset=utf-8; header=present`,
  open(write) {
    let cells: ((text: string) => string)[] = [];
    function lineOf(row: TextRow): string {
      let line = "";
      for (let index = 0; index < cells.length; index++) {
        const text = row[index]!;
        if (index > 0) line += ",";
        if (text !== null) line += cells[index]!(text);
      }
      return `${line}\r\n`;
    }
    return {
      start(columns) {
        cells = columns.map(cellOf);
        return write(`${columns.map(({ name }) => quoteCell(harmless(name))).join(",")}\r\n`);
      },
      rows: (rows) => writeRows(rows, lineOf, write),
      written: { writerFor, add: async (bytes) => write(bytes) },
      end() {},
    };
  },
};

function cellOf({ type, output }: Column): (text: string) => string {
  if (rowOf(type).cell === "number") return (text) => text;
  return (text) => quoteCell(harmless(output.plain(text)));
}

/** The same for rows as bytes. */
function writerFor(columns: readonly Column[]): WriteRow {
  const cells = columns.map(byteCellOf);
  return (row, out) => {
    for (let index = 0; index < cells.length; index++) {
      if (index > 0) out.putByte(COMMA);
      if (!row.isNull(index)) cells[index]!(row, index, out);
    }
    putLineEnd(out);
  };
}

function byteCellOf(column: Column): (row: ByteRow, index: number, out: Bytes) => void {
  if (rowOf(column.type).cell === "number") return (row, index, out) => out.copy(row, index);
  if (column.output.plain === outputs.string.plain) return putText;
  const toCell = cellOf(column);
  return (row, index, out) => out.put(toCell(row.text(index)!));
}
