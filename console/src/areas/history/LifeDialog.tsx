/** The versions of one row, latest first: who changed it, when and how. Each can be restored. */
import { useState } from "react";
import { useVersions, when, type RowVersion } from "../../service/rows/history.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { Changed } from "../../ui/lists/Changed.tsx";
import { CloseTools } from "../../ui/forms/CloseTools.tsx";
import { Dialog } from "../../ui/forms/Dialog.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { RestoreDialog } from "./RestoreDialog.tsx";
import { t } from "../../words/words.ts";

export interface LifeDialogProps {
  readonly relation: Relation;
  readonly rowKey: string;
  readonly onClose: () => void;
  readonly onRestored: (sentence: string) => Promise<void>;
}

export function LifeDialog({ relation, rowKey, onClose, onRestored }: LifeDialogProps) {
  const versions = useVersions(relation, rowKey);
  const [restoring, setRestoring] = useState<string>();
  const last = versions.data?.at(-1);
  if (restoring !== undefined)
    return (
      <RestoreDialog
        relation={relation}
        keys={[rowKey]}
        at={restoring}
        onClose={() => setRestoring(undefined)}
        onDone={onRestored}
      />
    );
  return (
    <Dialog title={t("The life of {key} in {table}", { key: rowKey, table: relation.table })} onClose={onClose}>
      <ErrorNote error={versions.error} />
      {versions.data?.length === 0 && <p>{t("There is no version of it that you may see.")}</p>}
      <ol className="differences" aria-label={t("Versions, latest first")} reversed>
        {last && last.valid_until !== null && <Gone version={last} />}
        {versions.data
          ?.map((version, index, all) => (
            <li key={version.valid_from}>
              <div className="tools">
                <strong>{when(version.valid_from)}</strong>
                <span className="quiet">
                  {version.written_by !== null && t("by {account}", { account: version.written_by })}
                  {version.valid_until === null && ` ${t("(as it is now)")}`}
                </span>
                {relation.canUpdate && version.valid_until !== null && (
                  <button
                    type="button"
                    aria-label={t("Restore the version of {when}", { when: when(version.valid_from) })}
                    onClick={() => setRestoring(version.valid_from)}
                  >
                    {t("Restore")}
                  </button>
                )}
              </div>
              <Changed
                before={isNext(all[index - 1], version) ? all[index - 1]!.record : null}
                after={version.record}
              />
            </li>
          ))
          .toReversed()}
      </ol>
      <CloseTools onClose={onClose} />
    </Dialog>
  );
}

/** Whether two versions are adjacent. Between two that are not, the row did not exist. */
function isNext(before: RowVersion | undefined, version: RowVersion): boolean {
  return before?.valid_until === version.valid_from;
}

function Gone({ version: { valid_until: until, ended_by: by } }: { readonly version: RowVersion }) {
  return (
    <li>
      <div className="tools">
        <strong>{when(until!)}</strong>
        <span className="quiet">
          {t("deleted")}
          {by !== null && ` ${t("by {account}", { account: by })}`}
        </span>
      </div>
    </li>
  );
}
