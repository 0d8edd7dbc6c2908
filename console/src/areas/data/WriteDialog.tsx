/** The open dialog, if it is one that writes rows. */
import { everyRow, whereOf } from "../../service/rows/bulk.ts";
import type { Relation } from "../../service/rows/relations.ts";
import type { Row } from "../../service/rows/rows.ts";
import { BulkDialog } from "./BulkDialog.tsx";
import { DeleteDialog } from "./DeleteDialog.tsx";
import { InsertDialog } from "./InsertDialog.tsx";
import { ReplaceDialog } from "./ReplaceDialog.tsx";

/** The dialogs of a relation. */
export type Dialog =
  | "export"
  | "insert"
  | "delete"
  | "change all"
  | "delete all"
  | "replace"
  | "columns"
  | "views"
  | "related"
  | "comments";

/** The matching rows, and the selection among them. */
export interface Shown {
  readonly schema: string;
  readonly relation: Relation;
  readonly selected: ReadonlyMap<string, Row>;
  readonly where: object | undefined;
  readonly count: number | undefined;
}

/** The filter of the chosen rows, or of all matching rows if none is chosen. */
export function targetOf({ relation, selected, where }: Shown): object | undefined {
  return selected.size > 0 ? whereOf(relation, [...selected.values()]) : (where ?? everyRow(relation));
}

interface WriteDialogProps extends Shown {
  readonly dialog: Dialog | undefined;
  readonly onClose: () => void;
  readonly onInserted: () => Promise<void>;
  /** `count`: how many rows were written, where `keys` has only the first ones. */
  readonly onDone: (what: "changed" | "deleted", keys: readonly string[], count?: number) => Promise<void>;
}

export function WriteDialog({ dialog, onClose, onInserted, onDone, ...shown }: WriteDialogProps) {
  const { schema, relation, selected } = shown;
  if (dialog === "replace")
    return (
      <ReplaceDialog
        relation={relation}
        where={selected.size > 0 ? targetOf(shown) : shown.where}
        onClose={onClose}
        onDone={(keys, count) => onDone("changed", keys, count)}
      />
    );
  if (dialog !== "insert" && dialog !== "delete" && dialog !== "change all" && dialog !== "delete all")
    return undefined;
  if (dialog === "insert")
    return <InsertDialog schema={schema} relation={relation} onClose={onClose} onDone={onInserted} />;
  if (dialog === "delete")
    return (
      <DeleteDialog
        schema={schema}
        relation={relation}
        rows={[...selected.values()]}
        onClose={onClose}
        onDone={() => onDone("deleted", [...selected.keys()])}
      />
    );
  const target = targetOf(shown);
  const isChange = dialog === "change all";
  return (
    target && (
      <BulkDialog
        what={isChange ? "change" : "delete"}
        relation={relation}
        where={target}
        onClose={onClose}
        onDone={(keys) => onDone(isChange ? "changed" : "deleted", keys)}
      />
    )
  );
}
