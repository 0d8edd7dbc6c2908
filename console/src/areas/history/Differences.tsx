/** The differences between two instants, row by row, and how to undo them. */
import { useState } from "react";
import { useDifferences, when, type Difference } from "../../service/rows/history.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { Changed } from "../../ui/lists/Changed.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { RestoreDialog } from "./RestoreDialog.tsx";
import { number, t } from "../../words/words.ts";

export interface DifferencesProps {
  readonly relation: Relation;
  readonly from: string;
  /** Undefined for the present. */
  readonly to: string | undefined;
  readonly onLife: (key: string) => void;
  readonly onRestored: (sentence: string) => Promise<void>;
}

const WORDS = { insert: t("added"), update: t("changed"), delete: t("deleted") } as const;
const NONE: ReadonlySet<string> = new Set();

export function Differences({ relation, from, to, onLife, onRestored }: DifferencesProps) {
  const found = useDifferences(relation, from, to);
  const [chosen, setChosen] = useState(NONE);
  const [isRestoring, setRestoring] = useState(false);
  const all = found.data?.pages.flat() ?? [];
  const keys = all.filter(({ key, change }) => change !== "insert" && chosen.has(key)).map(({ key }) => key);
  const mayRestore = relation.canUpdate && relation.canInsert;

  function toggle(key: string): void {
    setChosen((now) => (now.has(key) ? new Set([...now].filter((each) => each !== key)) : new Set([...now, key])));
  }

  return (
    <>
      <div className="tools">
        <span className="quiet" aria-live="polite">
          {found.isPending ? "" : summary(all, found.hasNextPage)}
        </span>
        {mayRestore && (
          <button type="button" aria-disabled={keys.length === 0} onClick={() => setRestoring(true)}>
            {keys.length > 0 ? t("Restore {count} as before", { count: keys.length }) : t("Restore as before")}
          </button>
        )}
      </div>
      <ErrorNote error={found.error} />
      {!found.isPending && !found.error && all.length === 0 && (
        <p className="empty">{t("There is no difference that you may see between these instants.")}</p>
      )}
      <div className="scroll" role="region" aria-label={t("Differences")} tabIndex={0}>
        <ul className="differences" aria-label={t("What changed")}>
          {all.map((difference) => (
            <li key={difference.key}>
              <DifferenceHead
                difference={difference}
                isChosen={chosen.has(difference.key)}
                onToggle={mayRestore ? () => toggle(difference.key) : undefined}
                onLife={() => onLife(difference.key)}
              />
              <Changed before={difference.before} after={difference.after} />
            </li>
          ))}
        </ul>
        {found.hasNextPage && (
          <button type="button" aria-disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {t("More")}
          </button>
        )}
      </div>
      {isRestoring && (
        <RestoreDialog
          relation={relation}
          keys={keys}
          at={from}
          onClose={() => setRestoring(false)}
          onDone={async (sentence) => {
            setChosen(NONE);
            await onRestored(sentence);
          }}
        />
      )}
    </>
  );
}

interface DifferenceHeadProps {
  readonly difference: Difference;
  readonly isChosen: boolean;
  /** Undefined where nothing may be restored. */
  readonly onToggle: (() => void) | undefined;
  readonly onLife: () => void;
}

function DifferenceHead({ difference, isChosen, onToggle, onLife }: DifferenceHeadProps) {
  const { key, change, at, by } = difference;
  return (
    <div className="tools">
      {onToggle && (
        <input
          type="checkbox"
          aria-label={t("Choose {key}", { key })}
          title={change === "insert" ? t("There was no such row before") : undefined}
          disabled={change === "insert"}
          checked={isChosen}
          onChange={onToggle}
        />
      )}
      <span className={`mark ${change}`}>{WORDS[change]}</span>
      <strong>{key}</strong>
      <span className="quiet">
        {when(at)}
        {by !== null && ` ${t("by {account}", { account: by })}`}
      </span>
      <button type="button" className="plain" aria-label={t("Life of {key}", { key })} onClick={onLife}>
        {t("Life")}
      </button>
    </div>
  );
}

/** `1 added, 3 changed`; `isMore`: of the rows read so far. */
function summary(all: readonly Difference[], isMore: boolean): string {
  const counts = (["insert", "update", "delete"] as const)
    .map((change) => [all.filter((each) => each.change === change).length, WORDS[change]] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${number(count)} ${word}`);
  return counts.join(", ") + (isMore ? ` ${t("so far")}` : "");
}
