// The map of a map page: pictures that the service draws for the view.
"use strict";
(() => {
  const target = document.getElementById("picture");
  const { address, collections, bounds } = JSON.parse(document.getElementById("map-request").textContent);
  const { layer, source } = ol;
  const crs = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
  const MOST_PIXELS = 4096;
  const MM_PER_PIXEL = 0.28; // if a pixel of the screen is a pixel of the page

  // one ratio for both sides, so that the picture covers the whole extent, however large it is
  const ratioOf = ([minx, miny, maxx, maxy], resolution, pixelRatio) =>
    Math.min(pixelRatio, (MOST_PIXELS * resolution) / (maxx - minx), (MOST_PIXELS * resolution) / (maxy - miny), 9);

  const urlOf = (extent, resolution, pixelRatio) => {
    const pixels = (length) => String(Math.max(1, Math.round((length / resolution) * pixelRatio)));
    const query = new URLSearchParams({
      f: "png",
      bbox: extent.join(","),
      "bbox-crs": crs,
      crs,
      width: pixels(extent[2] - extent[0]),
      height: pixels(extent[3] - extent[1]),
      "mm-per-pixel": String(MM_PER_PIXEL / pixelRatio),
      ...(collections === undefined ? {} : { collections }),
    });
    return `${address}?${query}`;
  };
  const state = document.getElementById("picture-state");
  let latest = 0;
  const load = async (url) => {
    const response = await fetch(url);
    if (response.ok) return createImageBitmap(await response.blob());
    const { detail } = await response.json().catch(() => ({}));
    throw new Error(detail ?? `${response.status} ${response.statusText}`);
  };
  const picture = new layer.Image({
    source: new source.Image({
      projection: "EPSG:4326",
      loader: async (extent, resolution, screenRatio) => {
        const own = ++latest;
        const pixelRatio = ratioOf(extent, resolution, screenRatio);
        // if several pictures are loading, only the last one counts
        const say = (text, isError) => {
          if (own !== latest) return;
          state.textContent = text;
          state.classList.toggle("error", isError);
        };
        say("Drawing …", false);
        try {
          const image = await load(urlOf(extent, resolution, pixelRatio));
          say("", false);
          return { image, extent, pixelRatio };
        } catch (error) {
          say(`The picture cannot be drawn: ${error.message}`, true);
          throw error;
        }
      },
    }),
  });
  const map = worldMap(target, [ground(), picture]);
  map.getView().fit(bounds, { padding: [20, 20, 20, 20], maxZoom: 16 });
  picture.getSource().on("imageloaderror", () => target.setAttribute("data-drawn", "error"));
  map.once("rendercomplete", () => target.setAttribute("data-drawn", "picture"));
})();
