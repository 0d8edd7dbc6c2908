/** Colours in the notations of styles from other programs. */

export interface Colour {
  /** `#rrggbb`. */
  readonly hex: string;
  /** The opacity from 0 to 1. */
  readonly alpha: number;
}

const NAMED: Readonly<Record<string, string>> = {
  black: "#000000", white: "#ffffff", gray: "#808080", grey: "#808080", silver: "#c0c0c0", red: "#ff0000", maroon: "#800000",
  yellow: "#ffff00", olive: "#808000", lime: "#00ff00", green: "#008000", aqua: "#00ffff", cyan: "#00ffff", teal: "#008080",
  blue: "#0000ff", navy: "#000080", fuchsia: "#ff00ff", magenta: "#ff00ff", purple: "#800080", orange: "#ffa500",
  brown: "#a52a2a", pink: "#ffc0cb", gold: "#ffd700", beige: "#f5f5dc", tan: "#d2b48c", khaki: "#f0e68c",
  lightgray: "#d3d3d3", lightgrey: "#d3d3d3", darkgray: "#a9a9a9", darkgrey: "#a9a9a9", lightblue: "#add8e6",
  lightgreen: "#90ee90", darkgreen: "#006400", darkblue: "#00008b", darkred: "#8b0000", steelblue: "#4682b4",
  skyblue: "#87ceeb", forestgreen: "#228b22", tomato: "#ff6347", coral: "#ff7f50", salmon: "#fa8072", indigo: "#4b0082",
}; // oxfmt-ignore

const hexOf = (channels: readonly number[]): string =>
  `#${channels.map((each) => Math.round(Math.min(255, Math.max(0, each))).toString(16).padStart(2, "0")).join("")}`; // oxfmt-ignore

/** Reads a colour of CSS: `#rgb`, `#rrggbb`, `#rrggbbaa`, `rgb(…)`, `hsl(…)` and the usual names. */
export function readCssColour(given: string): Colour | undefined {
  const text = given.trim().toLowerCase();
  if (text === "transparent") return { hex: "#000000", alpha: 0 };
  const short = /^#([0-9a-f]{3,4})$/.exec(text)?.[1];
  const long = short
    ? [...short].map((each) => each + each).join("")
    : /^#([0-9a-f]{6}(?:[0-9a-f]{2})?)$/.exec(text)?.[1];
  if (long) return { hex: `#${long.slice(0, 6)}`, alpha: long.length === 8 ? parseInt(long.slice(6), 16) / 255 : 1 };
  const [, kind, inside = ""] = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(text) ?? [];
  if (kind === undefined) return Object.hasOwn(NAMED, text) ? { hex: NAMED[text]!, alpha: 1 } : undefined;
  const parts = inside.split(/[\s,/]+/).filter((part) => part !== "");
  const numbers = parts.map((part) => parseFloat(part));
  const [a, b, c, alpha = 1] = numbers;
  if (a === undefined || b === undefined || c === undefined || numbers.some((each) => !Number.isFinite(each)))
    return undefined;
  const opaque = parts[3]?.endsWith("%") ? alpha / 100 : alpha;
  if (kind === "rgb")
    return { hex: hexOf(parts[0]!.endsWith("%") ? [a, b, c].map((each) => each * 2.55) : [a, b, c]), alpha: opaque };
  return { hex: hexOf(fromHsl(a, b / 100, c / 100)), alpha: opaque };
}

function fromHsl(hue: number, saturation: number, lightness: number): number[] {
  const part = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((n) => {
    const k = (n + hue / 30) % 12;
    return 255 * (lightness - part * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  });
}

/** Reads a colour of QGIS: `r,g,b,a`, which may be followed by more. */
export function readQgisColour(text: string): Colour | undefined {
  const [r, g, b, a = 255] = text.split(",").slice(0, 4).map(Number);
  if (r === undefined || g === undefined || b === undefined || [r, g, b].some((each) => !Number.isFinite(each)))
    return readCssColour(text);
  return { hex: hexOf([r, g, b]), alpha: Number.isFinite(a) ? a / 255 : 1 };
}

/** The colour in the middle of two. */
export function middleOf(one: Colour, other: Colour): Colour {
  const [a, b] = [one.hex, other.hex].map((hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)));
  return { hex: hexOf(a!.map((channel, index) => (channel + b![index]!) / 2)), alpha: (one.alpha + other.alpha) / 2 };
}

/** The opacity in percent, as in styles; undefined for an opaque colour. */
export function opacityOf(alpha: number): number | undefined {
  const percent = Math.round(Math.min(1, Math.max(0, alpha)) * 100);
  return percent === 100 ? undefined : percent;
}
