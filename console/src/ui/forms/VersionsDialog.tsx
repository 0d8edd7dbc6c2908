/** The versions of a saved map, query or dashboard. One of them can be restored. */
import { useQuery } from "@tanstack/react-query";
import { restoreVersion, versionsOf, type SavedKind, type SavedThing, type SavedVersion } from "../../service/saved.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { useAttempt } from "../hooks/useAttempt.ts";
import { Dialog } from "./Dialog.tsx";
import { instant, t } from "../../words/words.ts";

export interface VersionsDialogProps {
  readonly kind: SavedKind;
  readonly thing: Pick<SavedThing, "name" | "title" | "version">;
  /** What distinguishes a version, in a few words. */
  readonly summaryOf: (item: SavedVersion["item"]) => string;
  readonly onRestored: () => Promise<void> | void;
  readonly onClose: () => void;
}

export function VersionsDialog({ kind, thing, summaryOf, onRestored, onClose }: VersionsDialogProps) {
  const { name, title } = thing;
  const { data, error } = useQuery(versionsOf(kind, name));
  const attempt = useAttempt();

  async function restore(version: number): Promise<void> {
    const isDone = await attempt.run(() => restoreVersion(kind, name, version));
    if (!isDone) return;
    await onRestored();
    onClose();
  }

  return (
    <Dialog title={t("Versions of {title}", { title: title ?? name })} onClose={onClose}>
      <ErrorNote error={error ?? attempt.error} />
      <ol className="versions">
        {data?.map(({ version, saved_at: at, saved_by: by, item }, index) => (
          <li key={version}>
            <div>
              <strong>{at === null ? t("before versions were kept") : instant(at)}</strong>{" "}
              <span className="quiet">{by}</span>
              <div className="quiet">
                {[item["title"], summaryOf(item)].filter((text) => typeof text === "string" && text !== "").join(" · ")}
              </div>
            </div>
            {index === 0 ? (
              <span className="quiet">{t("this one")}</span>
            ) : (
              <button
                type="button"
                aria-disabled={attempt.isBusy}
                aria-label={t("Restore version {version}", { version })}
                onClick={() => void restore(version)}
              >
                {t("Restore")}
              </button>
            )}
          </li>
        ))}
      </ol>
      <p className="quiet">{t("A restored version is saved anew. With whom it is shared stays.")}</p>
      <div className="tools">
        <button type="button" className="plain" onClick={onClose}>
          {t("Close")}
        </button>
      </div>
    </Dialog>
  );
}
