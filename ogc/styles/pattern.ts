/** Patterns that fill polygons: hatches and rows of marks, as pictures that repeat without a seam. */
import { LRUCache } from "lru-cache";
import { SYMBOL_FORMS } from "../maps/symbols.ts";
import type { SymbolName } from "../maps/style.ts";

/** A pattern with its measures in pixels. */
export interface Pattern {
  readonly symbol: SymbolName;
  /** `#rrggbb`. */
  readonly color: string;
  /** Of a mark its height, of a hatch the distance between its lines. */
  readonly size: number;
  /** The width of the lines of a hatch. */
  readonly width: number;
  /** In degrees, counter-clockwise. */
  readonly angle: number;
}

/** Red, green, blue and alpha of each pixel, from the upper left corner. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Buffer;
}

/** The distance between marks, from the middle of one to the next, as MapServer's `GAP` (ogc/maps/mapClass.ts). */
const MARK_DISTANCE = 16;
/** The longest side of a picture, in pixels, unless one period of the pattern is longer. */
const MOST_PIXELS = 256;
/** The longest period along a side of a hatch that is wider than the longest side, in distances of its lines. */
const STEEP = 3;
/** How far the sides of a hatch's picture may be from its true periods, as a part of them. */
const TOLERANCE = 0.01;
/** The points in each direction that decide how much of a pixel a mark covers. */
const SAMPLES = 4;
const CHANNELS = 4;

/** The name of a pattern. Equal patterns have equal names. */
export function patternName({ symbol, color, size, width, angle }: Pattern): string {
  return [symbol, color.slice(1), size, width, angle].join(" ");
}

/** The 500 most recently used pictures. Large marks that overlap take long to draw. */
const drawn = new LRUCache<string, Picture>({ max: 500 });

/** One period of a pattern. `ratio`: the pixels of the picture in one pixel of the style. */
export function drawPattern(pattern: Pattern, ratio: number): Picture {
  const key = `${patternName(pattern)} ${ratio}`;
  let picture = drawn.get(key);
  if (!picture) {
    picture = pattern.symbol === "hatch" ? drawHatch(pattern, ratio) : drawMark(pattern, pattern.symbol, ratio);
    drawn.set(key, picture);
  }
  return picture;
}

/** `coverage`: the part of a pixel that the pattern covers, by its column and row. */
function paint(width: number, height: number, color: string, coverage: (x: number, y: number) => number): Picture {
  const rgba = Buffer.alloc(width * height * CHANNELS);
  const colour = Number.parseInt(color.slice(1), 16);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const alpha = Math.round(255 * Math.max(0, Math.min(1, coverage(x, y))));
      rgba.writeUInt32BE(((colour << 8) | alpha) >>> 0, (y * width + x) * CHANNELS);
    }
  return { width, height, rgba };
}

/**
 * Parallel lines. Along the sides of the picture the lines come again after these distances; a whole number of them must
 * fit into a whole number of pixels.
 */
function drawHatch({ color, size, width, angle }: Pattern, ratio: number): Picture {
  const radians = (angle * Math.PI) / 180;
  const across = periodsOf(size, Math.sin(radians));
  const down = periodsOf(size, Math.cos(radians)); // one of them is at most √2 times the size
  let best = { columns: 1, rows: 1, count: 1, error: Infinity };
  for (let count = 1; best.error > TOLERANCE; count++) {
    const columns = Math.round(count * across.length);
    const rows = Math.round(count * down.length);
    if (Math.max(columns, rows) > MOST_PIXELS && best.error < Infinity) break;
    const error = Math.max(across.error(columns, count), down.error(rows, count));
    if (error < best.error) best = { columns: Math.max(1, columns), rows: Math.max(1, rows), count, error };
  }
  const { columns, rows, count } = best;
  const rise = { x: (across.sign * count) / columns, y: (down.sign * count) / rows };
  const distance = 1 / Math.hypot(rise.x, rise.y); // of two lines, as drawn
  return paint(columns * ratio, rows * ratio, color, (column, row) => {
    const phase = rise.x * ((column + 0.5) / ratio) + rise.y * ((row + 0.5) / ratio);
    const away = Math.abs(phase - Math.floor(phase) - 0.5) * distance;
    return Math.min((width / 2 - away) * ratio + 0.5, width * ratio);
  });
}

/** The distance after which lines come again along a side to which they rise by `slope`. */
function periodsOf(size: number, slope: number) {
  const length = size / Math.abs(slope);
  if (length > Math.max(MOST_PIXELS, STEEP * size)) return { length: 0, sign: 0, error: () => 0 }; // parallel to it, or nearly
  const error = (pixels: number, count: number): number => Math.abs(pixels / (count * length) - 1);
  return { length, sign: Math.sign(slope), error };
}

/** One mark in the middle. Marks that are larger than their distance reach into their neighbours. */
function drawMark({ color, size, angle }: Pattern, symbol: Exclude<SymbolName, "hatch">, ratio: number): Picture {
  const { paths, isFilled } = SYMBOL_FORMS[symbol];
  const extent = Math.max(...paths.flat(2));
  const [sin, cos] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)];
  const shapes = paths.map((path) =>
    path.map(([x, y]) => {
      const [right, below] = [(x / extent - 0.5) * size, (y / extent - 0.5) * size];
      return [cos * right + sin * below, cos * below - sin * right] as const;
    }),
  );
  const reach = Math.ceil((size * Math.SQRT1_2 + 1) / MARK_DISTANCE);
  const isIn = (x: number, y: number): boolean =>
    isFilled ? isInside(shapes[0]!, x, y) : shapes.some((path) => isOnStroke(path, x, y));
  const covers = (x: number, y: number): boolean => {
    for (let right = -reach; right <= reach; right++)
      for (let below = -reach; below <= reach; below++)
        if (isIn(x + right * MARK_DISTANCE, y + below * MARK_DISTANCE)) return true;
    return false;
  };
  const side = MARK_DISTANCE * ratio;
  return paint(side, side, color, (column, row) => {
    let count = 0;
    for (let sample = 0; sample < SAMPLES ** 2; sample++) {
      const x = (column + ((sample % SAMPLES) + 0.5) / SAMPLES) / ratio - MARK_DISTANCE / 2;
      const y = (row + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / ratio - MARK_DISTANCE / 2;
      if (covers(x, y)) count++;
    }
    return count / SAMPLES ** 2;
  });
}

type Path = readonly (readonly [x: number, y: number])[];

/** By the number of edges to the right of the point. */
function isInside(ring: Path, x: number, y: number): boolean {
  let inside = false;
  for (let at = 0; at < ring.length; at++) {
    const [[x1, y1], [x2, y2]] = [ring[at]!, ring[(at + 1) % ring.length]!];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}

/** Whether the point is on the stroke between two points, which is a pixel wide. */
function isOnStroke([from, to]: Path, x: number, y: number): boolean {
  const [[x1, y1], [x2, y2]] = [from!, to!];
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy) <= 0.5;
}
