import { useState } from "react";

export interface Undo<T> {
  readonly value: T;
  /** `what`: successive changes of the same thing, such as of a dragged colour, are one step. */
  change(value: T, what?: string): void;
  /** Undefined where nothing was changed. */
  readonly undo: (() => void) | undefined;
  /** Starts again with a value. */
  reset(value: T): void;
}

interface Past<T> {
  readonly value: T;
  readonly before: readonly T[];
  readonly what?: string | undefined;
}

export function useUndo<T>(initial: T): Undo<T> {
  const [{ value, before }, set] = useState<Past<T>>({ value: initial, before: [] });
  const last = before.at(-1);
  return {
    value,
    change: (next, what) =>
      set((past) => ({
        value: next,
        before: what !== undefined && what === past.what ? past.before : [...past.before, past.value],
        what,
      })),
    undo: last === undefined ? undefined : () => set({ value: last, before: before.slice(0, -1) }),
    reset: (next) => set({ value: next, before: [] }),
  };
}
