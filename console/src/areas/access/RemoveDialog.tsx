import type { ReactNode } from "react";
import { send } from "../../service/http/rest.ts";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { t } from "../../words/words.ts";

export interface RemoveDialogProps {
  /** The kind of thing, such as account. */
  readonly noun: string;
  readonly name: string;
  /** Path of the thing, below `/api/v4`. */
  readonly path: string;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
  /** A text about the things that are removed with it. */
  readonly children: ReactNode;
  /** What follows that text. */
  readonly more?: ReactNode;
}

export function RemoveDialog({ noun, name, path, onClose, onDone, children, more }: RemoveDialogProps) {
  return (
    <FormDialog
      title={t("Remove the {noun} {name}?", { noun, name })}
      action={t("Remove {name}", { name })}
      isDanger
      onClose={onClose}
      onSubmit={async () => {
        await send("DELETE", path);
        await onDone();
      }}
    >
      <p>
        {children} {t("This cannot be undone.")}
      </p>
      {more}
    </FormDialog>
  );
}
