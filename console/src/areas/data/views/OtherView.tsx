/** The views other than the grid. Each is loaded when it is opened. */
import { lazy, Suspense, useMemo, useState, type ComponentType } from "react";
import type { Column } from "../../../service/rows/relations.ts";
import type { Row, Value } from "../../../service/rows/rows.ts";
import { isShape } from "../../../service/rows/values.ts";
import type { Kind } from "../../../service/rows/viewSearch.ts";
import { RowDialog } from "./RowDialog.tsx";
import { fieldsOf, labelOf } from "./useView.ts";
import type { OtherViewProps } from "./viewProps.ts";
import { t } from "../../../words/words.ts";

/** Loaded on demand, because it includes OpenLayers. */
const VectorMap = lazy(async () => ({ default: (await import("../../../ui/map/VectorMap.tsx")).VectorMap }));

const VIEWS: Readonly<Record<Exclude<Kind, "grid">, ComponentType<OtherViewProps>>> = {
  form: lazy(async () => ({ default: (await import("./FormView.tsx")).FormView })),
  cards: lazy(async () => ({ default: (await import("./CardsView.tsx")).CardsView })),
  calendar: lazy(async () => ({ default: (await import("./CalendarView.tsx")).CalendarView })),
  kanban: lazy(async () => ({ default: (await import("./KanbanView.tsx")).KanbanView })),
  map: MapOfRows,
};

type ShownView = Omit<OtherViewProps, "onOpen"> & { readonly kind: Exclude<Kind, "grid"> };

export function OtherView({ kind, onWrite, ...props }: ShownView) {
  const { relation, rows, titles, search, onWritten } = props;
  /** The row in the open dialog. */
  const [opened, setOpened] = useState<Row>();
  const View = VIEWS[kind];
  const move =
    onWrite &&
    (async (row: Row, column: Column, value: Value): Promise<void> => {
      await onWrite(row, column, value);
      await onWritten();
    });
  return (
    <div className="other-view">
      <Suspense fallback={<p className="quiet">{t("One moment …")}</p>}>
        <View {...props} onWrite={move} onOpen={setOpened} />
      </Suspense>
      {opened && (
        <RowDialog
          relation={relation}
          row={rows.at(rows.indexOf(opened.key ?? "")) ?? opened}
          title={labelOf(fieldsOf(kind, relation, search.fields).label, opened, titles)}
          titles={titles}
          onWritten={onWritten}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  );
}

const NONE: ReadonlySet<string> = new Set();

function MapOfRows({ relation, rows, count = 0, search, onOpen }: OtherViewProps) {
  const { geometry } = fieldsOf("map", relation, search.fields);
  const shapes = useMemo(
    () =>
      rows.there.flatMap(({ key, values }) => {
        const shape = geometry && values[geometry.name];
        return key !== undefined && isShape(shape) ? [{ id: key, geometry: shape }] : [];
      }),
    [rows, geometry],
  );
  return (
    <div className="map-of-rows">
      {count > rows.there.length && (
        <p className="quiet">
          {t("The first {shown} of {count} rows. Use a filter for others.", { shown: rows.there.length, count: count })}
        </p>
      )}
      <VectorMap
        label={t("Map of {table}", { table: relation.table })}
        shapes={shapes}
        chosen={NONE}
        onChoose={(key) => {
          const row = rows.at(rows.indexOf(key));
          if (row) onOpen(row);
        }}
      />
    </div>
  );
}
