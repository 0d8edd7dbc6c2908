import { sql, type SQL } from "postgraphile/pg-sql2";
import type { AnyRelation } from "../tables/resources.ts";

/** The condition that rows at the other end of a key belong to these rows. */
export function joinOn(relation: AnyRelation, here: SQL, there: SQL): SQL {
  const pairs = relation.localAttributes.map(
    (local, index) =>
      sql`${there}.${sql.identifier(relation.remoteAttributes[index]!)} = ${here}.${sql.identifier(local)}`,
  );
  return sql.join(pairs, " and ");
}
