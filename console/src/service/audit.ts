/** The filter of the audit in the address. */
export interface AuditSearch {
  /** The prefix of events. */
  readonly event?: string;
  readonly account?: string;
  /** An instant. */
  readonly since?: string;
}
