/** JSON that keeps every digit: what JavaScript's numbers cannot hold passes through as it was written. */

type Reviver = (key: string, value: unknown) => unknown;

/** For `JSON.parse`. */
export const keepDigits = ((_key: string, value: unknown, { source }: { source?: string }) =>
  typeof value === "number" && source !== undefined && String(value) !== source ? rawJson(source) : value) as Reviver;

export function parseJson(text: string): unknown {
  return JSON.parse(text, keepDigits);
}

/** ECMAScript "JSON.parse source text access", in Node since 22; not yet in TypeScript's library. */
function rawJson(source: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(source);
}
