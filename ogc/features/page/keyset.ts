/**
 * The beginning or end of a page, in an order that ends with the key. Clients see an opaque text; inside, it is a list
 * of values.
 */

export interface Keyset {
  /** PostgreSQL's texts of the columns of the order, then of the key. */
  readonly values: readonly (string | null)[];
  /** The order, as `orderName` writes it; empty for that of the key alone. */
  readonly order: string;
  /** Whether the feature of that key belongs to the page. */
  readonly inclusive: boolean;
}

export function writeKeyset({ values, order, inclusive }: Keyset): string {
  return Buffer.from(JSON.stringify([inclusive ? 1 : 0, ...(order ? [[order]] : []), ...values])).toString("base64url");
}

/** Reads a text of `writeKeyset`; undefined for any other. Whether the values fit the key shows when they are used. */
export function readKeyset(text: string): Keyset | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (!Array.isArray(parts)) return undefined;
    const [inclusive, ...rest] = parts as unknown[];
    const [order, ...values] = Array.isArray(rest[0]) ? [(rest[0] as unknown[])[0], ...rest.slice(1)] : ["", ...rest];
    const isText = (value: unknown): value is string => typeof value === "string" && !value.includes("\0");
    const isValue = (value: unknown): value is string | null => value === null || isText(value);
    if ((inclusive !== 0 && inclusive !== 1) || !isText(order)) return undefined;
    if (values.length === 0 || !values.every(isValue)) return undefined;
    return { values, order, inclusive: inclusive === 1 };
  } catch {
    return undefined;
  }
}
