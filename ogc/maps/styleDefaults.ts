/** The style of a collection for which none is set. */
import type { Drawing, ShapeKind, Style } from "./style.ts";

const DRAWINGS: Readonly<Record<ShapeKind, Drawing>> = {
  polygon: { color: "#a6c8e0", outlineColor: "#3f6f95", width: 1, opacity: 80 },
  line: { color: "#3f6f95", width: 2 },
  // without an outline, which takes three times as long; a collection may have many points
  point: { symbol: "circle", size: 7, color: "#d1495b" },
};

/** One class for all features. */
export function defaultStyle(shape: ShapeKind): Style {
  return [{ name: "All", where: undefined, styles: [DRAWINGS[shape]], labels: [] }];
}
