/** The focused cell of a grid, the selection that starts there, and the edited cell. */
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type RefObject } from "react";

export interface Place {
  readonly row: number;
  readonly column: number;
}

/** A rectangle of cells, given by two opposite corners inside it. */
export interface Range {
  readonly from: Place;
  readonly to: Place;
}

export interface GridFocusOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  /** `hasLast`: whether all rows are known. */
  readonly size: { readonly rows: number; readonly columns: number; readonly hasLast: boolean };
  /** The height in pixels. */
  readonly rowHeight: number;
  readonly mayEdit: (column: number) => boolean;
  /** Moves the focus to the last row. */
  readonly onLast: () => void;
  /** Toggles the selection of a row. */
  readonly onChoose: (row: number) => void;
  /** Scrolls to a place. */
  readonly onShow: (place: Place) => void;
}

export interface GridFocus {
  /** The column of the focused cell in a row; undefined in other rows. */
  inRow(row: number): number | undefined;
  editedInRow(row: number): number | undefined;
  /** The first and last selected column in a row; undefined where only the focused cell is selected. */
  markedInRow(row: number): readonly [first: number | undefined, last: number | undefined];
  /** The selection, which includes at least the focused cell. */
  readonly range: Range;
  readonly isEditing: boolean;
  /** Called when the browser has moved the focus there. */
  take(place: Place): void;
  edit(place: Place): void;
  /** Ends the edit, and puts the focus back to its cell. */
  leave(place: Place): void;
  onKeyDown(event: KeyboardEvent): void;
  /** Selects cells: Shift with a click up to the clicked cell, or dragging over cells. */
  onMouseDown(event: MouseEvent): void;
  onMouseOver(event: MouseEvent): void;
}

const NOTHING = [undefined, undefined] as const;

/** The cell of an event. */
function placeIn({ target }: MouseEvent): Place | undefined {
  const { place } = (target as Element).closest<HTMLElement>("[data-place]")?.dataset ?? {};
  const [row, column] = place?.split(" ").map(Number) ?? [];
  return row === undefined || column === undefined ? undefined : { row, column };
}

const isSame = (one: Place, other: Place): boolean => one.row === other.row && one.column === other.column;

export function useGridFocus(options: GridFocusOptions): GridFocus {
  const { scroller, size, rowHeight, mayEdit, onChoose, onShow } = options;
  const [focus, setFocus] = useState<Place>({ row: 0, column: 0 });
  const [editing, setEditing] = useState<Place>();
  /** The corner at which the selection began. The opposite one is the focus. */
  const [anchor, setAnchor] = useState<Place>();
  /** The cell that the focus shall go to. It may be newer than the rendering whose effects are running. */
  const wanted = useRef<Place>(undefined);

  // the cell may be drawn only after scrolling to it; an editor that was opened meanwhile keeps the focus
  useEffect(() => {
    if (!wanted.current || editing) return;
    const { row, column } = wanted.current;
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-place="${row} ${column}"]`);
    if (!cell) return;
    wanted.current = undefined;
    cell.focus({ preventScroll: true });
  });

  /** `isMarking`: whether the cells on the way are selected. */
  function go(place: Place, isMarking = false): void {
    setAnchor(isMarking ? (anchor ?? focus) : undefined);
    const row = Math.max(0, Math.min(size.rows - 1, place.row));
    const column = Math.max(0, Math.min(size.columns - 1, place.column));
    wanted.current = { row, column };
    setFocus({ row, column });
    onShow({ row, column });
  }

  const last = useLast({ ...options, go });

  function edit(place: Place): void {
    wanted.current = undefined;
    setEditing(place);
  }

  const other = anchor ?? focus;
  const range: Range = {
    from: { row: Math.min(focus.row, other.row), column: Math.min(focus.column, other.column) },
    to: { row: Math.max(focus.row, other.row), column: Math.max(focus.column, other.column) },
  };

  return {
    range,
    isEditing: editing !== undefined,
    markedInRow: (row) =>
      anchor && row >= range.from.row && row <= range.to.row ? [range.from.column, range.to.column] : NOTHING,
    inRow: (row) => (focus.row === row ? focus.column : undefined),
    editedInRow: (row) => (editing?.row === row ? editing.column : undefined),
    take(place) {
      wanted.current = undefined;
      if (isSame(place, focus)) return;
      setFocus(place);
      setAnchor(undefined);
    },
    edit,
    leave(place) {
      setEditing(undefined);
      go(place);
    },
    onKeyDown(event) {
      if (editing) return;
      if (last.isFor(event)) return event.preventDefault();
      const page = Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1;
      const place = placeAfter(event, focus, { page, end: { row: size.rows - 1, column: size.columns - 1 } });
      if (place) go(place, event.shiftKey);
      else if (isPressed(event.target)) return;
      else if (event.key === "Escape" && anchor) setAnchor(undefined);
      else if (event.key === "Enter" && mayEdit(focus.column)) edit(focus);
      else if (event.key === " ") onChoose(focus.row);
      else return;
      event.preventDefault();
    },
    onMouseDown(event) {
      const place = editing ? undefined : placeIn(event);
      if (!place || event.button !== 0) return;
      if (!event.shiftKey) return setAnchor(undefined);
      go(place, true);
      event.preventDefault();
    },
    onMouseOver(event) {
      const place = editing || event.buttons !== 1 ? undefined : placeIn(event);
      if (place && !isSame(place, focus)) go(place, true);
    },
  };
}

interface LastOptions extends Pick<GridFocusOptions, "size" | "onLast"> {
  readonly go: (place: Place, isMarking: boolean) => void;
}

/** Goes to the last cell, which may be known only after a request. */
function useLast({ size, onLast, go }: LastOptions) {
  const wanted = useRef<{ readonly isMarking: boolean }>(undefined);
  useEffect(() => {
    if (!wanted.current || !size.hasLast) return;
    const { isMarking } = wanted.current;
    wanted.current = undefined;
    go({ row: size.rows - 1, column: size.columns - 1 }, isMarking);
  });
  return {
    /** Whether the grid handles a key. Any other key has its usual effect. */
    isFor({ key, ctrlKey, shiftKey }: KeyboardEvent): boolean {
      const isAsked = ctrlKey && key === "End" && !size.hasLast;
      wanted.current = isAsked ? { isMarking: shiftKey } : undefined;
      if (isAsked) onLast();
      return isAsked;
    },
  };
}

/** Whether a key is meant for the focused element itself, such as a column title. */
function isPressed(target: EventTarget): boolean {
  return (target as Element).closest("button, input") !== null;
}

/**
 * The place after a key; undefined for a key that does not move. `page`: the number of visible rows; `end`: the last
 * row and column.
 */
function placeAfter(
  { key, ctrlKey }: Pick<KeyboardEvent, "key" | "ctrlKey">,
  { row, column }: Place,
  { page, end }: { readonly page: number; readonly end: Place },
): Place | undefined {
  const places: Readonly<Record<string, Place>> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    PageDown: { row: row + page, column },
    PageUp: { row: row - page, column },
    Home: { row: ctrlKey ? 0 : row, column: 0 },
    End: { row: ctrlKey ? end.row : row, column: end.column },
  };
  return places[key];
}
