/** The style in which a collection is drawn. */
import { GatewayError } from "../../server/ground/errors.ts";
import type { Log } from "../../server/ground/log.ts";
import { refusal } from "../collections/access.ts";
import { inStyle, type Collection, type NamedStyle } from "../collections/collections.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { DEFAULT_STYLE } from "../exchange/parameters/table.ts";
import { columnsOf, readStyle, type Style } from "./style.ts";

/**
 * The style of this name. Throws `NOT_FOUND` for a style that the collection does not have. A raster has only the empty
 * style `default`.
 */
export function styleNamed({ id, styles }: Collection, name: string): string {
  if (name === DEFAULT_STYLE || styles.some((style) => style.name === name)) return name;
  throw new GatewayError("NOT_FOUND", `${id} has no style ${JSON.stringify(name.slice(0, 100))}`);
}

/**
 * Checks the style of a map of several collections. The only one is `default`, which draws each in its own default
 * style. Throws `NOT_FOUND` for another.
 */
export function styleOfSeveral(name: string): void {
  if (name === DEFAULT_STYLE) return;
  const named = JSON.stringify(name.slice(0, 100));
  throw new GatewayError("NOT_FOUND", `There is no style ${named} of several collections: there is ${DEFAULT_STYLE}`);
}

/**
 * The collection in the style that the request names. Throws `NOT_FOUND`, or `INVALID_PARAMETER` for a name in `style`.
 */
export function inStyleAsked<Of extends Collection>(
  { pathParameters, parameters }: Pick<Exchange, "pathParameters" | "parameters">,
  collection: Of,
): Of {
  const { styleId } = pathParameters;
  if (styleId !== undefined) return inStyle(collection, styleNamed(collection, styleId));
  const { style } = parameters;
  if (style === undefined) return collection;
  if (style === DEFAULT_STYLE || collection.styles.some(({ name }) => name === style))
    return inStyle(collection, style);
  const all = collection.styles.map(({ name }) => name).join(", ");
  throw new GatewayError(
    "INVALID_PARAMETER",
    `style: ${collection.id} has no style ${JSON.stringify(style)}: there is ${all}`,
  );
}

/** The style that the collection is drawn in; undefined for a raster. */
export function namedStyleOf({ styles, styleName }: Collection): NamedStyle | undefined {
  return styleName === undefined ? styles[0] : styles.find(({ name }) => name === styleName);
}

const read = new WeakMap<NamedStyle, Style | undefined>();

/**
 * The style that the collection is drawn in, whichever columns the caller may read; undefined for the default. A style
 * that is not valid, or no longer, also counts as the default, and is logged: the comment `@style` was never validated,
 * and a column may be gone.
 */
export function styleOf(collection: Collection, log: Log): Style | undefined {
  const named = namedStyleOf(collection);
  if (!named) return undefined;
  if (!read.has(named)) read.set(named, readNamed(collection, named, log));
  return read.get(named);
}

/**
 * The style for the caller. Throws `UNAUTHENTICATED` or `FORBIDDEN` where it needs columns that the caller may not
 * read.
 */
export function styleFor(
  { identity, collections }: Pick<Exchange, "identity" | "collections">,
  collection: Collection,
  log: Log,
): Style | undefined {
  const whole = wholeOf(collections, collection);
  const { draftStyle } = collection;
  const style = draftStyle === undefined ? styleOf(whole, log) : readStyle(JSON.parse(draftStyle), whole);
  const columns = new Set(collection.columns.map(({ name }) => name));
  if (style && [...columnsOf(style)].some((name) => !columns.has(name)))
    throw refusal(identity, collection.id, new Error("the style needs columns that the account may not read"));
  return style;
}

/** The collection with all columns, whichever the caller may read, in the style of the request. */
export function wholeOf(collections: Exchange["collections"], collection: Collection): Collection {
  return inStyle(collections.get(collection.id) ?? collection, collection.styleName);
}

function readNamed(collection: Collection, { name, judged }: NamedStyle, log: Log): Style | undefined {
  if (judged?.problem === undefined) return judged && readStyle(judged.json, collection);
  log.warn(
    { collection: collection.id, style: name, detail: judged.problem },
    "the style is wrong; the default is drawn",
  );
  return undefined;
}
