/** Symbolizers of SLD 1.0 and Symbology Encoding 1.1 → drawings and labels of a class. */
import { shapesOf } from "../../maps/mapData.ts";
import { NEAREST_MARKS, QGIS_MARKS, QT_BRUSHES, brushDistance } from "./marks.ts";
import type { JsonObject } from "../../../server/types/json.ts";
import { childOf, type XmlElement } from "../../../server/types/xml.ts";
import { localName } from "../../ows/wfs/names.ts";
import { opacityOf, readCssColour } from "./colour.ts";
import { noteColumnOfPoints, pointsOf } from "./labelSize.ts";
import { PIXELS_PER_POINT } from "../../maps/style.ts";
import type { Reading } from "./reading.ts";
import { columnNamed } from "./where.ts";

export interface Symbolized {
  readonly drawings: readonly JsonObject[];
  readonly label: JsonObject | undefined;
}

/** An element's place in the document, and the facts known there. */
interface Place extends Reading {
  readonly at: string;
  /** The metres in a unit of lengths; undefined where lengths are in pixels. */
  readonly metres: number | undefined;
}

/** The units of lengths on the ground (OGC 05-077r4 §10.2). */
const METRES: Readonly<Record<string, number>> = { metre: 1, foot: 0.3048 };

function inPixels(length: number, { metres, ground }: Place): number {
  return metres === undefined ? length : Math.round(ground.pixels(length * metres) * 100) / 100;
}

export function symbolizer(element: XmlElement, at: string, reading: Reading): Symbolized {
  const uom = element.attributes.get("uom");
  const metres = Object.entries(METRES).find(([unit]) => uom?.toLowerCase().endsWith(unit))?.[1];
  if (uom !== undefined && metres === undefined && !uom.endsWith("pixel"))
    reading.notes.add(at, `lengths are in ${uom}; they are taken as pixels`);
  const place = { ...reading, at, metres };
  for (const child of element.children)
    if (child.name === "VendorOption")
      reading.notes.add(at, `VendorOption ${child.attributes.get("name") ?? ""} is left out`);
    else if (["PerpendicularOffset", "Displacement"].includes(child.name) && child.text.trim() !== "0")
      reading.notes.add(at, `${child.name} is left out`);
    else if (child.name === "Geometry" && child.children.some(({ name }) => name !== "PropertyName"))
      reading.notes.add(at, "a computed geometry is not supported; the feature's own is drawn");
  switch (element.name) {
    case "PointSymbolizer":
      return { drawings: pointDrawings(element, place), label: undefined };
    case "LineSymbolizer":
      return { drawings: lineDrawings(childOf(element, "Stroke"), place).map((each) => alongEdges(each, reading)), label: undefined }; // oxfmt-ignore
    case "PolygonSymbolizer":
      return { drawings: polygonDrawings(element, place), label: undefined };
    case "TextSymbolizer":
      return { drawings: [], label: labelOf(element, place) };
    default:
      reading.notes.add(at, `${element.name} is left out`);
      return { drawings: [], label: undefined };
  }
}

/** The parameters of a Fill, Stroke or Font: `CssParameter` in 1.0, `SvgParameter` in 1.1. */
function parametersOf(element: XmlElement | undefined): ReadonlyMap<string, XmlElement> {
  const all = element?.children.filter(({ name }) => name === "CssParameter" || name === "SvgParameter") ?? [];
  return new Map(all.map((each) => [each.attributes.get("name") ?? "", each]));
}

/** The column that is the whole content of an element: `PropertyName`, or a function that only converts it. */
function columnOf(element: XmlElement, { collection }: Place): string | undefined {
  const [only, ...more] = element.children;
  if (!only || more.length > 0 || element.text.trim() !== "") return undefined;
  return only.name === "PropertyName" ? columnNamed(collection, localName(only.text.trim()))?.name : undefined;
}

/** The text of a constant: directly in the element, or in an `ogc:Literal`. */
function constantOf(element: XmlElement): string | undefined {
  const [only, ...more] = element.children;
  if (!only) return element.text.trim();
  return more.length === 0 && only.name === "Literal" && only.children.length === 0 ? only.text.trim() : undefined;
}

function describe(element: XmlElement): string {
  const [only] = element.children;
  const name = only?.attributes.get("name");
  return only
    ? `${only.name}${name === undefined ? "" : ` ${name}`}`
    : JSON.stringify(element.text.trim().slice(0, 60));
}

function numberOf(
  element: XmlElement | undefined,
  { at, notes }: Place,
  place: Place,
  fallback?: number,
): number | string | undefined {
  if (!element) return fallback;
  const column = columnOf(element, place);
  if (column !== undefined) return column;
  const number = Number(constantOf(element) || NaN);
  if (Number.isFinite(number)) return number;
  notes.add(at, `${element.attributes.get("name") ?? element.name}: ${describe(element)} is not understood`);
  return fallback;
}

/** A length within the limits of a style. */
function lengthOf(element: XmlElement | undefined, place: Place, fallback?: number): number | string | undefined {
  const value = numberOf(element, place, place, fallback);
  if (typeof value === "string" && place.metres !== undefined)
    place.notes.add(place.at, `the numbers of the column ${value} are taken as pixels`);
  const isOwn = element !== undefined && value !== fallback; // a default is in pixels
  return typeof value === "number" ? Math.min(500, Math.max(0, isOwn ? inPixels(value, place) : value)) : value;
}

interface Paint {
  readonly color: string;
  /** Percent, or a column; undefined for opaque. */
  readonly opacity: number | string | undefined;
}

/** The colour and opacity of a Fill or Stroke; undefined if it paints nothing. */
function paintOf(
  parameters: ReadonlyMap<string, XmlElement>,
  kind: "fill" | "stroke",
  place: Place,
): Paint | undefined {
  const colour = parameters.get(kind);
  const fallback = kind === "fill" ? "#808080" : "#000000";
  const column = colour && columnOf(colour, place);
  const text = colour ? constantOf(colour) : fallback;
  const read = text === undefined ? undefined : readCssColour(text);
  if (text?.toLowerCase() === "none") return undefined;
  if (colour && column === undefined && !read)
    place.notes.add(place.at, `${kind}: ${describe(colour)} is not understood; ${fallback} is drawn`);
  const opaque = parameters.get(`${kind}-opacity`);
  return {
    color: column ?? read?.hex ?? fallback,
    opacity: opaque ? percent(opaque, place) : opacityOf(read?.alpha ?? 1),
  };
}

/** Converts 0 to 1 into percent. Portolan's own documents divide a column by 100. */
function percent(element: XmlElement, place: Place): number | string | undefined {
  const [div] = element.children;
  const [property, literal] = div?.children ?? [];
  if (div?.name === "Div" && property?.name === "PropertyName" && literal?.text.trim() === "100")
    return columnNamed(place.collection, localName(property.text.trim()))?.name;
  const value = numberOf(element, place, place);
  return typeof value === "number" ? opacityOf(value) : undefined;
}

function dashes(parameters: ReadonlyMap<string, XmlElement>, place: Place): { pattern?: readonly number[] } {
  const { notes, at } = place;
  const given = parameters.get("stroke-dasharray");
  const text = given && constantOf(given);
  if (text === undefined || text === "" || text === "none") return {};
  const numbers = text.split(/[\s,]+/).map(Number);
  const lengths = numbers.map((each) => inPixels(each, place));
  const even = lengths.length % 2 === 1 ? [...lengths, ...lengths] : lengths;
  if (even.length <= 10 && even.every((each) => each > 0 && each <= 500)) return { pattern: even };
  notes.add(at, `stroke-dasharray ${JSON.stringify(text.slice(0, 60))} is left out`);
  return {};
}

function noteUnusual(parameters: ReadonlyMap<string, XmlElement>, { notes, at }: Place): void {
  for (const [name, element] of parameters)
    if (name === "stroke-dashoffset" && !/^0*(?:\.0*)?$/.test(element.text.trim()))
      notes.add(at, `${name} is left out`);
    else if (!/^(fill|stroke)(-opacity|-width|-dasharray|-dashoffset|-linejoin|-linecap)?$/.test(name))
      notes.add(at, `${name} is left out`);
}

const given = (members: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

function strokeOf(element: XmlElement | undefined, place: Place) {
  const parameters = parametersOf(element);
  noteUnusual(parameters, place);
  const paint = element && paintOf(parameters, "stroke", place);
  return paint && { paint, width: lengthOf(parameters.get("stroke-width"), place, 1), ...dashes(parameters, place) };
}

function lineDrawings(element: XmlElement | undefined, place: Place): readonly JsonObject[] {
  const graphic = element && childOf(element, "GraphicStroke", "GraphicFill");
  const inner = graphic && childOf(graphic, "Graphic");
  if (graphic?.name === "GraphicStroke" && inner) return markDrawings(inner, place);
  if (graphic) place.notes.add(place.at, "GraphicFill of a line is left out");
  const stroke = strokeOf(element, place);
  if (!stroke) return [];
  const { paint, width, ...rest } = stroke;
  return [given({ color: paint.color, width, opacity: paint.opacity, ...rest })];
}

/** The drawing of a line where features may be polygons, of which a line symbolizer draws the edges. */
function alongEdges(drawing: JsonObject, { collection }: Reading): JsonObject {
  const { color, ...rest } = drawing;
  const mayBeArea = collection.geometry !== undefined && shapesOf({ ...collection, geometry: collection.geometry }).includes("polygon"); // oxfmt-ignore
  return mayBeArea && "symbol" in drawing === false && color !== undefined ? { outlineColor: color, ...rest } : drawing;
}

function polygonDrawings(element: XmlElement, place: Place): readonly JsonObject[] {
  const fill = childOf(element, "Fill");
  const graphic = fill && childOf(fill, "GraphicFill");
  const inner = graphic && childOf(graphic, "Graphic");
  const parameters = parametersOf(fill);
  const plain = (inner && brushPaint(inner, place)) ?? (fill && !graphic ? paintOf(parameters, "fill", place) : undefined); // oxfmt-ignore
  noteUnusual(parameters, place);
  const lines = childOf(element, "Stroke");
  if (lines && childOf(lines, "GraphicStroke", "GraphicFill"))
    place.notes.add(place.at, "the marks of the outline are left out");
  const stroke = strokeOf(lines, place);
  const inside = plain
    ? [given({ color: plain.color, opacity: plain.opacity })]
    : inner
      ? markDrawings(inner, place, isApart(element) ? "apart" : "close")
      : [];
  if (!stroke) return inside;
  const { paint, width, ...rest } = stroke;
  const outline = given({ outlineColor: paint.color, width, opacity: paint.opacity, ...rest });
  const isOne = plain && plain.opacity === paint.opacity;
  return isOne ? [{ ...inside[0], ...outline }] : [...inside, outline];
}

/** The paint of a brush of Qt that consists of dots, as QGIS writes it; undefined for any other Graphic. */
function brushPaint(graphic: XmlElement, place: Place): Paint | undefined {
  const mark = childOf(graphic, "Mark");
  const name = (mark && childOf(mark, "WellKnownName")?.text.trim()) ?? "";
  const density = QT_BRUSHES[name.replace("brush://", "")];
  const fill = mark && childOf(mark, "Fill");
  const paint = density && fill ? paintOf(parametersOf(fill), "fill", place) : undefined;
  if (!paint || density === undefined) return undefined;
  place.notes.add(place.at, `the dots of ${name} are drawn as a tint of ${Math.round(density * 100)} %`);
  return { ...paint, opacity: opacityOf(density * (typeof paint.opacity === "number" ? paint.opacity / 100 : 1)) };
}

/** Names of marks: those of the standard, of GeoServer and of QGIS. */
const MARKS: Readonly<Record<string, string>> = {
  ...QGIS_MARKS, "shape://plus": "cross", "shape://times": "x",
  "shape://dot": "circle", slash: "hatch", backslash: "hatch", horline: "hatch", line: "hatch", "shape://slash": "hatch",
  "shape://backslash": "hatch", "shape://horline": "hatch", "shape://vertline": "hatch", vertline: "hatch",
}; // oxfmt-ignore
/** The angles of the lines of a mark, which meet those of its neighbours in a fill. */
const ANGLES: Readonly<Record<string, readonly number[]>> = {
  slash: [45], backslash: [135], horline: [0], vertline: [90], line: [90], plus: [0, 90], times: [45, 135], cross: [0, 90], x: [45, 135],
}; // oxfmt-ignore

function pointDrawings(element: XmlElement, place: Place): readonly JsonObject[] {
  const graphic = childOf(element, "Graphic");
  return graphic ? markDrawings(graphic, place) : [{ symbol: "square", size: 6, color: "#808080" }];
}

/** The drawings of a Graphic's first mark. `fills`: whether copies of it fill an area, close together or apart. */
function markDrawings(graphic: XmlElement, place: Place, fills?: "close" | "apart"): readonly JsonObject[] {
  const { notes, at } = place;
  const picture = childOf(graphic, "ExternalGraphic");
  if (picture) notes.add(`${at} / ExternalGraphic`, "an external picture is not fetched; a symbol is drawn");
  const mark = childOf(graphic, "Mark");
  if (!picture && graphic.children.filter(({ name }) => name === "Mark").length > 1)
    notes.add(at, "of several marks the first is drawn");
  const drawn = !picture && mark && childOf(mark, "OnlineResource", "InlineContent");
  if (drawn) notes.add(`${at} / Mark`, "a mark of a font or picture is not read; a symbol is drawn");
  const wanted = (mark && childOf(mark, "WellKnownName")?.text.trim().toLowerCase()) ?? (picture ? "circle" : "square");
  const symbol = MARKS[wanted];
  const nearest = symbol ?? NEAREST_MARKS[wanted] ?? "circle";
  if (symbol === undefined)
    notes.add(at, `there is no mark ${JSON.stringify(wanted.slice(0, 60))}; a ${nearest} is drawn`);
  const turned = ANGLES[wanted.replace("shape://", "")];
  const isHatch = turned !== undefined && (fills === "close" || (fills === "apart" && symbol === "hatch"));
  const size = lengthOf(childOf(graphic, "Size"), place, 6);
  const fillElement = mark && childOf(mark, "Fill");
  const fill = mark
    ? fillElement && paintOf(parametersOf(fillElement), "fill", place)
    : { color: "#808080", opacity: undefined };
  const stroke = strokeOf(mark && childOf(mark, "Stroke"), place);
  const wide = childOf(graphic, "Opacity");
  const opacity = wide ? percent(wide, place) : (fill ?? stroke?.paint)?.opacity;
  const turn = rotation(childOf(graphic, "Rotation"), place, isHatch && wanted === "horline");
  if (isHatch) {
    const color = stroke?.paint.color ?? fill?.color ?? "#000000";
    // QGIS writes `horline`, and turns it counter-clockwise
    const sense = wanted === "horline" ? -1 : 1;
    const angleOf = (each: number): number | string => (typeof turn === "string" ? turn : (each + sense * (turn ?? 0)) % 360); // oxfmt-ignore
    return turned.map((each) => given({ symbol: "hatch", color, size: childOf(graphic, "Size") ? size : brushDistance(each), width: stroke?.width ?? 1, angle: angleOf(each), opacity })); // oxfmt-ignore
  }
  if (fills) notes.add(at, "the marks are 16 pixels apart");
  const shown = nearest === "hatch" ? "circle" : nearest;
  const isOpen = shown === "cross" || shown === "x";
  return [
    given({
      symbol: shown,
      size,
      color: isOpen ? (stroke?.paint.color ?? fill?.color ?? "#000000") : fill?.color,
      outlineColor: isOpen ? undefined : stroke?.paint.color,
      width: stroke?.width,
      angle: turn,
      opacity,
    }),
  ];
}

/** Whether GeoServer's and QGIS' margin is between the marks of a fill. */
function isApart(symbolizer: XmlElement): boolean {
  return symbolizer.children.some(({ name, attributes }) => name === "VendorOption" && attributes.get("name") === "graphic-margin"); // oxfmt-ignore
}

/**
 * The angle, which is clockwise in SLD and counter-clockwise in `set_style`. Portolan's own documents subtract a
 * column.
 */
function rotation(element: XmlElement | undefined, place: Place, isHatch = false): number | string | undefined {
  if (!element) return undefined;
  const [sub] = element.children;
  const [zero, property] = sub?.children ?? [];
  if (sub?.name === "Sub" && Number(zero?.text) % 45 === 0 && property?.name === "PropertyName")
    return columnNamed(place.collection, localName(property.text.trim()))?.name;
  const value = numberOf(element, place, place);
  if (typeof value === "string" && isHatch) return value;
  if (typeof value === "string") {
    place.notes.add(place.at, "Rotation: columns rotate in the opposite direction here; it is left out");
    return undefined;
  }
  return value === undefined || value % 360 === 0 ? undefined : -(value % 360);
}

function labelOf(element: XmlElement, place: Place): JsonObject | undefined {
  const { notes, at } = place;
  const text = textOf(childOf(element, "Label"), place);
  if (text === undefined) return undefined;
  const font = parametersOf(childOf(element, "Font"));
  for (const [name, value] of font)
    if (name === "font-family") notes.add(at, "labels are in DejaVu Sans, whatever font-family says");
    else if (name !== "font-size" && !/^normal$/.test(value.text.trim())) notes.add(at, `${name} is left out`);
  const size = fontSizeOf(font.get("font-size"), place);
  const fill = childOf(element, "Fill");
  const halo = childOf(element, "Halo");
  const haloFill = halo && childOf(halo, "Fill");
  const outline = halo && (haloFill ? paintOf(parametersOf(haloFill), "fill", place) : { color: "#ffffff" });
  return given({
    text,
    size,
    color: fill ? paintOf(parametersOf(fill), "fill", place)?.color : "#000000",
    outlineColor: outline?.color,
    position: positionOf(childOf(element, "LabelPlacement"), place),
  });
}

/** The size in points of a font whose size is in pixels. Portolan's own documents divide a column by 0.75. */
function fontSizeOf(element: XmlElement | undefined, place: Place): number | string {
  const [div] = element?.children ?? [];
  const [property, literal] = div?.children ?? [];
  if (div?.name === "Div" && property?.name === "PropertyName" && Number(literal?.text) === 1 / PIXELS_PER_POINT) {
    const column = columnNamed(place.collection, localName(property.text.trim()));
    if (column) return column.name;
  }
  const size = numberOf(element, place, place) ?? DEFAULT_FONT_PIXELS;
  if (typeof size === "string") noteColumnOfPoints(size, place);
  return pointsOf(typeof size === "number" && element ? inPixels(size, place) : size);
}

/** The size of a font without one (OGC 05-077r4 §11.4.3). */
const DEFAULT_FONT_PIXELS = 10;

function positionOf(placement: XmlElement | undefined, place: Place): string | undefined {
  if (!placement) return undefined;
  if (childOf(placement, "LinePlacement")) return "follow";
  const point = childOf(placement, "PointPlacement");
  const anchor = point && childOf(point, "AnchorPoint");
  for (const name of ["Displacement", "Rotation"]) {
    const element = point && childOf(point, name);
    const texts = element && (element.children.length > 0 ? element.children.map((each) => each.text) : [element.text]);
    if (texts?.some((text) => Number(text) !== 0)) place.notes.add(place.at, `${name} of labels is left out`);
  }
  if (!anchor) return undefined;
  const part = (name: string, words: readonly [string, string, string]): string => {
    const value = Number(childOf(anchor, name)?.text ?? 0.5);
    return value < 0.25 ? words[0] : value > 0.75 ? words[2] : words[1];
  };
  return part("AnchorPointY", ["u", "c", "l"]) + part("AnchorPointX", ["r", "c", "l"]);
}

/** Text with columns in braces; undefined where a style cannot have it. */
function textOf(label: XmlElement | undefined, place: Place): string | undefined {
  const parts = label && partsOf(label, place);
  if (!label || !parts) {
    place.notes.add(place.at, `the label is left out: ${label ? describe(label) : "no Label"} is not understood`);
    return undefined;
  }
  const text = parts.join("");
  if (text.includes("{")) return text;
  if (text.trim() !== "") place.notes.add(place.at, "the label is left out: it names no column");
  return undefined;
}

function partsOf(element: XmlElement, place: Place): readonly string[] | undefined {
  const all: string[] = [];
  for (const part of element.parts ?? []) {
    const text = typeof part === "string" ? textPart(part) : elementPart(part, place);
    if (text === undefined) return undefined;
    all.push(text);
  }
  return all;
}

/** The text without line breaks and indentation around elements. */
function textPart(text: string): string {
  const isSpace = text.trim() === "" && text.includes("\n");
  return isSpace ? "" : text.replaceAll(/\s+/g, (space) => (space.includes("\n") ? " " : space));
}

function elementPart(element: XmlElement, place: Place): string | undefined {
  if (element.name === "Literal") return element.text;
  if (element.name === "PropertyName") {
    const column = columnNamed(place.collection, localName(element.text.trim()));
    if (!column) place.notes.add(place.at, `there is no column ${JSON.stringify(element.text.trim().slice(0, 60))}`);
    return column && `{${column.name}}`;
  }
  const isJoining =
    element.name === "Function" && /^(concat(enate)?|strconcat)$/i.test(element.attributes.get("name") ?? "");
  if (isJoining || element.name === "Concatenate" || element.name === "StringValue") {
    const parts = element.children.map((child) => (child.name === "StringValue" ? partsOf(child, place)?.join("") : elementPart(child, place))); // oxfmt-ignore
    return parts.includes(undefined) ? undefined : parts.join("");
  }
  return undefined;
}
