// The map of a page: land, a graticule, and the features that stand in the page as JSON.
"use strict";
(() => {
  const target = document.getElementById("map");
  if (!target) return;
  const { Map, View, layer, source, format, style, interaction } = ol;
  const colours = () => {
    const css = getComputedStyle(document.documentElement);
    const of = (name) => css.getPropertyValue(`--${name}`).trim();
    return {
      land: of("land"),
      grid: of("grid"),
      ink: of("ink"),
      feature: of("feature"),
      chosen: of("chosen"),
      paper: of("paper"),
    };
  };
  let palette = colours();

  const land = new layer.Vector({
    source: new source.Vector({
      wrapX: false,
      url: new URL("land.json", document.querySelector('script[src$="map.js"]').src).href,
      format: new format.GeoJSON(),
    }),
    style: () => new style.Style({ fill: new style.Fill({ color: palette.land }) }),
  });
  const graticule = () =>
    new layer.Graticule({
      strokeStyle: new style.Stroke({ color: palette.grid, width: 1 }),
      showLabels: true,
      wrapX: false,
      lonLabelStyle: new style.Text({ fill: new style.Fill({ color: palette.ink }), textBaseline: "bottom" }),
      latLabelStyle: new style.Text({ fill: new style.Fill({ color: palette.ink }), textAlign: "end" }),
    });
  const drawn = (colour) => {
    const stroke = new style.Stroke({ color: colour, width: 2 });
    const fill = new style.Fill({ color: `${colour}30` });
    return new style.Style({ stroke, fill, image: new style.Circle({ radius: 5, stroke, fill }) });
  };
  const features = new format.GeoJSON().readFeatures(JSON.parse(document.getElementById("features").textContent));
  features.forEach((feature, index) => feature.set("row", index));
  const vector = new source.Vector({ features, wrapX: false });
  const shown = new layer.Vector({ source: vector, style: () => drawn(palette.feature) });

  const map = new Map({
    target,
    layers: [land, graticule(), shown],
    view: new View({
      projection: "EPSG:4326",
      center: [0, 0],
      zoom: 1,
      extent: [-190, -95, 190, 95],
      showFullExtent: true,
    }),
    keyboardEventTarget: target,
  });
  const extent = vector.getExtent();
  const world = [-180, -90, 180, 90];
  const fitting = extent && extent.every(Number.isFinite) ? ol.extent.getIntersection(extent, world) : world;
  map.getView().fit(ol.extent.isEmpty(fitting) && fitting[0] > fitting[2] ? world : fitting, {
    padding: [30, 30, 30, 30],
    maxZoom: 5,
  });

  // a feature that is chosen on the map is chosen in the table
  const select = new interaction.Select({ layers: [shown], style: () => drawn(palette.chosen) });
  select.on("select", ({ selected }) => {
    for (const row of document.querySelectorAll("tr.chosen")) row.classList.remove("chosen");
    const row = selected[0] && document.querySelector(`tr[data-feature="${selected[0].get("row")}"]`);
    row?.classList.add("chosen");
    row?.scrollIntoView({ block: "nearest" });
  });
  map.addInteraction(select);

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    palette = colours();
    map.getLayers().setAt(1, graticule());
    land.changed();
    shown.changed();
  });
  map.once("rendercomplete", () => target.setAttribute("data-drawn", String(features.length)));
})();
