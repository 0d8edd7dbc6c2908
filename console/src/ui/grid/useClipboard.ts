/** Copies the selection of a grid, and pastes over it. */
import type { ClipboardEvent } from "react";
import { ServiceError } from "../../service/http/ask.ts";
import type { ShownColumn } from "../../service/rows/look.ts";
import type { Column } from "../../service/rows/relations.ts";
import type { Row, Value } from "../../service/rows/rows.ts";
import { rowsText, type Rows } from "../../service/rows/useRows.ts";
import type { RowChange } from "../../service/rows/writeCells.ts";
import { fromText, toText } from "../../service/rows/values.ts";
import { parseTsv, toTsv } from "./clipboard.ts";
import type { Told } from "./ToldNote.tsx";
import type { Range } from "./gridFocus.ts";
import { t } from "../../words/words.ts";

export interface ClipboardOptions {
  readonly columns: readonly ShownColumn[];
  readonly rows: Rows;
  readonly range: Range;
  readonly isEditing: boolean;
  /** Undefined where nothing may be written. Rejects with the error to show. */
  readonly onPaste?: ((changes: readonly RowChange[]) => Promise<void>) | undefined;
  readonly onTell: (told: Told) => void;
}

/** The most rows that one statement writes. Copying has the same limit, since more rows belong in a file. */
const MOST_ROWS = 10_000;
/** The number of rows above which a message says that it takes a moment. */
const MANY_ROWS = 200;

function notPasted(error: Error): string {
  const { message } = error;
  return error instanceof ServiceError && error.code === "TOO_LARGE"
    ? t("Nothing is pasted. {message} Paste fewer rows at a time.", { message })
    : t("Nothing is pasted. {message}", { message });
}

export function useClipboard({ columns, rows, range, isEditing, onPaste, onTell }: ClipboardOptions) {
  const height = range.to.row - range.from.row + 1;
  const width = range.to.column - range.from.column + 1;

  function copy(event: ClipboardEvent): void {
    if (isEditing) return;
    event.preventDefault();
    const marked = columns.slice(range.from.column, range.to.column + 1);
    const toCells = (read: readonly Row[]): string =>
      toTsv(read.map(({ values }) => marked.map(({ column }) => toText(values[column.name]))));
    if (height > MOST_ROWS)
      return onTell(
        new Error(t("Nothing is copied. {message} Export saves all of them as a file.", { message: tooMany(height) })),
      );
    const there = Array.from({ length: height }, (_, index) => rows.at(range.from.row + index));
    if (there.every((row) => row !== undefined)) {
      event.clipboardData.setData("text/plain", toCells(there));
      onTell(null);
    } else void copyLater(toCells);
  }

  /** Copies with a promise of the text, because the event ends before all rows are read. */
  async function copyLater(toCells: (read: readonly Row[]) => string): Promise<void> {
    onTell(t("Reading {rows} to copy them …", { rows: rowsText(height) }));
    try {
      const read = rows.read(range.from.row, height);
      const text = read.then((found) => new Blob([toCells(found)], { type: "text/plain" }));
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
      onTell(t("{rows} copied.", { rows: rowsText((await read).length) }));
    } catch (error) {
      onTell(new Error(t("Nothing is copied. {message}", { message: (error as Error).message }), { cause: error }));
    }
  }

  async function paste(event: ClipboardEvent): Promise<void> {
    if (isEditing || !onPaste) return;
    event.preventDefault();
    const table = parseTsv(event.clipboardData.getData("text/plain"));
    const isFilling = table.length === 1 && table[0]!.length === 1; // a single cell fills the whole selection
    const count = isFilling ? height : table.length;
    try {
      if (count > MOST_ROWS) throw new Error(t("{message} Paste fewer at a time.", { message: tooMany(count) }));
      if (count > MANY_ROWS) onTell(t("Pasting into {rows} …", { rows: rowsText(count) }));
      await onPaste(await changesOf(table, isFilling, count));
      onTell(null);
    } catch (error) {
      onTell(new Error(notPasted(error as Error), { cause: error }));
    }
  }

  /** The new values of each row. Throws an error that names each cell that cannot be written. */
  async function changesOf(
    table: readonly (readonly string[])[],
    isFilling: boolean,
    count: number,
  ): Promise<readonly RowChange[]> {
    const [first] = table;
    const below = await rows.read(range.from.row, count);
    const refused: string[] = [];
    const changes = Array.from({ length: count }, (_, index): RowChange | undefined => {
      const row = below[index];
      const values: Record<string, Value> = {};
      for (let beside = 0; beside < (isFilling ? width : first!.length); beside++) {
        const column = columns[range.from.column + beside]?.column;
        const text = isFilling ? first![0]! : table[index]![beside]!;
        try {
          if (!row) throw new Error(t("there is no such row."));
          if (!column) throw new Error(t("there is no such column."));
          if (!column.canUpdate) throw new Error(t("you may not write it."));
          values[column.name] = valueOf(column, text);
        } catch (error) {
          const key = row?.key ?? String(range.from.row + index + 1);
          const { message } = error as Error;
          refused.push(t("Row {key}, {columns}: {message}", { key, columns: column?.name ?? "…", message }));
        }
      }
      return row && { row, values };
    });
    if (refused.length > 0) throw new Error(refused.slice(0, MOST_TOLD).join(" ") + moreThan(refused.length));
    return changes.filter((change) => change !== undefined);
  }
  return { copy, paste };
}

function tooMany(count: number): string {
  return t("These are {rows}; at most {most} are possible at once.", {
    rows: rowsText(count),
    most: rowsText(MOST_ROWS),
  });
}

/** The most refused cells that the error names. */
const MOST_TOLD = 5;

function moreThan(count: number): string {
  return count > MOST_TOLD ? ` ${t("And {count} more.", { count: count - MOST_TOLD })}` : "";
}

/** The value of a text. An empty cell means null if the column accepts it, since text cannot express null. */
function valueOf(column: Column, text: string): Value {
  return text === "" && column.isNullable ? null : fromText(column, text);
}
