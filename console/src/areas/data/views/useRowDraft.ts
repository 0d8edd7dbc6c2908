import { useState } from "react";
import { ServiceError } from "../../../service/http/ask.ts";
import { whereOf } from "../../../service/rows/bulk.ts";
import type { Relation } from "../../../service/rows/relations.ts";
import { readPage, type Row } from "../../../service/rows/rows.ts";
import { writeCells } from "../../../service/rows/writeCells.ts";
import { valuesOf, type Draft } from "./RowFields.tsx";
import { t } from "../../../words/words.ts";

export interface RowDraft {
  /** The row as last read. */
  readonly row: Row;
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
  /**
   * Writes all typed values or none. If somebody has changed the row meanwhile, it throws and reads the row again. The
   * other values are then the present ones, and the next save writes the typed values.
   */
  readonly save: () => Promise<void>;
}

export function useRowDraft(relation: Relation, begun: Row, onWritten: () => Promise<void>): RowDraft {
  const [draft, change] = useState<Draft>({});
  const [again, setAgain] = useState<Row>();
  const row = again?.key === begun.key && again ? again : begun;

  async function save(): Promise<void> {
    const values = valuesOf(relation.columns, draft);
    try {
      if (Object.keys(values).length > 0) await writeCells(relation, [{ row, values }]);
    } catch (error) {
      if (error instanceof ServiceError && error.code === "CONFLICT") {
        const choice = { where: whereOf(relation, [row]), sort: undefined };
        const { rows } = await readPage(relation, choice, { offset: 0 }, new AbortController().signal);
        setAgain(rows[0]);
        throw new Error(t("Somebody has changed this row. It is shown as it is now, with what you typed: save again to write that."), { cause: error }); // oxfmt-ignore
      }
      throw error;
    }
    change({});
    setAgain(undefined);
    await onWritten();
  }

  return { row, draft, change, save };
}
