/** Sizes of labels: pixels in documents of other programs, points in classes. */
import { PIXELS_PER_POINT } from "../../maps/style.ts";
import type { Notes } from "./notes.ts";

const [LEAST, MOST] = [4, 100];

/** The size in points. A column stays as it is. */
export function pointsOf(pixels: number | string): number | string {
  if (typeof pixels === "string") return pixels;
  return Math.min(MOST, Math.max(LEAST, Math.round((pixels / PIXELS_PER_POINT) * 100) / 100));
}

export function noteColumnOfPoints(
  column: string,
  { notes, at }: { readonly notes: Notes; readonly at: string },
): void {
  notes.add(at, `the numbers of the column ${column} are taken as points`);
}
