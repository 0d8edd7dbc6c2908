/** A style in the form of MapLibre (style specification, version 8): the same drawing as the mapfile's, for vector tiles. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { filterToSql } from "../../server/filter/toSql.ts";
import { spatial, type Collection } from "../collections/collections.ts";
import { classOf, Items, row, shapesOf } from "../maps/mapData.ts";
import { scaleSteps } from "../maps/mapLayer.ts";
import {
  PIXELS_PER_POINT,
  type Drawing,
  type Label,
  type Position,
  type ScaleRange,
  type ShapeKind,
  type Style,
  type StyleColour,
  type StyleNumber,
  type SymbolName,
} from "../maps/style.ts";
import { defaultStyle } from "../maps/styleDefaults.ts";
import { colourOf, labelText, MAX_LENGTH, numberOf } from "../maps/styleValues.ts";
import { FONT } from "./glyphRange.ts";
import { patternName, type Pattern } from "./pattern.ts";

/** MapLibre's expressions are JSON. */
type Expression = string | number | boolean | readonly Expression[];
type Members = Readonly<Record<string, Expression>>;

export interface Layer {
  readonly id: string;
  readonly type: "fill" | "line" | "circle" | "symbol";
  readonly source: string;
  readonly "source-layer": string;
  /** The name of the class, for legends. */
  readonly metadata?: Readonly<Record<"portolan:class", string>>;
  readonly minzoom?: number;
  readonly maxzoom?: number;
  readonly filter?: Expression;
  readonly layout?: Members;
  readonly paint?: Members;
}

export interface TileStyle {
  /** The layers, the lowest first. */
  readonly layers: readonly Layer[];
  /** Layers above all layers of all collections, such as labels. */
  readonly labels: readonly Layer[];
  /** Values that the layers need in tiles, besides attributes: SQL over rows `t`, with names. */
  readonly values: readonly SQL[];
  /** The patterns of fills, by the names that layers have for them. */
  readonly patterns: ReadonlyMap<string, Pattern>;
}

/** The name of a style's only source. */
export const SOURCE = "portolan";
/** The attribute with the class of a feature. Only styles use it; no column has such a name. */
const CLASS = "portolan:class";
const VALUE = "portolan:v";

/** OGC 17-083r4: the scale denominator at MapLibre's zoom 0, at which the world has 512 pixels of 0.28 mm. */
const SCALE_AT_ZERO = (2 * Math.PI * 6_378_137) / 512 / 0.00028;
const MAX_ZOOM = 24;
const NOTHING = "rgba(0,0,0,0)";
/** MapServer's `OUTLINEWIDTH`, in pixels: both sides of a line together. */
const CASING = 2;
/**
 * The opacity that stands for the gaps of marks or a hatch that a column decides about: MapLibre fills with pictures, which
 * are made beforehand.
 */
const PATTERN_OPACITY = 0.4;
/** The distance between marks along a line, in pixels. */
const GAP = 32;
/** The least distance from a point to its label, and that from the edge of its symbol, in pixels. */
const LABEL_OFFSET = 6;
const LABEL_GAP = 2;

interface Mark {
  readonly text: string;
  /** Height of the mark as a part of the text size. */
  readonly height: number;
  /** The offset that centres it, in the same units; down is positive. */
  readonly down: number;
}

/** Symbols as glyphs of the font, which take any colour and size, unlike pictures. */
const MARKS: Readonly<Record<Exclude<SymbolName, "hatch">, Mark>> = {
  circle: { text: "●", height: 0.76, down: -0.12 },
  square: { text: "■", height: 0.76, down: -0.12 },
  triangle: { text: "▲", height: 0.76, down: -0.12 },
  diamond: { text: "◆", height: 0.76, down: -0.12 },
  star: { text: "★", height: 0.73, down: -0.02 },
  cross: { text: "+", height: 0.63, down: -0.06 },
  x: { text: "✕", height: 0.58, down: -0.01 },
};

/** The style of a collection. `style`: undefined for the default. */
export function tileStyle(collection: Collection, style: Style | undefined): TileStyle {
  const draft: Draft = { collection, items: new Items(VALUE), layers: [], labels: [], patterns: new Map() };
  const classes = addClasses(draft, style);
  const { layers, labels, patterns, items } = draft;
  return { layers, labels, patterns, values: [...classes, ...items.columns] };
}

/** The input for the parts of a style. */
interface Draft {
  readonly collection: Collection;
  readonly items: Items;
  readonly layers: Layer[];
  readonly labels: Layer[];
  readonly patterns: Map<string, Pattern>;
}

/** The common part of the layers of one class. */
interface Part extends Draft {
  readonly shape: ShapeKind;
  readonly name: string;
  /** The name of the class. */
  readonly title: string | undefined;
  readonly range: ScaleRange;
  readonly filter: Expression | undefined;
}

/**
 * Adds the layers of the classes. Returns the SQL of the attributes that tell the class of a feature, one for each
 * range of scales.
 */
function addClasses(draft: Draft, style: Style | undefined): SQL[] {
  const { collection } = draft;
  const classes: SQL[] = [];
  const shapes = shapesOf(spatial(collection));
  for (const shape of shapes)
    scaleSteps(style ?? defaultStyle(shape, collection.colour)).forEach(({ range, active }, step) => {
      const wheres = active.map(({ where }) => (where ? filterToSql(where, row) : undefined));
      const isAnything = wheres[0] === undefined;
      const name = `${CLASS}${step}`;
      if (!isAnything && shape === shapes[0]) classes.push(sql`${classOf(wheres)} as ${sql.identifier(name)}`);
      const drawn = isAnything ? active.slice(0, 1) : active;
      drawn.forEach(({ name: title, styles, labels }, number) => {
        const terms: Expression[] = [
          ...(shapes.length > 1 ? [isOfShape(shape)] : []),
          ...(isAnything ? [] : [["==", ["get", name], number]]),
        ];
        const filter: Expression | undefined = terms.length > 1 ? ["all", ...terms] : terms[0];
        const part: Part = {
          ...draft,
          shape,
          name: `${collection.id} ${shape} ${step}.${number}`,
          title,
          range,
          filter,
        };
        for (const drawing of styles) addDrawing(part, drawing);
        for (const label of labels) addLabel(part, label, styles);
      });
    });
  return classes;
}

const GEOMETRIES = { point: "Point", line: "LineString", polygon: "Polygon" } as const;

function isOfShape(shape: ShapeKind): Expression {
  const type = GEOMETRIES[shape];
  return ["match", ["geometry-type"], [type, `Multi${type}`], true, false];
}

/** `minScale` and `maxScale` as zooms, which grow as scales fall. */
function zooms({ minScale, maxScale }: ScaleRange): Pick<Layer, "minzoom" | "maxzoom"> {
  const zoom = (scale: number): number => Math.min(MAX_ZOOM, Math.max(0, Math.log2(SCALE_AT_ZERO / scale)));
  return {
    ...(maxScale !== undefined && { minzoom: zoom(maxScale) }),
    ...(minScale !== undefined && minScale > 0 && { maxzoom: zoom(minScale) }),
  };
}

function add(
  part: Part,
  layers: Layer[],
  type: Layer["type"],
  { layout, paint }: Pick<Layer, "layout" | "paint">,
): void {
  layers.push({
    id: `${part.name}.${part.layers.length + part.labels.length}`,
    type,
    source: SOURCE,
    "source-layer": part.collection.id,
    ...(part.title !== undefined && { metadata: { [CLASS]: part.title } }),
    ...zooms(part.range),
    ...(part.filter !== undefined && { filter: part.filter }),
    ...(layout && { layout }),
    ...(paint && { paint }),
  });
}

/** Converters for numbers and colours of a drawing to MapLibre's form. */
function readings({ items }: Draft) {
  const number = (value: StyleNumber, least: number, most: number, fallback: number): Expression =>
    typeof value === "number" ? value : ["get", items.name(numberOf(value, least, most, fallback))];
  return {
    number,
    length: (value: StyleNumber, fallback: number): Expression => number(value, 0, MAX_LENGTH, fallback),
    opacity: (value: StyleNumber = 100): Expression => times(number(value, 0, 100, 100), 0.01),
    colour: (value: StyleColour): Expression =>
      typeof value === "string"
        ? value
        : ["to-color", ["coalesce", ["get", items.name(colourOf(value))], NOTHING], NOTHING],
  };
}

function times(value: Expression, factor: number): Expression {
  return typeof value === "number" ? value * factor : ["*", value, factor];
}

function plus(value: Expression, more: number): Expression {
  return typeof value === "number" ? value + more : ["+", value, more];
}

function over(value: Expression, size: Expression): Expression {
  return typeof value === "number" && typeof size === "number" ? Number((value / size).toFixed(3)) : ["/", value, size];
}

function addDrawing(part: Part, drawing: Drawing): void {
  const { symbol, size } = drawing;
  switch (part.shape) {
    case "point":
      if (size === 0) return;
      if (symbol === undefined || symbol === "circle" || symbol === "hatch") addCircle(part, drawing);
      else addMark(part, drawing, MARKS[symbol], {});
      return;
    case "line":
      if (symbol !== undefined && symbol !== "hatch") {
        if (size !== 0) addMark(part, drawing, MARKS[symbol], { "symbol-placement": "line", "symbol-spacing": GAP });
      } else addLine(part, drawing, drawing.color ?? drawing.outlineColor);
      return;
    case "polygon":
      if (drawing.color !== undefined && !(symbol !== undefined && size === 0)) addFill(part, drawing, drawing.color);
      if (drawing.outlineColor !== undefined)
        addLine(part, { ...drawing, ...(symbol === "hatch" && { width: 1 }) }, drawing.outlineColor);
  }
}

function addCircle(part: Part, { color, outlineColor, width = 1, size = 8, opacity }: Drawing): void {
  const { length, colour, opacity: share } = readings(part);
  const paint: Members = {
    "circle-radius": times(length(size, 8), 0.5),
    "circle-color": color === undefined ? NOTHING : colour(color),
    "circle-opacity": share(opacity),
    ...(outlineColor !== undefined && {
      "circle-stroke-color": colour(outlineColor),
      "circle-stroke-width": length(width, 1),
      "circle-stroke-opacity": share(opacity),
    }),
  };
  add(part, part.layers, "circle", { paint });
}

function addMark(part: Part, drawing: Drawing, { text, height, down }: Mark, placement: Members): void {
  const { length, number, colour, opacity: share } = readings(part);
  const { color, outlineColor, width = 1, size = 8, angle = 0, opacity } = drawing;
  const inside = color ?? outlineColor;
  const layout: Members = {
    ...placement,
    "text-field": text,
    "text-font": ["literal", [FONT]],
    "text-size": times(length(size, 8), 1 / height),
    "text-offset": ["literal", [0, down]],
    "text-rotate": times(number(angle, -360, 360, 0), -1), // clockwise
    "text-allow-overlap": true,
    "text-ignore-placement": true,
    "text-keep-upright": false,
    "text-padding": 0,
  };
  const paint: Members = {
    "text-color": inside === undefined ? "#000000" : colour(inside),
    "text-opacity": share(opacity),
    ...(color !== undefined &&
      outlineColor !== undefined && {
        "text-halo-color": colour(outlineColor),
        "text-halo-width": length(width, 1),
      }),
  };
  add(part, part.layers, "symbol", { layout, paint });
}

function addLine(part: Part, drawing: Drawing, stroke: StyleColour | undefined): void {
  if (stroke === undefined) return;
  const { length, colour, opacity: share } = readings(part);
  const { color, outlineColor, width = 1, pattern, opacity } = drawing;
  const thickness = typeof width === "number" && width > 0 ? width : 1;
  const layout: Members = { "line-join": "round", ...(!pattern && { "line-cap": "round" }) };
  const paint = (value: StyleColour, wide: Expression): Members => ({
    "line-color": colour(value),
    "line-width": wide,
    "line-opacity": share(opacity),
  });
  const wide = length(width, 1);
  if (part.shape === "line" && color !== undefined && outlineColor !== undefined)
    add(part, part.layers, "line", { layout, paint: paint(outlineColor, plus(wide, 2 * CASING)) });
  add(part, part.layers, "line", {
    layout,
    paint: {
      ...paint(stroke, wide),
      // lengths are in widths of the line
      ...(pattern && { "line-dasharray": ["literal", pattern.map((each) => each / thickness)] }),
    },
  });
}

function addFill(part: Part, drawing: Drawing, color: StyleColour): void {
  const { colour, opacity: share } = readings(part);
  const { symbol, opacity } = drawing;
  const pattern = patternOf(drawing, color);
  const name = pattern && patternName(pattern);
  if (pattern && name !== undefined) part.patterns.set(name, pattern);
  const paint: Members = {
    "fill-color": colour(color),
    "fill-opacity": symbol === undefined || pattern ? share(opacity) : times(share(opacity), PATTERN_OPACITY),
    ...(name !== undefined && { "fill-pattern": name }),
  };
  add(part, part.layers, "fill", { paint });
}

/** The pattern of a fill. Undefined for a plain one, and where a column decides about it: pictures are made beforehand. */
function patternOf({ symbol, size = 8, width = 1, angle = 0 }: Drawing, color: StyleColour): Pattern | undefined {
  const isFixed = typeof size === "number" && typeof width === "number" && typeof angle === "number";
  if (symbol === undefined || !isFixed || typeof color !== "string") return undefined;
  return { symbol, color, size: Math.max(1, size), width, angle };
}

/**
 * The anchors for the positions of a label relative to its feature. MapLibre names the side of the label that is at the
 * feature.
 */
const ANCHORS: Readonly<Record<Exclude<Position, "auto" | "follow">, string>> = {
  ul: "bottom-right",
  uc: "bottom",
  ur: "bottom-left",
  cl: "right",
  cc: "center",
  cr: "left",
  ll: "top-right",
  lc: "top",
  lr: "top-left",
};

/** `drawings`: what is drawn with the label. */
function addLabel(part: Part, label: Label, drawings: readonly Drawing[]): void {
  const { number, colour } = readings(part);
  const { text, color = "#202020", outlineColor, position } = label;
  const size = times(number(label.size ?? 10, 4, 100, 10), PIXELS_PER_POINT);
  add(part, part.labels, "symbol", {
    layout: {
      "text-field": ["get", part.items.name(labelText(text))],
      "text-font": ["literal", [FONT]],
      "text-size": size,
      "text-max-width": 100,
      ...(part.shape === "point"
        ? placeAtPoint(position, over(distanceFrom(part, drawings), size))
        : placeAt(part.shape, position)),
    },
    paint: {
      "text-color": colour(color),
      ...(outlineColor !== undefined && { "text-halo-color": colour(outlineColor), "text-halo-width": 1 }),
    },
  });
}

/** The distance of a label from its point, in pixels: beyond the largest symbol that is drawn there. */
function distanceFrom(part: Part, drawings: readonly Drawing[]): Expression {
  const { length } = readings(part);
  const sizes = drawings.filter(({ size }) => size !== 0).map(({ size = 8 }) => length(size, 8));
  const outlines = drawings.flatMap(({ outlineColor, width = 1 }) =>
    outlineColor !== undefined && typeof width === "number" ? [width] : [],
  );
  const more = LABEL_GAP + Math.max(0, ...outlines);
  const distances = sizes.map((size) => plus(times(size, 0.5), more));
  const fixed = Math.max(LABEL_OFFSET, ...distances.filter((each) => typeof each === "number"));
  const others = distances.filter((each) => typeof each !== "number");
  return others.length === 0 ? fixed : ["max", fixed, ...others];
}

/** `offset`: in sizes of the text. */
function placeAtPoint(position: Position = "auto", offset: Expression): Members {
  const anchors = Object.values(ANCHORS).filter((anchor) => anchor !== "center");
  if (position === "auto" || position === "follow")
    return { "text-variable-anchor": ["literal", anchors], "text-radial-offset": offset };
  const anchor = ANCHORS[position];
  return { "text-anchor": anchor, ...(anchor !== "center" && { "text-radial-offset": offset }) };
}

function placeAt(shape: "line" | "polygon", position: Position = shape === "line" ? "follow" : "cc"): Members {
  if (position === "follow" && shape === "line") return { "symbol-placement": "line" };
  return {
    "text-anchor": ANCHORS[position === "auto" || position === "follow" ? "cc" : position],
    ...(shape === "line" && { "symbol-placement": "line-center", "text-rotation-alignment": "viewport" }),
  };
}
