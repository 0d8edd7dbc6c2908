/** error: something is refused, wrong or open that should not be. warning: slower, or less safe than it could be. */
export type Severity = "error" | "warning";

export interface Finding {
  readonly ok: boolean;
  readonly severity?: Severity;
  /** Below docs/guides. */
  readonly page?: string;
  readonly text: string;
  /** SQL or commands, one a line; empty when all is well. */
  readonly remedy: readonly string[];
}
