/** Rows and columns; only what is in sight is drawn. Arrow keys go from cell to cell, Enter edits, Escape leaves as it was. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import type { Column, Relation } from "../../service/relations.ts";
import type { Choice, Row, Value } from "../../service/rows.ts";
import { show } from "../../service/values.ts";
import { CellEditor } from "./CellEditor.tsx";

const ROW_HEIGHT = 32;
const COLUMN_WIDTH = 176;
const SELECT_WIDTH = 40;
/** A longer text is cut in the cell; its editor has all of it. */
const LONGEST = 300;

interface Place {
  readonly row: number;
  readonly column: number;
}

export interface GridProps {
  readonly relation: Relation;
  readonly rows: readonly Row[];
  readonly sort: Choice["sort"];
  readonly onSort: (column: string) => void;
  readonly selected: ReadonlyMap<string, Row>;
  readonly onSelect: (rows: ReadonlyMap<string, Row>) => void;
  /** Undefined where nothing may be written. Rejects with what to tell. */
  readonly onWrite: ((row: Row, column: Column, value: Value) => Promise<void>) | undefined;
  /** The last rows are in sight. */
  readonly onEnd: () => void;
}

export function Grid({ relation, rows, sort, onSort, selected, onSelect, onWrite, onEnd }: GridProps) {
  const { columns, hasKey } = relation;
  const scroller = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState<Place>({ row: 0, column: 0 });
  const [editing, setEditing] = useState<Place>();
  const wantsFocus = useRef(false);
  const vertical = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const horizontal = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => COLUMN_WIDTH,
    overscan: 3,
  });
  const drawn = vertical.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 30) onEnd();
  }, [last, rows.length, onEnd]);

  const left = hasKey ? SELECT_WIDTH : 0;

  function go(place: Place): void {
    const row = Math.max(0, Math.min(rows.length - 1, place.row));
    const column = Math.max(0, Math.min(columns.length - 1, place.column));
    setFocus({ row, column });
    vertical.scrollToIndex(row);
    horizontal.scrollToIndex(column);
    wantsFocus.current = true;
  }

  // the cell may be drawn only after it was scrolled to; an editor that was opened meanwhile keeps the focus
  useEffect(() => {
    if (!wantsFocus.current || editing) return;
    const place = scroller.current?.querySelector<HTMLElement>(`[data-place="${focus.row} ${focus.column}"]`);
    if (!place) return;
    wantsFocus.current = false;
    place.focus({ preventScroll: true });
  });

  function onKeyDown(event: KeyboardEvent): void {
    if (editing) return;
    const { row, column } = focus;
    const page = Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1;
    const places: Readonly<Record<string, Place>> = {
      ArrowDown: { row: row + 1, column },
      ArrowUp: { row: row - 1, column },
      ArrowRight: { row, column: column + 1 },
      ArrowLeft: { row, column: column - 1 },
      PageDown: { row: row + page, column },
      PageUp: { row: row - page, column },
      Home: { row, column: 0 },
      End: { row, column: columns.length - 1 },
    };
    const place = places[event.key];
    if (place) go(place);
    else if (event.key === "Enter" && mayEdit(column)) edit(focus);
    else return;
    event.preventDefault();
  }

  function mayEdit(column: number): boolean {
    return onWrite !== undefined && columns[column]!.canUpdate;
  }

  function edit(place: Place): void {
    wantsFocus.current = false;
    setEditing(place);
  }

  function toggle(row: Row): void {
    const next = new Map(selected);
    if (!next.delete(row.key!)) next.set(row.key!, row);
    onSelect(next);
  }

  return (
    <div
      ref={scroller}
      className="grid"
      role="grid"
      aria-label={`Rows of ${relation.type}`}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      onKeyDown={onKeyDown}
    >
      <div
        role="rowgroup"
        className="rows"
        style={{ height: vertical.getTotalSize() + ROW_HEIGHT, width: horizontal.getTotalSize() + left }}
      >
        <div role="row" className="header" aria-rowindex={1}>
          {hasKey && (
            <span role="columnheader" className="select">
              <span className="hidden">Chosen</span>
            </span>
          )}
          {horizontal.getVirtualItems().map(({ index, start }) => {
            const column = columns[index]!;
            const direction = sort?.column === column.name ? sort.direction : undefined;
            return (
              <span
                key={column.name}
                role="columnheader"
                aria-colindex={index + 1}
                aria-sort={direction === "asc" ? "ascending" : direction === "desc" ? "descending" : "none"}
                className="cell"
                style={{ left: start + left, width: COLUMN_WIDTH }}
                title={[column.type, column.description].filter(Boolean).join(": ")}
              >
                <button type="button" className="plain" onClick={() => onSort(column.name)}>
                  {column.name} {direction === "asc" ? "↑" : direction === "desc" ? "↓" : ""}
                </button>
              </span>
            );
          })}
        </div>
        {drawn.map(({ index: rowIndex, start: top }) => {
          const row = rows[rowIndex]!;
          return (
            <div
              key={row.key ?? rowIndex}
              role="row"
              aria-rowindex={rowIndex + 2}
              aria-selected={row.key !== undefined && selected.has(row.key)}
              className="row"
              style={{ transform: `translateY(${top + ROW_HEIGHT}px)` }}
            >
              {hasKey && (
                <span role="gridcell" className="select">
                  <input
                    type="checkbox"
                    aria-label={`Choose row ${row.key}`}
                    checked={selected.has(row.key!)}
                    onChange={() => toggle(row)}
                  />
                </span>
              )}
              {horizontal.getVirtualItems().map(({ index, start }) => {
                const column = columns[index]!;
                const value = row.values[column.name];
                const isEdited = editing?.row === rowIndex && editing.column === index;
                const hasFocus = focus.row === rowIndex && focus.column === index;
                return (
                  <span
                    key={column.name}
                    role="gridcell"
                    aria-colindex={index + 1}
                    data-place={`${rowIndex} ${index}`}
                    aria-readonly={!mayEdit(index)}
                    tabIndex={hasFocus ? 0 : -1}
                    className={value === null ? "cell null" : "cell"}
                    style={{ left: start + left, width: COLUMN_WIDTH }}
                    onFocus={() => setFocus({ row: rowIndex, column: index })}
                    onDoubleClick={() => mayEdit(index) && edit({ row: rowIndex, column: index })}
                  >
                    {isEdited && onWrite ? (
                      <CellEditor
                        column={column}
                        value={value}
                        onSave={(next) => onWrite(row, column, next)}
                        onClose={() => {
                          setEditing(undefined);
                          go({ row: rowIndex, column: index });
                        }}
                      />
                    ) : value === null || value === undefined ? (
                      "null"
                    ) : (
                      show(value).slice(0, LONGEST)
                    )}
                  </span>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}
