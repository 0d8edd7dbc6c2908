/**
 * The size of a test: `npm test` runs the small form, `npm run soak` (`TEST_SIZE=large`) the large one, of each file
 * that imports this.
 */
export function sized<T>(small: T, large: T): T {
  return process.env["TEST_SIZE"] === "large" ? large : small;
}
