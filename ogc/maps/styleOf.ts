/** The style that a collection is drawn with. */
import type { Log } from "../../server/kernel/log.ts";
import { GatewayError } from "../../server/kernel/errors.ts";
import type { Collection } from "../collections.ts";
import { parseStyle, type Style } from "./style.ts";

const styles = new WeakMap<Collection, Style | undefined>();

/** Undefined: the default. So is a comment `@style` that is not right, which is logged; set_style takes no such thing. */
export function styleOf(collection: Collection, log: Log): Style | undefined {
  if (collection.style === undefined) return undefined;
  if (!styles.has(collection)) styles.set(collection, read(collection, log));
  return styles.get(collection);
}

function read(collection: Collection, log: Log): Style | undefined {
  try {
    return parseStyle(jsonOf(collection.style), collection);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    log.warn({ collection: collection.id, detail: error.message }, "the style is not right; the default is drawn");
    return undefined;
  }
}

/** A comment has the text of JSON. Throws `BAD_USER_INPUT` when it is none. */
export function jsonOf(style: unknown): unknown {
  if (typeof style !== "string") return style;
  try {
    return JSON.parse(style);
  } catch {
    throw new GatewayError("BAD_USER_INPUT", "style: expected JSON");
  }
}
