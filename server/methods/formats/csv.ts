import type { TextRow } from "../../kernel/database/database.ts";
import { harmless, quoteCell } from "../../types/csvCell.ts";
import { rowOf } from "../../types/table.ts";
import type { Column } from "../columns.ts";
import { writeRows, type Format } from "./writer.ts";

/** RFC 4180, with a header; NULL is nothing, an empty text `""`. A text that a spreadsheet would compute gets a `'`. */
export const csv: Format = {
  mediaType: "text/csv; charset=utf-8; header=present",
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
      end() {},
    };
  },
};

function cellOf({ type, output }: Column): (text: string) => string {
  if (rowOf(type).cell === "number") return (text) => text;
  return (text) => quoteCell(harmless(output.plain(text)));
}
