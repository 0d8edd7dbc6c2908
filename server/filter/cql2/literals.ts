/** The literals of a CQL2 filter: numbers, days, instants and geometries, checked as far as possible here. */
import { swap } from "../../types/axes.ts";
import type { Bounds } from "../../types/geometry.ts";
import { parseGeometry, WGS84, withoutEmptyParts } from "../../types/geometry.ts";
import { baseOf, type ColumnType } from "../../types/columnType.ts";
import { instantOf, MICROSECONDS } from "../../types/instants.ts";
import { quote } from "../../types/show.ts";
import { rectangleWkt } from "../geometrySql.ts";
import type { Operand } from "../tree.ts";
import { fail, locate, type FilterAxes, type Place, type SyntaxOf } from "./syntax.ts";
import { DATE, TIMESTAMP } from "./terms.ts";

export const CRS84_AXES: FilterAxes = { srid: WGS84, flipped: false, geographic: true };

/** For a number that PostgreSQL calculates with. */
const MAX_DIGITS = 1_000;

/** A number that JavaScript holds as it is written; else its text. */
export function numberOf({ value: text, at }: SyntaxOf<"number">): number | string {
  const [mantissa = "", power = "0"] = text.split(/e/i);
  const exponent = Number(power);
  if (text.length > MAX_DIGITS || Math.abs(exponent) > MAX_DIGITS)
    fail(at, `a number of more than ${MAX_DIGITS} digits`, "LIMIT_EXCEEDED");
  const digits = mantissa.replace(/[-+.]/g, "").replace(/^0+/, "");
  const value = Number(text);
  const isExact = digits.length <= 15 && Number.isFinite(value) && (value !== 0 || digits === "");
  return isExact ? value + 0 : text.toLowerCase(); // no negative zero
}

/** Bits of each whole number's type. */
const WHOLE: Readonly<Record<string, number>> = { int2: 16, int4: 32, int8: 64 };

/** Whether values of the type can equal the number; money is written in the locale of the database. */
export function holdsNumber(type: ColumnType, value: number | string): boolean {
  const { name } = baseOf(type);
  const bits = WHOLE[name];
  if (bits === undefined) return name === "numeric" || (type.kind === "float" && typeof value === "number");
  const text = String(value);
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(bits, BigInt(text)) === BigInt(text);
}

const INSTANT = /^(\d{4,6}-\d{2}-\d{2})(?:T([01]\d|2[0-3])(:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?)?( BC)?$/;
const IN_UTC: ReadonlySet<string> = new Set(["Z", "+00:00", "-00:00"]);

/**
 * RFC 3339, and other forms that answers contain: another zone or none (UTC), years before the first and after 9999,
 * and infinity. Returns the instant in UTC.
 */
function readInstant({ kind, value, at }: SyntaxOf<"date" | "timestamp">): string {
  if (value === "infinity" || value === "-infinity") return value;
  const [, day, hour, minutes, fraction = "", zone = "Z", era = ""] = INSTANT.exec(value) ?? [];
  const moment = day === undefined || (kind === "date") !== (hour === undefined) ? undefined : instantOf(value);
  if (moment === undefined)
    return fail(
      at,
      `${quote(value)} is not a ${kind}: write it as ${kind === "date" ? "2026-01-31" : "2026-01-31T12:00:00Z"}`,
    );
  if (kind === "date") return value;
  if (IN_UTC.has(zone)) return `${day}T${hour}${minutes}${fraction}Z${era}`;
  const seconds = (moment - (((moment % MICROSECONDS) + MICROSECONDS) % MICROSECONDS)) / MICROSECONDS;
  const date = new Date(Number(seconds) * 1000);
  const year = date.getUTCFullYear();
  const written = String(year > 0 ? year : 1 - year).padStart(4, "0");
  return `${written}-${date.toISOString().slice(-19, -5)}${fraction}Z${year > 0 ? "" : " BC"}`;
}

export function instantOperand(syntax: SyntaxOf<"date" | "timestamp">): Operand {
  return { kind: "value", value: readInstant(syntax), type: syntax.kind === "date" ? DATE : TIMESTAMP };
}

/** Positions in all geometries of one filter. */
const MAX_VERTICES = 10_000;

/** Reads the geometries of one filter. */
export class Geometries {
  readonly #axes: FilterAxes;
  #vertices = 0;

  constructor(axes: FilterAxes) {
    this.#axes = axes;
  }

  /** EWKT, x or longitude first. */
  read(syntax: SyntaxOf<"geometry">): string {
    const { value, at, axes = this.#axes } = syntax;
    const { srid, wkt, bounds } = locate(at, () => withoutEmptyParts(parseGeometry(value, "geometry", axes)));
    this.#vertices += wkt.match(/[(,]\s*[-+.\d]/g)?.length ?? 0;
    if (this.#vertices > MAX_VERTICES) fail(at, `geometries of more than ${MAX_VERTICES} positions`, "LIMIT_EXCEEDED");
    if (bounds) checkBounds(bounds, axes, at);
    return `SRID=${srid};${wkt}`;
  }

  /**
   * x or longitude first; minx > maxx where it crosses the antimeridian. Heights are left out, because all tests are
   * two-dimensional.
   */
  readBox({ numbers, at, axes = this.#axes }: SyntaxOf<"bbox">): Bounds {
    if ((numbers.length !== 4 && numbers.length !== 6) || !numbers.every(Number.isFinite))
      fail(at, `expected a box of four or six numbers, got ${numbers.length}`);
    const half = numbers.length / 2;
    const [minx, miny] = swap(axes, numbers[0]!, numbers[1]!);
    const [maxx, maxy] = swap(axes, numbers[half]!, numbers[half + 1]!);
    const crosses = minx > maxx && axes.geographic;
    if (miny > maxy || (minx > maxx && !crosses) || (half === 3 && numbers[2]! > numbers[5]!))
      fail(at, "the lower corner of the box is above the upper corner");
    checkBounds([Math.min(minx, maxx), miny, Math.max(minx, maxx), maxy], axes, at);
    return [minx, miny, maxx, maxy];
  }

  /** Whether the box is in longitude and latitude of WGS 84. */
  inDegrees({ axes = this.#axes }: SyntaxOf<"bbox">): boolean {
    return axes.srid === WGS84;
  }

  boxEwkt(syntax: SyntaxOf<"bbox">): string {
    const { axes = this.#axes } = syntax;
    const bounds = this.readBox(syntax);
    const parts = boxParts(bounds).map((part) => rectangleWkt(part));
    const wkt = parts.length === 1 ? parts[0]! : `GEOMETRYCOLLECTION(${parts.join(",")})`;
    const areAreas = parts.every((part) => part.startsWith("POLYGON"));
    const multi = parts.length > 1 && areAreas ? `MULTIPOLYGON(${parts.map((part) => part.slice(7)).join(",")})` : wkt;
    return `SRID=${axes.srid};${multi}`;
  }
}

function checkBounds([minx, miny, maxx, maxy]: Bounds, { geographic }: FilterAxes, at: Place): void {
  if (!geographic) return;
  if (miny < -90 || maxy > 90) fail(at, "a latitude is not between -90 and 90");
  if (minx < -360 || maxx > 360) fail(at, "a longitude is not between -360 and 360");
}

/** One box, or the two on both sides of the antimeridian. */
export function boxParts([minx, miny, maxx, maxy]: Bounds): Bounds[] {
  if (minx <= maxx) return [[minx, miny, maxx, maxy]];
  return [
    [minx, miny, 180, maxy],
    [-180, miny, maxx, maxy],
  ];
}
