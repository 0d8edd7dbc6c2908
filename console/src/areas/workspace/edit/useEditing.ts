/** Editing of one layer: its rows in view, their unsaved changes, and undo. */
import type Geometry from "ol/geom/Geometry.js";
import type OlMap from "ol/Map.js";
import { useEffect, useMemo, useRef, useState } from "react";
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
  NO_EDITS,
  pastOf,
  withEdit,
  type Edits,
  type Past,
  type Shape,
} from "./edits.ts";
import { keepEdits, keptEdits, type Sent } from "./keptEdits.ts";
import { mergeRows, removeRows, splitRows } from "./rowChanges.ts";
import { isEditable, Places, typesOf } from "./shapes.ts";
import { useDrawing } from "./useDrawing.ts";
import { useEditedRows } from "./useEditedRows.ts";

const NONE: readonly string[] = [];

export function useEditing(table: EditedTable, map: OlMap) {
  const { column, relation } = table;
  const types = typesOf(column.sqlType);
  const places = useRef(new Places()).current;
  const { past, setPast, sent, setSent } = useKeptEdits(`${relation.schema}.${relation.table}`);
  const [picked, setChosen] = useState<readonly string[]>([]);
  const [others, setOthers] = useState(NONE);
  /** Whether each choice adds a shape or takes one away, as with Shift. */
  const [isSeveral, setIsSeveral] = useState(false);
  const [wanted, setMode] = useState<Mode>("choose");
  const [type, setType] = useState(types[0]!);
  const edits = editsOf(past);
  const found = useEditedRows(table, map);
  const rowOf = (id: string): Row | undefined => edits.get(id)?.row ?? found.rows.find(({ key }) => key === id);
  const shapes = useMemo(() => shapesOf(found.rows, edits, column.name), [found.rows, edits, column.name]);
  const chosen = useMemo(() => picked.filter((id) => shapes.has(id)), [picked, shapes]);
  /** Whether a chosen shape would change by being edited here. */
  const isUnfaithful = chosen.some((id) => found.unfaithful.has(id));
  const mode = isUnfaithful && wanted !== "draw" ? "choose" : wanted;
  const apply = (next: Edits, what?: string): void => setPast(changed(past, next, what));
  const { error, setError, attempt } = useShapeTools(apply);
  const rows = { table, edits, chosen, shapes, rowOf };

  function restart(left: Edits): void {
    setSent(undefined);
    setPast(pastOf(left));
    setChosen(picked.filter((id) => !isNew(id) || left.has(id)));
  }

  const events = useStable({
    onChoose(ids: readonly string[], isShifted: boolean) {
      const isMore = isShifted || (isSeveral && mode === "choose");
      const [id] = ids;
      setOthers(ids.length > 1 && !isMore ? ids : NONE);
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
    ...{ mode, setMode, type, types, setType, isSeveral, setIsSeveral },
    ...{ hasMore: found.hasMore, collections: found.collections, systems: found.systems },
    isUnfaithful,
    /** Rows at the place of the last choice, where there are several. */
    others,
    choose: (id: string) => setChosen([id]),
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
    sent,
    setSent,
    /** The keys of the rows that were here before edits were sent. */
    knownKeys: (): ReadonlySet<string> =>
      sent?.known ?? new Set([...found.rows.map(({ key }) => key!), ...edits.keys()]),
    /** Begins again with these edits, or with none. */
    restart,
    clear: () => restart(NO_EDITS),
  };
}

export type Editing = ReturnType<typeof useEditing>;

/** Tools that PostGIS runs. `apply`: called with the edits that they make. */
function useShapeTools(apply: (next: Edits) => void) {
  const [error, setError] = useState<Error | null>(null);
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
  return { error, setError, attempt };
}

/** The unsaved edits of a layer, which survive a reload. `collection`: as `schema.table`. */
function useKeptEdits(collection: string) {
  const [kept] = useState(() => keptEdits(collection));
  const [past, setPast] = useState<Past>(() => pastOf(kept?.edits ?? NO_EDITS));
  const [sent, setSent] = useState<Sent | undefined>(kept?.sent);
  const edits = editsOf(past);
  useEffect(() => keepEdits(collection, { edits, sent }), [collection, edits, sent]);
  return { past, setPast, sent, setSent };
}

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
