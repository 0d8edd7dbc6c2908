/** Where the keyboard is in a grid, and which cell is edited. */
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";

export interface Place {
  readonly row: number;
  readonly column: number;
}

export interface GridFocusOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly size: { readonly rows: number; readonly columns: number };
  /** In pixels. */
  readonly rowHeight: number;
  readonly mayEdit: (column: number) => boolean;
  /** Brings a place into sight. */
  readonly onShow: (place: Place) => void;
}

export interface GridFocus {
  /** The column of the cell that has it, of one row; undefined in all others. */
  inRow(row: number): number | undefined;
  editedInRow(row: number): number | undefined;
  /** The browser has put the focus there. */
  take(place: Place): void;
  edit(place: Place): void;
  /** Ends the edit, and puts the focus back to its cell. */
  leave(place: Place): void;
  onKeyDown(event: KeyboardEvent): void;
}

export function useGridFocus({ scroller, size, rowHeight, mayEdit, onShow }: GridFocusOptions): GridFocus {
  const [focus, setFocus] = useState<Place>({ row: 0, column: 0 });
  const [editing, setEditing] = useState<Place>();
  const wantsFocus = useRef(false);

  // the cell may be drawn only after it was scrolled to; an editor that was opened meanwhile keeps the focus
  useEffect(() => {
    if (!wantsFocus.current || editing) return;
    const place = scroller.current?.querySelector<HTMLElement>(`[data-place="${focus.row} ${focus.column}"]`);
    if (!place) return;
    wantsFocus.current = false;
    place.focus({ preventScroll: true });
  });

  function go(place: Place): void {
    const row = Math.max(0, Math.min(size.rows - 1, place.row));
    const column = Math.max(0, Math.min(size.columns - 1, place.column));
    setFocus({ row, column });
    onShow({ row, column });
    wantsFocus.current = true;
  }

  function edit(place: Place): void {
    wantsFocus.current = false;
    setEditing(place);
  }

  return {
    inRow: (row) => (focus.row === row ? focus.column : undefined),
    editedInRow: (row) => (editing?.row === row ? editing.column : undefined),
    take: setFocus,
    edit,
    leave(place) {
      setEditing(undefined);
      go(place);
    },
    onKeyDown(event) {
      if (editing) return;
      const page = Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1;
      const place = placeAfter(event.key, focus, { page, last: size.columns - 1 });
      if (place) go(place);
      else if (event.key === "Enter" && mayEdit(focus.column)) edit(focus);
      else return;
      event.preventDefault();
    },
  };
}

/** Undefined for a key that does not move. `page`: rows in sight; `last`: the last column. */
function placeAfter(
  key: string,
  { row, column }: Place,
  { page, last }: { readonly page: number; readonly last: number },
): Place | undefined {
  const places: Readonly<Record<string, Place>> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    PageDown: { row: row + page, column },
    PageUp: { row: row - page, column },
    Home: { row, column: 0 },
    End: { row, column: last },
  };
  return places[key];
}
