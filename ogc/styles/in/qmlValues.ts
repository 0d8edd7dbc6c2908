/** Values of QML: properties of symbol layers, units, and expressions of QGIS. */
import { GatewayError } from "../../../server/ground/errors.ts";
import { parseFilterText } from "../../../server/filter/parseText.ts";
import type { JsonObject } from "../../../server/types/json.ts";
import { childOf, type XmlElement } from "../../../server/types/xml.ts";
import type { Reading } from "./reading.ts";
import { columnNamed, Inexpressible, shapeOf, whereOf } from "./where.ts";

/** Pixels in a unit. QGIS draws for screens with 96 dots per inch. */
const PIXELS: Readonly<Record<string, number>> = { MM: 96 / 25.4, Point: 96 / 72, Pixel: 1, Inch: 96 };

/** A length in pixels; undefined where there is none. */
export function pixels(
  value: string | undefined,
  unit: string | undefined,
  at: string,
  { notes, ground }: Reading,
): number | undefined {
  const number = numberFrom(value);
  if (number === undefined) return undefined;
  const metres = unit === "MapUnit" ? ground.unit : unit === "RenderMetersInMapUnits" ? 1 : undefined;
  const factor = PIXELS[unit ?? "MM"];
  if (factor === undefined && metres === undefined) notes.add(at, `lengths in ${unit} are taken as millimetres`);
  const length = metres === undefined ? number * (factor ?? PIXELS["MM"]!) : ground.pixels(number * metres);
  return Math.min(500, Math.max(0, Math.round(length * 100) / 100));
}

export function numberFrom(text: string | undefined): number | undefined {
  const number = text === undefined || text.trim() === "" ? NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** The properties: `<prop k v>` in QGIS 2 and 3.16, `<Option name value>` in later versions. */
export function propertiesOf(element: XmlElement): ReadonlyMap<string, string> {
  const options = childOf(element, "Option")?.children ?? [];
  return new Map([
    ...element.children.filter(({ name }) => name === "prop").map(({ attributes }): [string, string] => [attributes.get("k") ?? "", attributes.get("v") ?? ""]),
    ...options.map(({ attributes }): [string, string] => [attributes.get("name") ?? "", attributes.get("value") ?? ""]),
  ]); // oxfmt-ignore
}

const optionNamed = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((each) => each.attributes.get("name") === name);

/** Members of a drawing that a column may set, by QGIS's names of its properties. */
const DECIDED: Readonly<Record<string, string>> = {
  size: "size", angle: "angle", fillColor: "color", outlineColor: "outlineColor", outlineWidth: "width", strokeColor: "outlineColor",
  strokeWidth: "width", width: "width", color: "color", outline_color: "outlineColor", color_border: "outlineColor", line_color: "color",
  outline_width: "width", width_border: "width", line_width: "width",
}; // oxfmt-ignore

/** A property that an expression or a field sets. */
interface Decided {
  readonly name: string;
  readonly expression: string | undefined;
  readonly field: string | undefined;
}

/** The properties in the form of QGIS 3. */
function decidedOf(layer: XmlElement): readonly Decided[] {
  const all = optionNamed(childOf(childOf(layer, "data_defined_properties") ?? layer, "Option"), "properties");
  return (all?.children ?? []).flatMap((property) => {
    const value = (of: string): string | undefined => optionNamed(property, of)?.attributes.get("value");
    if (value("active") !== "true") return [];
    return [{ name: property.attributes.get("name") ?? "", expression: value("expression"), field: value("field") }];
  });
}

/** The properties in the forms of QGIS 2: `size_expression`, later `size_dd_active`, `size_dd_expression` and more. */
function formerlyDecided(layer: XmlElement): readonly Decided[] {
  const properties = propertiesOf(layer);
  return [...properties].flatMap(([key, value]): readonly Decided[] => {
    const first = /^((?!.*_dd_).+)_expression$/.exec(key)?.[1];
    if (first !== undefined) return value === "" ? [] : [{ name: first, expression: value, field: undefined }];
    const name = value === "1" ? /^(.+)_dd_active$/.exec(key)?.[1] : undefined;
    if (name === undefined) return [];
    const isExpression = properties.get(`${name}_dd_useexpr`) === "1";
    const given = properties.get(`${name}_dd_${isExpression ? "expression" : "field"}`);
    return [{ name, expression: isExpression ? given : undefined, field: isExpression ? undefined : given }];
  });
}

/**
 * The columns that set members of a drawing. Other expressions are noted. `lines`: the stroke is the drawing's colour.
 */
export function decidedByColumns(layer: XmlElement, at: string, reading: Reading, lines = false): JsonObject {
  const members: Record<string, unknown> = {};
  for (const { name, expression, field: named } of [...decidedOf(layer), ...formerlyDecided(layer)]) {
    const field = named ?? /^"?([^"]+)"?$/.exec((expression ?? "").trim())?.[1];
    const column = field === undefined ? undefined : columnNamed(reading.collection, field);
    const member = lines && name === "outlineColor" ? "color" : DECIDED[name];
    const kind = column?.type.kind;
    const isFit = member?.toLowerCase().endsWith("color")
      ? kind === "text"
      : ["integer", "bigint", "float"].includes(kind ?? "");
    if (column && member && isFit && member !== "angle") members[member] = column.name;
    else reading.notes.add(at, `${name} by ${JSON.stringify((expression ?? field ?? "an expression").slice(0, 100))} is not understood; the constant is drawn`); // oxfmt-ignore
  }
  return members;
}

/** An expression of QGIS as a condition; null, with a note, where it is not supported. */
export function expressionOf(text: string, reading: Reading, at: string): JsonObject | null {
  try {
    const filter = parseFilterText(text, shapeOf(reading.collection));
    return filter ? whereOf(filter) : {};
  } catch (error) {
    if (!(error instanceof Inexpressible) && !(error instanceof GatewayError)) throw error;
    reading.notes.add(at, `the rule is left out, since its condition ${JSON.stringify(text.slice(0, 200))} is not understood: ${error.message}`); // oxfmt-ignore
    return null;
  }
}
