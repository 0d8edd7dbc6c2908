/** `/api`: the OpenAPI document, and a page to try its operations. */
import { VERSION } from "../../server/ground/packageDirectory.ts";
import { readable } from "../collections/access.ts";
import { selfLinks, sendJson, type Exchange } from "../exchange/exchange.ts";
import { HTML } from "../exchange/formats.ts";
import { openapiDocument } from "./openapi.ts";
import { apiPage } from "../pages/apiPage.ts";

export async function api(exchange: Exchange): Promise<void> {
  const { addresses } = exchange;
  const collections = await readable(exchange, [...exchange.collections.values()]);
  const links = selfLinks(exchange, addresses.of(["api"]), "The definition of this API");
  if (exchange.format === HTML) {
    apiPage(exchange, collections, links);
    return;
  }
  sendJson(exchange, openapiDocument(exchange, VERSION, collections), links);
}
