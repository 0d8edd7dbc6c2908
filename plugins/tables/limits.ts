import { badInput } from "../../server/ground/errors.ts";
import { tagText, type AnyResource } from "./resources.ts";

declare global {
  namespace GraphileBuild {
    interface SchemaOptions {
      /** Rows of a list without `limit`. @default 100 */
      portolanDefaultLimit?: number;
      /** Largest `limit` of a list. @default 10_000 */
      portolanMaxLimit?: number;
      /** Most rows that an update or delete may affect. @default any number */
      portolanMaxAffected?: number;
    }
  }
}

export interface Limits {
  readonly default: number;
  readonly max: number;
}

/** The limits of a table's lists: its smart comment `@limit default max`, else the options. */
export function limitsOf(options: GraphileBuild.SchemaOptions, resource: AnyResource): Limits {
  const words = wordsOf(resource);
  const end = words.indexOf(MAX_AFFECTED);
  const [byDefault = options.portolanDefaultLimit ?? 100, max = options.portolanMaxLimit ?? 10_000] = words
    .slice(0, end < 0 ? undefined : end)
    .filter((word) => /^\d+$/.test(word))
    .map(Number);
  return { default: Math.min(byDefault, max), max };
}

/** Most rows that an update or delete may affect: `@limit … maxAffected n`, else the option; undefined for any number. */
export function affectedLimitOf(options: GraphileBuild.SchemaOptions, resource: AnyResource): number | undefined {
  const words = wordsOf(resource);
  const most = words[words.indexOf(MAX_AFFECTED) + 1];
  return words.includes(MAX_AFFECTED) && /^\d+$/.test(most ?? "") ? Number(most) : options.portolanMaxAffected;
}

const MAX_AFFECTED = "maxAffected";

function wordsOf(resource: AnyResource): string[] {
  return (tagText(resource, "limit") ?? "").split(/\s+/);
}

/** Reads `limit`. Throws `BAD_USER_INPUT` when it is negative or over the maximum. */
export function checkLimit(limit: number | null | undefined, limits: Limits): number {
  if (limit === undefined || limit === null) return limits.default;
  if (limit < 0) return badInput("limit: must not be negative");
  if (limit > limits.max) return badInput(`limit: must not be over ${limits.max}`);
  return limit;
}

/** Reads `offset`. Throws `BAD_USER_INPUT` when it is negative. */
export function checkOffset(offset: number | null | undefined): number | null {
  if (offset === undefined || offset === null) return null;
  return offset < 0 ? badInput("offset: must not be negative") : offset;
}
