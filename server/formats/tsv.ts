import { FORMAT_NAMES } from "./names.ts";
import type { TextRow } from "../kernel/database/database.ts";
import type { Column } from "./column.ts";
import { writeRows, type Format } from "./writer.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

/**
 * The format that `COPY … TO STDOUT` writes, and `COPY … FROM` reads: a line for each row, without a header, NULL as `\N`,
 * values in PostgreSQL's own text. Geometries are GeoJSON, and patterns of `type_formats` apply.
 */
export const tsv: Format = {
  mediaType: `${FORMAT_NAMES.tsv.mediaType}; charset=utf-8`,
  open(write) {
    let cells: ((text: string) => string)[] = [];
    const lineOf = (row: TextRow): string => {
      let line = "";
      for (let index = 0; index < cells.length; index++) {
        const text = row[index]!;
        if (index > 0) line += "\t";
        line += text === null ? "\\N" : escape(cells[index]!(text));
      }
      return `${line}\n`;
    };
    return {
      start(columns) {
        cells = columns.map(cellOf);
      },
      rows: (rows) => writeRows(rows, lineOf, write),
      end() {},
    };
  },
};

function cellOf({ output, formatted, geometry }: Column): (text: string) => string {
  return formatted || geometry ? output.plain : (text) => text;
}

function escape(text: string): string {
  return text.replaceAll(/[\\\b\f\n\r\t\v]/g, (one) => ESCAPES[one]!);
}
