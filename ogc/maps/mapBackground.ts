/** The background of a map, and the void outside of its system's world (OGC 20-058 §9). */
import type { Exchange } from "../exchange/exchange.ts";
import { JPEG, PNG } from "../exchange/formats.ts";
import type { Frame } from "./mapFrame.ts";
import { worldOf } from "./mapProjection.ts";
import type { MapLayer } from "./mapLayer.ts";
import { withHiddenColours } from "./mapPng.ts";
import type { Bounds } from "../collections/bounds.ts";
import type { Colour } from "./colours.ts";

const WHITE = "#ffffff";
/** MapServer's colour of transparent pixels. */
const BLACK = "#000000";

export interface Surface {
  readonly transparent: boolean;
  readonly colour: Colour;
}

export interface Background {
  /** The background colour of MapServer's picture. */
  readonly ground: Surface;
  /** A layer that is painted first: the void, or the world if MapServer's background stands for the void. */
  readonly layer: MapLayer | undefined;
  /** Gives the transparent pixels of a PNG the requested colours. */
  finish(image: readonly Buffer[]): Promise<readonly Buffer[]>;
}

/**
 * The background is transparent unless a colour is given; JPEG has no transparency. The void looks the same unless its
 * own colour is given.
 */
export function backgroundOf({ parameters, format }: Exchange, frame: Frame): Background {
  const { bgcolor, transparent = bgcolor === undefined } = parameters;
  const { "void-color": voidColour = bgcolor, "void-transparent": voidTransparent = transparent } = parameters;
  const surface = (isTransparent: boolean, given: Colour | undefined): Surface => ({
    transparent: isTransparent && format !== JPEG,
    colour: given ?? WHITE,
  });
  const plain = surface(transparent, bgcolor);
  const empty = surface(voidTransparent, voidColour);
  const world = worldOf(frame.crs, frame.seam !== undefined);
  const isHidden = (plain.transparent && bgcolor !== undefined) || (empty.transparent && voidColour !== undefined);
  const finish = (image: readonly Buffer[]): Promise<readonly Buffer[]> =>
    format === PNG && isHidden ? withGivenColours(image, frame, bgcolor, voidColour) : Promise.resolve(image);
  const isUniform = plain.transparent === empty.transparent && (plain.transparent || plain.colour === empty.colour);
  if (!world || isWithin(frame.bounds, world) || isUniform) return { ground: plain, layer: undefined, finish };
  // transparency cannot be painted over an opaque colour
  return empty.transparent
    ? { ground: empty, layer: areaLayer(frame, [world], plain.colour), finish }
    : { ground: plain, layer: areaLayer(frame, outside(world), empty.colour), finish };
}

async function withGivenColours(
  image: readonly Buffer[],
  { bounds, width, height, ...frame }: Frame,
  bgcolor: Colour = BLACK,
  voidColour: Colour = BLACK,
): Promise<readonly Buffer[]> {
  if (bgcolor === BLACK && voidColour === BLACK) return image;
  const [plain, empty] = [bgcolor, voidColour].map((colour) => Number.parseInt(colour.slice(1), 16)) as [
    number,
    number,
  ];
  const world = worldOf(frame.crs, frame.seam !== undefined);
  if (!world || isWithin(bounds, world)) return withHiddenColours(image, () => plain);
  const [minx, miny, maxx, maxy] = bounds;
  const x = (column: number): number => minx + ((column + 0.5) * (maxx - minx)) / width;
  const y = (row: number): number => maxy - ((row + 0.5) * (maxy - miny)) / height;
  return withHiddenColours(image, (column, row) =>
    isWithin([x(column), y(row), x(column), y(row)], world) ? plain : empty,
  );
}

function isWithin([minx, miny, maxx, maxy]: Bounds, [west, south, east, north]: Bounds): boolean {
  return minx >= west && miny >= south && maxx <= east && maxy <= north;
}

/** A coordinate beyond every map. */
const FAR = 1e9;

/** The four rectangles around a rectangle. */
function outside([west, south, east, north]: Bounds): Bounds[] {
  const [left, right] = [Math.max(west, -FAR), Math.min(east, FAR)];
  return [
    [-FAR, -FAR, left, FAR],
    [right, -FAR, FAR, FAR],
    [left, -FAR, right, south],
    [left, north, right, FAR],
  ];
}

function areaLayer({ crs }: Pick<Frame, "crs">, areas: readonly Bounds[], colour: Colour): MapLayer {
  const rings = areas.map(
    ([minx, miny, maxx, maxy]) =>
      `POINTS ${[minx, miny, minx, maxy, maxx, maxy, maxx, miny, minx, miny].map((each) => Math.min(Math.max(each, -FAR), FAR)).join(" ")} END`,
  );
  const text = `LAYER
  NAME 'area'
  TYPE POLYGON
  STATUS ON
  PROJECTION "init=epsg:${crs.srid}" END
  FEATURE ${rings.join(" ")} END
  CLASS STYLE COLOR "${colour}" END END
END`;
  return { name: "area", text };
}
