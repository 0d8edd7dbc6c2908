/** Geometries of KML 2.3 (OGC 12-007r2 §10), and tracks of Google's extension, as GeoJSON has them. */
import { badInput } from "../../ground/errors.ts";
import { childOf, type XmlElement } from "../../types/xml.ts";
import { numberOf } from "../xmlFeatures.ts";

export interface GeoJson {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly GeoJson[];
}

type Position = readonly number[];

const MOST_DEPTH = 16;
const GEOMETRIES = new Set(["Point", "LineString", "LinearRing", "Polygon", "MultiGeometry", "Track", "MultiTrack"]);

/** The geometry among the children of a feature; undefined where it has none. Throws `BAD_USER_INPUT`. */
export function kmlGeometry({ children }: XmlElement): GeoJson | undefined {
  const found = children.filter(({ name }) => GEOMETRIES.has(name) || name === "Model");
  if (found.some(({ name }) => name === "Model")) badInput("the geometry is a Model, which is not supported");
  return found[0] && read(found[0], 0);
}

function read(element: XmlElement, depth: number): GeoJson | undefined {
  if (depth > MOST_DEPTH) badInput("the geometry is nested too deeply");
  switch (element.name) {
    case "Point":
      return single("Point", positionsOf(element)[0]);
    case "LineString":
    case "LinearRing":
      return line(positionsOf(element));
    case "Polygon":
      return polygon(element);
    case "Track":
      return line(trackOf(element));
    default:
      return many(
        element.children.filter(({ name }) => GEOMETRIES.has(name)).flatMap((each) => read(each, depth + 1) ?? []),
      );
  }
}

function single(type: string, coordinates: unknown): GeoJson | undefined {
  return coordinates === undefined ? undefined : { type, coordinates };
}

function line(positions: readonly Position[]): GeoJson | undefined {
  return positions.length === 0 ? undefined : { type: "LineString", coordinates: alike(positions) };
}

function polygon(element: XmlElement): GeoJson | undefined {
  const rings = element.children
    .filter(({ name }) => name === "outerBoundaryIs" || name === "innerBoundaryIs")
    .toSorted((one, other) => Number(one.name === "innerBoundaryIs") - Number(other.name === "innerBoundaryIs"))
    .flatMap(({ children }) => children.filter(({ name }) => name === "LinearRing").map(positionsOf));
  const length = Math.max(2, ...rings.flat().map((position) => position.length));
  return rings.length === 0
    ? undefined
    : { type: "Polygon", coordinates: rings.map((ring) => ring.map((position) => withHeight(position, length))) };
}

/** One of many where all are of one type, else a collection. */
function many(parts: readonly GeoJson[]): GeoJson | undefined {
  const [first] = parts;
  if (!first) return undefined;
  const isOne = parts.every(({ type }) => type === first.type);
  if (!isOne || !["Point", "LineString", "Polygon"].includes(first.type))
    return { type: "GeometryCollection", geometries: parts };
  return { type: `Multi${first.type}`, coordinates: parts.map(({ coordinates }) => coordinates) };
}

/** `longitude,latitude[,height]`, with spaces between positions. */
function positionsOf(element: XmlElement): readonly Position[] {
  const text = childOf(element, "coordinates")?.text.trim() ?? "";
  return text === ""
    ? []
    : text
        .split(",")
        .map((part) => part.trim())
        .join(",")
        .split(/\s+/)
        .map((part) => position(part.split(",")));
}

/** `gx:coord`: with spaces between numbers. */
function trackOf({ children }: XmlElement): readonly Position[] {
  return children
    .filter(({ name, text }) => name === "coord" && text.trim() !== "")
    .map(({ text }) => position(text.trim().split(/\s+/)));
}

function position(parts: readonly string[]): Position {
  if (parts.length < 2 || parts.length > 3)
    badInput(`coordinates: expected longitude,latitude[,height], got ${JSON.stringify(parts.join(",").slice(0, 100))}`);
  return parts.map((part) => numberOf(part, "coordinates"));
}

/** Positions of one length: a missing height is 0. */
function alike(positions: readonly Position[]): readonly Position[] {
  const length = positions.some((each) => each.length > 2) ? 3 : 2;
  return positions.map((each) => withHeight(each, length));
}

function withHeight(position: Position, length: number): Position {
  return position.length < length ? [...position, 0] : position;
}
