// The maps of pages: their common background; the world in longitude and latitude; and the map with a graticule and the
// features in the page's JSON, which can load the features in view.
"use strict";
/** Calls `then` when the page changes between light and dark. */
const onOtherColours = (then) => matchMedia("(prefers-color-scheme: dark)").addEventListener("change", then);
/** The background: Portolan's outline of the land, or the tiles of another host if the configuration names some. */
const ground = (() => {
  const { layer, source, format, style } = ol;
  const address = document.currentScript.src;
  return () => {
    const tiles = document.getElementById("base-map");
    if (tiles)
      return new layer.Tile({
        source: new source.XYZ({ url: JSON.parse(tiles.textContent), wrapX: false, crossOrigin: "anonymous" }),
      });
    const colour = () => getComputedStyle(document.documentElement).getPropertyValue("--land").trim();
    const land = new layer.Vector({
      source: new source.Vector({
        wrapX: false,
        url: new URL("land.json", address).href,
        format: new format.GeoJSON(),
      }),
      style: () => new style.Style({ fill: new style.Fill({ color: colour() }) }),
    });
    onOtherColours(() => land.changed());
    return land;
  };
})();
/** A map in longitude and latitude that stays within the world. */
const worldMap = (target, layers) =>
  new ol.Map({
    target,
    layers,
    view: new ol.View({
      projection: "EPSG:4326",
      center: [0, 0],
      zoom: 1,
      extent: [-190, -95, 190, 95],
      showFullExtent: true,
    }),
    keyboardEventTarget: target,
  });
(() => {
  const target = document.getElementById("map");
  if (!target) return;
  const { layer, source, format, style, interaction } = ol;
  const colours = () => {
    const css = getComputedStyle(document.documentElement);
    const of = (name) => css.getPropertyValue(`--${name}`).trim();
    return {
      grid: of("grid"),
      ink: of("map-ink"),
      feature: of("feature"),
      chosen: of("chosen"),
      paper: of("paper"),
    };
  };
  let palette = colours();

  const land = ground();
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
  const featuresOf = (page) => {
    const { features } = JSON.parse(page.getElementById("features").textContent);
    // without properties, since one named "geometry" would take the geometry's place
    const places = features.map(({ type, geometry }) => ({ type, geometry, properties: null }));
    const read = new format.GeoJSON().readFeatures({ type: "FeatureCollection", features: places });
    read.forEach((feature, index) => feature.set("row", index));
    return read;
  };
  const features = featuresOf(document);
  const vector = new source.Vector({ features, wrapX: false });
  const shown = new layer.Vector({ source: vector, style: () => drawn(palette.feature) });

  const map = worldMap(target, [land, graticule(), shown]);
  const extent = vector.getExtent();
  const world = [-180, -90, 180, 90];
  const fitting = extent && extent.every(Number.isFinite) ? ol.extent.getIntersection(extent, world) : world;
  map.getView().fit(ol.extent.isEmpty(fitting) && fitting[0] > fitting[2] ? world : fitting, {
    padding: [30, 30, 30, 30],
    // for a single point the map shows its surroundings; for a plot, no more than the plot
    maxZoom: ol.extent.getWidth(fitting) + ol.extent.getHeight(fitting) > 0 ? 22 : 5,
  });

  // choosing a feature on the map chooses it in the table
  const select = new interaction.Select({ layers: [shown], style: () => drawn(palette.chosen) });
  select.on("select", ({ selected }) => {
    for (const row of document.querySelectorAll("tr.chosen")) row.classList.remove("chosen");
    const row = selected[0] && document.querySelector(`tr[data-feature="${selected[0].get("row")}"]`);
    row?.classList.add("chosen");
    row?.scrollIntoView({ block: "nearest" });
  });
  map.addInteraction(select);

  onOtherColours(() => {
    palette = colours();
    map.getLayers().setAt(1, graticule());
    shown.changed();
  });
  const follow = document.getElementById("follow");
  if (follow) {
    const state = follow.querySelector("[role=status]");
    const box = follow.querySelector("input");
    let asked = new AbortController();
    // loads the same page for the view: its features, table and links replace those of this page
    const load = async () => {
      asked.abort();
      asked = new AbortController();
      const { signal } = asked;
      const inView = ol.extent.getIntersection(map.getView().calculateExtent(map.getSize()), world);
      if (ol.extent.isEmpty(inView)) return;
      const address = new URL(location.href);
      for (const name of ["f", "offset", "after", "before", "bbox-crs"]) address.searchParams.delete(name);
      address.searchParams.set("bbox", inView.map((number) => number.toFixed(6)).join(","));
      state.textContent = "Loading …";
      try {
        const response = await fetch(address, { headers: { Accept: "text/html" }, signal });
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        if (signal.aborted) return;
        if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
        for (const id of ["description", "results"])
          document.getElementById(id).replaceWith(document.adoptNode(page.getElementById(id)));
        select.getFeatures().clear();
        vector.clear();
        vector.addFeatures(featuresOf(page));
        history.replaceState(null, "", address);
        const field = document.querySelector("form.choice")?.elements.namedItem("bbox");
        if (field) field.value = address.searchParams.get("bbox");
        state.textContent = `${vector.getFeatures().length} in view on this page.`;
      } catch (error) {
        if (!signal.aborted) state.textContent = `The features in view cannot be loaded: ${error.message}`;
      }
    };
    follow.hidden = false;
    box.addEventListener("change", () => (box.checked ? load() : asked.abort()));
    map.on("moveend", () => box.checked && load());
  }

  map.once("rendercomplete", () => target.setAttribute("data-drawn", String(features.length)));
})();
