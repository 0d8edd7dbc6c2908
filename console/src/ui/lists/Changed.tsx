/** The difference between a row before and after a change; all values of an inserted or deleted row. */
import type { Values } from "../../service/rows/history.ts";
import { shorten, show } from "../../service/rows/values.ts";
import { t } from "../../words/words.ts";

export interface ChangedProps {
  readonly before: Values | null;
  readonly after: Values | null;
}

/** The most characters of a value. */
const LONGEST = 300;

export function Changed({ before, after }: ChangedProps) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const different = names.filter((name) => !isSame(before?.[name], after?.[name]));
  if (different.length === 0) return <p className="quiet">{t("The same values.")}</p>;
  return (
    <dl className="changed">
      {different.map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {before && name in before && (
              <del>
                <span className="hidden">{t("before:")} </span>
                <Shown value={before[name]} />
              </del>
            )}
            {after && name in after && (
              <ins>
                <span className="hidden">{t("after:")} </span>
                <Shown value={after[name]} />
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Shown({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined) return <span className="null">null</span>;
  const text = show(value);
  return <>{text === "" ? t("the empty text") : shorten(text, LONGEST)}</>;
}

/** Whether two values are equal. A missing value, and null in an inserted or deleted row, count as null. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
