/** The `where` of a subscription, in either of its forms, as a predicate over the written row. */
import { parseFilter } from "./parse.ts";
import { parseFilterText } from "./parseText.ts";
import { filterToPredicate, type Predicate } from "./toPredicate.ts";
import type { Shape } from "./tree.ts";

/**
 * Reads `where`: a filter object, its JSON text, or text as in SQL (`name = 'Oslo' and population > 100000`). Undefined for
 * an empty filter. Throws `BAD_USER_INPUT` naming the fault, also for a column that is no scalar, and `LIMIT_EXCEEDED`.
 */
export function readEventFilter(where: unknown, shape: Shape): Predicate | undefined {
  const isText = typeof where === "string" && !/^\s*\{/.test(where);
  const filter = isText ? parseFilterText(where, shape) : parseFilter(where, shape);
  return filter && filterToPredicate(filter);
}
