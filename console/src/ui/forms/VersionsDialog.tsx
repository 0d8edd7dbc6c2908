/** The versions of a saved map, query, dashboard or view. One of them can be restored, after its differences are shown. */
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { lineDifferences, savedDifferences, type SavedDifference } from "../../service/savedDifferences.ts";
import { restoreVersion, versionsOf, type SavedKind, type SavedThing, type SavedVersion } from "../../service/saved.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { useAttempt } from "../hooks/useAttempt.ts";
import { Changed } from "../lists/Changed.tsx";
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
  const [compared, setCompared] = useState<number>();
  const id = useId();

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
                aria-expanded={version === compared}
                aria-controls={`${id}-${version}`}
                aria-label={t("Compare version {version}", { version })}
                onClick={() => setCompared(version === compared ? undefined : version)}
              >
                {t("Compare")}
              </button>
            )}
            {version === compared && (
              <section
                id={`${id}-${version}`}
                className="compared"
                aria-label={t("What version {version} would change", { version })}
              >
                <Differences differences={savedDifferences(data[0]!.item, item)} />
                <button
                  type="button"
                  className="primary"
                  aria-disabled={attempt.isBusy}
                  aria-label={t("Restore version {version}", { version })}
                  onClick={() => void restore(version)}
                >
                  {t("Restore")}
                </button>
              </section>
            )}
          </li>
        ))}
      </ol>
      <p className="quiet">
        {t("A restored version is saved as a new one. The accounts that it is shared with do not change.")}
      </p>
      <div className="tools">
        <button type="button" className="plain" onClick={onClose}>
          {t("Close")}
        </button>
      </div>
    </Dialog>
  );
}

/** The names of members. Those of PostgreSQL and of charts stay as they are saved. */
const MEMBERS: Readonly<Record<string, string>> = {
  title: t("Title"),
  q: t("Statement"),
  panels: t("Panel"),
  chart: t("Chart"),
  layers: t("Layer"),
  view: t("Opens at"),
  relation: t("Table"),
  kind: t("Show as"),
  filter: t("Filter"),
  sort: t("Order"),
  columns: t("Columns"),
};

function Differences({ differences }: { readonly differences: readonly SavedDifference[] }) {
  if (differences.length === 0) return <p className="quiet">{t("It is the same as now.")}</p>;
  return differences.map(({ path, now, then }) => {
    const name = path.map((part) => MEMBERS[part] ?? part).join(" › ");
    if (typeof now === "string" && typeof then === "string" && (path.at(-1) === "q" || /\n/.test(now + then)))
      return <Lines key={name} name={name} now={now} then={then} />;
    return (
      <Changed
        key={name}
        before={now === undefined ? null : { [name]: now }}
        after={then === undefined ? null : { [name]: then }}
      />
    );
  });
}

/** Two texts, line by line. */
function Lines({ name, now, then }: { readonly name: string; readonly now: string; readonly then: string }) {
  return (
    <div>
      <span className="quiet">{name}</span>
      <pre className="lines" tabIndex={0} role="region" aria-label={name}>
        {lineDifferences(now, then).map((line, index) => {
          const text = `${{ now: "−", then: "+", both: " " }[line.in]} ${line.text}\n`;
          if (line.in === "both") return text;
          return line.in === "now" ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>;
        })}
      </pre>
    </div>
  );
}
