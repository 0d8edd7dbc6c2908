/** The columns of a result, as they are given out. */
import type { Field, TextRow } from "../../kernel/database/database.ts";
import { dateFormatOf } from "../dates/dateFormat.ts";
import type { Runnable, Schema } from "../method.ts";
import { holdsGeometry, type ColumnType } from "../../types/columnType.ts";
import type { Output } from "../../types/textJson.ts";
import { outputOf } from "./output.ts";
import type { Prepared } from "../statement/prepare.ts";

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

/** The columns that were made last of fields that a connection keeps. */
const made = new WeakMap<
  readonly Field[],
  { prepared: Prepared; typeFormats: Runnable["typeFormats"]; columns: readonly Column[] }
>();

export function columnsOf(prepared: Prepared, fields: readonly Field[], { typeFormats }: Runnable): readonly Column[] {
  const last = made.get(fields);
  if (last?.prepared === prepared && last.typeFormats === typeFormats) return last.columns;
  const columns = makeColumns(prepared, fields, typeFormats);
  made.set(fields, { prepared, typeFormats, columns });
  return columns;
}

function makeColumns(prepared: Prepared, fields: readonly Field[], typeFormats: Runnable["typeFormats"]): Column[] {
  const taken = new Set<string>();
  const { statement, parameters } = prepared;
  return fields.map((field) => {
    let name = field.name;
    for (let n = 2; taken.has(name); n++) name = `${field.name}_${n}`;
    taken.add(name);
    const hint = prepared.columnHints.get(name);
    const type = hint?.type ?? prepared.typeOf(field.dataTypeID);
    const format = dateFormatOf(typeFormats, name, type, () => parameters[statement.parameters.indexOf(name)]);
    return {
      name,
      type,
      output: outputOf(type, format),
      formatted: format !== undefined,
      ...(hint && hint.oid !== field.dataTypeID && { cast: hint }),
      ...(holdsGeometry(type) && { geometry: true }),
    };
  });
}

/** The `schema` of a result. */
function schemaOf(columns: readonly Column[]): Schema {
  return Object.fromEntries(columns.map(({ name, type }) => [name, typeEntry(type)]));
}

/** PostgreSQL's name of the type; for an array that of its elements. */
export function typeEntry(type: ColumnType): { type: string; array: boolean } {
  const array = type.kind === "array" && !type.base;
  return { type: (array ? type.element! : type).name, array };
}

/** The first column that is a geometry as such. */
export function geometryColumn(columns: readonly Column[]): number {
  return columns.findIndex(({ type }) => type.kind === "geometry");
}

const shapes = new WeakMap<readonly Column[], { readonly schema: string; readonly toJson: (row: TextRow) => string }>();

/** The `schema` of a result as JSON text, and what writes its rows. */
export function shapeOf(columns: readonly Column[]): { readonly schema: string; toJson(row: TextRow): string } {
  let shape = shapes.get(columns);
  if (!shape) {
    shape = { schema: JSON.stringify(schemaOf(columns)), toJson: rowToJson(columns) };
    shapes.set(columns, shape);
  }
  return shape;
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
