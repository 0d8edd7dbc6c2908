/** The settings of columns: which are shown, in which order, how wide, and which are pinned at the left. */
import { useState } from "react";
import { NARROWEST, ordered, readLook, WIDEST, type Look } from "../../service/rows/look.ts";
import type { Column } from "../../service/rows/relations.ts";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { TableHead } from "../../ui/lists/TableHead.tsx";
import { t } from "../../words/words.ts";

export interface ColumnsDialogProps {
  readonly columns: readonly Column[];
  readonly look: Look | undefined;
  /** Called with undefined for the table's own settings. */
  readonly onChange: (look: Look | undefined) => void;
  readonly onClose: () => void;
}

export function ColumnsDialog({ columns, look = {}, onChange, onClose }: ColumnsDialogProps) {
  const [draft, setDraft] = useState<Look>(look);
  const [search, setSearch] = useState("");
  const all = ordered(columns, draft);
  const found = all.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())).slice(0, MOST);

  return (
    <FormDialog
      title={t("Columns")}
      action={t("Apply")}
      onClose={onClose}
      onSubmit={async () => {
        const hidden = new Set(draft.hidden);
        if (columns.every(({ name }) => hidden.has(name))) throw new Error(t("Leave one column at least."));
        onChange(readLook(draft));
      }}
    >
      <div className="tools">
        <input
          type="search"
          aria-label={t("Find a column")}
          placeholder={t("Find a column")}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <button type="button" onClick={() => setDraft({})}>
          {t("As the table has them")}
        </button>
      </div>
      <table className="stacked columns">
        <TableHead titles={[t("Column"), t("Shown"), t("Pinned"), t("Width"), t("Order")]} />
        <tbody>
          {found.map(({ name }) => (
            <ColumnRow
              key={name}
              name={name}
              names={all.map((each) => each.name)}
              look={draft}
              onChange={(change) => setDraft({ ...draft, ...change })}
            />
          ))}
        </tbody>
      </table>
      {found.length === MOST && (
        <p className="quiet">{t("The first {most}; find the others by their names.", { most: MOST })}</p>
      )}
    </FormDialog>
  );
}

/** The number of rows of the form that are drawn at once. */
const MOST = 100;

/** The widths after typing one. A column without a width fits its content. */
function withWidth(widths: Look["widths"], name: string, text: string): NonNullable<Look["widths"]> {
  const { [name]: _before, ...others } = widths ?? {};
  return text === "" ? others : { ...others, [name]: Number(text) };
}

interface ColumnRowProps {
  readonly name: string;
  /** The names of all columns, in their order. */
  readonly names: readonly string[];
  readonly look: Look;
  readonly onChange: (change: Look) => void;
}

function ColumnRow({ name, names, look, onChange }: ColumnRowProps) {
  const { hidden = [], pinned = [], widths } = look;
  const place = names.indexOf(name);
  const move = (to: number): void => onChange({ order: names.toSpliced(place, 1).toSpliced(to, 0, name) });
  const toggled = (list: readonly string[]): readonly string[] =>
    list.includes(name) ? list.filter((each) => each !== name) : [...list, name];
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-title={t("Shown")}>
        <input
          type="checkbox"
          aria-label={t("Show {name}", { name })}
          checked={!hidden.includes(name)}
          onChange={() => onChange({ hidden: toggled(hidden) })}
        />
      </td>
      <td data-title={t("Pinned")}>
        <input
          type="checkbox"
          aria-label={t("Pin {name}", { name })}
          checked={pinned.includes(name)}
          onChange={() => onChange({ pinned: toggled(pinned) })}
        />
      </td>
      <td data-title={t("Width")}>
        <input
          type="number"
          aria-label={t("Width of {name}", { name })}
          min={NARROWEST}
          max={WIDEST}
          placeholder={t("auto")}
          value={widths?.[name] ?? ""}
          onChange={({ target }) => onChange({ widths: withWidth(widths, name, target.value) })}
        />
      </td>
      <td data-title={t("Order")} className="order">
        <button
          type="button"
          aria-label={t("Move {name} up", { name })}
          aria-disabled={place === 0}
          onClick={() => move(place - 1)}
        >
          ↑
        </button>
        <button
          type="button"
          aria-label={t("Move {name} down", { name })}
          aria-disabled={place === names.length - 1}
          onClick={() => move(place + 1)}
        >
          ↓
        </button>
      </td>
    </tr>
  );
}
