/** The type of `benchmark`, which each file exports. */
export interface Benchmark {
  readonly name: string;
  run(): Promise<readonly Row[]>;
}

/** One line of the table. */
export interface Row {
  readonly what: string;
  /** Ours, with its unit. */
  readonly ours: string;
  /** The other side's name and figure; empty for an absolute figure. */
  readonly peer: string;
  /** ours ÷ peer, or the target. */
  readonly ratio: string;
  readonly target: string;
}
