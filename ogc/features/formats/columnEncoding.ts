/** The common part of formats with columns: the text of each column's value. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { ByteRow, Bytes } from "../../../server/kernel/database/database.ts";
import { hasParts, type ColumnType, type TypeKind } from "../../../server/types/columnType.ts";
import { rowOf } from "../../../server/types/table.ts";
import type { CollectionColumn } from "../../collections/collections.ts";
import type { EncodingScope, FeatureEncoding, FeatureKey, RowSource, Selected } from "../encoding.ts";
import { propertyJson } from "../propertyJson.ts";
import { withKey } from "../propertySelection.ts";

const AS_TEXT: ReadonlySet<TypeKind> = new Set<TypeKind>(["boolean", "integer", "bigint", "text", "json"]);

/** The text of a value: PostgreSQL's where GeoJSON has the same, else GeoJSON's. Floats are unchanged. */
export function valueSql(value: SQL, type: ColumnType, source: RowSource): SQL {
  const { kind, moment } = hasParts(type) ? { ...type, moment: undefined } : rowOf(type);
  if (kind === "float") return value;
  const json = propertyJson(value, type, source);
  const isSame = AS_TEXT.has(kind) || moment === "date" || moment === "time";
  return isSame && type.operators === undefined ? json : sql`(pg_catalog.to_json(${json}) #>> '{}')`;
}

export abstract class ColumnEncoding implements FeatureEncoding {
  readonly separator = "";
  readonly columns: readonly CollectionColumn[];
  protected readonly scope: EncodingScope;

  constructor(scope: EncodingScope) {
    this.scope = scope;
    this.columns = withKey(scope);
  }

  get size(): number {
    return this.columns.length;
  }

  values(source: RowSource): Selected {
    return { values: this.columns.map((each) => valueSql(source.column(each), each.type, source)) };
  }

  abstract geometry(source: RowSource): SQL;
  abstract write(row: ByteRow, key: FeatureKey, out: Bytes): boolean;
}
