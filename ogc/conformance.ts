/** `/conformance`: what is kept of which standard. Every class that is named here is tested in test/ogc. */
import { selfLinks, sendJson, type Exchange } from "./exchange.ts";
import { HTML } from "./formats.ts";
import { conformancePage } from "./pages/conformancePage.ts";

const FEATURES = "http://www.opengis.net/spec/ogcapi-features";

export const CONFORMS_TO: readonly string[] = [
  `${FEATURES}-1/1.0/conf/core`,
  `${FEATURES}-1/1.0/conf/oas30`,
  `${FEATURES}-1/1.0/conf/html`,
  `${FEATURES}-1/1.0/conf/geojson`,
  `${FEATURES}-2/1.0/conf/crs`,
];

export function conformance(exchange: Exchange): void {
  const links = selfLinks(exchange, exchange.addresses.of(["conformance"]), "What this API conforms to");
  if (exchange.format === HTML) conformancePage(exchange, CONFORMS_TO, links);
  else sendJson(exchange, { conformsTo: CONFORMS_TO, links }, links);
}
