/** What the pages load: their scripts and styles, the land, and OpenLayers. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { asset, assets } from "../../server/kernel/http/assets.ts";
import type { Route } from "../../server/kernel/http/routes.ts";

const ROOT = "/api/v4/ogc/assets";
const OPENLAYERS = dirname(fileURLToPath(import.meta.resolve("ol/package.json")));

export const assetRoutes: readonly Route[] = [
  asset(`${ROOT}/ol/ol.js`, "OpenLayers", join(OPENLAYERS, "dist"), "ol.js"),
  asset(`${ROOT}/ol/ol.css`, "The styles of OpenLayers", OPENLAYERS, "ol.css"),
  assets(`${ROOT}/*`, "What the pages load", join(import.meta.dirname, "assets")),
];
