/** The forms of the symbols of styles, for MapServer and for the pictures of MapLibre styles. */
import type { SymbolName } from "./style.ts";

type Point = readonly [x: number, y: number];

export interface SymbolForm {
  /** Rings or strokes, right and down, in any unit. MapServer fits them into a square of the symbol's size. */
  readonly paths: readonly (readonly Point[])[];
  /** Whether the paths are filled, else they are stroked. */
  readonly isFilled: boolean;
}

const CIRCLE_CORNERS = 48;

const ring = (...points: readonly Point[]): SymbolForm => ({ paths: [points], isFilled: true });

/** The circle is a polygon here, which differs from it by less than a hundredth of its size. */
export const SYMBOL_FORMS: Readonly<Record<Exclude<SymbolName, "hatch">, SymbolForm>> = {
  circle: ring(
    ...Array.from({ length: CIRCLE_CORNERS }, (_, index): Point => {
      const angle = (index / CIRCLE_CORNERS) * 2 * Math.PI;
      return [0.5 + Math.cos(angle) / 2, 0.5 + Math.sin(angle) / 2];
    }),
  ),
  square: ring([0, 0], [0, 1], [1, 1], [1, 0], [0, 0]),
  triangle: ring([0, 4], [2, 0], [4, 4], [0, 4]),
  diamond: ring([0, 1], [1, 2], [2, 1], [1, 0], [0, 1]),
  star: ring(
    [0, 0.375],
    [0.35, 0.375],
    [0.5, 0],
    [0.65, 0.375],
    [1, 0.375],
    [0.75, 0.625],
    [0.875, 1],
    [0.5, 0.75],
    [0.125, 1],
    [0.25, 0.625],
    [0, 0.375],
  ),
  cross: { paths: [[[0.5, 0], [0.5, 1]], [[0, 0.5], [1, 0.5]]], isFilled: false }, // oxfmt-ignore
  x: { paths: [[[0, 0], [1, 1]], [[0, 1], [1, 0]]], isFilled: false }, // oxfmt-ignore
};

/** MapServer's definitions of the symbols, for a mapfile. */
export const SYMBOL_BLOCKS = [
  'SYMBOL NAME "circle" TYPE ELLIPSE FILLED TRUE POINTS 1 1 END END',
  ...Object.entries(SYMBOL_FORMS).flatMap(([name, { paths, isFilled }]) => {
    if (name === "circle") return [];
    const points = paths.map((path) => path.flat().join(" ")).join(" -99 -99 ");
    return `SYMBOL NAME "${name}" TYPE VECTOR${isFilled ? " FILLED TRUE" : ""} POINTS ${points} END END`;
  }),
  'SYMBOL NAME "hatch" TYPE HATCH END',
];
