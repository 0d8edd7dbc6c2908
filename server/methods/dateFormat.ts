/** Patterns of PHP's date(), for printing and reading. */
import { GatewayError } from "../errors.ts";
import { baseOf, type Type } from "./types.ts";

export interface DateFormat {
  appliesTo(typeName: string): boolean;
  print(text: string): string;
  /** Throws `BAD_USER_INPUT`. */
  parse(text: string, path: string): string;
}

export function dateFormatOf(
  formats: Readonly<Record<string, string>>,
  name: string,
  type: Type,
): DateFormat | undefined {
  if (!Object.hasOwn(formats, name)) return undefined;
  throw new GatewayError("INVALID_PARAMS", baseOf(type).name);
}
