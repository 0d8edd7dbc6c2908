/** The style of a collection as SLD 1.1 with Symbology Encoding 1.1 (OGC 05-078r4, 05-077r4). */
import type { SpatialCollection } from "../collections/collections.ts";
import { shapesOf } from "../maps/mapData.ts";
import { scaleSteps } from "../maps/mapLayer.ts";
import {
  PIXELS_PER_POINT,
  type Drawing,
  type Label,
  type Position,
  type ShapeKind,
  type Style,
  type StyleClass,
  type StyleColour,
  type StyleNumber,
  type SymbolName,
} from "../maps/style.ts";
import { defaultStyle } from "../maps/styleDefaults.ts";
import { DEFAULT_STYLE } from "../exchange/parameters/table.ts";
import { xml, xmlDocument, type Xml } from "../ows/xml.ts";
import { joined, negated, property, sldFilter } from "./sldFilter.ts";

/**
 * The document. A class draws only the features that match no class before it, so a rule has the negation of the
 * earlier conditions. A class whose condition Filter Encoding cannot express is left out, and the description names it.
 */
export function sldOf(collection: SpatialCollection, style: Style | undefined): string {
  const { id, title } = collection;
  const shapes = shapesOf(collection);
  const leftOut = new Set<string>();
  const types = shapes.map((shape) => {
    const rules = scaleSteps(style ?? defaultStyle(shape)).flatMap(({ range, active }) =>
      active.flatMap((one, index) => rule(one, active.slice(0, index), { range, shape, leftOut }) ?? []),
    );
    const isOf = shapes.length > 1 && xml`<se:SemanticTypeIdentifier>generic:${shape}</se:SemanticTypeIdentifier>`;
    return rules.length > 0 && xml`<se:FeatureTypeStyle>${isOf}${rules}</se:FeatureTypeStyle>\n`;
  });
  const note =
    leftOut.size > 0 &&
    xml`<se:Abstract>Left out, since Filter Encoding has no words for their conditions: ${[...leftOut].join(", ")}</se:Abstract>`;
  return xmlDocument(xml`<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.1.0/StyledLayerDescriptor.xsd">
<NamedLayer><se:Name>${id}</se:Name><UserStyle><se:Name>${DEFAULT_STYLE}</se:Name><se:Description><se:Title>${title}</se:Title>${note}</se:Description><IsDefault>1</IsDefault>
${types}</UserStyle></NamedLayer></StyledLayerDescriptor>`);
}

interface Place {
  readonly range: { readonly minScale?: number; readonly maxScale?: number };
  readonly shape: ShapeKind;
  /** Names of classes that cannot be written. Functions add to it. */
  readonly leftOut: Set<string>;
}

function rule(one: StyleClass, before: readonly StyleClass[], { range, shape, leftOut }: Place): Xml | undefined {
  if (before.some(({ where }) => where === undefined)) return undefined; // no features are left for it
  const own = one.where && sldFilter(one.where);
  if (one.where && !own) {
    leftOut.add(one.name);
    return undefined;
  }
  // classes that cannot be written draw nothing, so they take no features from this class
  const others = before.flatMap(({ where }) => (where && sldFilter(where)) ?? []);
  const rest = others.length > 0 ? negated(joined("or", others)) : undefined;
  const filter = joined(
    "and",
    [own, rest].filter((each) => each !== undefined),
  );
  const { minScale, maxScale } = range;
  return xml`<se:Rule><se:Name>${one.name}</se:Name>${filter && xml`<ogc:Filter>${filter}</ogc:Filter>`}${
    minScale !== undefined && xml`<se:MinScaleDenominator>${minScale}</se:MinScaleDenominator>`
  }${maxScale !== undefined && xml`<se:MaxScaleDenominator>${maxScale}</se:MaxScaleDenominator>`}${one.styles.flatMap((drawing) => symbolizers(drawing, shape))}${one.labels.map((label) => textSymbolizer(label, shape))}</se:Rule>
`;
}

/** A number or colour, or the column that has it. */
function value(given: StyleNumber | StyleColour): Xml | string | number {
  return typeof given === "object" ? property(given.column.name) : given;
}

function parameter(name: string, given: StyleNumber | StyleColour | undefined): Xml | false {
  return given !== undefined && xml`<se:SvgParameter name="${name}">${value(given)}</se:SvgParameter>`;
}

/** Percent as a fraction of one. */
function opacityOf(opacity: StyleNumber | undefined): Xml | undefined {
  if (opacity === undefined || opacity === 100) return undefined;
  if (typeof opacity === "number") return xml`${opacity / 100}`;
  return xml`<ogc:Div>${property(opacity.column.name)}<ogc:Literal>100</ogc:Literal></ogc:Div>`;
}

function stroke(colour: StyleColour | undefined, { width = 1, pattern, opacity }: Drawing): Xml | undefined {
  if (colour === undefined) return undefined;
  const opaque = opacityOf(opacity);
  return xml`<se:Stroke>${parameter("stroke", colour)}${opaque && xml`<se:SvgParameter name="stroke-opacity">${opaque}</se:SvgParameter>`}${parameter("stroke-width", width)}${
    pattern && xml`<se:SvgParameter name="stroke-dasharray">${pattern.join(" ")}</se:SvgParameter>`
  }</se:Stroke>`;
}

function fill(colour: StyleColour | undefined, opacity: StyleNumber | undefined): Xml | undefined {
  if (colour === undefined) return undefined;
  const opaque = opacityOf(opacity);
  return xml`<se:Fill>${parameter("fill", colour)}${opaque && xml`<se:SvgParameter name="fill-opacity">${opaque}</se:SvgParameter>`}</se:Fill>`;
}

/** The rotation of a square that stands on its corner, which Symbology Encoding has no name for. */
const DIAMOND_DEGREES = 45;

/** The angle of a mark, which is clockwise here and counter-clockwise in `set_style`. */
function markRotation(angle: StyleNumber = 0, symbol: SymbolName): Xml | undefined {
  const turned = symbol === "diamond" ? DIAMOND_DEGREES : 0;
  if (typeof angle === "object")
    return xml`<ogc:Sub><ogc:Literal>${turned}</ogc:Literal>${property(angle.column.name)}</ogc:Sub>`;
  return turned - angle === 0 ? undefined : xml`${turned - angle}`;
}

/** The angle of a hatch, which QGIS turns counter-clockwise. */
const hatchRotation = (angle: StyleNumber = 0): Xml | undefined => (angle === 0 ? undefined : xml`${value(angle)}`);

function graphic(drawing: Drawing, symbol: SymbolName): Xml {
  const { color, outlineColor, size = 8, angle, opacity, width } = drawing;
  const isOpen = symbol === "cross" || symbol === "x";
  const lines = isOpen ? (color ?? outlineColor) : outlineColor;
  const name = symbol === "diamond" ? "square" : symbol === "hatch" ? "horline" : symbol;
  const rotation = symbol === "hatch" ? hatchRotation(angle) : markRotation(angle, symbol);
  return xml`<se:Graphic><se:Mark><se:WellKnownName>${name}</se:WellKnownName>${isOpen ? undefined : fill(color, opacity)}${stroke(lines, { ...(width !== undefined && { width }), ...(opacity !== undefined && { opacity }) })}</se:Mark><se:Size>${value(size)}</se:Size>${rotation && xml`<se:Rotation>${rotation}</se:Rotation>`}</se:Graphic>`;
}

/** The width of a casing beyond a line, in pixels: both sides together. */
const CASING_PIXELS = 4;

function symbolizers(drawing: Drawing, shape: ShapeKind): readonly Xml[] {
  const { color, outlineColor, symbol, width = 1, opacity } = drawing;
  const lines = (inside: Xml | undefined): Xml[] =>
    inside ? [xml`<se:LineSymbolizer>${inside}</se:LineSymbolizer>`] : [];
  switch (shape) {
    case "point":
      return [xml`<se:PointSymbolizer>${graphic(drawing, symbol === undefined || symbol === "hatch" ? "circle" : symbol)}</se:PointSymbolizer>`]; // oxfmt-ignore
    case "line": {
      if (symbol !== undefined && symbol !== "hatch")
        return lines(xml`<se:Stroke><se:GraphicStroke>${graphic(drawing, symbol)}</se:GraphicStroke></se:Stroke>`);
      const isCased = color !== undefined && outlineColor !== undefined && typeof width === "number";
      const casing = isCased ? stroke(outlineColor, { ...drawing, width: width + CASING_PIXELS }) : undefined;
      return [...lines(casing), ...lines(stroke(color ?? outlineColor, drawing))];
    }
    case "polygon": {
      const { outlineColor: _outline, ...inside } = drawing;
      const mark = symbol === "hatch" && color !== undefined ? { ...inside, outlineColor: color } : inside;
      const filled =
        color !== undefined && symbol !== undefined
          ? xml`<se:Fill><se:GraphicFill>${graphic(mark, symbol)}</se:GraphicFill></se:Fill>`
          : fill(color, opacity);
      const edge = stroke(outlineColor, drawing);
      return filled || edge ? [xml`<se:PolygonSymbolizer>${filled}${edge}</se:PolygonSymbolizer>`] : [];
    }
  }
}

/** The point of a label that is at the feature: x from its left, y from its lower edge. */
const ANCHORS: Readonly<Record<"u" | "c" | "l", number>> = { u: 0, c: 0.5, l: 1 };
const SIDES: Readonly<Record<"l" | "c" | "r", number>> = { l: 1, c: 0.5, r: 0 };

function textSymbolizer({ text, size = 10, color = "#202020", outlineColor, position }: Label, shape: ShapeKind): Xml {
  const parts = text.map((part) => (typeof part === "string" ? part : property(part.name)));
  const isAlong = position === "follow" || (position === undefined && shape === "line");
  const [row, side] = anchorOf(position);
  const placement = isAlong
    ? xml`<se:LinePlacement/>`
    : xml`<se:PointPlacement><se:AnchorPoint><se:AnchorPointX>${side}</se:AnchorPointX><se:AnchorPointY>${row}</se:AnchorPointY></se:AnchorPoint></se:PointPlacement>`;
  return xml`<se:TextSymbolizer><se:Label>${parts}</se:Label><se:Font>${parameter("font-family", "sans-serif")}<se:SvgParameter name="font-size">${fontSize(size)}</se:SvgParameter></se:Font><se:LabelPlacement>${placement}</se:LabelPlacement>${
    outlineColor !== undefined && xml`<se:Halo><se:Radius>1</se:Radius>${fill(outlineColor, undefined)}</se:Halo>`
  }${fill(color, undefined)}</se:TextSymbolizer>`;
}

/** The size of a label in pixels. */
function fontSize(points: StyleNumber): Xml | number {
  if (typeof points === "number") return inPixels(points);
  return xml`<ogc:Div>${property(points.column.name)}<ogc:Literal>${1 / PIXELS_PER_POINT}</ogc:Literal></ogc:Div>`;
}

const inPixels = (points: number): number => Math.round(points * PIXELS_PER_POINT * 100) / 100;

function anchorOf(position: Position | undefined): readonly [row: number, side: number] {
  const [row = "c", side = "c"] =
    position === undefined || position === "auto" || position === "follow" ? [] : position;
  return [ANCHORS[row as "u" | "c" | "l"], SIDES[side as "l" | "c" | "r"]];
}
