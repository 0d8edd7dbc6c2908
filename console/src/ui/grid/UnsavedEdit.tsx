/**
 * Keeps the edit of a cell when the page goes away: after the end of a sign-in, a reload, or scrolling its row out of
 * sight.
 */
import { useState } from "react";
import { KEPT } from "../../service/http/session.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { updateCell } from "../../service/rows/rows.ts";
import { fromText, shorten } from "../../service/rows/values.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { useAttempt } from "../hooks/useAttempt.ts";
import { keep } from "../hooks/useKept.ts";
import { t } from "../../words/words.ts";
import { parts } from "../../words/parts.ts";

export interface Edit {
  readonly key: string | undefined;
  /** The version of the row as it was read. */
  readonly version: string | undefined;
  /** The name of the column. */
  readonly column: string;
  readonly text: string;
  readonly isNull: boolean;
}

const nameOf = ({ schema, table }: Relation): string => `${KEPT}edit:${JSON.stringify([schema, table])}`;

/** Keeps an edit; undefined deletes it. */
export function keepEdit(relation: Relation, edit: Edit | undefined): void {
  keep(sessionStorage, nameOf(relation), edit && JSON.stringify(edit));
}

export function keptEdit(relation: Relation): Edit | undefined {
  const text = sessionStorage.getItem(nameOf(relation));
  return text === null ? undefined : (JSON.parse(text) as Edit);
}

/** The number of characters of the typed text that are shown. */
const LONGEST = 100;

export interface UnsavedEditProps {
  readonly relation: Relation;
  readonly onSaved: () => Promise<void>;
}

/** Shows an edit that an earlier visit of the page has left. */
export function UnsavedEdit({ relation, onSaved }: UnsavedEditProps) {
  const [edit, setEdit] = useState(() => keptEdit(relation));
  const { error, isBusy, run } = useAttempt();
  const column = relation.columns.find(({ name }) => name === edit?.column);
  if (!edit || !column) return null;
  const { key, version, text, isNull } = edit;

  function forget(): void {
    keepEdit(relation, undefined);
    setEdit(undefined);
  }

  async function save(): Promise<void> {
    const value = isNull ? null : fromText(column!, text);
    await updateCell(relation, { key, version, values: {} }, column!.name, value);
    forget();
    await onSaved();
  }

  return (
    <div role="group" aria-label={t("Unsaved edit")}>
      <p className="tools">
        <span>
          {parts("You were changing {column} of the row {key} to {value}, and it is not saved.", {
            column: column.name,
            key,
            value: isNull ? <em>null</em> : <q>{shorten(text, LONGEST)}</q>,
          })}
        </span>
        <button type="button" aria-disabled={isBusy} onClick={() => void run(save)}>
          {t("Save it")}
        </button>
        <button type="button" className="plain" onClick={forget}>
          {t("Discard")}
        </button>
      </p>
      <ErrorNote error={error} />
    </div>
  );
}
