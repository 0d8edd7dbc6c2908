// The map of a tileset: its tiles over the land, and the attributes of a clicked feature.
"use strict";
(() => {
  const target = document.getElementById("tiles");
  const { kind, template, layers, crs, origin, tileSize, resolutions, whole, degrees, limits } = JSON.parse(
    document.getElementById("tileset").textContent,
  );
  const { Map, View, layer, source, format, style, tilegrid, proj } = ol;
  const state = document.getElementById("tiles-state");
  const isKnown = proj.get(crs) !== null;
  // for a system that OpenLayers cannot compute with, the plane of the tiles is shown without land
  const projection = isKnown ? crs : new proj.Projection({ code: crs, units: "m", extent: whole });
  const grid = new tilegrid.TileGrid({ extent: whole, origin, resolutions, tileSize });
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  // outside there are no tiles, so none are requested
  const isWithin = ([z, x, y]) => {
    const [left, top, right, bottom] = limits[z] ?? [];
    return x >= left && x <= right && y >= top && y <= bottom;
  };
  const urlOf = (tile) => (isWithin(tile) ? addressOf(tile) : undefined);
  const addressOf = ([z, x, y]) => template.replace("{tileMatrix}", z).replace("{tileRow}", y).replace("{tileCol}", x);

  const options = { projection, tileGrid: grid, tileUrlFunction: urlOf, wrapX: false };
  const drawn = () => {
    const stroke = new style.Stroke({ color: css("feature"), width: 1.5 });
    const fill = new style.Fill({ color: `${css("feature")}30` });
    return new style.Style({ stroke, fill, image: new style.Circle({ radius: 4, stroke, fill }) });
  };
  const shown =
    kind === "map"
      ? new layer.Tile({ source: new source.TileImage(options) })
      : new layer.VectorTile({
          declutter: true, // texts only; symbols of features are always drawn
          source: new source.VectorTile({ ...options, format: new format.MVT() }),
          style: tileStyle(layers, proj.get(projection).getMetersPerUnit() ?? 1, drawn),
        });
  onOtherColours(() => shown.changed());
  const map = new Map({
    target,
    layers: isKnown ? [ground(), shown] : [shown],
    view: new View({ projection, center: [0, 0], zoom: 1, resolutions: undefined }),
    keyboardEventTarget: target,
  });
  const extent = degrees && isKnown ? proj.transformExtent(degrees, "EPSG:4326", crs) : whole;
  const clipped = extent.every(Number.isFinite) && ol.extent.intersects(extent, whole) ? extent : whole;
  const shownExtent = ol.extent.getIntersection(clipped, whole);
  map
    .getView()
    .fit(ol.extent.isEmpty(shownExtent) ? ol.extent.buffer(shownExtent, resolutions.at(-1) * 100) : shownExtent, {
      padding: [20, 20, 20, 20],
      maxZoom: 16,
    });

  map.on("click", ({ pixel }) => {
    const [feature] = map.getFeaturesAtPixel(pixel, { layerFilter: (each) => each === shown && kind === "vector" });
    if (!feature) return void (state.textContent = "");
    state.textContent = Object.entries(feature.getProperties())
      .filter(([name]) => !name.startsWith("portolan:")) // properties that only the style needs
      .map(([name, value]) => `${name}: ${value}`)
      .join("; ");
  });
  shown.getSource().on("tileloaderror", () => (state.textContent = "A tile could not be loaded."));
  map.once("rendercomplete", () => target.setAttribute("data-drawn", kind));
})();
