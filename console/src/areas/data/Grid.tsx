/** Rows and columns; only what is in sight is drawn. Arrow keys go from cell to cell, Enter edits, Escape leaves as it was. */
import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState, type PointerEvent } from "react";
import { arrange, NARROWEST, WIDEST, type Look, type ShownColumn } from "../../service/look.ts";
import type { Column, Relation } from "../../service/relations.ts";
import type { Choice, Row, Value } from "../../service/rows.ts";
import { show } from "../../service/values.ts";
import { CellEditor } from "./CellEditor.tsx";
import { useGridFocus, type GridFocus } from "./gridFocus.ts";

const ROW_HEIGHT = 32;
const SELECT_WIDTH = 40;
/** A longer text is cut in the cell; its editor has all of it. */
const LONGEST = 300;

export interface GridProps {
  readonly relation: Relation;
  readonly rows: readonly Row[];
  readonly look?: Look | undefined;
  /** Left out where columns stay as they are. */
  readonly onLook?: (look: Look) => void;
  readonly sort: Choice["sort"];
  readonly onSort: (column: string) => void;
  readonly selected: ReadonlyMap<string, Row>;
  readonly onSelect: (rows: ReadonlyMap<string, Row>) => void;
  /** Undefined where nothing may be written. Rejects with what to tell. */
  readonly onWrite: ((row: Row, column: Column, value: Value) => Promise<void>) | undefined;
  /** The key of a row to bring into sight. */
  readonly found?: string | undefined;
  /** The last rows are in sight. */
  readonly onEnd: () => void;
}

export function Grid(props: GridProps) {
  const { relation, rows, sort, onSort, selected, onSelect, onWrite, found, onEnd } = props;
  const left = relation.hasKey ? SELECT_WIDTH : 0;
  const { columns, resized } = useColumns(props);
  const pinned = columns.filter(({ isPinned }) => isPinned);
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
    estimateSize: (index) => columns[index]!.width,
    overscan: 3,
    scrollPaddingStart: left + pinned.reduce((sum, { width }) => sum + width, 0),
    rangeExtractor: (range) => [...new Set([...pinned.keys(), ...defaultRangeExtractor(range)])],
  });
  useEffect(() => horizontal.measure(), [columns, horizontal]);
  useEffect(() => {
    const place = found === undefined ? -1 : rows.findIndex(({ key }) => key === found);
    if (place >= 0) vertical.scrollToIndex(place);
  }, [found]);
  const drawn = vertical.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 30) onEnd();
  }, [last, rows.length, onEnd]);
  const focus = useGridFocus({
    scroller,
    size: { rows: rows.length, columns: columns.length },
    rowHeight: ROW_HEIGHT,
    mayEdit: (column) => onWrite !== undefined && columns[column]!.column.canUpdate,
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

  const shown: Shown = { relation, columns, drawn: horizontal.getVirtualItems(), left };
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
        <GridHeader {...shown} sort={sort} onSort={onSort} onResize={resized} />
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

/** The columns as they are shown, and what changes the width of one with the pointer. */
function useColumns({ relation, look, onLook }: Pick<GridProps, "relation" | "look" | "onLook">) {
  /** While the pointer is down. */
  const [resizing, setResizing] = useState<{ readonly name: string; readonly width: number }>();
  const columns = useMemo(
    () =>
      arrange(
        relation.columns,
        resizing ? { ...look, widths: { ...look?.widths, [resizing.name]: resizing.width } } : look,
      ),
    [relation.columns, look, resizing],
  );

  function resize(name: string, event: PointerEvent): void {
    const handle = event.currentTarget;
    const begin = event.clientX - columns.find(({ column }) => column.name === name)!.width;
    const widthAt = ({ clientX }: { readonly clientX: number }): number =>
      Math.round(Math.min(WIDEST, Math.max(NARROWEST, clientX - begin)));
    const ended = new AbortController();
    const listening = { signal: ended.signal };
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener(
      "pointermove",
      (moved) => setResizing({ name, width: widthAt(moved as globalThis.PointerEvent) }),
      listening,
    );
    handle.addEventListener(
      "lostpointercapture",
      (last) => {
        ended.abort();
        setResizing(undefined);
        onLook!({ ...look, widths: { ...look?.widths, [name]: widthAt(last as globalThis.PointerEvent) } });
      },
      listening,
    );
  }
  return { columns, resized: onLook && resize };
}

/** The columns, and which of them are in sight. */
interface Shown {
  readonly relation: Relation;
  readonly columns: readonly ShownColumn[];
  readonly drawn: readonly VirtualItem[];
  /** What the boxes to choose rows take, in pixels. */
  readonly left: number;
}

/** Where a cell stands: pinned ones stay at the left. */
function placeOf({ index, start, size }: VirtualItem, { columns, left }: Shown) {
  return {
    className: columns[index]!.isPinned ? "cell pinned" : "cell",
    style: { left: start + left, width: size },
  };
}

interface GridHeaderProps extends Shown, Pick<GridProps, "sort" | "onSort"> {
  readonly onResize: ((name: string, event: PointerEvent) => void) | undefined;
}

function GridHeader({ sort, onSort, onResize, ...shown }: GridHeaderProps) {
  const { relation, columns, drawn } = shown;
  return (
    <div role="row" className="header" aria-rowindex={1}>
      {relation.hasKey && (
        <span role="columnheader" className="select">
          <span className="hidden">Chosen</span>
        </span>
      )}
      {drawn.map((item) => {
        const { index } = item;
        const { column } = columns[index]!;
        const direction = sort?.column === column.name ? sort.direction : undefined;
        return (
          <span
            key={column.name}
            role="columnheader"
            aria-colindex={index + 1}
            aria-sort={direction === "asc" ? "ascending" : direction === "desc" ? "descending" : "none"}
            {...placeOf(item, shown)}
            title={[column.type, column.description].filter(Boolean).join(": ")}
          >
            <button type="button" className="plain" onClick={() => onSort(column.name)}>
              {column.name} {direction === "asc" ? "↑" : direction === "desc" ? "↓" : ""}
            </button>
            {onResize && (
              <span className="resize" aria-hidden onPointerDown={(event) => onResize(column.name, event)} />
            )}
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

function GridRow({ row, index, top, focus, isSelected, onToggle, onWrite, ...shown }: GridRowProps) {
  const { relation, columns, drawn } = shown;
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
      {drawn.map((item) => {
        const { column } = columns[item.index]!;
        const { name } = column;
        const place = { row: index, column: item.index };
        const { className, style } = placeOf(item, shown);
        return (
          <span
            key={name}
            role="gridcell"
            aria-colindex={item.index + 1}
            data-place={`${index} ${item.index}`}
            aria-readonly={!focus.mayEdit(item.index)}
            tabIndex={focus.isAt(place) ? 0 : -1}
            className={row.values[name] === null ? `${className} null` : className}
            style={style}
            onFocus={() => focus.take(place)}
            onDoubleClick={() => focus.mayEdit(item.index) && focus.edit(place)}
          >
            {focus.isEdited(place) && onWrite ? (
              <CellEditor
                relation={relation}
                row={row}
                column={column}
                onSave={(next) => onWrite(row, column, next)}
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
