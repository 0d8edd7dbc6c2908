/** The button for editing a layer, if the account may write its table and the map can show its rows. */
import type OlMap from "ol/Map.js";
import { lazy, Suspense, useMemo, useState } from "react";
import { tableOfCollection } from "../../../service/maps.ts";
import { isGeometry } from "../../../service/rows/isGeometry.ts";
import { ErrorNote } from "../../../ui/ErrorNote.tsx";
import { useRelations } from "../../../ui/relations.tsx";
import type { EditedTable } from "./editRows.ts";
import { t } from "../../../words/words.ts";

/** Loaded on demand, because it includes the drawing tools. */
const EditPanel = lazy(async () => ({ default: (await import("./EditPanel.tsx")).EditPanel }));

/** The table; undefined while loading, and where it cannot be edited. */
function useEditedTable(collection: string): { readonly table: EditedTable | undefined; readonly error: Error | null } {
  const [schema, name] = tableOfCollection(collection);
  const { data, error } = useRelations(schema);
  const relation = data?.find((each) => each.table === name);
  const column = relation?.columns.find(isGeometry);
  const canEdit = relation?.hasKey && (relation.canInsert || relation.canUpdate || relation.canDelete);
  const table = useMemo(
    () => (relation && column && canEdit ? { relation, column } : undefined),
    [relation, column, canEdit],
  );
  return { table, error };
}

interface EditButtonProps {
  readonly collection: string;
  /** The instant that the map shows. Past rows cannot be edited. */
  readonly at: string | undefined;
  readonly onEdit: () => void;
}

export function EditButton({ collection, at, onEdit }: EditButtonProps) {
  const { table } = useEditedTable(collection);
  if (!table || at !== undefined) return null;
  return (
    <div className="tools">
      <button type="button" onClick={onEdit}>
        {t("Edit {table}", { table: table.relation.table })}
      </button>
    </div>
  );
}

interface LayerEditorProps {
  readonly collection: string;
  readonly map: OlMap;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** The editor stays with its unsaved changes, also where the table or a right is gone meanwhile. */
export function LayerEditor({ collection, map, onSaved, onClose }: LayerEditorProps) {
  const { table: present, error } = useEditedTable(collection);
  const [before, setBefore] = useState(present);
  if (present && present !== before) setBefore(present);
  const table = present ?? before;
  const lack = present ? null : (error ?? new Error(t("This table cannot be edited any more.")));
  if (!table) return <ErrorNote error={lack} onClose={onClose} />;
  return (
    <Suspense fallback={<p className="side-panel quiet">{t("One moment …")}</p>}>
      <EditPanel table={table} map={map} lack={lack} onSaved={onSaved} onClose={onClose} />
    </Suspense>
  );
}
