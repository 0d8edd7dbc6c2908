/** Where a page begins or ends, in the order of a key: opaque outside, values of the key inside. */

export interface Keyset {
  /** Values of the key's columns, as PostgreSQL's text. */
  readonly values: readonly string[];
  /** Whether the feature of that key belongs to the page itself. */
  readonly inclusive: boolean;
}

export function writeKeyset({ values, inclusive }: Keyset): string {
  return Buffer.from(JSON.stringify([inclusive ? 1 : 0, ...values])).toString("base64url");
}

/** Undefined for what `writeKeyset` did not write. Whether the values fit the key is seen when they are used. */
export function readKeyset(text: string): Keyset | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (!Array.isArray(parts)) return undefined;
    const [inclusive, ...values] = parts as unknown[];
    const isText = (value: unknown): value is string => typeof value === "string" && !value.includes("\0");
    if ((inclusive !== 0 && inclusive !== 1) || values.length === 0 || !values.every(isText)) return undefined;
    return { values, inclusive: inclusive === 1 };
  } catch {
    return undefined;
  }
}
