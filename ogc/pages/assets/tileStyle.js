// The style of collections on the map of a tileset. It supports the part of MapLibre's language that the service writes
// (ogc/styles/mapLibreStyle.ts).
"use strict";
/** A style function of OpenLayers. `otherwise`: draws features of a collection without a layer. */
const tileStyle = (layers, metersPerUnit, otherwise) => {
  const { Style, Stroke, Fill, Circle, Text } = ol.style;
  const styled = new Set(layers.map((each) => each["source-layer"]));

  const read = (value, feature) => {
    if (!Array.isArray(value)) return value;
    const [name, ...given] = value;
    if (name === "literal") return given[0];
    if (name === "match") return given[1].includes(read(given[0], feature)) ? given[2] : given[3];
    const [first, second] = given.map((each) => read(each, feature));
    switch (name) {
      case "get":
        return feature.get(first);
      case "geometry-type":
        return feature.getType();
      case "all":
        return given.every((each) => read(each, feature));
      case "==":
        return first === second;
      case "coalesce":
        return first ?? second;
      case "to-color":
        return CSS.supports("color", first) ? first : second;
      case "*":
        return first * second;
      case "/":
        return first / second;
      case "+":
        return first + second;
      case "max":
        return Math.max(...given.map((each) => read(each, feature)));
      default:
        throw new Error(`A style has ${name}.`);
    }
  };

  const faded = (colour, opacity = 1) => {
    const [red, green, blue, alpha] = ol.color.asArray(colour);
    return [red, green, blue, alpha * opacity];
  };
  /** Gives the values of a layer for a feature. */
  const valuesOf = (layer, feature) => {
    const all = { ...layer.layout, ...layer.paint };
    return (name) => read(all[name], feature);
  };
  const strokeOf = (of, colour, width, opacity) =>
    of(colour) === undefined ? undefined : new Stroke({ color: faded(of(colour), of(opacity)), width: of(width) });

  /** The position of a text relative to its feature. MapLibre names the side of the text that is at the feature. */
  const placeOf = (of, size) => {
    const anchor = of("text-variable-anchor") ? "left" : (of("text-anchor") ?? "center");
    const side = (names, other) => names.find((name) => anchor.includes(name)) ?? other;
    const [right, down] = of("text-translate") ?? (of("text-offset") ?? [0, 0]).map((part) => part * size);
    return {
      textAlign: side(["left", "right"], "center"),
      textBaseline: side(["top", "bottom"], "middle"),
      offsetX: right + (of("text-radial-offset") ?? 0) * size,
      offsetY: down,
    };
  };
  const textOf = (of) => {
    const size = of("text-size");
    const text = of("text-field");
    const halo = of("text-halo-color");
    if (text === undefined || text === null || text === "") return undefined;
    return new Text({
      text: String(text),
      font: `${size}px system-ui, sans-serif`,
      fill: new Fill({ color: faded(of("text-color"), of("text-opacity")) }),
      stroke: halo === undefined ? undefined : new Stroke({ color: halo, width: 2 * of("text-halo-width") }),
      placement: (of("symbol-placement") ?? "point") === "point" ? "point" : "line",
      repeat: of("symbol-spacing"),
      rotation: ((of("text-rotate") ?? 0) * Math.PI) / 180,
      declutterMode: of("text-allow-overlap") ? "none" : "declutter",
      ...placeOf(of, size),
    });
  };
  const drawings = {
    fill: (of) => ({ fill: new Fill({ color: faded(of("fill-color"), of("fill-opacity")) }) }),
    line: (of) => {
      const stroke = strokeOf(of, "line-color", "line-width", "line-opacity");
      stroke.setLineJoin(of("line-join"));
      stroke.setLineCap(of("line-cap") ?? "butt");
      stroke.setLineDash(of("line-dasharray")?.map((part) => part * of("line-width")) ?? null);
      return { stroke };
    },
    circle: (of) => ({
      image: new Circle({
        radius: of("circle-radius"),
        fill: new Fill({ color: faded(of("circle-color"), of("circle-opacity")) }),
        stroke: strokeOf(of, "circle-stroke-color", "circle-stroke-width", "circle-stroke-opacity"),
        declutterMode: "none",
      }),
    }),
    symbol: (of) => ({ text: textOf(of) }),
  };

  /** The resolution at which the world is 512 pixels wide. */
  const COARSEST = (2 * Math.PI * 6378137) / 512;
  return (feature, resolution) => {
    if (!styled.has(feature.get("layer"))) return otherwise(feature);
    const zoom = Math.log2(COARSEST / (resolution * metersPerUnit));
    return layers.flatMap((layer, zIndex) => {
      const { minzoom = 0, maxzoom = Infinity, filter = true } = layer;
      // a resolution coarser than the first zoom is drawn like the first zoom
      const isShown = layer["source-layer"] === feature.get("layer") && Math.max(0, zoom) >= minzoom && zoom < maxzoom;
      if (!isShown || !read(filter, feature)) return [];
      return new Style({ zIndex, ...drawings[layer.type](valuesOf(layer, feature)) });
    });
  };
};
