import { useState } from "react";
import type { Dashboard, DashboardChange } from "../../service/dashboards.ts";
import { EVERYBODY, membersOf, textOf } from "../../service/saved.ts";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { SavedFields } from "../../ui/forms/SavedFields.tsx";
import { SharedLink } from "./SharedLink.tsx";
import { t } from "../../words/words.ts";

export interface SettingsDialogProps {
  readonly dashboard: Dashboard;
  readonly onSave: (change: DashboardChange) => Promise<void>;
  /** Saves also where somebody else has saved meanwhile. */
  readonly onOver: (change: DashboardChange) => Promise<void>;
  readonly onTheirs: () => Promise<void>;
  readonly onClose: () => void;
}

export function SettingsDialog({ dashboard, onSave, onOver, onTheirs, onClose }: SettingsDialogProps) {
  const [text, setText] = useState(textOf(dashboard));
  return (
    <FormDialog
      title={t("Title and sharing")}
      action={t("Save")}
      onSubmit={() => onSave(membersOf(text))}
      conflict={{ onOver: () => onOver(membersOf(text)), onTheirs }}
      onClose={onClose}
    >
      <SavedFields text={text} onChange={setText} isNamed />
      <p className="quiet">{t("Readers see only what their own rights allow: sharing a dashboard shares no data.")}</p>
      {dashboard.shared.includes(EVERYBODY) && <SharedLink dashboard={dashboard} />}
    </FormDialog>
  );
}
