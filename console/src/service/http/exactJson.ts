/** Parses JSON. Whole numbers beyond JavaScript's range become texts with all their digits. */
export function parseExact<T>(text: string): T {
  return JSON.parse(text, ((_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && context?.source && /^-?\d+$/.test(context.source)
      ? context.source
      : value) as (this: unknown, key: string, value: unknown) => unknown) as T;
}

declare global {
  interface JSON {
    /** A number as written. */
    rawJSON(text: string): unknown;
  }
}

/** The same JSON with indentation, and every digit of its numbers. */
export function prettyJson(text: string): string {
  const exact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === "number" && context?.source !== undefined ? JSON.rawJSON(context.source) : value;
  return JSON.stringify(JSON.parse(text, exact as (this: unknown, key: string, value: unknown) => unknown), null, 2);
}
