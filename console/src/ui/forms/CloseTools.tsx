/** The buttons of a dialog that only shows something. */
import type { ReactNode } from "react";
import { t } from "../../words/words.ts";

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
        {t("Close")}
      </button>
    </div>
  );
}
