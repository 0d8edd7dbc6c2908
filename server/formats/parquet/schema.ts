/** The schema of a Parquet file. */
import type { SchemaElement } from "hyparquet-writer";
import { columnKind, type ColumnKind } from "../columnar/columnKind.ts";
import type { Column } from "../column.ts";
import { SIDES } from "./geometryData.ts";

const MICROSECONDS = { type: "TIMESTAMP", unit: "MICROS" } as const;

const ELEMENTS: Readonly<Record<ColumnKind, Omit<SchemaElement, "name" | "repetition_type">>> = {
  boolean: { type: "BOOLEAN" },
  int32: { type: "INT32" },
  int64: { type: "INT64" },
  float: { type: "FLOAT" },
  double: { type: "DOUBLE" },
  date: { type: "INT32", converted_type: "DATE" },
  timestamp: { type: "INT64", logical_type: { ...MICROSECONDS, isAdjustedToUTC: false } },
  instant: { type: "INT64", logical_type: { ...MICROSECONDS, isAdjustedToUTC: true } },
  guid: { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, logical_type: { type: "UUID" } },
  // older readers, DuckDB too, know JSON by its converted type alone
  json: { type: "BYTE_ARRAY", converted_type: "JSON", logical_type: { type: "JSON" } },
  bytes: { type: "BYTE_ARRAY" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

export interface SchemaOptions {
  /** The place of the geometry; -1: there is none. */
  readonly spatial: number;
  /** The name of the column of boxes. */
  readonly boxes: string;
}

/** The root, the columns, and the boxes behind them where there are geometries. */
export function schemaOf(columns: readonly Column[], { spatial, boxes }: SchemaOptions): SchemaElement[] {
  const elements = columns.map(({ name, type }, index): SchemaElement => ({
    name,
    repetition_type: "OPTIONAL",
    ...ELEMENTS[index === spatial ? "bytes" : columnKind(type)],
  }));
  const covering = (): SchemaElement[] => [
    { name: boxes, repetition_type: "OPTIONAL", num_children: SIDES.length },
    ...SIDES.map((name): SchemaElement => ({ name, type: "FLOAT", repetition_type: "REQUIRED" })),
  ];
  const root = { name: "schema", num_children: columns.length + (spatial === -1 ? 0 : 1) };
  return [root, ...elements, ...(spatial === -1 ? [] : covering())];
}
