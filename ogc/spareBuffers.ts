/** Large buffers that are used again: to throw them away by the megabyte makes the whole heap be searched. */

/** Smaller ones come from Node's own pool, or cost little. */
const SMALLEST = 64 * 1024;
/** They are all of this size, so that one serves for another. */
const SIZE = 640 * 1024;
/** So many are kept. */
const MOST = 16;

const spare: Buffer[] = [];

/** At least so long; what stands in it is anything. */
export function takeBuffer(bytes: number): Buffer {
  if (bytes < SMALLEST || bytes > SIZE) return Buffer.allocUnsafe(bytes);
  return spare.pop() ?? Buffer.allocUnsafeSlow(SIZE);
}

/** For one that nothing will read any more. */
export function giveBack(buffer: Buffer): void {
  if (buffer.length === SIZE && spare.length < MOST) spare.push(buffer);
}
