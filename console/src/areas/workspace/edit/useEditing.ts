/** Editing of one layer: its rows in view, their unsaved changes, and undo. */
import type Geometry from "ol/geom/Geometry.js";
import type OlMap from "ol/Map.js";
import { useMemo, useRef, useState } from "react";
import type { Row } from "../../../service/rows/rows.ts";
import { useStable } from "../../../ui/hooks/useStable.ts";
import type { Mode } from "./drawing.ts";
import type { EditedTable } from "./editRows.ts";
import {
  changed,
  editsOf,
  isNew,
  moved,
  newId,
  NO_PAST,
  withEdit,
  type Edits,
  type Past,
  type Shape,
} from "./edits.ts";
import { mergeRows, removeRows, splitRows } from "./rowChanges.ts";
import { isEditable, Places, typesOf } from "./shapes.ts";
import { useDrawing } from "./useDrawing.ts";
import { useEditedRows } from "./useEditedRows.ts";

export function useEditing(table: EditedTable, map: OlMap) {
  const { column } = table;
  const types = typesOf(column.sqlType);
  const places = useRef(new Places()).current;
  const [past, setPast] = useState<Past>(NO_PAST);
  const [picked, setChosen] = useState<readonly string[]>([]);
  const [mode, setMode] = useState<Mode>("choose");
  const [type, setType] = useState(types[0]!);
  const [error, setError] = useState<Error | null>(null);
  const edits = editsOf(past);
  const found = useEditedRows(table, map);
  const rowOf = (id: string): Row | undefined => edits.get(id)?.row ?? found.rows.find(({ key }) => key === id);
  const shapes = useMemo(() => shapesOf(found.rows, edits, column.name), [found.rows, edits, column.name]);
  const chosen = useMemo(() => picked.filter((id) => shapes.has(id)), [picked, shapes]);
  const apply = (next: Edits, what?: string): void => setPast(changed(past, next, what));
  const rows = { table, edits, chosen, shapes, rowOf };

  function attempt(work: () => Promise<Edits>, then: () => void): void {
    setError(null);
    work().then(
      (next) => {
        apply(next);
        then();
      },
      (thrown: unknown) => setError(thrown as Error),
    );
  }

  const events = useStable({
    onChoose(id: string | undefined, isMore: boolean) {
      if (id === undefined) return isMore ? undefined : setChosen([]);
      if (!isMore) return setChosen([id]);
      return setChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
    },
    onDrawn(geometry: Geometry) {
      const id = newId();
      apply(withEdit(edits, id, undefined, { shape: places.fromMap(geometry) }));
      setChosen([id]);
      setMode("reshape");
    },
    onMoved(geometries: ReadonlyMap<string, Geometry>) {
      let next = edits;
      for (const [id, geometry] of geometries)
        next = withEdit(next, id, rowOf(id), { shape: places.fromMap(geometry) });
      apply(next);
    },
    onBlade(blade: Geometry) {
      attempt(
        () => splitRows(rows, places.fromMap(blade)),
        () => setMode("choose"),
      );
    },
  });
  const press = useDrawing(map, { shapes, chosen, mode, type, places }, events);

  return {
    ...{ edits, chosen, rowOf, apply, setPast, press },
    ...{ mode, setMode, type, types, setType },
    hasMore: found.hasMore,
    readAgain: found.readAgain,
    error: error ?? found.error,
    setError,
    merge: () =>
      attempt(
        () => mergeRows(rows),
        () => setChosen(chosen.slice(0, 1)),
      ),
    remove: () => apply(removeRows(rows)),
    undo: past.at === 0 ? undefined : () => setPast(moved(past, -1)),
    redo: past.at === past.states.length - 1 ? undefined : () => setPast(moved(past, 1)),
    clear() {
      setPast(NO_PAST);
      setChosen(picked.filter((id) => !isNew(id)));
    },
  };
}

export type Editing = ReturnType<typeof useEditing>;

/** The shapes on the map: rows in view, and all changed rows. */
function shapesOf(rows: readonly Row[], edits: Edits, column: string): ReadonlyMap<string, Shape> {
  const shapes = new Map<string, Shape>();
  for (const { key, values } of rows) {
    const shape = values[column];
    if (key !== undefined && isEditable(shape)) shapes.set(key, shape);
  }
  for (const [id, { isRemoved, shape, row }] of edits) {
    const now = shape ?? row?.values[column];
    if (isRemoved) shapes.delete(id);
    else if (isEditable(now)) shapes.set(id, now);
  }
  return shapes;
}
