/**
 * Code for OpenLayers that draws a style of the service. It reads the part of MapLibre's language that the service writes
 * (ogc/styles/mapLibreStyle.ts), so that a page needs no package but `ol`, and follows what the style becomes.
 */

/** The view with which a map opens. */
export interface Opened {
  readonly center: readonly [number, number];
  readonly zoom: number;
}

const IMPORTS = `import Map from "ol/Map.js";
import View from "ol/View.js";
import { asArray } from "ol/color.js";
import { intersects } from "ol/extent.js";
import MVT from "ol/format/MVT.js";
import VectorTileLayer from "ol/layer/VectorTile.js";
import { fromLonLat, transformExtent } from "ol/proj.js";
import VectorTileSource from "ol/source/VectorTile.js";
import { Circle, Fill, Stroke, Style, Text } from "ol/style.js";
import { createXYZ } from "ol/tilegrid.js";

`;

const DRAW = `const operators = {
  "==": (one, other) => one === other,
  "*": (one, other) => one * other,
  "/": (one, other) => one / other,
  "+": (one, other) => one + other,
  all: (...values) => values.every(Boolean),
  coalesce: (...values) => values.find((value) => value != null),
  max: Math.max,
  "to-color": (...colours) => colours.find((colour) => CSS.supports("color", colour)),
};
const read = (value, feature) => {
  if (!Array.isArray(value)) return value;
  const [name, first, ...others] = value;
  if (name === "literal") return first;
  if (name === "get") return feature.get(first);
  if (name === "geometry-type") return feature.getType();
  if (name === "match") return others[0].includes(read(first, feature)) ? others[1] : others[2];
  return operators[name](...[first, ...others].map((each) => read(each, feature)));
};
const faded = (colour, opacity = 1) => {
  const [red, green, blue, alpha = 1] = asArray(colour);
  return [red, green, blue, alpha * opacity];
};
const sideOf = (anchor, sides) => sides.findIndex((side) => anchor.includes(side));
const drawings = {
  // a pattern is drawn as a part of its colour
  fill: (of) => ({ fill: new Fill({ color: faded(of("fill-color"), of("fill-opacity", 1) * (of("fill-pattern") ? 0.4 : 1)) }) }),
  line: (of) => ({
    stroke: new Stroke({
      color: faded(of("line-color"), of("line-opacity")),
      width: of("line-width", 1),
      lineJoin: of("line-join", "miter"),
      lineCap: of("line-cap", "butt"),
      lineDash: of("line-dasharray", []).map((part) => part * of("line-width", 1)),
    }),
  }),
  circle: (of) => ({
    image: new Circle({
      radius: of("circle-radius"),
      fill: new Fill({ color: faded(of("circle-color"), of("circle-opacity")) }),
      stroke: new Stroke({
        color: faded(of("circle-stroke-color", "transparent"), of("circle-stroke-opacity")),
        width: of("circle-stroke-width", 0),
      }),
      declutterMode: "none",
    }),
  }),
  symbol: (of) => {
    const size = of("text-size", 16);
    const anchor = of("text-variable-anchor") ? "left" : of("text-anchor", "center");
    const [right, down] = of("text-offset", [0, 0]);
    const [across, along] = [sideOf(anchor, ["right", "left"]), sideOf(anchor, ["bottom", "top"])];
    const distance = of("text-radial-offset", 0) / (across < 0 || along < 0 ? 1 : Math.SQRT2);
    return {
      text: new Text({
        text: String(of("text-field", "")),
        font: \`\${size}px system-ui, sans-serif\`,
        fill: new Fill({ color: faded(of("text-color"), of("text-opacity")) }),
        stroke: new Stroke({ color: of("text-halo-color", "transparent"), width: 2 * of("text-halo-width", 0) }),
        placement: of("symbol-placement", "point") === "point" ? "point" : "line",
        repeat: of("symbol-spacing"),
        rotation: (of("text-rotate", 0) * Math.PI) / 180,
        declutterMode: of("text-allow-overlap") ? "none" : "declutter",
        textAlign: ["center", "right", "left"][across + 1],
        textBaseline: ["middle", "bottom", "top"][along + 1],
        offsetX: (right + [0, -distance, distance][across + 1]) * size,
        offsetY: (down + [0, -distance, distance][along + 1]) * size,
      }),
    };
  },
};

/** The world has 512 pixels at MapLibre's zoom 0. */
const zoomAt = (resolution) => Math.max(0, Math.log2((2 * Math.PI * 6378137) / 512 / resolution));
const draw = (feature, resolution) =>
  style.layers.flatMap(({ type, filter = true, minzoom = 0, maxzoom = 99, layout, paint, ...layer }, zIndex) => {
    const zoom = zoomAt(resolution);
    const isDrawn = layer["source-layer"] === feature.get("layer") && zoom >= minzoom && zoom < maxzoom;
    if (!isDrawn || !read(filter, feature)) return [];
    const members = { ...layout, ...paint };
    return [new Style({ zIndex, ...drawings[type]((name, other) => read(members[name], feature) ?? other) })];
  });

`;

/** `style`: the address of a style for MapLibre. */
export function openLayersCode(style: string, { center, zoom }: Opened): string {
  return `${IMPORTS}const load = async (url) => (await fetch(url)).json();
const style = await load(${JSON.stringify(style)});
const [source] = await Promise.all(Object.values(style.sources).map(({ url }) => load(url)));

${DRAW}const tileGrid = createXYZ({ maxZoom: source.maxzoom, tileSize: 512 });
const bounds = transformExtent(source.bounds ?? [-180, -85, 180, 85], "EPSG:4326", "EPSG:3857");
/** There are no tiles beyond the features. */
const tileUrlFunction = (tile) => {
  const [z, x, y] = tile;
  if (!intersects(tileGrid.getTileCoordExtent(tile), bounds)) return undefined;
  return source.tiles[0].replace("{z}", z).replace("{x}", x).replace("{y}", y);
};

new Map({
  target: "map",
  layers: [
    new VectorTileLayer({
      declutter: true,
      source: new VectorTileSource({ format: new MVT(), tileGrid, tileUrlFunction }),
      style: draw,
    }),
  ],
  view: new View({ center: fromLonLat(${JSON.stringify(center)}), zoom: ${zoom} }),
});
`;
}
