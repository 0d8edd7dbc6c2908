/** A dialog with a form. Errors are shown in it, and the typed text stays. */
import type { ReactNode } from "react";
import { Dialog } from "./Dialog.tsx";
import { ErrorNote } from "../ErrorNote.tsx";
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
  onClose,
  children,
}: FormDialogProps) {
  const { error, isBusy, run } = useAttempt();

  async function submit(): Promise<void> {
    if (await run(onSubmit)) onClose();
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="fields">{children}</div>
        <ErrorNote error={error} />
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
