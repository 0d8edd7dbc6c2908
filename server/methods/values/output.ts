/** PostgreSQL's text of a value → the caller's form: as JSON text, and as plain text for tables. */
import type { ColumnType } from "../../types/columnType.ts";
import {
  readArray,
  readComposite,
  readMultirange,
  readRange,
  type ArrayItem,
  type RangeBounds,
} from "../../types/literals.ts";
import { delimiterOf, rowOf } from "../../types/table.ts";
import { stringOf, structured, type Output } from "../../types/textJson.ts";
import type { DateFormat } from "../dates/dateFormat.ts";

/** The output form of values of `type`. `format`: of dates and times. Geometries come as GeoJSON text already. */
export function outputOf(type: ColumnType, format?: DateFormat): Output {
  const element = type.element && outputOf(type.element, format);
  switch (type.kind) {
    case "array":
      return structured((text) => list(readArray(text, delimiterOf(type.element!)), element!));
    case "range":
      return structured((text) => range(readRange(text), element!));
    case "multirange":
      return structured((text) => `[${readMultirange(text).map((one) => range(one, element!))}]`);
    case "composite":
      return composite(type);
    default:
      if (format && type.kind === "datetime") return stringOf((text) => format.print(text));
      return rowOf(type).text.methods;
  }
}

function list(items: readonly ArrayItem[], element: Output): string {
  return `[${items.map((item) => (item === null ? "null" : typeof item === "string" ? element.json(item) : list(item, element))).join(",")}]`;
}

function range({ lower, upper, lowerInclusive, upperInclusive }: RangeBounds, bound: Output): string {
  const side = (text: string | null): string => (text === null ? "null" : bound.json(text));
  return `{"lower":${side(lower)},"upper":${side(upper)},"lowerInclusive":${lowerInclusive},"upperInclusive":${upperInclusive}}`;
}

function composite({ attributes = [] }: ColumnType): Output {
  const outputs = attributes.map(({ name, type }) => ({ name: JSON.stringify(name), output: outputOf(type) }));
  return structured((text) => {
    const values = readComposite(text);
    return `{${outputs.map(({ name, output }, index) => {
      const value = values[index] ?? null;
      return `${name}:${value === null ? "null" : output.json(value)}`;
    })}}`;
  });
}
