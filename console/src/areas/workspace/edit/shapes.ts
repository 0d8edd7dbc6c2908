/**
 * Converts shapes between degrees and the plane of the map. An unmoved position keeps its numbers: it is written as it
 * was read, even where another shape was snapped to it.
 */
import type Geometry from "ol/geom/Geometry.js";
import type SimpleGeometry from "ol/geom/SimpleGeometry.js";
import { toLonLat } from "ol/proj.js";
import { geojson } from "../../../ui/map/land.ts";
import type { Shape } from "./edits.ts";

const TYPES = ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"] as const;
export type ShapeType = (typeof TYPES)[number];

/** The number of decimals of degrees: nine, a tenth of a millimetre. */
const DECIMALS = 9;
const MERCATOR = { dataProjection: "EPSG:4326", featureProjection: "EPSG:3857" } as const;

type Numbers = readonly number[] | readonly Numbers[];

/** Whether the map can edit a geometry. Collections and empty geometries cannot be edited. */
export function isEditable(value: unknown): value is Shape {
  const { type, coordinates } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return TYPES.some((each) => each === type) && Array.isArray(coordinates) && coordinates.length > 0;
}

/** The geometry types that a column accepts, by its type in SQL. */
export function typesOf(sqlType: string): readonly ShapeType[] {
  const one = TYPES.filter((type) => new RegExp(`\\(${type}(Z?M?)\\b`, "i").test(sqlType));
  return one.length > 0 ? one : TYPES;
}

/** Whether a value is a shape of several types, which the map does not edit. */
export function isCollection(value: unknown): boolean {
  return (value as { readonly type?: unknown } | null)?.type === "GeometryCollection";
}

/** A shape as text without a reference system. */
export function ewkt({ type, coordinates }: Shape): string {
  const text = (part: Numbers): string => (isPlace(part) ? part.join(" ") : `(${part.map(text).join(", ")})`);
  const inner = text(coordinates as Numbers);
  return `${type.toUpperCase()}${inner.startsWith("(") ? inner : `(${inner})`}`;
}

/** The original numbers of positions, by their coordinates on the plane. */
export class Places {
  readonly #known = new Map<string, readonly number[]>();

  toMap(shape: Shape): Geometry {
    const geometry = geojson.readGeometry(shape, MERCATOR) as SimpleGeometry;
    this.#learn((geometry.getCoordinates() ?? []) as Numbers, shape.coordinates as Numbers);
    return geometry;
  }

  fromMap(geometry: Geometry): Shape {
    const coordinates = ((geometry as SimpleGeometry).getCoordinates() ?? []) as Numbers;
    return { type: geometry.getType(), coordinates: this.#told(coordinates) };
  }

  #learn(plane: Numbers, degrees: Numbers): void {
    if (isPlace(plane)) this.#known.set(keyOf(plane), degrees as readonly number[]);
    else plane.forEach((each, index) => this.#learn(each, degrees[index] as Numbers));
  }

  #told(plane: Numbers): unknown {
    if (!isPlace(plane)) return plane.map((each) => this.#told(each));
    const [lon = 0, lat = 0] = this.#known.get(keyOf(plane)) ?? toLonLat([...plane]).map(rounded);
    return [lon, lat, ...plane.slice(2)];
  }
}

function isPlace(numbers: Numbers): numbers is readonly number[] {
  return typeof numbers[0] === "number";
}

function keyOf([x, y]: readonly number[]): string {
  return `${x} ${y}`;
}

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}

/**
 * Converts a shape to a type of the column: a single shape to a multiple one, or a multiple one with a single part to
 * that part.
 */
export function fitted(shape: Shape, types: readonly ShapeType[]): Shape {
  const { type, coordinates } = shape;
  if (types.some((each) => each === type)) return shape;
  const several = types.find((each) => each === `Multi${type}`);
  if (several) return { type: several, coordinates: [coordinates] };
  const parts = coordinates as readonly unknown[];
  const one = types.find((each) => `Multi${each}` === type);
  return one && parts.length === 1 ? { type: one, coordinates: parts[0] } : shape;
}
