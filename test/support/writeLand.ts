/**
 * Writes ogc/pages/assets/land.json, the land behind the maps of pages: `writeLand.ts land-110m.json`, a TopoJSON of
 * Natural Earth's land (public domain), from the npm package `world-atlas`. Land that crosses the antimeridian is cut
 * there. Land around a pole follows the edge of the map.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Position = readonly [longitude: number, latitude: number];
type Ring = readonly Position[];

interface Topology {
  readonly transform: { readonly scale: Position; readonly translate: Position };
  /** The first point, then the steps to the next ones, in whole numbers. */
  readonly arcs: readonly Ring[];
  readonly objects: Readonly<Record<string, { readonly geometries: readonly TopologyPolygons[] }>>;
}

interface TopologyPolygons {
  /** Polygons of rings of numbers of arcs; `~n` is arc n backwards. */
  readonly arcs: readonly (readonly (readonly number[])[])[];
}

const DECIMALS = 3;

function arcsOf({ arcs, transform: { scale, translate } }: Topology): Ring[] {
  return arcs.map((steps) => {
    let [x, y] = [0, 0];
    return steps.map(([dx, dy]): Position => {
      [x, y] = [x + dx, y + dy];
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  });
}

/** Removes jumps from one edge of the map to the other: longitudes continue beyond 180 instead. */
function unwrapped(ring: Ring): Position[] {
  let turn = 0;
  const points = ring.map(([longitude, latitude], index): Position => {
    const step = longitude - (ring[index - 1]?.[0] ?? longitude);
    turn -= 360 * Math.sign(step) * Number(Math.abs(step) > 180);
    return [longitude + turn, latitude];
  });
  const [first, last] = [points[0]!, points.at(-1)!];
  if (Math.abs(last[0] - first[0]) < 180) return points;
  const pole = Math.sign(first[1]) * 90;
  return [...points, [last[0], pole], [first[0], pole], first];
}

/** The part on one side of a meridian (Sutherland and Hodgman). */
function clipped(ring: Ring, meridian: number, side: 1 | -1): Position[] {
  const isInside = ([longitude]: Position): boolean => (longitude - meridian) * side >= 0;
  return ring.flatMap((point, index) => {
    const before = ring.at(index - 1)!;
    if (isInside(point) === isInside(before)) return isInside(point) ? [point] : [];
    const share = (meridian - before[0]) / (point[0] - before[0]);
    const crossing: Position = [meridian, before[1] + share * (point[1] - before[1])];
    return isInside(point) ? [crossing, point] : [crossing];
  });
}

/** The parts of a ring in the world's three turns, moved back into the first. Parts without an area are left out. */
function parts(ring: Ring): Ring[] {
  const open = unwrapped(ring).slice(0, -1);
  return [-360, 0, 360].flatMap((turn) => {
    const inside = clipped(clipped(open, turn - 180, 1), turn + 180, -1);
    const rounded = inside.map(([longitude, latitude]): Position => [round(longitude - turn), round(latitude)]);
    const points = rounded.filter((point, index) => String(point) !== String(rounded.at(index - 1)));
    return new Set(points.map(([longitude]) => longitude)).size > 1 ? [[...points, points[0]!]] : [];
  });
}

/** Whether a ring goes around a position: counts its crossings of the line from there to the east. */
function surrounds(ring: Ring, [longitude, latitude]: Position): boolean {
  const crossings = ring.filter(([x, y], index) => {
    const [xBefore, yBefore] = ring.at(index - 1)!;
    return y > latitude !== yBefore > latitude && longitude < x + ((latitude - y) * (xBefore - x)) / (yBefore - y);
  });
  return crossings.length % 2 === 1;
}

const round = (degrees: number): number => Number(degrees.toFixed(DECIMALS));

const [, , source = ""] = process.argv;
const topology = JSON.parse(readFileSync(source, "utf8")) as Topology;
const arcs = arcsOf(topology);
const ringOf = (numbers: readonly number[]): Ring =>
  numbers.flatMap((number, index) => {
    const arc = number < 0 ? arcs[~number]!.toReversed() : arcs[number]!;
    return index === 0 ? arc : arc.slice(1); // it begins where the one before ends
  });
const polygons = Object.values(topology.objects).flatMap(({ geometries }) =>
  geometries.flatMap((geometry) => geometry.arcs),
);
const coordinates = polygons.flatMap(([outer = [], ...holes]) => {
  const inner = holes.flatMap((hole) => parts(ringOf(hole)));
  return parts(ringOf(outer)).map((shell) => [shell, ...inner.filter((hole) => surrounds(shell, hole[0]!))]);
});
writeFileSync(
  join(import.meta.dirname, "../../ogc/pages/assets/land.json"),
  `${JSON.stringify({ type: "MultiPolygon", coordinates }).replaceAll("]]],[[[", "]]],\n[[[")}\n`,
);
