/** The classes of a layer with their names, each drawn as on the map. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Feature from "ol/Feature.js";
import type Geometry from "ol/geom/Geometry.js";
import LineString from "ol/geom/LineString.js";
import Point from "ol/geom/Point.js";
import Polygon from "ol/geom/Polygon.js";
import { toContext } from "ol/render.js";
import CircleStyle from "ol/style/Circle.js";
import { useEffect, useRef } from "react";
import { readStyle, type LayerLook } from "./collectionLayers.ts";
import type { MapSource } from "./mapSource.ts";
import { sampleOf, type StyleLayer } from "./tileStyle.ts";
import { t } from "../../../words/words.ts";

/** The size of a symbol in pixels. */
const [WIDTH, HEIGHT] = [24, 16];
const MOST_CLASSES = 50;

export const styleLayersOf = (source: MapSource, id: string, look: LayerLook = {}) => ({
  queryKey: [
    "style layers",
    source.database,
    source.caller,
    id,
    ...(look.own || look.color !== undefined ? [look.own ?? null, look.color] : []),
  ],
  queryFn: () => readStyle(source, id, look),
  staleTime: 60_000,
});

export interface LegendProps extends LayerLook {
  readonly source: MapSource;
  readonly collection: string;
}

function useClasses({ source, collection, own, color }: LegendProps): readonly LegendClass[] {
  // a style that is being edited changes often: the legend keeps its classes until it has the next ones
  const { data } = useQuery({
    ...styleLayersOf(source, collection, { own, color }),
    placeholderData: keepPreviousData,
  });
  return classesOf(data?.layers ?? []).slice(0, MOST_CLASSES);
}

/** The only class of a style without classes: its symbol stands beside the title of the layer. */
function isAll(classes: readonly LegendClass[]): boolean {
  return classes.length === 1 && classes[0]!.name === "All";
}

/** The symbol of a layer without classes; nothing where it has classes, which the legend lists. */
export function LegendSymbol(props: LegendProps) {
  const classes = useClasses(props);
  return isAll(classes) ? <Symbol layers={classes[0]!.layers} /> : null;
}

export function Legend(props: LegendProps) {
  const classes = useClasses(props);
  if (classes.length === 0 || isAll(classes)) return null;
  return (
    <ul className="legend" aria-label={t("Legend of {collection}", { collection: props.collection })}>
      {classes.map(({ name, layers }) => (
        <li key={name}>
          <Symbol layers={layers} />
          {name}
        </li>
      ))}
    </ul>
  );
}

interface LegendClass {
  readonly name: string;
  readonly layers: readonly StyleLayer[];
}

/** The classes of a style. Those at several scales have the same name. */
function classesOf(layers: readonly StyleLayer[]): readonly LegendClass[] {
  const byName = new Map<string, StyleLayer[]>();
  for (const layer of layers) {
    const name = layer.metadata?.["portolan:class"];
    if (name === undefined || (layer.type === "symbol" && layer.layout?.["text-allow-overlap"] !== true)) continue;
    byName.set(name, [...(byName.get(name) ?? []), layer]);
  }
  return [...byName].map(([name, of]) => ({ name, layers: of }));
}

function Symbol({ layers }: { readonly layers: readonly StyleLayer[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const drawing = toContext(context, { size: [WIDTH, HEIGHT], pixelRatio: devicePixelRatio });
    for (const [layer, shape] of shapesOf(layers)) {
      const feature = new Feature(shape);
      const style = sampleOf(layer, feature);
      const image = style.getImage();
      if (image instanceof CircleStyle) image.setScale(Math.min(1, HEIGHT / (2 * image.getRadius() + 2)));
      drawing.drawFeature(feature, style);
    }
  }, [layers]);
  return <canvas ref={canvas} width={WIDTH} height={HEIGHT} aria-hidden="true" />;
}

/** Each layer with the shape that it is drawn with: areas alone where the style draws areas, whatever else it draws. */
function shapesOf(layers: readonly StyleLayer[]): readonly (readonly [StyleLayer, Geometry])[] {
  if (!layers.some(({ type }) => type === "fill")) return layers.map((layer) => [layer, shapeOf(layer)]);
  return layers.flatMap((layer) => (isOfAreas(layer) ? [[layer, area()] as const] : []));
}

/** The outline of areas is a line, which a style of every geometry restricts to them. */
function isOfAreas({ type, filter }: StyleLayer): boolean {
  const restricted = JSON.stringify(filter ?? "");
  return (
    type === "fill" || (type === "line" && (restricted.includes("Polygon") || !restricted.includes("geometry-type")))
  );
}

function shapeOf({ type, filter }: StyleLayer): Geometry {
  if (type === "circle" || type === "symbol") return new Point([WIDTH / 2, HEIGHT / 2]);
  if (type === "line" && !JSON.stringify(filter ?? "").includes("Polygon"))
    return new LineString([
      [2, HEIGHT - 4],
      [WIDTH / 2, 4],
      [WIDTH - 2, HEIGHT - 4],
    ]);
  return area();
}

function area(): Polygon {
  const [right, down] = [WIDTH - 2, HEIGHT - 2];
  return new Polygon([[[2, 2], [right, 2], [right, down], [2, down], [2, 2]]]); // prettier-ignore
}
