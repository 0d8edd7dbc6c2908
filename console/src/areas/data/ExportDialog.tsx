/** Exports the shown rows as a file: by the filter, in the order and with the columns of the grid. */
import { useEffect, useRef, useState } from "react";
import { makesFiles } from "../../service/http/address.ts";
import { cql2Text } from "../../service/rows/cql2Text.ts";
import { arrange, type Look } from "../../service/rows/look.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { isGeometry } from "../../service/rows/isGeometry.ts";
import { formatsOf, saveRows } from "../../service/rows/rowFiles.ts";
import type { Choice } from "../../service/rows/rows.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { Dialog } from "../../ui/forms/Dialog.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { MakeFileButton } from "../../ui/files/DownloadDialog.tsx";
import { sizeText } from "../../ui/files/sizeText.ts";
import { saveAs } from "../../ui/saveAs.ts";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { ofService, plural, t } from "../../words/words.ts";

export interface ExportDialogProps {
  readonly relation: Relation;
  readonly choice: Choice;
  readonly look: Look | undefined;
  /** Undefined while the number is not known. */
  readonly count: number | undefined;
  readonly onClose: () => void;
}

function titleOf({ table }: Relation, count: number | undefined): string {
  return t("Export {rows} of {table}", { rows: count === undefined ? t("rows") : rowsText(count), table });
}

export function ExportDialog({ relation, choice, look, count, onClose }: ExportDialogProps) {
  const columns = arrange(relation.columns, look);
  const formats = formatsOf(columns);
  const [name, setName] = useState(formats[0]!.name);
  const format = formats.find((each) => each.name === name)!;
  const [bytes, setBytes] = useState<number>();
  const [isDone, setIsDone] = useState(false);
  const { error, isBusy, run } = useAttempt();
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const hidden = relation.columns.length - columns.length;

  async function save(): Promise<void> {
    const controller = (stop.current = new AbortController());
    setIsDone(false);
    setBytes(undefined);
    const { signal } = controller;
    const wanted = { relation, choice, columns, format, signal, onProgress: setBytes, saveAs };
    const isSaved = await run(async () => {
      try {
        await saveRows(wanted);
        return true;
      } catch (thrown) {
        if ((thrown as Error).name !== "AbortError") throw thrown;
        setBytes(undefined);
        return false;
      } finally {
        stop.current = null;
      }
    });
    setIsDone(isSaved && !signal.aborted);
  }

  return (
    <Dialog title={titleOf(relation, count)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className="fields">
          <Field label={t("Format")}>
            <select value={name} disabled={isBusy} onChange={({ target }) => setName(target.value)}>
              {formats.map((each) => (
                <option key={each.name} value={each.name}>
                  {ofService(each.label)}
                </option>
              ))}
            </select>
          </Field>
          <p className="quiet">
            {choice.where ? t("Those that match the filter") : t("All that you may see")}
            {choice.sort
              ? t(", in the order of the column {column}", { column: choice.sort.column })
              : t(", in the order of the key")}
            {hidden > 0 && plural(hidden, ", without {count} hidden column", ", without {count} hidden columns")}
            {t(". They are read anew.")}
          </p>
          <p role="status">{statusOf(bytes, isBusy, isDone)}</p>
        </div>
        <ErrorNote error={error} />
        <div className="tools">
          {isBusy ? (
            // with its own key, since otherwise a click could hit the submit button that has replaced it
            <button key="stop" type="button" onClick={() => stop.current?.abort()}>
              {t("Stop")}
            </button>
          ) : (
            <button key="export" type="submit">
              {t("Export")}
            </button>
          )}
          <button type="button" className="plain" onClick={onClose}>
            {isBusy ? t("Stop and close") : t("Close")}
          </button>
        </div>
      </form>
      <InBackground relation={relation} choice={choice} />
    </Dialog>
  );
}

/** A button for a background file, if the table is a collection. */
function InBackground({ relation, choice: { where } }: Pick<ExportDialogProps, "relation" | "choice">) {
  const { schema, table, columns } = relation;
  if (!makesFiles || !columns.some(isGeometry)) return null;
  const filter = where && cql2Text(where, columns);
  return (
    <>
      <p className="tools">
        <span className="quiet">{t("A large file can be made in the background, and is kept for a while:")}</span>
        <MakeFileButton collection={`${schema}.${table}`} title={table} filter={filter} />
      </p>
      {where && filter === undefined && (
        <p className="quiet">{t("This filter has no form in CQL2, so that file begins with all rows.")}</p>
      )}
    </>
  );
}

function statusOf(bytes: number | undefined, isBusy: boolean, isDone: boolean): string {
  if (isBusy) return bytes === undefined ? t("One moment …") : t("{size} so far …", { size: sizeText(bytes) });
  return isDone ? t("Saved, {size}.", { size: sizeText(bytes ?? 0) }) : "";
}
