/** The style of a collection for which none is set. */
import { darker, type Colour } from "./colours.ts";
import type { Drawing, ShapeKind, Style } from "./style.ts";

const DRAWINGS: Readonly<Record<ShapeKind, Drawing>> = {
  polygon: { color: "#a6c8e0", outlineColor: "#3f6f95", width: 1, opacity: 80 },
  line: { color: "#3f6f95", width: 2 },
  // without an outline, which takes three times as long; a collection may have many points
  point: { symbol: "circle", size: 7, color: "#d1495b" },
};

/** The drawings in one colour. What lies beneath areas shows through them. A halo keeps points apart from each other. */
const COLOURED: Readonly<Record<ShapeKind, (color: Colour) => readonly Drawing[]>> = {
  polygon: (color) => [
    { color, opacity: 40 },
    { outlineColor: darker(color), width: 1 },
  ],
  line: (color) => [{ color, width: 2 }],
  point: (color) => [{ symbol: "circle", size: 7, color, outlineColor: "#ffffff", width: 1 }],
};

/** One class for all features. `colour`: the one that the request gives. */
export function defaultStyle(shape: ShapeKind, colour?: Colour): Style {
  const styles = colour === undefined ? [DRAWINGS[shape]] : COLOURED[shape](colour);
  return [{ name: "All", where: undefined, styles, labels: [] }];
}
