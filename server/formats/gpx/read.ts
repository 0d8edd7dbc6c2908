/** Waypoints, routes and tracks of a GPX file (1.0 and 1.1), or the points of its tracks. */
import { badInput } from "../../ground/errors.ts";
import type { XmlElement } from "../../types/xml.ts";
import type { Cell, Source } from "../source.ts";
import { numberOf, textOf, xmlPortions, type Cells, type XmlFeatures } from "../xmlFeatures.ts";

const GEOMETRY = "geometry";
/** The column with the kind of a row. */
const KIND = "kind";

/** Layers that can be chosen, with the elements that are their rows. */
const LAYERS = { waypoints: "wpt", routes: "rte", tracks: "trk", track_points: "trk" } as const;
type Layer = keyof typeof LAYERS;
const KINDS: Readonly<Record<string, string>> = { wpt: "waypoint", rte: "route", trk: "track" };

/** Children that are no values of a row. */
const PARTS = new Set(["trkseg", "rtept", "extensions", "link"]);

/** `layer`: default waypoints, routes and tracks. Throws `BAD_USER_INPUT` for an unknown one. */
export function gpxSource(
  bytes: AsyncIterable<Uint8Array>,
  layer: string | undefined,
  portion: number | undefined,
): Source {
  if (layer !== undefined && !Object.hasOwn(LAYERS, layer))
    badInput(`layer: choose one of ${Object.keys(LAYERS).join(", ")}`);
  const portions = xmlPortions(bytes, kindOf(layer as Layer | undefined), portion);
  return { unit: "feature", optional: new Set([KIND]), portions };
}

function kindOf(layer: Layer | undefined): XmlFeatures {
  const features = new Set<string>(layer === undefined ? Object.values(LAYERS) : [LAYERS[layer]]);
  return {
    root: "gpx",
    title: "GPX file",
    features,
    rows: (element) => (layer === "track_points" ? pointsOf(element) : [() => cellsOf(element)]),
  };
}

function cellsOf(element: XmlElement): Cells {
  return new Map([[KIND, KINDS[element.name]!], ...valuesOf(element), [GEOMETRY, geometryOf(element)]]);
}

/** Simple children by their names, and the address of a link. */
function valuesOf({ children }: XmlElement): readonly (readonly [string, Cell])[] {
  return children.flatMap((child): (readonly [string, Cell])[] => {
    if (child.name === "link") return [["link", child.attributes.get("href") ?? null]];
    const text = child.text.trim();
    return PARTS.has(child.name) || child.children.length > 0 || text === "" ? [] : [[child.name, text]];
  });
}

function geometryOf(element: XmlElement): Cell {
  if (element.name === "wpt") return { type: "Point", coordinates: positionsOf([element])[0] };
  if (element.name === "rte") return lineOf(named(element, "rtept"));
  const lines = named(element, "trkseg").flatMap((segment) => lineOf(named(segment, "trkpt")) ?? []);
  const length = Math.max(0, ...lines.map(({ coordinates }) => coordinates[0]!.length));
  const coordinates = lines.map((line) => line.coordinates.map((position) => withHeight(position, length)));
  return coordinates.length === 0 ? null : { type: "MultiLineString", coordinates };
}

const named = ({ children }: XmlElement, wanted: string): readonly XmlElement[] =>
  children.filter(({ name }) => name === wanted);

type Position = readonly number[];

/** Null for less than two points. */
function lineOf(
  points: readonly XmlElement[],
): { readonly type: "LineString"; readonly coordinates: readonly Position[] } | null {
  return points.length < 2 ? null : { type: "LineString", coordinates: positionsOf(points) };
}

/** With heights where one point has one; a missing one is 0. */
function positionsOf(points: readonly XmlElement[]): readonly Position[] {
  const positions = points.map((point) => {
    const height = textOf(point, "ele");
    const [x, y] = [numberOf(point.attributes.get("lon"), "lon"), numberOf(point.attributes.get("lat"), "lat")];
    return height === undefined ? [x, y] : [x, y, numberOf(height, "ele")];
  });
  const length = positions.some((position) => position.length > 2) ? 3 : 2;
  return positions.map((position) => withHeight(position, length));
}

function withHeight(position: Position, length: number): Position {
  return position.length < length ? [...position, 0] : position;
}

/** A row for each point of a track, with the track's name and the number of the segment, from 1. */
function pointsOf(track: XmlElement): readonly (() => Cells)[] {
  const name = textOf(track, "name");
  return named(track, "trkseg").flatMap((segment, index) =>
    named(segment, "trkpt").map((point) => (): Cells => {
      const geometry = { type: "Point", coordinates: positionsOf([point])[0] };
      const own: readonly (readonly [string, Cell])[] = [
        ["track", name ?? null],
        ["segment", String(index + 1)],
      ];
      return new Map([...own, ...valuesOf(point), [GEOMETRY, geometry]]);
    }),
  );
}
