/** The form of a change, with its SQL. A person who may not run it can copy the SQL for the owner. */
import { useDeferredValue, type ReactNode } from "react";
import { usePreview, useRunChange, type Change } from "../../service/tables/schemas.ts";
import { FormDialog } from "./FormDialog.tsx";
import { t } from "../../words/words.ts";

export interface ChangeDialogProps {
  readonly title: string;
  readonly action: string;
  readonly isDanger?: boolean;
  /** Undefined while something is missing. */
  readonly change: Change | undefined;
  readonly onClose: () => void;
  readonly onDone?: () => void;
  readonly children?: ReactNode;
}

export function ChangeDialog({ change, onDone, children, ...dialog }: ChangeDialogProps) {
  const run = useRunChange();
  const preview = usePreview(useDeferredValue(change));
  const sql = change === undefined ? undefined : preview.data;
  return (
    <FormDialog
      {...dialog}
      onSubmit={async () => {
        if (!change) throw new Error(t("Something is missing yet."));
        await run(change);
        onDone?.();
      }}
    >
      {children}
      <section aria-label="SQL" className="preview">
        <div className="tools">
          <h3>SQL</h3>
          {sql !== undefined && !preview.error && (
            <button type="button" className="plain" onClick={() => void navigator.clipboard.writeText(sql)}>
              {t("Copy")}
            </button>
          )}
        </div>
        {change === undefined || !preview.error ? (
          <pre tabIndex={0}>{sql ?? "…"}</pre>
        ) : (
          <p className="quiet">{preview.error.message}</p>
        )}
      </section>
    </FormDialog>
  );
}
