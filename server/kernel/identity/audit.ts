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

const COLUMNS = "event, account, client_id, address, details";

/** Writes one entry. */
export async function audit({ db }: Database, entry: AuditEntry): Promise<void> {
  await db.none(`insert into portolan.audit (${COLUMNS}) values ($1, $2, $3, $4, $5::jsonb)`, valuesOf(entry));
}

/** Calls a function of the database and writes one entry, in one statement and one commit. */
export async function callAudited(
  { db }: Database,
  name: string,
  values: readonly unknown[],
  entry: AuditEntry,
): Promise<void> {
  const places = values.map((_, n) => `$${n + 6}`);
  await db.none(
    `
with called as (select ${name}(${places.join(", ")}))
insert into portolan.audit (${COLUMNS}) select $1, $2, $3, $4, $5::jsonb from called`,
    [...valuesOf(entry), ...values],
  );
}

function valuesOf({ event, account, clientId, address, details }: AuditEntry): unknown[] {
  return [event, account ?? null, clientId ?? null, address ?? null, details ?? {}];
}
