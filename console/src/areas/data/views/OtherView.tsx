/** The views other than the grid. Each is loaded when it is opened. */
import { lazy, Suspense, useState, type ComponentType } from "react";
import type { Column } from "../../../service/rows/relations.ts";
import type { Row, Value } from "../../../service/rows/rows.ts";
import type { Kind } from "../../../service/rows/viewSearch.ts";
import { RowDialog } from "./RowDialog.tsx";
import { fieldsOf, labelOf } from "./useView.ts";
import type { OtherViewProps } from "./viewProps.ts";
import { t } from "../../../words/words.ts";

const VIEWS: Readonly<Record<Exclude<Kind, "grid">, ComponentType<OtherViewProps>>> = {
  form: lazy(async () => ({ default: (await import("./FormView.tsx")).FormView })),
  cards: lazy(async () => ({ default: (await import("./CardsView.tsx")).CardsView })),
  calendar: lazy(async () => ({ default: (await import("./CalendarView.tsx")).CalendarView })),
  kanban: lazy(async () => ({ default: (await import("./KanbanView.tsx")).KanbanView })),
  map: lazy(async () => ({ default: (await import("./MapOfRows.tsx")).MapOfRows })),
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
