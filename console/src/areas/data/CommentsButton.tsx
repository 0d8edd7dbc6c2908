/** A button that opens the comments on a row shown alone. */
import { useState } from "react";
import type { Relation } from "../../service/rows/relations.ts";
import type { Row } from "../../service/rows/rows.ts";
import { CommentsDialog } from "./CommentsDialog.tsx";
import { t } from "../../words/words.ts";

export interface CommentsButtonProps {
  readonly relation: Relation;
  readonly row: Row;
}

export function CommentsButton({ relation, row }: CommentsButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (row.key === undefined) return undefined;
  return (
    <div className="tools">
      <button type="button" onClick={() => setIsOpen(true)}>
        {t("Comments")}
      </button>
      {isOpen && <CommentsDialog relation={relation} rowKey={row.key} onClose={() => setIsOpen(false)} />}
    </div>
  );
}
