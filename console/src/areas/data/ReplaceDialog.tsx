/** Finds a text in the rows of the grid and replaces it. The rows are shown as they would be before any is written. */
import { useState } from "react";
import { ServiceError } from "../../service/http/ask.ts";
import { MOST_UNDONE } from "../../service/rows/bulk.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { previewReplacement, replaceTexts, textColumnsOf, type Replaced } from "../../service/rows/replace.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { shorten } from "../../service/rows/values.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { Dialog } from "../../ui/forms/Dialog.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { number, t } from "../../words/words.ts";

export interface ReplaceDialogProps {
  readonly relation: Relation;
  readonly where: object | undefined;
  readonly onClose: () => void;
  /** Called with the keys of the first changed rows, and how many are changed. */
  readonly onDone: (keys: readonly string[], count: number) => Promise<void>;
}

interface Wanted {
  readonly find: string;
  readonly replacement: string;
  /** Empty: all columns of text. */
  readonly column: string;
  readonly regex: boolean;
  readonly matchCase: boolean;
}

const NOTHING: Wanted = { find: "", replacement: "", column: "", regex: false, matchCase: true };
/** The most characters of a text in the preview. */
const LONGEST = 200;

export function ReplaceDialog({ relation, where, onClose, onDone }: ReplaceDialogProps) {
  const [wanted, setWanted] = useState(NOTHING);
  const [seen, setSeen] = useState<Replaced>();
  const { error, isBusy, run } = useAttempt();
  const { column, ...rest } = wanted;
  const body = { ...rest, ...(column !== "" && { columns: [column] }), ...(where && { where: { ...where } }) };

  function change(next: Partial<Wanted>): void {
    setSeen(undefined); // it is of another text
    setWanted({ ...wanted, ...next });
  }
  async function preview(): Promise<void> {
    if (wanted.find === "") throw new Error(t("Write what to find."));
    setSeen(undefined);
    setSeen(await previewReplacement(relation, body));
  }
  async function replace(of: Replaced): Promise<void> {
    try {
      const { keys, changed } = await replaceTexts(relation, body, of);
      onClose();
      await onDone(keys, changed);
    } catch (thrown) {
      const isOld = thrown instanceof ServiceError && thrown.code === "CONFLICT";
      if (!isOld) throw thrown;
      setSeen(undefined);
      throw new Error(
        t("Somebody has changed these rows since the preview. Nothing is replaced. Look at them again."),
        {
          cause: thrown,
        },
      );
    }
  }

  return (
    <Dialog title={t("Find and replace in {table}", { table: relation.table })} onClose={onClose}>
      <form
        className="replace"
        onSubmit={(event) => {
          event.preventDefault();
          void run(preview);
        }}
      >
        <div className="fields">
          <Fields relation={relation} wanted={wanted} onChange={change} />
          <p className="quiet">
            {where ? t("In the rows that the filter finds.") : t("In all rows, since there is no filter.")}{" "}
            {t("All of them, or none if one is refused.")}
          </p>
        </div>
        <ErrorNote error={error} />
        {seen && <Preview seen={seen} relation={relation} />}
        <div className="tools">
          <button type="submit" aria-disabled={isBusy}>
            {t("Preview")}
          </button>
          {seen && seen.changed > 0 && (
            <button
              type="button"
              className="danger"
              aria-disabled={isBusy}
              onClick={() => void run(() => replace(seen))}
            >
              {t("Replace in {rows}", { rows: rowsText(seen.changed) })}
            </button>
          )}
          <button type="button" className="plain" onClick={onClose}>
            {t("Cancel")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  readonly relation: Relation;
  readonly wanted: Wanted;
  readonly onChange: (next: Partial<Wanted>) => void;
}

function Fields({ relation, wanted: { find, replacement, column, regex, matchCase }, onChange }: FieldsProps) {
  const groups = { hint: t("\\1 to \\9 are the groups of the expression, \\& is all that it finds.") };
  return (
    <>
      <Field label={t("Find")}>
        <input
          type="text"
          value={find}
          spellCheck={false}
          onChange={({ target }) => onChange({ find: target.value })}
        />
      </Field>
      <Field label={t("Replace with")} {...(regex && groups)}>
        <input
          type="text"
          value={replacement}
          spellCheck={false}
          onChange={({ target }) => onChange({ replacement: target.value })}
        />
      </Field>
      <Field label={t("Column")}>
        <select value={column} onChange={({ target }) => onChange({ column: target.value })}>
          <option value="">{t("All columns of text")}</option>
          {textColumnsOf(relation).map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      <div className="tools">
        <label>
          <input
            type="checkbox"
            checked={matchCase}
            onChange={({ target }) => onChange({ matchCase: target.checked })}
          />{" "}
          {t("Match case")}
        </label>
        <label>
          <input type="checkbox" checked={regex} onChange={({ target }) => onChange({ regex: target.checked })} />{" "}
          {t("Regular expression")}
        </label>
      </div>
    </>
  );
}

function Preview({
  seen: { found, changed, rows },
  relation,
}: {
  readonly seen: Replaced;
  readonly relation: Relation;
}) {
  const more = found - rows.length;
  return (
    <section aria-label={t("Preview")}>
      <p role="status">
        {found === 0 ? t("No row has this text.") : t("{rows} have this text.", { rows: rowsText(found) })}
        {found > changed &&
          ` ${t("{count} of them stay as they are, because you may not change them.", { count: found - changed })}`}
        {changed > 0 && ` ${undoText(relation, changed)}`}
      </p>
      {rows.length > 0 && (
        <ScrolledTable label={t("The first rows")} titles={[t("Key"), t("Column"), t("before"), t("after")]}>
          {rows.flatMap(({ key, before, after }) =>
            Object.entries(before).map(([name, text]) => (
              <tr key={`${key} ${name}`}>
                <th scope="row">{key}</th>
                <td>{name}</td>
                <td className="replaced">{shorten(text, LONGEST)}</td>
                <td className="replaced">{shorten(after[name] ?? "", LONGEST)}</td>
              </tr>
            )),
          )}
        </ScrolledTable>
      )}
      {more > 0 && <p className="quiet">{t("{count} more are not shown.", { count: number(more) })}</p>}
    </section>
  );
}

function undoText({ versionedSince }: Relation, changed: number): string {
  if (versionedSince === undefined) return t("This cannot be undone.");
  if (changed > MOST_UNDONE) return t("History keeps the old rows.");
  return t("History keeps the old rows, and this can be undone.");
}
