/**
 * Tables whose history is kept. An interface reads one as it was at an instant by `pastRows` (filter/pastRows.ts) in place of
 * the table, under the caller's role, as every statement. Its spatial index serves. Grants, policies, rules and workflow hold
 * as on the table, because they are mirrored; a mirror that is not what the table has now is refused (SQLSTATE PX409,
 * `CONFLICT`). What rules deny is asked of the table itself (`checkAccess`).
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
