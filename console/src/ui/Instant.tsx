/** An instant between two others, set by a slider or as local date and time. */
import { useEffect, useId, useState } from "react";
import { instant, t } from "../words/words.ts";

export interface InstantProps {
  readonly label: string;
  /** Milliseconds, like the other instants here. */
  readonly from: number;
  readonly until: number;
  /** Undefined for now. */
  readonly value: number | undefined;
  /** Called when the slider rests. */
  readonly onChange: (instant: number) => void;
  /** Left out where "now" is not a choice. */
  readonly onNow?: () => void;
}

const STEPS = 1000;
const RESTS_MS = 200;

export function Instant({ label, from, until, value, onChange, onNow }: InstantProps) {
  const id = useId();
  /** The position of the slider while it moves. */
  const [moved, setMoved] = useState<number>();
  const shown = moved ?? value ?? until;

  useEffect(() => {
    if (moved === undefined) return;
    const timer = setTimeout(() => {
      onChange(moved);
      setMoved(undefined);
    }, RESTS_MS);
    return () => clearTimeout(timer);
  }, [moved, onChange]);

  return (
    <div className="instant">
      <label htmlFor={id}>{label}</label>
      <input
        type="range"
        aria-label={t("{label}, slider", { label })}
        aria-valuetext={value === undefined && moved === undefined ? t("now") : instant(shown)}
        min={0}
        max={STEPS}
        value={Math.round(((shown - from) / Math.max(1, until - from)) * STEPS)}
        onChange={({ target }) => setMoved(from + ((until - from) * Number(target.value)) / STEPS)}
      />
      <input
        id={id}
        type="datetime-local"
        step="1"
        value={toLocal(shown)}
        onChange={({ target }) => {
          const typed = Date.parse(target.value);
          if (!Number.isNaN(typed)) onChange(typed);
        }}
      />
      {onNow && (
        <button type="button" aria-disabled={value === undefined} onClick={onNow}>
          {t("Now")}
        </button>
      )}
    </div>
  );
}

/** An instant in the form of the browser's field: local time, to the second. */
function toLocal(instant: number): string {
  const date = new Date(instant);
  return new Date(instant - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
