/** Counts of tests. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The counts of each file, by its path in the checkout; "" for failures of the hooks around all files. */
export type Results = Readonly<Record<string, Counts>>;

/** The last line of a run. */
export function closingLine(results: Results): string {
  const sum = (of: keyof Counts): number => Object.values(results).reduce((total, counts) => total + counts[of], 0);
  return `${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`;
}
