/** The style that a collection is drawn with. */
import type { Log } from "../../server/kernel/log.ts";
import type { Collection } from "../collections.ts";
import { readStyle, type Style } from "./style.ts";

const styles = new WeakMap<Collection, Style | undefined>();

/**
 * Undefined: the default. So is a style that is not right (any more), which is logged: the comment `@style` was never
 * judged, and a column may be gone.
 */
export function styleOf(collection: Collection, log: Log): Style | undefined {
  if (!styles.has(collection)) styles.set(collection, read(collection, log));
  return styles.get(collection);
}

function read(collection: Collection, log: Log): Style | undefined {
  const { id, style } = collection;
  if (style?.problem === undefined) return style && readStyle(style.json, collection);
  log.warn({ collection: id, detail: style.problem }, "the style is not right; the default is drawn");
  return undefined;
}
