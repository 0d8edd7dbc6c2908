/**
 * The column that numbers the rows of a layer. Its type is always that of 64 bits (2.1.1.1, table 7), so a key of 32 bits is
 * told by a condition.
 */
export const NUMBERING = "integer primary key autoincrement not null";

/** `column`: quoted. */
export function within32Bits(column: string): string {
  return `check (${column} between -2147483648 and 2147483647)`;
}
