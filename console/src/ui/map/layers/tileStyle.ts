/**
 * The style of a collection, as the service writes it for MapLibre (ogc/styles/mapLibreStyle.ts), for OpenLayers.
 * Features that are drawn alike share one object, because a tile has tens of thousands of features.
 */
import { asArray } from "ol/color.js";
import type { FeatureLike } from "ol/Feature.js";
import CircleStyle from "ol/style/Circle.js";
import Fill from "ol/style/Fill.js";
import Stroke from "ol/style/Stroke.js";
import Style, { type StyleFunction } from "ol/style/Style.js";
import Text from "ol/style/Text.js";
import { LARGEST, dotsOf } from "./dots.ts";
import { t } from "../../../words/words.ts";

export type Expression = string | number | boolean | readonly Expression[];

export interface StyleLayer {
  readonly id: string;
  readonly type: "fill" | "line" | "circle" | "symbol";
  readonly minzoom?: number;
  readonly maxzoom?: number;
  readonly filter?: Expression;
  readonly metadata?: { readonly "portolan:class"?: string };
  readonly layout?: Readonly<Record<string, Expression>>;
  readonly paint?: Readonly<Record<string, Expression>>;
}

/** Metres per pixel at MapLibre's zoom 0, where the world has 512 pixels. */
export const COARSEST = (2 * Math.PI * 6_378_137) / 512;
/** The most drawings of one layer that are kept. */
const MOST_KEPT = 5000;

/** The part of its colour that stands for a pattern. */
const PATTERN_OPACITY = 0.4;

type Values = (name: string) => unknown;

/** `isTiled`: for the features of vector tiles. */
export function toStyleFunction(layers: readonly StyleLayer[], isTiled = false): StyleFunction {
  const compiled = layers.map((layer, zIndex) => compile(layer, zIndex, isTiled));
  return (feature, resolution) => {
    const zoom = Math.max(0, Math.log2(COARSEST / resolution));
    const styles: Style[] = [];
    for (const { minzoom, maxzoom, styleOf } of compiled)
      if (zoom >= minzoom && zoom < maxzoom) {
        const style = styleOf(feature, resolution);
        if (style) styles.push(style);
      }
    return styles;
  };
}

/** Whether it has texts, which must avoid each other. */
export function hasLabels(layers: readonly StyleLayer[]): boolean {
  return layers.some(({ type, layout }) => type === "symbol" && layout?.["text-allow-overlap"] !== true);
}

function compile(layer: StyleLayer, zIndex: number, isTiled: boolean) {
  const { minzoom = 0, maxzoom = Infinity, filter = true, type } = layer;
  const members = { ...layer.layout, ...layer.paint };
  const names = Object.keys(members);
  const varying = names.filter((name) => isVarying(members[name]!));
  const kept = new Map<string, Style>();
  let keptFor: number | undefined;
  const styleOf = (feature: FeatureLike, resolution: number): Style | undefined => {
    if (filter !== true && !read(filter, feature)) return undefined;
    if (keptFor !== resolution) kept.clear();
    keptFor = resolution;
    const key = varying.length === 0 ? "" : JSON.stringify(varying.map((name) => read(members[name]!, feature)));
    let style = kept.get(key);
    if (!style) {
      const of: Values = (name) => (name in members ? read(members[name]!, feature) : undefined);
      const drawing = (isTiled && type === "circle" && dots(of, resolution)) || DRAWINGS[type](of);
      style = new Style({ zIndex, ...drawing });
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(key, style);
    }
    return style;
  };
  return { minzoom, maxzoom, styleOf };
}

/** The style of a layer for a feature without attributes, for a legend. */
export function sampleOf({ type, layout, paint }: StyleLayer, feature: FeatureLike): Style {
  const members = { ...layout, ...paint };
  return new Style(DRAWINGS[type]((name) => (name in members ? read(members[name]!, feature) : undefined)));
}

function isVarying(expression: Expression): boolean {
  return Array.isArray(expression) && (expression[0] === "get" || expression.slice(1).some(isVarying));
}

function read(expression: Expression, feature: FeatureLike): unknown {
  if (!Array.isArray(expression)) return expression;
  const [name, ...given] = expression as unknown as readonly [string, ...Expression[]];
  const [first, second] = given;
  switch (name) {
    case "literal":
      return first;
    case "match":
      return (given[1] as readonly unknown[]).includes(read(first!, feature)) ? given[2] : given[3];
    case "get":
      return feature.get(first as string) as unknown;
    case "geometry-type":
      return feature.getGeometry()?.getType();
    case "all":
      return given.every((each) => read(each, feature));
    case "==":
      return read(first!, feature) === read(second!, feature);
    case "coalesce":
      return read(first!, feature) ?? read(second!, feature);
    case "to-color": {
      const colour = read(first!, feature);
      return typeof colour === "string" && CSS.supports("color", colour) ? colour : read(second!, feature);
    }
    case "*":
      return Number(read(first!, feature)) * Number(read(second!, feature));
    case "/":
      return Number(read(first!, feature)) / Number(read(second!, feature));
    case "+":
      return Number(read(first!, feature)) + Number(read(second!, feature));
    case "max":
      return Math.max(...given.map((each) => Number(read(each, feature))));
    default:
      throw new Error(t("The style has an expression that the map does not know: {name}.", { name }));
  }
}

function faded(colour: unknown, opacity: unknown = 1): number[] {
  const [red = 0, green = 0, blue = 0, alpha = 1] = asArray(colour as string);
  return [red, green, blue, alpha * Number(opacity)];
}

/** A circle as a polygon; undefined where it is too large for that. */
function dots(of: Values, resolution: number): ConstructorParameters<typeof Style>[0] {
  const { radius, ...drawing } = circleOf(of);
  if (radius + (drawing.stroke?.getWidth() ?? 0) / 2 > LARGEST) return undefined;
  return { ...drawing, geometry: (feature) => dotsOf(feature, radius * resolution) };
}

function circleOf(of: Values) {
  return {
    radius: Number(of("circle-radius")),
    fill: new Fill({ color: faded(of("circle-color"), of("circle-opacity")) }),
    ...(of("circle-stroke-color") !== undefined && {
      stroke: new Stroke({
        color: faded(of("circle-stroke-color"), of("circle-stroke-opacity")),
        width: Number(of("circle-stroke-width") ?? 1),
      }),
    }),
  };
}

const DRAWINGS: Readonly<Record<StyleLayer["type"], (of: Values) => ConstructorParameters<typeof Style>[0]>> = {
  // a pattern is drawn as a part of its colour
  fill: (of) => {
    const opacity = Number(of("fill-opacity") ?? 1) * (of("fill-pattern") === undefined ? 1 : PATTERN_OPACITY);
    return { fill: new Fill({ color: faded(of("fill-color"), opacity) }) };
  },
  line: (of) => {
    const width = Number(of("line-width") ?? 1);
    const dashes = of("line-dasharray") as readonly number[] | undefined;
    return {
      stroke: new Stroke({
        color: faded(of("line-color"), of("line-opacity")),
        width,
        lineJoin: (of("line-join") as CanvasLineJoin | undefined) ?? "miter",
        lineCap: (of("line-cap") as CanvasLineCap | undefined) ?? "butt",
        ...(dashes && { lineDash: dashes.map((part) => part * width) }),
      }),
    };
  },
  circle: (of) => ({ image: new CircleStyle({ ...circleOf(of), declutterMode: "none" }) }),
  symbol: (of) => {
    const text = textOf(of);
    return text ? { text } : {};
  },
};

function textOf(of: Values): Text | undefined {
  const size = Number(of("text-size") ?? 16);
  const text = of("text-field");
  const halo = of("text-halo-color");
  if (text === undefined || text === null || text === "") return undefined;
  const spacing = of("symbol-spacing") as number | undefined;
  return new Text({
    text: String(text),
    font: `${size}px system-ui, sans-serif`,
    fill: new Fill({ color: faded(of("text-color"), of("text-opacity")) }),
    ...(halo !== undefined && {
      stroke: new Stroke({ color: halo as string, width: 2 * Number(of("text-halo-width")) }),
    }),
    placement: (of("symbol-placement") ?? "point") === "point" ? "point" : "line",
    ...(spacing !== undefined && { repeat: spacing }),
    rotation: (Number(of("text-rotate") ?? 0) * Math.PI) / 180,
    declutterMode: of("text-allow-overlap") === true ? "none" : "declutter",
    ...placeOf(of, size),
  });
}

/** 1 or -1 for the sides of the text that an anchor can name, 0 where it names neither. */
function sideOf(anchor: string, near: string, far: string): -1 | 0 | 1 {
  return anchor.includes(near) ? 1 : anchor.includes(far) ? -1 : 0;
}

/** The position of a text relative to its feature. MapLibre names the side of the text that is at the feature. */
function placeOf(of: Values, size: number) {
  const anchor = of("text-variable-anchor") ? "left" : String(of("text-anchor") ?? "center");
  const [right = 0, down = 0] = (of("text-offset") as readonly number[] | undefined) ?? [0, 0];
  const [across, along] = [sideOf(anchor, "left", "right"), sideOf(anchor, "top", "bottom")];
  const distance = Number(of("text-radial-offset") ?? 0) / Math.max(1, Math.hypot(across, along));
  return {
    textAlign: (["right", "center", "left"] as const)[across + 1],
    textBaseline: (["bottom", "middle", "top"] as const)[along + 1],
    offsetX: (right + across * distance) * size,
    offsetY: (down + along * distance) * size,
  };
}
