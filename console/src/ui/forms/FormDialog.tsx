/** A dialog with a form. Errors are shown in it, and the typed text stays. */
import type { ReactNode } from "react";
import { Dialog } from "./Dialog.tsx";
import { SavedConflict } from "./SavedConflict.tsx";
import { useAttempt } from "../hooks/useAttempt.ts";
import { t } from "../../words/words.ts";

export interface FormDialogProps {
  readonly title: string;
  /** The label of the button, such as Save. */
  readonly action: string;
  readonly isDanger?: boolean;
  /** The label of the button that changes nothing. */
  readonly cancel?: string;
  /** Rejects with the error to show. */
  readonly onSubmit: () => Promise<void>;
  /** For a conflict with a version that others have saved meanwhile. */
  readonly conflict?: {
    /** Saves in spite of the conflict; rejects as `onSubmit` does. */
    readonly onOver: () => Promise<void>;
    /** The dialog is closed; the other person's version is read and shown. */
    readonly onTheirs: () => Promise<unknown>;
  };
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * Gives this button the first focus of the dialog, so that Enter alone does nothing dangerous. Fields take precedence.
 */
function takeFocus(button: HTMLButtonElement | null): void {
  if (button && !button.form!.querySelector(".fields :is(input, select, textarea)")) button.autofocus = true;
}

export function FormDialog({
  title,
  action,
  isDanger = false,
  cancel = t("Cancel"),
  onSubmit,
  conflict,
  onClose,
  children,
}: FormDialogProps) {
  const { error, isBusy, run } = useAttempt();

  async function submit(save: () => Promise<void>): Promise<void> {
    if (await run(save)) onClose();
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(onSubmit);
        }}
      >
        <div className="fields">{children}</div>
        <SavedConflict
          error={error}
          choice={
            conflict && {
              onOver: () => void submit(conflict.onOver),
              onTheirs: () => void conflict.onTheirs().then(onClose),
            }
          }
        />
        <div className="tools">
          <button type="submit" className={isDanger ? "danger" : ""} aria-disabled={isBusy}>
            {action}
          </button>
          <button type="button" className="plain" ref={isDanger ? takeFocus : null} onClick={onClose}>
            {cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
