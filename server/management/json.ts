/** JSON that keeps every digit: what JavaScript's numbers cannot hold passes through as it was written. */
import { sortableDecimal } from "../types/decimal.ts";

type Reviver = (key: string, value: unknown) => unknown;

/** For `JSON.parse`. */
export const keepDigits = ((_key: string, value: unknown, { source }: { source?: string }) =>
  typeof value === "number" && source !== undefined && !isSame(String(value), source)
    ? rawJson(source)
    : value) as Reviver;

/** Whether two numbers are the same, as 1000, 1e3 and 1000.0 are: JSON has one type of them (RFC 8259 §6). */
function isSame(a: string, b: string): boolean {
  return a === b || sortableDecimal(a) === sortableDecimal(b);
}

export function parseJson(text: string): unknown {
  return JSON.parse(text, keepDigits);
}

/** ECMAScript "JSON.parse source text access", in Node since 22; not yet in TypeScript's library. */
function rawJson(source: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(source);
}
