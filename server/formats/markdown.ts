import { FORMAT_NAMES } from "./names.ts";
import type { TextRow } from "../kernel/database/database.ts";
import { rowOf } from "../types/table.ts";
import { hasParts } from "../types/columnType.ts";
import type { Column } from "./column.ts";
import { writeRows, type Format } from "./writer.ts";

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/**
 * RFC 7763, a table of GitHub Flavored Markdown §4.10: a line for each row, under the names of the columns, numbers to the
 * right. NULL is an empty cell. Values are text without markup.
 */
export const markdown: Format = {
  mediaType: `${FORMAT_NAMES.markdown.mediaType}; charset=utf-8; variant=GFM`,
  open(write) {
    let cells: ((text: string) => string)[] = [];
    const lineOf = (row: TextRow): string => {
      let line = "|";
      for (let index = 0; index < cells.length; index++) {
        const text = row[index]!;
        line += text === null ? "  |" : ` ${cells[index]!(text)} |`;
      }
      return `${line}\n`;
    };
    return {
      start(columns) {
        if (columns.length === 0) return;
        cells = columns.map(cellOf);
        const names = columns.map(({ name }) => ` ${escape(name)} |`).join("");
        const rules = columns.map((column) => (isNumber(column) ? " ---: |" : " --- |")).join("");
        return write(`|${names}\n|${rules}\n`);
      },
      rows: (rows) => writeRows(rows, lineOf, write),
      end() {},
    };
  },
};

const isNumber = ({ type }: Column): boolean => !hasParts(type) && rowOf(type).cell === "number";

function cellOf({ output }: Column): (text: string) => string {
  return (text) => escape(output.plain(text));
}

/** On one line, because a line end would end the cell; characters of markup are escaped (CommonMark §2.4, §2.5). */
function escape(text: string): string {
  return text
    .replaceAll(/[&<>]/g, (one) => ESCAPES[one]!)
    .replaceAll(/[\\`*_~|[\]]/g, String.raw`\$&`)
    .replaceAll(/\r\n|[\r\n\v\f\u2028\u2029]/g, "<br>");
}
