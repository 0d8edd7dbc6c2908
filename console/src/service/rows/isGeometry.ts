import type { Column } from "./relations.ts";

/** Whether the column has shapes, of PostGIS. */
export function isGeometry({ sqlType }: Pick<Column, "sqlType">): boolean {
  return /^(\w+\.)?(geometry|geography)\b/.test(sqlType);
}
