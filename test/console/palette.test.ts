import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PALETTE } from "../../console/src/ui/map/layers/palette.ts";

const TOKENS = readFileSync(join(import.meta.dirname, "../../console/src/ui/tokens.css"), "utf8");

type Numbers = readonly [number, number, number];

/** The light of red, green and blue (WCAG 2.2, relative luminance). */
function lightOf(hex: string): Numbers {
  return [1, 3, 5].map((from) => {
    const part = Number.parseInt(hex.slice(from, from + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Numbers;
}

function luminance(hex: string): number {
  const [red, green, blue] = lightOf(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** How red-blind and green-blind people see light (Machado, Oliveira and Fernandes 2009). */
const EYES: readonly (readonly [Numbers, Numbers, Numbers])[] = [
  [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
];

const weighed = (weights: Numbers, of: Numbers): number => weights[0] * of[0] + weights[1] * of[1] + weights[2] * of[2];

/** The place in Oklab, where equal distances look alike. */
function placeOf(light: Numbers): Numbers {
  const cones = [
    weighed([0.41222, 0.53633, 0.05145], light),
    weighed([0.2119, 0.68068, 0.1074], light),
    weighed([0.0883, 0.28172, 0.62998], light),
  ].map((each) => Math.cbrt(Math.max(0, each))) as unknown as Numbers;
  return [
    weighed([0.21045, 0.79362, -0.00407], cones),
    weighed([1.978, -2.42859, 0.45059], cones),
    weighed([0.0259, 0.78277, -0.80868], cones),
  ];
}

describe("the colours of layers without a style", () => {
  it("have a contrast of 3 : 1 to the land and the sea of both themes", () => {
    const grounds = ["land", "sea"].flatMap((name) => {
      const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(TOKENS)!;
      return [found[1]!, found[2]!];
    });
    assert.equal(grounds.length, 4);
    for (const colour of PALETTE)
      for (const ground of grounds)
        assert.ok(contrast(colour, ground) >= 3, `${colour} on ${ground}: ${contrast(colour, ground)}`);
  });

  it("can be told apart by colour-blind people", () => {
    for (const eye of EYES) {
      const places = PALETTE.map((colour) => {
        const light = lightOf(colour);
        return placeOf(eye.map((weights) => weighed(weights, light)) as unknown as Numbers);
      });
      for (const [index, one] of places.entries())
        for (const other of places.slice(0, index)) {
          const distance = Math.hypot(...one.map((part, axis) => part - other[axis]!));
          assert.ok(distance > 0.08, `${PALETTE[index]}: ${distance}`); // those of Okabe and Ito: 0.076
        }
    }
  });
});
