import { useState } from "react";

export interface Attempt {
  /** The error of the last failed attempt, until one succeeds or it is cleared. */
  readonly error: Error | null;
  readonly isBusy: boolean;
  /** Runs an attempt. Resolves with whether it succeeded. */
  run(act: () => Promise<unknown>): Promise<boolean>;
  clear(): void;
}

/** An action of the user that may fail, with its error to show. */
export function useAttempt(): Attempt {
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  return {
    error,
    isBusy,
    async run(act) {
      setIsBusy(true);
      try {
        await act();
        setError(null);
        return true;
      } catch (thrown) {
        setError(thrown as Error);
        return false;
      } finally {
        setIsBusy(false);
      }
    },
    clear: () => setError(null),
  };
}
