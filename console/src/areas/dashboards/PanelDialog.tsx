/** The settings of a panel: a statement, and the form in which its result is shown. */
import { useState } from "react";
import type { DashboardPanel, Show } from "../../service/dashboards.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { ShowField } from "../../ui/results/ShowField.tsx";
import { t } from "../../words/words.ts";

export interface PanelDialogProps {
  /** Undefined for a new panel. */
  readonly panel: DashboardPanel | undefined;
  readonly onSave: (panel: DashboardPanel) => Promise<void>;
  /** Saves also where somebody else has saved meanwhile. */
  readonly onOver: (panel: DashboardPanel) => Promise<void>;
  readonly onTheirs: () => Promise<void>;
  readonly onClose: () => void;
}

export function PanelDialog({ panel, onSave, onOver, onTheirs, onClose }: PanelDialogProps) {
  const [title, setTitle] = useState(panel?.title ?? "");
  const [q, setQ] = useState(panel?.q ?? "");
  const [show, setShow] = useState<Show>(panel?.show ?? "number");
  const [x, setX] = useState(panel?.x ?? "");
  const [y, setY] = useState(panel?.y ?? "");
  const [isWide, setWide] = useState(panel?.wide ?? false);
  const isChart = show === "line" || show === "bar";

  const save = (write: typeof onSave): Promise<void> =>
    write({
      q,
      show,
      ...(panel?.params && { params: panel.params }),
      ...(title !== "" && { title }),
      ...(isChart && x !== "" && { x }),
      ...(show !== "table" && y !== "" && { y }),
      ...(isWide && { wide: true }),
    });

  return (
    <FormDialog
      title={panel ? t("Change the panel") : t("Add a panel")}
      action={t("Save")}
      onSubmit={() => save(onSave)}
      conflict={{ onOver: () => save(onOver), onTheirs }}
      onClose={onClose}
    >
      <Field label={t("Title")}>
        <input maxLength={200} value={title} onChange={({ target }) => setTitle(target.value)} />
      </Field>
      <Field label="SQL">
        <textarea required rows={6} spellCheck={false} value={q} onChange={({ target }) => setQ(target.value)} />
      </Field>
      <ShowField show={show} onChange={setShow} />
      {isChart && (
        <Field label={t("X axis")} hint={t("default: the first")}>
          <input spellCheck={false} value={x} onChange={({ target }) => setX(target.value)} />
        </Field>
      )}
      {show !== "table" && (
        <Field label={show === "number" ? t("Column") : t("Y axis")} hint={t("default: the first that has numbers")}>
          <input spellCheck={false} value={y} onChange={({ target }) => setY(target.value)} />
        </Field>
      )}
      <label>
        <input type="checkbox" checked={isWide} onChange={({ target }) => setWide(target.checked)} />{" "}
        {t("The whole width")}
      </label>
    </FormDialog>
  );
}
