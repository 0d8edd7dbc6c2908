/** error: something is wrongly refused, wrong or open. warning: slower, or less safe than possible. */
export type Severity = "error" | "warning";

export interface Finding {
  readonly ok: boolean;
  readonly severity?: Severity;
  /** A path below docs/guides. */
  readonly page?: string;
  readonly text: string;
  /** SQL or commands, one a line; empty when all is well. */
  readonly remedy: readonly string[];
}
