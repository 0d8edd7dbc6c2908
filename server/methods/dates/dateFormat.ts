/** Patterns of dates and times (values of the kind `datetime`) in the letters of PHP's date() (https://www.php.net/manual/datetime.format.php). */
import { GatewayError } from "../../ground/errors.ts";
import type { ColumnType } from "../../types/columnType.ts";
import { rowOf } from "../../types/table.ts";
import { parseDate } from "./parseDate.ts";
import { printDate } from "./printDate.ts";

export interface DateFormat {
  /** PostgreSQL's text of a date or time in the pattern; infinity stays as it is. */
  print(text: string): string;
  /** A text in the pattern, or in ISO 8601, as PostgreSQL reads it. Throws `BAD_USER_INPUT`. */
  parse(text: string, path: string): string;
}

/**
 * The pattern for a parameter or column, if it has one. Throws `INVALID_PARAMS`, naming the parameter or column, where
 * the type has no date or time, unless the pattern is meant for `namesake`: the column or parameter of the same name.
 */
export function dateFormatOf(
  formats: Readonly<Record<string, string>>,
  name: string,
  type: ColumnType,
  namesake: () => ColumnType | undefined = () => undefined,
): DateFormat | undefined {
  if (!Object.hasOwn(formats, name)) return undefined;
  const innermost = innermostOf(type);
  if (innermost.kind !== "datetime") {
    const other = namesake();
    if (other && innermostOf(other).kind === "datetime") return undefined;
    throw new GatewayError("INVALID_PARAMS", `type_formats: ${name} is of type ${type.name}, not a date or time`, {
      members: { parameter: name },
    });
  }
  const pattern = formats[name]!;
  return {
    print: (text) => printDate(pattern, text),
    parse(text, path) {
      try {
        return parseDate(pattern, text, path, rowOf(innermost).moment);
      } catch (error) {
        if (ISO.test(text)) return text; // the pattern is the column's, whose name the parameter may have
        throw error;
      }
    },
  };
}

/** A text that begins like an ISO 8601 date or time of day. PostgreSQL judges the rest. */
const ISO = /^(\d{4}-(\d\d-\d\d|W\d\d|\d{3}\b)|\d\d:\d\d)/;

function innermostOf(type: ColumnType): ColumnType {
  return type.element ? innermostOf(type.element) : type;
}
