/** Copies what is marked in a grid, and pastes over it. */
import type { ClipboardEvent } from "react";
import type { ShownColumn } from "../../service/look.ts";
import type { Column } from "../../service/relations.ts";
import type { Value } from "../../service/rows.ts";
import type { Rows } from "../../service/useRows.ts";
import type { RowChange } from "../../service/writeCells.ts";
import { fromText, toText } from "../../service/values.ts";
import { parseTsv, toTsv } from "./clipboard.ts";
import type { Range } from "./gridFocus.ts";

export interface ClipboardOptions {
  readonly columns: readonly ShownColumn[];
  readonly rows: Rows;
  readonly range: Range;
  readonly isEditing: boolean;
  /** Undefined where nothing may be written. Rejects with what to tell. */
  readonly onPaste?: ((changes: readonly RowChange[]) => Promise<void>) | undefined;
  /** Null: it went well. */
  readonly onProblem: (problem: Error | null) => void;
}

export function useClipboard({ columns, rows, range, isEditing, onPaste, onProblem }: ClipboardOptions) {
  const height = range.to.row - range.from.row + 1;
  const width = range.to.column - range.from.column + 1;

  function copy(event: ClipboardEvent): void {
    if (isEditing) return;
    event.preventDefault();
    const marked = columns.slice(range.from.column, range.to.column + 1);
    const read = Array.from({ length: height }, (_, index) => rows.at(range.from.row + index));
    if (read.includes(undefined))
      return onProblem(new Error("Nothing is copied: these are more rows than are read at once. Mark fewer."));
    event.clipboardData.setData(
      "text/plain",
      toTsv(read.map((row) => marked.map(({ column }) => toText(row!.values[column.name])))),
    );
    onProblem(null);
  }

  async function paste(event: ClipboardEvent): Promise<void> {
    if (isEditing || !onPaste) return;
    event.preventDefault();
    const table = parseTsv(event.clipboardData.getData("text/plain"));
    try {
      await onPaste(await changesOf(table));
      onProblem(null);
    } catch (error) {
      onProblem(new Error(`Nothing is pasted. ${(error as Error).message}`, { cause: error }));
    }
  }

  /** What each row becomes; one cell fills all that are marked. Throws, and names each cell that cannot be written. */
  async function changesOf(table: readonly (readonly string[])[]): Promise<readonly RowChange[]> {
    const [first] = table;
    const isFilling = table.length === 1 && first!.length === 1;
    const count = isFilling ? height : table.length;
    const below = await rows.read(range.from.row, count);
    const refused: string[] = [];
    const changes = Array.from({ length: count }, (_, index): RowChange | undefined => {
      const row = below[index];
      const values: Record<string, Value> = {};
      for (let beside = 0; beside < (isFilling ? width : first!.length); beside++) {
        const column = columns[range.from.column + beside]?.column;
        const text = isFilling ? first![0]! : table[index]![beside]!;
        try {
          if (!row) throw new Error("there is no such row.");
          if (!column) throw new Error("there is no such column.");
          if (!column.canUpdate) throw new Error("you may not write it.");
          values[column.name] = valueOf(column, text);
        } catch (error) {
          refused.push(
            `Row ${row?.key ?? range.from.row + index + 1}, ${column?.name ?? "…"}: ${(error as Error).message}`,
          );
        }
      }
      return row && { row, values };
    });
    if (refused.length > 0) throw new Error(refused.slice(0, MOST_TOLD).join(" ") + moreThan(refused.length));
    return changes.filter((change) => change !== undefined);
  }
  return { copy, paste };
}

/** More of the cells that are refused are not told. */
const MOST_TOLD = 5;

function moreThan(count: number): string {
  return count > MOST_TOLD ? ` And ${count - MOST_TOLD} more.` : "";
}

/** Text has no word for null: an empty cell is that where the column takes it. */
function valueOf(column: Column, text: string): Value {
  return text === "" && column.isNullable ? null : fromText(column, text);
}
