/** What the pages load: their scripts and styles, the land, and OpenLayers. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import express, { Router } from "express";

const ROOT = "/api/v4/ogc/assets";
const OPENLAYERS = dirname(fileURLToPath(import.meta.resolve("ol/package.json")));

export function assetsRouter(): Router {
  const router = Router();
  const options = { maxAge: "1h", index: false } as const;
  router.get(`${ROOT}/ol/ol.js`, (_request, response) => response.sendFile(join(OPENLAYERS, "dist", "ol.js"), options));
  router.get(`${ROOT}/ol/ol.css`, (_request, response) => response.sendFile(join(OPENLAYERS, "ol.css"), options));
  router.use(ROOT, express.static(join(import.meta.dirname, "assets"), options));
  return router;
}
