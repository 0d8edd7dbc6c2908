/** Geometries in GML 3.1 and 3.2 (OGC 03-105r1, 07-036), as GeoJSON, with the ordinates in the order of the document. */
import { badInput } from "../ground/errors.ts";
import { quote } from "./show.ts";
import { childOf, type XmlElement } from "./xml.ts";

export interface GmlGeometry {
  /** A GeoJSON geometry, but for the order of its axes. */
  readonly json: { readonly type: string; readonly coordinates?: unknown; readonly geometries?: readonly unknown[] };
  /** The name of its system; undefined: none is named. */
  readonly srsName: string | undefined;
}

export interface GmlBox {
  /** The lower corner, then the upper one. */
  readonly numbers: readonly number[];
  readonly srsName: string | undefined;
}

const NAMESPACE = /^http:\/\/www\.opengis\.net\/gml(\/3\.2)?$/;
const DEEPEST = 16;

type Position = readonly number[];
type Json = GmlGeometry["json"];

/** The whole of a geometry: its systems, and the number of ordinates of its positions where that is said. */
class GmlReader {
  srsName: string | undefined;

  read(element: XmlElement, dimensions: number | undefined, depth = 0): Json {
    if (depth > DEEPEST) this.#fail(element, "is nested too deeply");
    const own = this.#enter(element, dimensions);
    const { name } = element;
    switch (name) {
      case "Point":
        return { type: "Point", coordinates: this.#position(element, own) };
      case "LineString":
      case "Curve":
        return { type: "LineString", coordinates: this.#line(element, own) };
      case "Polygon":
      case "Surface":
        return this.#area(element, own);
      case "MultiPoint":
      case "MultiLineString":
      case "MultiCurve":
      case "MultiPolygon":
      case "MultiSurface":
        return this.#many(element, own, depth);
      case "MultiGeometry":
        return {
          type: "GeometryCollection",
          geometries: this.#members(element).map((each) => this.read(each, own, depth + 1)),
        };
      default:
        return this.#fail(element, "is a geometry that cannot be read here");
    }
  }

  box(element: XmlElement): readonly number[] {
    const dimensions = this.#enter(element, undefined);
    const corners = element.children.filter(({ name }) => name === "lowerCorner" || name === "upperCorner");
    const positions =
      corners.length === 2
        ? corners.map((corner) => this.#numbers(corner, corner.text))
        : this.#positions(element, dimensions);
    if (positions.length !== 2) this.#fail(element, "must have a lower and an upper corner");
    return positions.flat();
  }

  /** Records the system. Returns the number of ordinates for its parts. */
  #enter(element: XmlElement, outer: number | undefined): number | undefined {
    const { attributes } = element;
    this.#refuseReference(element);
    const named = attributes.get("srsName");
    if (named !== undefined && this.srsName !== undefined && named !== this.srsName)
      this.#fail(element, "is in another system than the geometry around it");
    this.srsName ??= named;
    const dimension = attributes.get("srsDimension");
    if (dimension === undefined) return outer;
    return /^[23]$/.test(dimension) ? Number(dimension) : this.#fail(element, "must have two or three dimensions");
  }

  #position(element: XmlElement, dimensions: number | undefined): Position {
    const [only, ...more] = this.#positions(element, dimensions);
    return only && more.length === 0 ? only : this.#fail(element, "must have one position");
  }

  #line(element: XmlElement, dimensions: number | undefined): readonly Position[] {
    const segments = childOf(element, "segments");
    if (!segments) return this.#positions(element, dimensions);
    const positions: Position[] = [];
    for (const segment of segments.children) {
      if (segment.name !== "LineStringSegment")
        this.#fail(segment, "is a curve that cannot be read here: write it as line strings");
      const own = this.#positions(segment, this.#enter(segment, dimensions));
      for (const position of positions.length > 0 ? own.slice(1) : own) positions.push(position); // may be many
    }
    return positions;
  }

  #area(element: XmlElement, dimensions: number | undefined): Json {
    const patches = childOf(element, "patches", "polygonPatches")?.children;
    if (!patches) return { type: "Polygon", coordinates: this.#rings(element, dimensions) };
    const other = patches.find(({ name }) => name !== "PolygonPatch");
    if (other) this.#fail(other, "is a patch that cannot be read here: write it as polygons");
    const areas = patches.map((patch) => this.#rings(patch, this.#enter(patch, dimensions)));
    return areas.length === 1
      ? { type: "Polygon", coordinates: areas[0] }
      : { type: "MultiPolygon", coordinates: areas };
  }

  #rings(element: XmlElement, dimensions: number | undefined): readonly (readonly Position[])[] {
    return element.children
      .filter(({ name }) => RING_PARTS.has(name))
      .map((part) => {
        const ring = childOf(part, "LinearRing", "Ring") ?? this.#fail(part, "must have a ring");
        const own = this.#enter(ring, dimensions);
        if (ring.name === "LinearRing") return this.#positions(ring, own);
        return ring.children.flatMap((member, index) => {
          const curve = member.children[0] ?? this.#fail(member, "is empty");
          const line = this.#line(curve, this.#enter(curve, own));
          return index === 0 ? line : line.slice(1);
        });
      });
  }

  #many(element: XmlElement, dimensions: number | undefined, depth: number): Json {
    const parts = this.#members(element).map((each) => this.read(each, dimensions, depth + 1));
    const [single, type] = element.name === "MultiPoint" ? ["Point", "MultiPoint"] : /Curve|Line/.test(element.name) ? ["LineString", "MultiLineString"] : ["Polygon", "MultiPolygon"]; // oxfmt-ignore
    const coordinates = parts.flatMap((part) => {
      if (part.type === single) return [part.coordinates];
      if (part.type === type) return part.coordinates as unknown[];
      return this.#fail(element, `must have members of one kind, and not a ${part.type}`);
    });
    return { type, coordinates };
  }

  /** `pointMember` and `pointMembers`, and the same of others. */
  #members({ children }: XmlElement): readonly XmlElement[] {
    return children
      .filter(({ name }) => /Members?$/.test(name))
      .flatMap((member) => {
        this.#refuseReference(member);
        return member.children;
      });
  }

  /** An element that names another one in place of content (`xlink:href`) is not taken as an empty one. */
  #refuseReference(element: XmlElement): void {
    if (element.attributes.has("href"))
      this.#fail(element, "refers to another element, which is not read: write it here");
  }

  #positions(element: XmlElement, dimensions: number | undefined): readonly Position[] {
    return element.children.flatMap((child): readonly Position[] => {
      const own = this.#enter(child, dimensions);
      switch (child.name) {
        case "pos":
          return [this.#numbers(child, child.text)];
        case "posList":
          return this.#list(child, own ?? 2);
        case "coordinates":
          return this.#tuples(child);
        case "coord":
          return [child.children.map((ordinate) => this.#number(ordinate, ordinate.text.trim()))];
        case "pointProperty":
        case "pointRep": {
          const point = child.children[0] ?? this.#fail(child, "is empty");
          return [this.#position(point, this.#enter(point, own))];
        }
        default:
          return [];
      }
    });
  }

  #list(element: XmlElement, dimensions: number): readonly Position[] {
    const numbers = this.#numbers(element, element.text);
    if (numbers.length % dimensions !== 0)
      this.#fail(element, `must have ${dimensions} numbers for each position, and has ${numbers.length}`);
    return Array.from({ length: numbers.length / dimensions }, (_, index) =>
      numbers.slice(index * dimensions, (index + 1) * dimensions),
    );
  }

  #tuples(element: XmlElement): readonly Position[] {
    const { attributes, text } = element;
    const [decimal, between, after] = [attributes.get("decimal"), attributes.get("cs"), attributes.get("ts")];
    const tuples = text.trim().split(after === undefined || after.trim() === "" ? /\s+/ : after);
    return tuples
      .filter((tuple) => tuple !== "")
      .map((tuple) =>
        tuple.split(between ?? ",").map((number) => this.#number(element, number.trim().replace(decimal ?? ".", "."))),
      );
  }

  #numbers(element: XmlElement, text: string): readonly number[] {
    const trimmed = text.trim();
    return trimmed === "" ? [] : trimmed.split(/\s+/).map((number) => this.#number(element, number));
  }

  #number(element: XmlElement, text: string): number {
    const number = text === "" ? NaN : Number(text);
    return Number.isFinite(number)
      ? number
      : this.#fail(element, `must have numbers, and has ${quote(text.slice(0, 50))}`);
  }

  #fail({ name }: XmlElement, problem: string): never {
    return badInput(`gml:${name} ${problem}`);
  }
}

const RING_PARTS: ReadonlySet<string> = new Set(["exterior", "interior", "outerBoundaryIs", "innerBoundaryIs"]);
const BOXES: ReadonlySet<string> = new Set(["Envelope", "Box"]);

const isGml = ({ namespace }: XmlElement): boolean => NAMESPACE.test(namespace);

/** Whether it is an element of GML. Elements for times and rectangles count too. */
export function isGmlElement(element: XmlElement): boolean {
  return isGml(element);
}

export function isGmlBox(element: XmlElement): boolean {
  return isGml(element) && BOXES.has(element.name);
}

/** Throws `BAD_USER_INPUT` for arcs, and for anything else that GeoJSON has no form for. */
export function readGml(element: XmlElement): GmlGeometry {
  const reader = new GmlReader();
  const json = reader.read(element, undefined);
  return { json, srsName: reader.srsName };
}

/** Throws `BAD_USER_INPUT`. */
export function readGmlBox(element: XmlElement): GmlBox {
  const reader = new GmlReader();
  const numbers = reader.box(element);
  return { numbers, srsName: reader.srsName };
}
