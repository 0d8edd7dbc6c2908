/** Rows and columns; only what is in sight is drawn. Arrow keys go from cell to cell, Enter edits, Escape leaves as it was. */
import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { Column, Relation } from "../../service/relations.ts";
import type { Choice, Row, Value } from "../../service/rows.ts";
import { show } from "../../service/values.ts";
import { CellEditor } from "./CellEditor.tsx";
import { useGridFocus, type GridFocus } from "./gridFocus.ts";

const ROW_HEIGHT = 32;
const COLUMN_WIDTH = 176;
const SELECT_WIDTH = 40;
/** A longer text is cut in the cell; its editor has all of it. */
const LONGEST = 300;

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
  const focus = useGridFocus({
    scroller,
    size: { rows: rows.length, columns: columns.length },
    rowHeight: ROW_HEIGHT,
    mayEdit: (column) => onWrite !== undefined && columns[column]!.canUpdate,
    onShow({ row, column }) {
      vertical.scrollToIndex(row);
      horizontal.scrollToIndex(column);
    },
  });

  function toggle(row: Row): void {
    const next = new Map(selected);
    if (!next.delete(row.key!)) next.set(row.key!, row);
    onSelect(next);
  }

  const shown: Shown = { relation, columns: horizontal.getVirtualItems(), left: hasKey ? SELECT_WIDTH : 0 };
  return (
    <div
      ref={scroller}
      className="grid"
      role="grid"
      aria-label={`Rows of ${relation.type}`}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      onKeyDown={focus.onKeyDown}
    >
      <div
        role="rowgroup"
        className="rows"
        style={{ height: vertical.getTotalSize() + ROW_HEIGHT, width: horizontal.getTotalSize() + shown.left }}
      >
        <GridHeader {...shown} sort={sort} onSort={onSort} />
        {drawn.map(({ index, start }) => (
          <GridRow
            key={rows[index]!.key ?? index}
            {...shown}
            row={rows[index]!}
            index={index}
            top={start + ROW_HEIGHT}
            focus={focus}
            isSelected={rows[index]!.key !== undefined && selected.has(rows[index]!.key)}
            onToggle={toggle}
            onWrite={onWrite}
          />
        ))}
      </div>
    </div>
  );
}

/** The columns that are in sight. */
interface Shown {
  readonly relation: Relation;
  readonly columns: readonly VirtualItem[];
  /** What the boxes to choose rows take, in pixels. */
  readonly left: number;
}

function GridHeader({ relation, columns, left, sort, onSort }: Shown & Pick<GridProps, "sort" | "onSort">) {
  return (
    <div role="row" className="header" aria-rowindex={1}>
      {relation.hasKey && (
        <span role="columnheader" className="select">
          <span className="hidden">Chosen</span>
        </span>
      )}
      {columns.map(({ index, start }) => {
        const column = relation.columns[index]!;
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
  );
}

interface GridRowProps extends Shown, Pick<GridProps, "onWrite"> {
  readonly row: Row;
  readonly index: number;
  /** Where it stands, in pixels. */
  readonly top: number;
  readonly focus: GridFocus;
  readonly isSelected: boolean;
  readonly onToggle: (row: Row) => void;
}

function GridRow({ relation, columns, left, row, index, top, focus, isSelected, onToggle, onWrite }: GridRowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className="row"
      style={{ transform: `translateY(${top}px)` }}
    >
      {relation.hasKey && (
        <span role="gridcell" className="select">
          <input
            type="checkbox"
            aria-label={`Choose row ${row.key}`}
            checked={isSelected}
            onChange={() => onToggle(row)}
          />
        </span>
      )}
      {columns.map(({ index: column, start }) => {
        const { name } = relation.columns[column]!;
        const place = { row: index, column };
        return (
          <span
            key={name}
            role="gridcell"
            aria-colindex={column + 1}
            data-place={`${index} ${column}`}
            aria-readonly={!focus.mayEdit(column)}
            tabIndex={focus.isAt(place) ? 0 : -1}
            className={row.values[name] === null ? "cell null" : "cell"}
            style={{ left: start + left, width: COLUMN_WIDTH }}
            onFocus={() => focus.take(place)}
            onDoubleClick={() => focus.mayEdit(column) && focus.edit(place)}
          >
            {focus.isEdited(place) && onWrite ? (
              <CellEditor
                relation={relation}
                row={row}
                column={relation.columns[column]!}
                onSave={(next) => onWrite(row, relation.columns[column]!, next)}
                onClose={() => focus.leave(place)}
              />
            ) : (
              textOf(row.values[name])
            )}
          </span>
        );
      })}
    </div>
  );
}

function textOf(value: Value | undefined): string {
  return value === null || value === undefined ? "null" : show(value).slice(0, LONGEST);
}
