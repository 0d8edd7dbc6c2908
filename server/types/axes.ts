/** The order of axes: outside, a system may have the second one first; PostGIS has x, or longitude, first in each. */

/** The reference system that coordinates are written in. */
export interface Axes {
  readonly srid: number;
  /** Whether the second axis is written first, as latitude before longitude. */
  readonly flipped: boolean;
}

/** A pair from the order outside to that of PostGIS, or back. In TypeScript nothing else lets two numbers change places. */
export function swap<Of>(axes: Pick<Axes, "flipped"> | undefined, first: Of, second: Of): [Of, Of] {
  return axes?.flipped ? [second, first] : [first, second];
}

/** The same of a position, which may have a height and a measure after the pair. */
export function swapPosition(axes: Axes | undefined, position: readonly number[]): readonly number[] {
  if (!axes?.flipped) return position;
  const [first, second, ...rest] = position as [number, number];
  return [...swap(axes, first, second), ...rest];
}

/** The same of a rectangle: the pair of its lower corner, and that of its upper one. */
export function swapCorners(
  axes: Pick<Axes, "flipped">,
  [lowFirst, lowSecond, highFirst, highSecond]: readonly [number, number, number, number],
): [number, number, number, number] {
  return [...swap(axes, lowFirst, lowSecond), ...swap(axes, highFirst, highSecond)];
}
