/** JSON of which no digit is lost: integers that JavaScript cannot hold become text. */

/** For `JSON.parse`. */
export const keepDigits = ((_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === "number" &&
  Number.isInteger(value) &&
  !Number.isSafeInteger(value) &&
  /^-?\d+$/.test(context?.source ?? "")
    ? context?.source
    : value) as (key: string, value: unknown) => unknown;

/** Whether arrays and objects stand in one another more than `levels` deep. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

/** As `JSON.parse`; throws what that throws. */
export function parseExact(text: string): unknown {
  return /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}
