/**
 * Rows and columns, of which only the visible ones are drawn. Arrow keys move between cells, Enter edits, Escape
 * cancels the edit.
 */
import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import { useCallback, useEffect, useMemo, useRef, useState, type PointerEvent, type RefObject } from "react";
import { arrange, NARROWEST, WIDEST, type Look, type ShownColumn } from "../../service/rows/look.ts";
import type { Column, Relation } from "../../service/rows/relations.ts";
import type { Choice, Row, Value } from "../../service/rows/rows.ts";
import type { Rows } from "../../service/rows/useRows.ts";
import type { RowChange } from "../../service/rows/writeCells.ts";
import { useStable } from "../hooks/useStable.ts";
import { GridHeader, GridRow, type Shown, type Titles } from "./GridRow.tsx";
import { useGridFocus } from "./gridFocus.ts";
import { useClipboard } from "./useClipboard.ts";
import type { Told } from "./ToldNote.tsx";
import { useNaturalWidths } from "./naturalWidths.ts";
import { useSight } from "./useSight.ts";
import { t } from "../../words/words.ts";

const ROW_HEIGHT = 32;
/** The height of the header, with the names of columns and their types below. */
const HEADER_HEIGHT = 44;
const SELECT_WIDTH = 40;

export interface GridProps {
  readonly relation: Relation;
  readonly rows: Rows;
  readonly look?: Look | undefined;
  /** Left out where the columns cannot be changed. */
  readonly onLook?: (look: Look) => void;
  readonly sort: Choice["sort"];
  readonly onSort: (column: string) => void;
  readonly selected: ReadonlyMap<string, Row>;
  readonly onSelect: (rows: ReadonlyMap<string, Row>) => void;
  /** Undefined where nothing may be written. Rejects with the error to show. */
  readonly onWrite: ((row: Row, column: Column, value: Value) => Promise<void>) | undefined;
  /** The keys of rows that were just written. */
  readonly written?: ReadonlySet<string>;
  /** Left out where nothing may be written. Rejects with the error to show. */
  readonly onPaste?: ((changes: readonly RowChange[]) => Promise<void>) | undefined;
  /** Called with messages about copying and pasting. */
  readonly onTell: (told: Told) => void;
  /** The key of a row to scroll to. */
  readonly found?: string | undefined;
  /** The names of the rows that foreign keys refer to. */
  readonly titles?: Titles | undefined;
  /** Called with the indexes of the visible rows. */
  readonly onSight: (first: number, last: number) => void;
}

export function Grid(props: GridProps) {
  const { relation, rows, sort, onSort, selected, onSelect, onWrite, written, found, onSight, onTell } = props;
  const left = relation.hasKey ? SELECT_WIDTH : 0;
  const scroller = useRef<HTMLDivElement>(null);
  const { columns, resized } = useColumns(props, scroller);
  const sight = useSight({ scroller, rowHeight: ROW_HEIGHT, headerHeight: HEADER_HEIGHT, count: rows.length });
  const horizontal = useHorizontal(scroller, columns, left);
  useEffect(() => {
    const place = found === undefined ? -1 : rows.indexOf(found);
    if (place >= 0) sight.scrollTo(place);
  }, [found]);
  useEffect(() => onSight(sight.first, sight.last), [sight.first, sight.last, rows.length, onSight]);
  const focus = useGridFocus({
    scroller,
    size: { rows: rows.length, columns: columns.length, hasLast: rows.hasLast },
    rowHeight: ROW_HEIGHT,
    mayEdit: (column) => onWrite !== undefined && columns[column]!.column.canUpdate,
    onLast: () => void rows.toLast().catch(onTell),
    onChoose: (place) => onSelect(toggled(selected, rows.at(place))),
    onShow({ row, column }) {
      sight.scrollTo(row);
      horizontal.scrollToIndex(column);
    },
  });
  const clipboard = useClipboard({ ...props, columns, range: focus.range, isEditing: focus.isEditing });
  const actions = useStable({
    toggle: (row: Row) => onSelect(toggled(selected, row)),
    take: focus.take,
    edit: focus.edit,
    leave: focus.leave,
    write: (row: Row, column: Column, value: Value) => onWrite!(row, column, value),
  });

  const shown: Shown = { relation, columns, drawn: horizontal.getVirtualItems(), left, titles: props.titles };
  return (
    <div
      ref={scroller}
      className="grid"
      role="grid"
      aria-label={t("Rows of {table}", { table: relation.table })}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-multiselectable
      onKeyDown={focus.onKeyDown}
      onMouseDown={focus.onMouseDown}
      onMouseOver={focus.onMouseOver}
      onCopy={clipboard.copy}
      onPaste={(event) => void clipboard.paste(event)}
    >
      <div role="rowgroup" className="rows" style={{ height: sight.height, width: horizontal.getTotalSize() + left }}>
        <GridHeader {...shown} sort={sort} onSort={onSort} onResize={resized} />
        {sight.drawn.map((index) => {
          const row = rows.at(index);
          const [firstMarked, lastMarked] = focus.markedInRow(index);
          return (
            <GridRow
              key={index}
              {...shown}
              row={row}
              index={index}
              top={sight.topOf(index)}
              mayWrite={onWrite !== undefined}
              focused={focus.inRow(index)}
              firstMarked={firstMarked}
              lastMarked={lastMarked}
              edited={focus.editedInRow(index)}
              isWritten={row?.key !== undefined && written?.has(row.key) === true}
              isSelected={row?.key !== undefined && selected.has(row.key)}
              actions={actions}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The selection after toggling a row. A row that is not loaded, or has no key, cannot be selected. */
function toggled(selected: ReadonlyMap<string, Row>, row: Row | undefined): ReadonlyMap<string, Row> {
  const next = new Map(selected);
  if (row?.key !== undefined && !next.delete(row.key)) next.set(row.key, row);
  return next;
}

/** The visible columns. Pinned ones are always visible. */
function useHorizontal(scroller: RefObject<HTMLElement | null>, columns: readonly ShownColumn[], left: number) {
  const pinned = useMemo(() => columns.filter(({ isPinned }) => isPinned), [columns]);
  // a stable function, because a new one would draw every row again
  const rangeExtractor = useCallback(
    (range: Range) => [...new Set([...pinned.keys(), ...defaultRangeExtractor(range)])],
    [pinned],
  );
  const horizontal = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => columns[index]!.width,
    overscan: 3,
    scrollPaddingStart: left + pinned.reduce((sum, { width }) => sum + width, 0),
    rangeExtractor,
  });
  useEffect(() => horizontal.measure(), [columns, horizontal]);
  return horizontal;
}

/** The columns as shown, and the handlers that change a width with the pointer. */
function useColumns({ relation, rows, look, onLook }: GridProps, scroller: RefObject<HTMLElement | null>) {
  const natural = useNaturalWidths(relation, rows, scroller);
  /** The width while the pointer is down. */
  const [resizing, setResizing] = useState<{ readonly name: string; readonly width: number }>();
  const columns = useMemo(
    () =>
      arrange(
        relation.columns,
        resizing ? { ...look, widths: { ...look?.widths, [resizing.name]: resizing.width } } : look,
        natural,
      ),
    [relation.columns, look, resizing, natural],
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
