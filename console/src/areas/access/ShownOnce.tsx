/** A new link or secret to copy, shown only once; without a value only the text. */
import type { ReactNode } from "react";
import { CloseTools } from "../../ui/forms/CloseTools.tsx";
import { CopyButton } from "../../ui/code/CopyButton.tsx";
import { Dialog } from "../../ui/forms/Dialog.tsx";

export interface ShownOnceProps {
  readonly title: string;
  /** The kind of value, such as Link. */
  readonly label: string;
  readonly value: string | undefined;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

export function ShownOnce({ title, label, value, onClose, children }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {value !== undefined && (
        <input className="wide" aria-label={label} readOnly value={value} onFocus={({ target }) => target.select()} />
      )}
      <CloseTools onClose={onClose}>{value !== undefined && <CopyButton text={value} />}</CloseTools>
    </Dialog>
  );
}
