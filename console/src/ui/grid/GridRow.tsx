/** A row of the grid, and its header. Scrolling does not redraw unchanged rows. */
import { shortType } from "../../service/rows/shortType.ts";
import type { VirtualItem } from "@tanstack/react-virtual";
import { memo, type PointerEvent } from "react";
import type { ShownColumn } from "../../service/rows/look.ts";
import type { Column, Relation } from "../../service/rows/relations.ts";
import type { Choice, Row, Value } from "../../service/rows/rows.ts";
import { emptyText, isNumber, show } from "../../service/rows/values.ts";
import { CellEditor } from "./CellEditor.tsx";
import type { Place } from "./gridFocus.ts";
import { t } from "../../words/words.ts";

/** The most characters in a cell. Its editor has the whole text. */
const LONGEST = 300;

/** The columns, and which of them are visible. */
export interface Shown {
  readonly relation: Relation;
  readonly columns: readonly ShownColumn[];
  readonly drawn: readonly VirtualItem[];
  /** The width of the column with check boxes, in pixels. */
  readonly left: number;
  readonly titles: Titles | undefined;
}

/** For each column with a foreign key: the names of the referenced rows, by the column's values as texts. */
export type Titles = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The position of a cell. Pinned cells stay at the left. */
function placeOf({ index, start, size }: VirtualItem, { columns, left }: Pick<Shown, "columns" | "left">) {
  return {
    className: ["cell", columns[index]!.isPinned && "pinned", isNumber(columns[index]!.column) && "number"]
      .filter(Boolean)
      .join(" "),
    style: { left: start + left, width: size },
  };
}

export interface GridHeaderProps extends Shown {
  readonly sort: Choice["sort"];
  readonly onSort: (column: string) => void;
  /** Undefined where the columns cannot be changed. */
  readonly onResize: ((name: string, event: PointerEvent) => void) | undefined;
}

export function GridHeader({ sort, onSort, onResize, ...shown }: GridHeaderProps) {
  const { relation, columns, drawn } = shown;
  return (
    <div role="row" className="header" aria-rowindex={1}>
      {relation.hasKey && (
        <span role="columnheader" className="select">
          <span className="hidden">{t("Chosen")}</span>
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
            title={column.description}
          >
            <button
              type="button"
              className="plain"
              title={kindOf(column, relation)}
              onClick={() => onSort(column.name)}
            >
              {column.name} {direction === "asc" ? "↑" : direction === "desc" ? "↓" : ""}
              <small aria-hidden>{marksOf(column, relation)}</small>
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

/** The type of a column with its key marks, as shown above each column. */
export function marksOf(column: Column, { key }: Pick<Relation, "key">): string {
  return [key.includes(column) && "PK", column.reference && "FK", shortType(column.sqlType)].filter(Boolean).join(" ");
}

/** The same as a phrase. */
function kindOf(column: Column, { key }: Relation): string {
  const { reference, sqlType } = column;
  return [
    shortType(sqlType),
    key.includes(column) && t("primary key"),
    reference && t("foreign key to {schema}.{table}", { schema: reference.schema, table: reference.table }),
  ]
    .filter(Boolean)
    .join(", ");
}

/** Callbacks of the cells of a row. They are the same functions for all rows. */
export interface RowActions {
  readonly toggle: (row: Row) => void;
  /** Called when the browser has moved the focus there. */
  readonly take: (place: Place) => void;
  readonly edit: (place: Place) => void;
  /** Ends the edit. */
  readonly leave: (place: Place) => void;
  /** Rejects with the error to show. */
  readonly write: (row: Row, column: Column, value: Value) => Promise<void>;
}

export interface GridRowProps extends Shown {
  /** Undefined until it is loaded. */
  readonly row: Row | undefined;
  readonly index: number;
  /** Its vertical position in pixels. */
  readonly top: number;
  readonly mayWrite: boolean;
  /** The columns of its cells with the focus and the editor. */
  readonly focused: number | undefined;
  readonly edited: number | undefined;
  /** The first and last selected column; undefined where none is. */
  readonly firstMarked: number | undefined;
  readonly lastMarked: number | undefined;
  readonly isSelected: boolean;
  /** Whether somebody has just written it. */
  readonly isWritten: boolean;
  readonly actions: RowActions;
}

export const GridRow = memo(function GridRow({
  row,
  index,
  top,
  isSelected,
  isWritten,
  actions,
  ...cells
}: GridRowProps) {
  const { relation, drawn } = cells;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-busy={row === undefined}
      className={isWritten ? "row written" : "row"}
      style={{ transform: `translateY(${top}px)` }}
    >
      {relation.hasKey && (
        <span role="gridcell" className="select">
          {row && (
            <input
              type="checkbox"
              tabIndex={cells.focused === undefined ? -1 : 0} // only one of the rows is in the tab order
              aria-label={t("Choose row {key}", { key: row.key })}
              checked={isSelected}
              onChange={() => actions.toggle(row)}
            />
          )}
        </span>
      )}
      {drawn.map((item) => (
        <GridCell key={item.key} {...cells} row={row} index={index} item={item} actions={actions} />
      ))}
    </div>
  );
});

interface GridCellProps extends Omit<GridRowProps, "top" | "isSelected" | "isWritten" | "drawn"> {
  readonly item: VirtualItem;
}

function GridCell({ row, index, item, mayWrite, focused, edited, actions, ...shown }: GridCellProps) {
  const { firstMarked, lastMarked } = shown;
  const isMarked = firstMarked !== undefined && item.index >= firstMarked && item.index <= lastMarked!;
  const { column } = shown.columns[item.index]!;
  const value = row?.values[column.name];
  const title = shown.titles?.get(column.name)?.get(String(value));
  const place = { row: index, column: item.index };
  const mayEdit = mayWrite && column.canUpdate && row !== undefined;
  const { className, style } = placeOf(item, shown);
  return (
    <span
      role="gridcell"
      aria-colindex={item.index + 1}
      data-place={`${index} ${item.index}`}
      aria-readonly={!mayEdit}
      aria-selected={isMarked}
      tabIndex={focused === item.index ? 0 : -1}
      className={value === null ? `${className} null` : className}
      style={style}
      onFocus={() => actions.take(place)}
      onDoubleClick={() => mayEdit && actions.edit(place)}
    >
      {edited === item.index && row ? (
        <CellEditor
          relation={shown.relation}
          row={row}
          column={column}
          onSave={(begun, next) => actions.write(begun, column, next)}
          onClose={() => actions.leave(place)}
        />
      ) : (
        row && textOf(value, row, column)
      )}
      {edited !== item.index && title !== undefined && <span className="quiet"> {title}</span>}
    </span>
  );
}

function textOf(value: Value | undefined, row: Row, { name }: Column): string {
  return value === null || value === undefined ? emptyText(row, name) : show(value).slice(0, LONGEST);
}
