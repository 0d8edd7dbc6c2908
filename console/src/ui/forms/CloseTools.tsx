/** The end of a dialog that only shows something. */
import type { ReactNode } from "react";

export interface CloseToolsProps {
  readonly onClose: () => void;
  /** Further buttons. */
  readonly children?: ReactNode;
}

export function CloseTools({ onClose, children }: CloseToolsProps) {
  return (
    <div className="tools">
      {children}
      <button type="button" className="plain" onClick={onClose}>
        Close
      </button>
    </div>
  );
}
