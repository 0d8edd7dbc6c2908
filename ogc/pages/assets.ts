/** The assets of the pages: their scripts and styles, the map of the land, and OpenLayers. */
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { besideCode } from "../../server/ground/packageDirectory.ts";
import type { OgcConfig } from "../../server/kernel/config/ogc.ts";
import { asset, assets } from "../../server/kernel/http/assets.ts";
import type { Route } from "../../server/kernel/http/routes.ts";

const ROOT = "/api/v4/ogc/assets";
/** The address of the logo, if there is one. */
export const LOGO = `${ROOT}/logo`;
const OPENLAYERS = dirname(fileURLToPath(import.meta.resolve("ol/package.json")));

/** The routes. `logo`: path of a picture. */
export function assetRoutes({ logo }: Pick<OgcConfig, "logo">): readonly Route[] {
  return logo === undefined ? OWN : [...OWN, pictureRoute(logo)];
}

/** The route of the logo. An SVG may contain scripts, which run only when it is opened as a page of its own. */
function pictureRoute(file: string): Route {
  const { handlers, ...route } = asset(LOGO, "The logo of the publisher of the data", dirname(file), basename(file));
  return {
    ...route,
    handlers: {
      GET(request, response, found) {
        response.setHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
        return handlers.GET!(request, response, found);
      },
    },
  };
}

const OWN: readonly Route[] = [
  asset(`${ROOT}/ol/ol.js`, "OpenLayers", join(OPENLAYERS, "dist"), "ol.js"),
  asset(`${ROOT}/ol/ol.css`, "The styles of OpenLayers", OPENLAYERS, "ol.css"),
  assets(`${ROOT}/*`, "The scripts and styles of the pages", besideCode("ogc/pages/assets")),
];
