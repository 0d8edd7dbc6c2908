/** The columns of a result in the form that clients get. */
import type { Field, TextRow } from "../../kernel/database/database.ts";
import { rowToJson, type Column } from "../../formats/column.ts";
import { dateFormatOf } from "../dates/dateFormat.ts";
import type { Runnable, Schema } from "../method.ts";
import { holdsGeometry, type ColumnType } from "../../types/columnType.ts";
import { outputOf } from "./output.ts";
import type { Prepared } from "../statement/prepare.ts";

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
