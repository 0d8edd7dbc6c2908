/**
 * Lengths on the ground, such as the width of a road in metres. A style has pixels only, so a document is read once for
 * each step of scale.
 */
import type { Collection } from "../../collections/collections.ts";
import type { Notes } from "./notes.ts";
import { classesOf, MOST_CLASSES, type ClassJson, type Rule } from "./rules.ts";

const PIXEL_METRES = 0.00028;
const EARTH_RADIUS = 6_378_137;

/** From the scale at which the longest length has this many pixels to that at which it has so few, there are steps. */
const [MOST_PIXELS, LEAST_PIXELS] = [500, 0.5];
/** How much the scales of neighbouring steps differ: the first with which the classes are not too many. */
const FACTORS = [Math.SQRT2, 2, 4, 8, 16];

/** The lengths on the ground of one document. */
export class Ground {
  /** Metres in a unit of the collection's reference system. */
  readonly unit: number;
  /** The denominator of the scale for which the document is read. */
  #scale = 10_000;
  #longest = 0;

  constructor({ srs }: Pick<Collection, "srs">) {
    this.unit = (srs?.metres ?? 1) * (srs?.geographic ? EARTH_RADIUS : 1);
  }

  pixels(metres: number): number {
    this.#longest = Math.max(this.#longest, metres);
    return metres / (this.#scale * PIXEL_METRES);
  }

  /** The classes of the rules that `read` returns, with steps of scale where they have lengths on the ground. */
  classesOf(read: () => readonly Rule[], collection: Collection, notes: Notes): readonly ClassJson[] {
    const rules = read();
    if (this.#longest === 0) return classesOf(rules, { collection, notes });
    for (const factor of FACTORS) {
      const stepped = this.#steps(factor).flatMap(([from, to, scale]) => {
        this.#scale = scale;
        return read().flatMap((rule) => between(rule, from, to));
      });
      const classes = classesOf(stepped, { collection, notes });
      if (classes.length >= MOST_CLASSES && factor !== FACTORS.at(-1)) continue;
      const error = Math.round((Math.sqrt(factor) - 1) * 100);
      notes.add("", `lengths on the ground (map units, metres) are drawn in steps of scale, up to ${error} % too long or too short`); // oxfmt-ignore
      return classes;
    }
    return [];
  }

  /** The ranges of scale, each with a scale in its middle. */
  #steps(factor: number): (readonly [from: number, to: number, scale: number])[] {
    const at = (pixels: number): number => this.#longest / (pixels * PIXEL_METRES);
    const count = Math.ceil(Math.log(MOST_PIXELS / LEAST_PIXELS) / Math.log(factor));
    const scales = Array.from({ length: count + 1 }, (_, index) => at(MOST_PIXELS) * factor ** index);
    const ends = scales.map((scale) => Number((scale * Math.sqrt(factor)).toPrecision(3)));
    return scales.map((scale, index) => [ends[index - 1] ?? 0, index === count ? Infinity : ends[index]!, scale] as const); // oxfmt-ignore
  }
}

function between(rule: Rule, from: number, to: number): readonly Rule[] {
  const minScale = Math.max(rule.minScale ?? 0, from);
  const maxScale = Math.min(rule.maxScale ?? Infinity, to);
  return minScale < maxScale ? [{ ...rule, minScale: minScale || undefined, maxScale: maxScale === Infinity ? undefined : maxScale }] : []; // oxfmt-ignore
}
