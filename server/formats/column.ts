/** A column of rows that are output, and rows as JSON. */
import type { TextRow } from "../kernel/database/database.ts";
import type { ColumnType } from "../types/columnType.ts";
import type { Output } from "../types/textJson.ts";

export interface Column {
  /** Unique among the columns: a second `id` is `id_2`. */
  readonly name: string;
  readonly type: ColumnType;
  readonly output: Output;
  /** Whether a pattern of `type_formats` writes it. */
  readonly formatted: boolean;
  /** The type of a hint that PostgreSQL casts it to, where it has another. */
  readonly cast?: { readonly sql: string };
  /** Whether PostgreSQL makes GeoJSON of its content. */
  readonly geometry?: true;
}

/** The first column that is a geometry as such. */
export function geometryColumn(columns: readonly Column[]): number {
  return columns.findIndex(({ type }) => type.kind === "geometry");
}

/** A function that writes a row as a JSON object. `except`: the index of a column that is left out. */
export function rowToJson(columns: readonly Column[], except = -1): (row: TextRow) => string {
  const shown = columns.flatMap(({ name, output }, index) =>
    index === except ? [] : [{ name: `${JSON.stringify(name)}:`, output, index }],
  );
  return (row) => {
    let text = "";
    for (const { name, output, index } of shown) {
      const value = row[index]!;
      text += (text === "" ? "{" : ",") + name + (value === null ? "null" : output.json(value));
    }
    return text === "" ? "{}" : `${text}}`;
  };
}
