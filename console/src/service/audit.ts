/** Which entries of the audit are shown, as the address says it. */
export interface AuditSearch {
  /** How events begin. */
  readonly event?: string;
  readonly account?: string;
  /** An instant. */
  readonly since?: string;
}
