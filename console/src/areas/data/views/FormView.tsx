/** The rows as forms, one at a time. */
import { useEffect } from "react";
import type { Row } from "../../../service/rows/rows.ts";
import { ErrorNote } from "../../../ui/ErrorNote.tsx";
import { useAttempt } from "../../../ui/hooks/useAttempt.ts";
import type { OtherViewProps } from "./viewProps.ts";
import { CommentsButton } from "../CommentsButton.tsx";
import { RowFields } from "./RowFields.tsx";
import { useRowDraft } from "./useRowDraft.ts";
import { fieldsOf, labelOf, othersOf } from "./useView.ts";
import { t } from "../../../words/words.ts";

export function FormView(props: OtherViewProps) {
  const { rows, count, search, onSearch, onSight } = props;
  const last = Math.max(0, (count ?? rows.length) - 1);
  const place = Math.min(search.place ?? 0, last);
  useEffect(() => onSight(place, place), [onSight, place]);
  const row = rows.at(place);
  if (!row) return <p className="quiet">{t("One moment …")}</p>;
  return (
    <RowForm
      key={`${row.key} ${place}`}
      {...props}
      row={row}
      place={place}
      last={last}
      onPlace={(next) => onSearch({ ...search, place: next })}
    />
  );
}

interface RowFormProps extends OtherViewProps {
  readonly row: Row;
  readonly place: number;
  readonly last: number;
  readonly onPlace: (place: number) => void;
}

function RowForm({ relation, row: begun, place, last, titles, search, onPlace, onWritten }: RowFormProps) {
  const { row, draft, change, save } = useRowDraft(relation, begun, onWritten);
  const { error, isBusy, run, clear } = useAttempt();
  const isTyped = Object.keys(draft).length > 0;
  const { label } = fieldsOf("form", relation, search.fields);
  const columns = [...(label ? [label] : []), ...othersOf(relation, search.look, label)];

  return (
    <form
      className="row-form"
      aria-label={labelOf(label, row, titles)}
      onSubmit={(event) => {
        event.preventDefault();
        void run(save);
      }}
    >
      <div className="tools">
        <button type="button" aria-disabled={place === 0 || isTyped} onClick={() => onPlace(place - 1)}>
          {t("Previous")}
        </button>
        <span className="quiet" aria-live="polite">
          {t("Row {place} of {last}", { place: place + 1, last: last + 1 })}
        </span>
        <button type="button" aria-disabled={place === last || isTyped} onClick={() => onPlace(place + 1)}>
          {t("Next")}
        </button>
      </div>
      <h2>{labelOf(label, row, titles)}</h2>
      <div className="fields">
        <RowFields relation={relation} columns={columns} row={row} titles={titles} draft={draft} onChange={change} />
      </div>
      <CommentsButton relation={relation} row={row} />
      <ErrorNote error={error} onClose={clear} />
      {relation.canUpdate && relation.hasKey && (
        <div className="tools">
          <button type="submit" className="primary" aria-disabled={!isTyped || isBusy}>
            {t("Save")}
          </button>
          {isTyped && (
            <button type="button" className="plain" onClick={() => change({})}>
              {t("Discard")}
            </button>
          )}
        </div>
      )}
    </form>
  );
}
