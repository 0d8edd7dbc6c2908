/**
 * Tables whose history is kept. To read a table as it was at an instant, an interface reads `pastRows`
 * (filter/pastRows.ts) in place of the table, under the caller's role. The spatial index of the history is used.
 * Grants, policies, rules and workflow hold as on the table, because they are mirrored. If the mirror differs from the
 * table, the read is refused (SQLSTATE PX409, `CONFLICT`). Rules that deny are checked on the table itself
 * (`checkAccess`).
 */
import type { Relation } from "./access.ts";
import type { Database } from "../database/database.ts";
import { isNotMigrated } from "../../ground/errors.ts";

export interface Version extends Relation {
  /** Since when there is history: the beginning of the temporal extent, which has no end. */
  readonly since: Date;
}

/** The tables of a database that have history, as they are now. */
export async function readVersions({ db }: Database): Promise<readonly Version[]> {
  try {
    return await db.any<Version>("select schema, name, since from portolan.versioned_relations()");
  } catch (error) {
    if (isNotMigrated(error)) return []; // without Portolan there is no history
    throw error;
  }
}
