import { useState } from "react";
import type { Dashboard, DashboardChange } from "../../service/dashboards.ts";
import { EVERYBODY } from "../../service/queries.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";

export interface SettingsDialogProps {
  readonly dashboard: Dashboard;
  readonly onSave: (change: DashboardChange) => Promise<void>;
  readonly onClose: () => void;
}

export function SettingsDialog({ dashboard, onSave, onClose }: SettingsDialogProps) {
  const [title, setTitle] = useState(dashboard.title ?? "");
  const [shared, setShared] = useState(dashboard.shared.join(", "));
  return (
    <FormDialog
      title="Title and sharing"
      action="Save"
      onSubmit={() => onSave({ title: title === "" ? null : title, shared: shared.split(/[\s,]+/).filter(Boolean) })}
      onClose={onClose}
    >
      <Field label="Title">
        <input maxLength={200} value={title} onChange={({ target }) => setTitle(target.value)} />
      </Field>
      <Field label="Shared with" hint={`accounts and groups; ${EVERYBODY}: everybody; empty: you alone`}>
        <input spellCheck={false} value={shared} onChange={({ target }) => setShared(target.value)} />
      </Field>
      <p className="quiet">Each reader sees what its own rights let it see: sharing a dashboard shares no data.</p>
    </FormDialog>
  );
}
