/**
 * The conditions of a filter, each with a button that removes it. Clicking the word between two switches between *and*
 * and *or*.
 */
import { filterText, JOINTS } from "../../service/rows/filterText.ts";
import { joinedByOr, splitByAnd, toGroups, toWhere, without, type Groups } from "../../service/rows/filterGroups.ts";
import { t } from "../../words/words.ts";

export interface FilterChipsProps {
  readonly where: object | undefined;
  readonly onChange: (where: object | undefined) => void;
  /** Called after a condition and its button were removed. */
  readonly onGone: () => void;
}

export function FilterChips({ where, onChange, onGone }: FilterChipsProps) {
  const groups = toGroups(where);
  const set = (next: Groups): void => onChange(toWhere(next));
  return groups.map((conditions, group) => (
    <span key={JSON.stringify(conditions)} className="group" role="group" aria-label={textOf(conditions)}>
      {group > 0 && (
        <Joint word="and" before={textOf(groups[group - 1]!)} onClick={() => set(joinedByOr(groups, group - 1))} />
      )}
      {conditions.map((condition, place) => (
        <span key={JSON.stringify(condition)} className="group">
          {place > 0 && (
            <Joint
              word="or"
              before={filterText(conditions[place - 1])}
              onClick={() => set(splitByAnd(groups, group, place))}
            />
          )}
          <span className={conditions.length > 1 ? "chip or" : "chip"}>
            {filterText(condition)}
            <button
              type="button"
              className="plain"
              aria-label={t("Without {filter}", { filter: filterText(condition) })}
              onClick={() => {
                set(without(groups, group, place));
                onGone();
              }}
            >
              ×
            </button>
          </span>
        </span>
      ))}
    </span>
  ));
}

function textOf(conditions: readonly object[]): string {
  return conditions.map(filterText).join(` ${JOINTS.or} `);
}

interface JointProps {
  readonly word: "and" | "or";
  /** The conditions in front of it. */
  readonly before: string;
  readonly onClick: () => void;
}

function Joint({ word, before, onClick }: JointProps) {
  const [now, other] = word === "and" ? [JOINTS.and, JOINTS.or] : [JOINTS.or, JOINTS.and];
  return (
    <button
      type="button"
      className="plain joint"
      title={t('Make it "{other}"', { other })}
      aria-label={t("{word}, after {before}: make it {other}", { word: now, before, other })}
      onClick={onClick}
    >
      {now}
    </button>
  );
}
