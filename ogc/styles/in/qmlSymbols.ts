/** Symbols of QML → drawings. */
import { NEAREST_MARKS, QGIS_MARKS, QT_BRUSHES, brushDistance } from "./marks.ts";
import type { JsonObject } from "../../../server/types/json.ts";
import { childOf, type XmlElement } from "../../../server/types/xml.ts";
import { middleOf, opacityOf, readQgisColour, type Colour } from "./colour.ts";
import type { Reading } from "./reading.ts";
import { decidedByColumns, numberFrom, pixels, propertiesOf } from "./qmlValues.ts";

/** The drawings of a symbol, the lowest layer first, as in QML. */
export function symbolDrawings(symbol: XmlElement, at: string, reading: Reading): readonly JsonObject[] {
  const alpha = numberFrom(symbol.attributes.get("alpha")) ?? 1;
  const unit = symbol.attributes.get("outputUnit"); // of all lengths, in QGIS 1
  const layers = symbol.children.filter(
    ({ name, attributes }) => name === "layer" && attributes.get("enabled") !== "0",
  );
  return layers.flatMap((element, index) => {
    const kind = element.attributes.get("class") ?? "";
    const layer: Layer = {
      element,
      properties: propertiesOf(element),
      alpha,
      type: symbol.attributes.get("type") ?? "",
      unit,
      at: `${at} / layer ${index + 1} ${kind}`,
      reading,
    };
    if (childOf(element, "effect")?.attributes.get("enabled") === "1")
      reading.notes.add(layer.at, "effects (shadows, glows) are left out");
    const read = READERS[kind];
    if (read) return read(layer).filter((each) => Object.keys(each).length > 0);
    const plain = FALLBACKS[kind]?.(layer) ?? [];
    reading.notes.add(layer.at, plain.length > 0 ? "has no counterpart; a plain one is drawn" : "has no counterpart and is left out"); // oxfmt-ignore
    return plain;
  });
}

interface Layer {
  readonly element: XmlElement;
  readonly properties: ReadonlyMap<string, string>;
  /** The opacity of the whole symbol. */
  readonly alpha: number;
  /** What the symbol draws: `marker`, `line` or `fill`. */
  readonly type: string;
  /** The unit of lengths that name none. */
  readonly unit: string | undefined;
  readonly at: string;
  readonly reading: Reading;
}

const given = (members: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

function colour({ properties }: Layer, ...names: readonly string[]): Colour | undefined {
  const text = names.map((name) => properties.get(name)).find((each) => each !== undefined);
  return text === undefined ? undefined : readQgisColour(text);
}

function length({ properties, at, reading, unit }: Layer, name: string): number | undefined {
  return pixels(properties.get(name), unitOf(properties, name) ?? unit, at, reading);
}

/** Old names of lengths, whose units have the new names. */
const RENAMED: Readonly<Record<string, string>> = { width_border: "outline_width", width: "line_width" };

function unitOf(properties: ReadonlyMap<string, string>, name: string): string | undefined {
  return properties.get(`${name}_unit`) ?? properties.get(`${RENAMED[name] ?? name}_unit`);
}

function noteMoved({ properties, at, reading }: Layer): void {
  const offset = properties.get("offset") ?? "0";
  if (offset.split(",").some((each) => Number(each) !== 0)) reading.notes.add(at, `offset ${offset} is left out`);
}

const opaque = ({ alpha }: Layer, paint: Colour | undefined): number | undefined =>
  opacityOf(alpha * (paint?.alpha ?? 1));

/** Dashes in widths of the line, as Qt draws them. */
const DASHES: Readonly<Record<string, readonly number[]>> = {
  dash: [4, 2], dot: [1, 2], "dash dot": [4, 2, 1, 2], "dash dot dot": [4, 2, 1, 2, 1, 2],
}; // oxfmt-ignore

function dashes(layer: Layer, style: string | undefined, width: number): { pattern?: readonly number[] } {
  const { properties, reading, at } = layer;
  const custom = properties.get("use_custom_dash") === "1" ? properties.get("customdash") : undefined;
  const unit = properties.get("customdash_unit") ?? layer.unit;
  const pattern = custom
    ? custom.split(";").map((each) => pixels(each, unit, at, reading) ?? 0)
    : DASHES[style ?? ""]?.map((each) => Math.max(1, Math.round(each * width * 100) / 100));
  if (!pattern) return {};
  if (pattern.length % 2 === 0 && pattern.length <= 10 && pattern.every((each) => each > 0)) return { pattern };
  reading.notes.add(at, "the dashes are left out");
  return {};
}

/** The line of an outline; undefined where there is none. QGIS draws a line of width 0 one pixel wide. */
function outline(layer: Layer): { readonly paint: Colour; readonly members: JsonObject } | undefined {
  const { properties } = layer;
  const style = properties.get("outline_style") ?? properties.get("style_border");
  const paint = colour(layer, "outline_color", "color_border");
  if (style === "no" || !paint || paint.alpha === 0) return undefined;
  const wide = length(layer, properties.has("width_border") ? "width_border" : "outline_width");
  const width = !wide ? 1 : wide;
  return { paint, members: given({ outlineColor: paint.hex, width, ...dashes(layer, style, width) }) };
}

/** Brushes of Qt that consist of lines, by their angles. */
const HATCHES: Readonly<Record<string, readonly number[]>> = {
  b_diagonal: [45], f_diagonal: [135], horizontal: [0], vertical: [90], cross: [0, 90], diagonal_x: [45, 135],
}; // oxfmt-ignore

function simpleFill(layer: Layer): readonly JsonObject[] {
  const { properties, reading, at, element } = layer;
  noteMoved(layer);
  const style = properties.get("style") ?? "solid";
  const paint = style === "no" ? undefined : colour(layer, "color");
  const lines = outline(layer);
  const hatches = HATCHES[style];
  const density = QT_BRUSHES[style];
  if (density !== undefined)
    reading.notes.add(at, `the dots of the brush ${style} are drawn as a tint of ${Math.round(density * 100)} %`);
  else if (!["solid", "no"].includes(style) && hatches === undefined)
    reading.notes.add(at, `the brush ${style} is drawn solid`);
  const { outlineColor, width, ...ofInside } = decidedByColumns(element, at, reading);
  const tinted = paint && { ...paint, alpha: paint.alpha * (density ?? 1) };
  const inside = paint && paint.alpha > 0 ? { color: paint.hex, ...given({ opacity: opaque(layer, tinted) }), ...ofInside } : undefined; // oxfmt-ignore
  const edge = lines && { ...lines.members, ...given({ opacity: opaque(layer, lines.paint), outlineColor, width }) };
  if (!inside) return edge ? [edge] : [];
  if (hatches) return [...hatches.map((angle) => ({ ...inside, symbol: "hatch", angle, size: brushDistance(angle) })), ...(edge ? [edge] : [])]; // oxfmt-ignore
  if (!edge) return [inside];
  return (inside as JsonObject)["opacity"] === (edge as JsonObject)["opacity"] ? [{ ...inside, ...edge }] : [inside, edge]; // oxfmt-ignore
}

/** The member that colours a line: of an area, it is the outline. */
const strokeOf = ({ type }: Layer): string => (type === "fill" ? "outlineColor" : "color");

function simpleLine(layer: Layer): readonly JsonObject[] {
  const { properties, reading, at, element } = layer;
  noteMoved(layer);
  const style = properties.get("line_style") ?? properties.get("penstyle");
  const paint = colour(layer, "line_color", "color");
  if (style === "no" || !paint) return [];
  const width = length(layer, properties.has("line_width") ? "line_width" : "width") || 1;
  const { color = paint.hex, ...others } = decidedByColumns(element, at, reading, true);
  return [given({ [strokeOf(layer)]: color, width, opacity: opaque(layer, paint), ...dashes(layer, style, width), ...others })]; // oxfmt-ignore
}

/** Marks that consist of lines only. */
const OPEN = new Set([
  "cross",
  "cross2",
  "x",
  "cross_fill",
  "line",
  "arrowhead",
  "half_arc",
  "third_arc",
  "quarter_arc",
]);

function simpleMarker(layer: Layer): readonly JsonObject[] {
  const { properties, reading, at, element } = layer;
  noteMoved(layer);
  const name = properties.get("name") ?? "circle";
  const symbol = QGIS_MARKS[name] ?? NEAREST_MARKS[name] ?? "circle";
  if (!(name in QGIS_MARKS)) reading.notes.add(at, `there is no mark ${JSON.stringify(name)}; a ${symbol} is drawn`);
  const paint = colour(layer, "color");
  const lines = outline(layer);
  const turn = -(numberFrom(properties.get("angle")) ?? 0) % 360;
  const isOpen = OPEN.has(name);
  const size = length(layer, "size") ?? 8;
  const width = name === "cross_fill" ? Math.round(size * 33) / 100 : lines?.members["width"];
  const body = isOpen ? { color: (name === "cross_fill" ? paint : lines?.paint)?.hex ?? paint?.hex, width } : { color: paint && paint.alpha > 0 ? paint.hex : undefined, ...lines?.members }; // oxfmt-ignore
  const angle = turn === 0 ? undefined : turn;
  return [given({ symbol, size, angle, opacity: opaque(layer, isOpen ? lines?.paint : paint), ...body, ...decidedByColumns(element, at, reading) })]; // oxfmt-ignore
}

const subSymbol = (layer: Layer): readonly JsonObject[] => {
  const symbol = childOf(layer.element, "symbol");
  return symbol ? symbolDrawings(symbol, layer.at, layer.reading) : [];
};

function markerLine(layer: Layer): readonly JsonObject[] {
  if (layer.type === "fill") {
    layer.reading.notes.add(layer.at, "marks along an outline are left out");
    return [];
  }
  layer.reading.notes.add(layer.at, "the marks are 32 pixels apart, wherever QGIS sets them");
  return subSymbol(layer);
}

function linePattern(layer: Layer): readonly JsonObject[] {
  const [line] = subSymbol(layer);
  const angle = (numberFrom(layer.properties.get("angle") ?? layer.properties.get("lineangle")) ?? 0) % 360;
  return [given({ symbol: "hatch", color: line?.["color"] ?? "#000000", width: line?.["width"] ?? 1, opacity: line?.["opacity"], angle, size: length(layer, "distance") ?? 8 })]; // oxfmt-ignore
}

function pointPattern(layer: Layer): readonly JsonObject[] {
  layer.reading.notes.add(layer.at, "the marks are 16 pixels apart");
  return subSymbol(layer).map(({ outlineColor: _outline, width: _width, ...mark }) => ({ color: "#000000", ...mark }));
}

const READERS: Readonly<Record<string, (layer: Layer) => readonly JsonObject[]>> = {
  SimpleFill: simpleFill,
  SimpleLine: simpleLine,
  SimpleMarker: simpleMarker,
  MarkerLine: markerLine,
  LinePatternFill: linePattern,
  PointPatternFill: pointPattern,
};

const plainMark = (layer: Layer): readonly JsonObject[] => [given({ symbol: "circle", size: length(layer, "size") ?? 8, color: colour(layer, "color")?.hex ?? "#808080", opacity: opacityOf(layer.alpha) })]; // oxfmt-ignore
/** The colour between the ends of a gradient, or the only one that there is. */
function plainFill(layer: Layer): readonly JsonObject[] {
  const isRamp = layer.properties.get("color_type") === "1";
  const [from, to] = isRamp ? [colour(layer, "color1"), colour(layer, "color2")] : [colour(layer, "color"), colour(layer, "gradient_color2")]; // oxfmt-ignore
  const paint = from && to ? middleOf(from, to) : (from ?? to);
  return [given({ color: paint?.hex ?? "#c0c0c0", opacity: opaque(layer, paint) })];
}

/** A line in the colour of the symbol that QGIS sets along the line. */
function plainLine(layer: Layer): readonly JsonObject[] {
  const { color, outlineColor, opacity, width } = subSymbol(layer).at(-1) ?? {};
  const stroke = color ?? outlineColor ?? "#000000";
  return [given({ [strokeOf(layer)]: stroke, opacity, width: length(layer, "arrow_width") ?? width ?? 1 })];
}

/** In place of a computed geometry the feature's own, where the symbol can draw it. */
const ownGeometry = (layer: Layer): readonly JsonObject[] =>
  childOf(layer.element, "symbol")?.attributes.get("type") === layer.type ? subSymbol(layer) : [];

/** Drawings in place of unsupported symbol layers, so that the features stay visible. */
const FALLBACKS: Readonly<Record<string, (layer: Layer) => readonly JsonObject[]>> = {
  SvgMarker: plainMark,
  FontMarker: plainMark,
  RasterMarker: plainMark,
  FilledMarker: plainMark,
  EllipseMarker: plainMark,
  GradientFill: plainFill,
  ShapeburstFill: plainFill,
  SVGFill: plainFill,
  RasterFill: plainFill,
  HashLine: plainLine,
  ArrowLine: plainLine,
  GeometryGenerator: ownGeometry,
};
