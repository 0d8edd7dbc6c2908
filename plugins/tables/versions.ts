/** Reads a table as it was at an instant. */
import type { SQL } from "postgraphile/pg-sql2";
import type { ColumnType } from "../../server/types/columnType.ts";
import { pastRows } from "../../server/filter/pastRows.ts";
import { toSqlValue } from "../../server/filter/values.ts";
import { databaseNameOf, type TableResource } from "./resources.ts";

declare global {
  namespace GraphileBuild {
    interface SchemaOptions {
      /** Tables, as `schema.table`, whose history Portolan keeps: their lists and counts take `asOf`. Default: none. */
      portolanVersioned?: readonly string[];
    }
  }
}

/** The source to read at an instant; null means now. */
export type SourceAt = (instant: unknown) => SQL | undefined;

const INSTANT: ColumnType = { kind: "datetime", schema: "pg_catalog", name: "timestamptz" };

/** The source of a table; undefined for a table without history. */
export function sourceAt(build: Pick<GraphileBuild.Build, "options">, resource: TableResource): SourceAt | undefined {
  const relation = databaseNameOf(resource);
  if (!relation || !build.options.portolanVersioned?.includes(`${relation.schema}.${relation.name}`)) return undefined;
  return (instant) => {
    if (instant === undefined || instant === null) return undefined;
    return pastRows(relation, toSqlValue(instant, INSTANT, "asOf"));
  };
}
