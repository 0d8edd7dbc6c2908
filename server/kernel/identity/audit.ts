/** The audit of events at the doors: `portolan.audit`. */
import type { Database } from "../database/database.ts";

export interface AuditEntry {
  /** `subject.what`, e.g. `sign_in.refused`. */
  readonly event: string;
  readonly account?: string | undefined;
  readonly clientId?: string | undefined;
  readonly address?: string | undefined;
  /** Never a secret, a token or a code. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Writes one entry. */
export async function audit({ db }: Database, entry: AuditEntry): Promise<void> {
  await db.none(
    "insert into portolan.audit (event, account, client_id, address, details) values ($1, $2, $3, $4, $5::jsonb)",
    [entry.event, entry.account ?? null, entry.clientId ?? null, entry.address ?? null, entry.details ?? {}],
  );
}
