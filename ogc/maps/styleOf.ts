/** The style that a collection is drawn with. */
import { GatewayError } from "../../server/ground/errors.ts";
import type { Log } from "../../server/ground/log.ts";
import { refusal } from "../collections/access.ts";
import type { Collection } from "../collections/collections.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { DEFAULT_STYLE } from "../exchange/parameters/table.ts";
import { columnsOf, readStyle, type Style } from "./style.ts";

/** The id of a style in an address. Throws `NOT_FOUND` for any but the one that each collection has. */
export function styleNamed(styleId: string): string {
  if (styleId === DEFAULT_STYLE) return styleId;
  throw new GatewayError("NOT_FOUND", `There is no style ${JSON.stringify(styleId.slice(0, 100))}`);
}

const styles = new WeakMap<Collection, Style | undefined>();

/**
 * Undefined: the default. So is a style that is not right (any more), which is logged: the comment `@style` was never
 * judged, and a column may be gone.
 */
export function styleOf(collection: Collection, log: Log): Style | undefined {
  if (!styles.has(collection)) styles.set(collection, read(collection, log));
  return styles.get(collection);
}

/** The style for the caller, without columns that the caller may not read. Throws `UNAUTHENTICATED`, `FORBIDDEN`. */
export function styleFor(
  { identity, collections }: Pick<Exchange, "identity" | "collections">,
  collection: Collection,
  log: Log,
): Style | undefined {
  // as it was set, whichever columns the caller may read
  const whole = collections.get(collection.id) ?? collection;
  const { draftStyle } = collection;
  const style = draftStyle === undefined ? styleOf(whole, log) : readStyle(JSON.parse(draftStyle), whole);
  const columns = new Set(collection.columns.map(({ name }) => name));
  if (style && [...columnsOf(style)].some((name) => !columns.has(name)))
    throw refusal(identity, collection.id, new Error("the style needs columns that the account may not read"));
  return style;
}

function read(collection: Collection, log: Log): Style | undefined {
  const { id, style } = collection;
  if (style?.problem === undefined) return style && readStyle(style.json, collection);
  log.warn({ collection: id, detail: style.problem }, "the style is not right; the default is drawn");
  return undefined;
}
