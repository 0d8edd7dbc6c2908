/** Paint and layout of a layer for MapLibre → a drawing or a label. */
import type { JsonObject } from "../../../server/types/json.ts";
import { opacityOf, readCssColour, type Colour } from "./colour.ts";
import type { Reading } from "./reading.ts";
import { noteColumnOfPoints, pointsOf } from "./labelSize.ts";
import { columnIn } from "./mapLibreFilter.ts";
import { columnNamed, Inexpressible } from "./where.ts";

/** Properties of a layer by their names. */
export type Values = Readonly<Record<string, unknown>>;

interface Place extends Reading {
  readonly at: string;
}

/** The properties that are read, by type of layer. Others are noted. */
const READ: Readonly<Record<string, readonly string[]>> = {
  fill: ["fill-color", "fill-opacity", "fill-outline-color", "fill-antialias"],
  line: ["line-color", "line-width", "line-opacity", "line-dasharray", "line-cap", "line-join"],
  circle: ["circle-color", "circle-radius", "circle-opacity", "circle-stroke-color", "circle-stroke-width"],
  symbol: ["text-field", "text-size", "text-color", "text-halo-color", "text-halo-width", "text-anchor", "symbol-placement", "text-font"],
}; // oxfmt-ignore

const given = (members: Values): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

export function layerDrawing(
  type: string,
  values: Values,
  place: Place,
): { readonly styles: readonly JsonObject[]; readonly labels: readonly JsonObject[] } {
  for (const name of Object.keys(values))
    if (name !== "visibility" && !READ[type]?.includes(name)) place.notes.add(`${place.at} / ${name}`, "is left out");
  const style = drawing(type, values, place);
  const label = type === "symbol" ? labelOf(values, place) : undefined;
  return { styles: style ? [style] : [], labels: label ? [label] : [] };
}

function drawing(type: string, values: Values, place: Place): JsonObject | undefined {
  const paint = (name: string, fallback: string) => colour(values, name, place, fallback);
  const alpha = (name: string, of: Colour | string): number | undefined =>
    opacityOf(Number(number(values, name, place, 1)) * (typeof of === "string" ? 1 : of.alpha));
  const hex = (of: Colour | string): string => (typeof of === "string" ? of : of.hex);
  switch (type) {
    case "fill": {
      const inside = paint("fill-color", "#000000");
      const outline = "fill-outline-color" in values ? hex(paint("fill-outline-color", "#000000")) : undefined;
      return given({ color: hex(inside), outlineColor: outline, opacity: alpha("fill-opacity", inside) });
    }
    case "line": {
      const stroke = paint("line-color", "#000000");
      const width = number(values, "line-width", place, 1);
      return given({
        color: hex(stroke),
        width,
        opacity: alpha("line-opacity", stroke),
        ...dashes(values, width, place),
      });
    }
    case "circle": {
      const inside = paint("circle-color", "#000000");
      const radius = number(values, "circle-radius", place, 5);
      if (typeof radius === "string")
        place.notes.add(`${place.at} / circle-radius`, "a column is taken as the diameter");
      const edge = number(values, "circle-stroke-width", place, 0);
      const outline = edge === 0 ? undefined : hex(paint("circle-stroke-color", "#000000"));
      const size = typeof radius === "number" ? radius * 2 : radius;
      return given({ symbol: "circle", size, color: hex(inside), outlineColor: outline, width: outline && edge, opacity: alpha("circle-opacity", inside) }); // oxfmt-ignore
    }
    default:
      return undefined;
  }
}

/** A value without its dependence on the zoom: the first value of a curve. */
function constant(value: unknown, name: string, { at, notes }: Place): unknown {
  if (!Array.isArray(value)) {
    const stops = typeof value === "object" && value !== null ? (value as { stops?: unknown[][] }).stops : undefined;
    if (!stops) return value;
    notes.add(`${at} / ${name}`, "grows with the zoom; its last value is drawn");
    return stops.at(-1)?.[1];
  }
  const [operator] = value as unknown[];
  if (operator === "literal") return (value as unknown[])[1];
  if (operator !== "interpolate" && operator !== "step") return value;
  notes.add(`${at} / ${name}`, "changes with the zoom or a value; its last value is drawn");
  return (value as unknown[]).at(-1);
}

/** A constant, or the column that it comes from. For a value that is not understood, `fallback` with a note. */
function resolved(values: Values, name: string, place: Place): unknown {
  const value = constant(values[name], name, place);
  if (!Array.isArray(value)) return value;
  try {
    return { column: columnIn(value, place.collection) };
  } catch (error) {
    if (!(error instanceof Inexpressible)) throw error;
    place.notes.add(`${place.at} / ${name}`, `${error.message} is not understood; the default is drawn`);
    return undefined;
  }
}

const isColumn = (value: unknown): value is { readonly column: string } =>
  typeof value === "object" && value !== null && "column" in value;

function number(values: Values, name: string, place: Place, fallback: number): number | string {
  const value = resolved(values, name, place);
  if (isColumn(value) && !name.endsWith("opacity")) return value.column;
  return typeof value === "number" && Number.isFinite(value) ? Math.min(500, Math.max(0, value)) : fallback;
}

function colour(values: Values, name: string, place: Place, fallback: string): Colour | string {
  const value = resolved(values, name, place);
  if (isColumn(value)) return value.column;
  const read = typeof value === "string" ? readCssColour(value) : undefined;
  if (typeof value === "string" && !read) place.notes.add(`${place.at} / ${name}`, `${JSON.stringify(value.slice(0, 60))} is no colour that is known; ${fallback} is drawn`); // oxfmt-ignore
  return read ?? { hex: fallback, alpha: 1 };
}

/** The dashes. MapLibre has them in widths of the line, `set_style` in pixels. */
function dashes(values: Values, width: number | string, place: Place): { pattern?: readonly number[] } {
  const value = constant(values["line-dasharray"], "line-dasharray", place);
  if (!Array.isArray(value) || typeof width === "string") return {};
  const lengths = value.map((each) => Math.max(0.5, Number(each) * width));
  const even = lengths.length % 2 === 1 ? [...lengths, ...lengths] : lengths;
  if (even.length <= 10 && even.length > 0 && even.every((each) => each <= 500)) return { pattern: even };
  place.notes.add(`${place.at} / line-dasharray`, "is left out");
  return {};
}

const ANCHORS: Readonly<Record<string, string>> = {
  center: "cc", left: "cr", right: "cl", top: "lc", bottom: "uc", "top-left": "lr", "top-right": "ll", "bottom-left": "ur", "bottom-right": "ul",
}; // oxfmt-ignore

function labelOf(values: Values, place: Place): JsonObject | undefined {
  const field = constant(values["text-field"], "text-field", place);
  const text = textOf(field, place);
  if (field === undefined || field === "") return undefined;
  if (text === undefined || !text.includes("{")) {
    place.notes.add(`${place.at} / text-field`, `the label is left out: ${JSON.stringify(field).slice(0, 200)} is not understood`); // oxfmt-ignore
    return undefined;
  }
  const size = number(values, "text-size", place, 16);
  if (typeof size === "string") noteColumnOfPoints(size, place);
  const paint = colour(values, "text-color", place, "#000000");
  const halo = number(values, "text-halo-width", place, 0);
  const ring = halo === 0 ? undefined : colour(values, "text-halo-color", place, "#ffffff");
  const isAlong = String(values["symbol-placement"] ?? "point").startsWith("line");
  return given({
    text,
    size: pointsOf(size),
    color: typeof paint === "string" ? paint : paint.hex,
    outlineColor: typeof ring === "object" ? ring.hex : ring,
    position: isAlong ? "follow" : ANCHORS[String(values["text-anchor"] ?? "center")],
  });
}

/** The text of `{name}`, `["get", name]`, and `concat` and `format` of these. */
function textOf(field: unknown, place: Place): string | undefined {
  if (typeof field === "string") {
    const isKnown = [...field.matchAll(/\{([^{}]*)\}/g)].every(([, name = ""]) => columnNamed(place.collection, name));
    return isKnown ? field.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => `{${columnNamed(place.collection, name)!.name}}`) : undefined; // oxfmt-ignore
  }
  if (!Array.isArray(field)) return undefined;
  const [operator, ...rest] = field as unknown[];
  if (operator === "concat" || operator === "format") {
    const parts = rest.filter((part) => operator === "concat" || typeof part !== "object" || Array.isArray(part));
    const texts = parts.map((part) => (typeof part === "number" ? String(part) : typeof part === "string" && operator === "concat" ? part : textOf(part, place))); // oxfmt-ignore
    return texts.includes(undefined) ? undefined : texts.join("");
  }
  if (operator === "coalesce" && rest.length > 0) return textOf(rest[0], place);
  try {
    return `{${columnIn(field, place.collection)}}`;
  } catch (error) {
    if (error instanceof Inexpressible) return undefined;
    throw error;
  }
}
