/** Numbers as decimals with a limited number of places, written as bytes: many a second, without a string for each. */
import { withoutAtEnd } from "./texts.ts";

/** Bytes that a number may take. */
export const MOST_DECIMAL_BYTES = 32;

const POWERS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9] as const;
const MOST_PLACES = POWERS.length - 1;
/** Larger whole parts do not fit into 32 bits. */
const MOST_WHOLE = 2 ** 31;
/** When a number is this near to the middle between two decimals, the product does not tell which one is nearer. */
const UNSURE = 2 ** -10;
/** From here on a double has no decimals that 17 digits could show. */
const LARGEST_PLAIN = 1e15;

const MINUS = "-".charCodeAt(0);
const POINT = ".".charCodeAt(0);

/** Bytes as a DataView writes them, little-endian. */
function numberOf(text: string): number {
  return [...text].reduce((number, digit, index) => number + digit.charCodeAt(0) * 256 ** index, 0);
}
const BELOW_1000 = Array.from({ length: 1000 }, (_, number) => String(number));
const threeOf = (text: string): string => text.padStart(3, "0");
/** The digits of each number below 1,000: all three, and without zeros before them, with their number. */
const THREE = Uint32Array.from(BELOW_1000, (text) => numberOf(threeOf(text)));
const SHORT = Uint32Array.from(BELOW_1000, numberOf);
const SHORT_LENGTH = Uint8Array.from(BELOW_1000, ({ length }) => length);
/** How many digits of `THREE` are before the zeros at its end. */
const KEPT = Uint8Array.from(BELOW_1000, (text) => withoutAtEnd(threeOf(text), "0").length);

/**
 * Writes a finite number with at most `places` decimals, the nearest such number, without zeros at the end: 1.5, -2, 0. There
 * must be room for `MOST_DECIMAL_BYTES`. Returns the place behind it.
 */
export function writeDecimal(value: number, places: number, target: DataView, at: number): number {
  const size = value < 0 ? -value : value;
  if (size >= MOST_WHOLE || places > MOST_PLACES) return writeText(shortest(value, places), target, at);
  let whole = size | 0;
  const power = POWERS[places]!;
  const scaled = (size - whole) * power;
  let fraction = scaled | 0;
  const rest = scaled - fraction;
  if (rest > 0.5 - UNSURE && (rest > 0.5 + UNSURE || isNearerAbove(size, places, rest))) {
    fraction++;
    if (fraction === power) {
      whole++;
      fraction = 0;
    }
  }
  let next = at;
  if (value < 0 && (whole !== 0 || fraction !== 0)) target.setUint8(next++, MINUS);
  next = writeWhole(whole, target, next);
  return fraction === 0 ? next : writeFraction(fraction * POWERS[MOST_PLACES - places]!, target, next);
}

function writeWhole(whole: number, target: DataView, at: number): number {
  if (whole < 1000) {
    target.setUint32(at, SHORT[whole]!, true);
    return at + SHORT_LENGTH[whole]!;
  }
  const thousands = Math.trunc(whole / 1000);
  const next = writeWhole(thousands, target, at);
  target.setUint32(next, THREE[whole - thousands * 1000]!, true);
  return next + 3;
}

/** `billionths`: not 0. */
function writeFraction(billionths: number, target: DataView, at: number): number {
  const millionths = (billionths / 1000) | 0;
  const first = (millionths / 1000) | 0;
  const second = millionths - first * 1000;
  const third = billionths - millionths * 1000;
  target.setUint8(at, POINT);
  target.setUint32(at + 1, THREE[first]!, true);
  target.setUint32(at + 4, THREE[second]!, true);
  target.setUint32(at + 7, THREE[third]!, true);
  if (third !== 0) return at + 7 + KEPT[third]!;
  return second !== 0 ? at + 4 + KEPT[second]! : at + 1 + KEPT[first]!;
}

/** Uses the shortest decimal, as PostGIS does, and rounds half to even. */
function isNearerAbove(size: number, places: number, rest: number): boolean {
  const text = String(size);
  if (text.includes("e")) return rest > 0.5;
  const point = text.indexOf(".");
  const digits = text.replace(".", "");
  const end = (point < 0 ? text.length : point) + places;
  const after = digits.slice(end);
  return after === "5" ? digits.charCodeAt(end - 1) % 2 === 1 : after > "5";
}

/** As many digits as tell it from other doubles. */
function shortest(value: number, places: number): string {
  return String(Math.abs(value) < LARGEST_PLAIN ? Number(value.toFixed(Math.min(places, 100))) : value);
}

/** `text`: ASCII. */
function writeText(text: string, target: DataView, at: number): number {
  for (let index = 0; index < text.length; index++) target.setUint8(at + index, text.charCodeAt(index));
  return at + text.length;
}
