// The map of a map page: pictures that the service draws for what is in view.
"use strict";
(() => {
  const target = document.getElementById("picture");
  const { address, collections, bounds } = JSON.parse(document.getElementById("map-request").textContent);
  const { Map, View, layer, source } = ol;
  const crs = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
  const MOST_PIXELS = 4096;

  const urlOf = (extent, resolution, pixelRatio) => {
    const pixels = (length) =>
      String(Math.min(MOST_PIXELS, Math.max(1, Math.round((length / resolution) * pixelRatio))));
    const query = new URLSearchParams({
      f: "png",
      bbox: extent.join(","),
      "bbox-crs": crs,
      crs,
      width: pixels(extent[2] - extent[0]),
      height: pixels(extent[3] - extent[1]),
      ...(collections === undefined ? {} : { collections }),
    });
    return `${address}?${query}`;
  };
  const picture = new layer.Image({
    source: new source.Image({
      projection: "EPSG:4326",
      loader: async (extent, resolution, pixelRatio) => {
        const image = new Image();
        image.src = urlOf(extent, resolution, pixelRatio);
        await image.decode();
        return { image, extent, pixelRatio };
      },
    }),
  });
  const map = new Map({
    target,
    layers: [picture],
    view: new View({ projection: "EPSG:4326", center: [0, 0], zoom: 1 }),
    keyboardEventTarget: target,
  });
  map.getView().fit(bounds, { padding: [20, 20, 20, 20], maxZoom: 16 });
  picture.getSource().on("imageloaderror", () => target.setAttribute("data-drawn", "error"));
  map.once("rendercomplete", () => target.setAttribute("data-drawn", "picture"));
})();
