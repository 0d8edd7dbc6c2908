/** The kinds of values that options of several subjects have. */
import { readFileSync } from "node:fs";
import { z } from "zod";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;
export const KILOBYTE = 1000;
export const MEGABYTE = 1000 * KILOBYTE;

export const port = z.coerce.number().int().min(0).max(65535);
export const count = z.coerce.number().int().min(1);
export const milliseconds = z.coerce.number().int().min(1).max(2_147_483_647);
export const flag = z.union([z.boolean(), z.stringbool()]);
export const list = z.union([
  z.array(z.string()),
  z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean)),
]);

/** A value that is no text, or a text of JSON. */
export function orJson<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value, context) => {
    if (typeof value !== "string") return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      context.addIssue("must be JSON");
      return z.NEVER;
    }
  }, schema);
}
export const readableFile = z.string().refine((path) => isReadable(path), "must name a file that can be read");

export interface Option {
  readonly schema: z.ZodType;
  readonly default?: unknown;
  /** The environment's name for it, where that is not the option's in capitals; empty where it has none. */
  readonly env?: string;
  /** For the table of docs/reference/options.md: meaning, unit, and the reason for the default where it is not plain. */
  readonly doc: string;
}

function isReadable(path: string): boolean {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}
