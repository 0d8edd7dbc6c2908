/** `/api`: the OpenAPI document, and a page to try what it says. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_DIRECTORY } from "../server/kernel/packageDirectory.ts";
import { readable } from "./access.ts";
import { selfLinks, sendJson, type Exchange } from "./exchange.ts";
import { HTML } from "./formats.ts";
import { openapiDocument } from "./openapi.ts";
import { apiPage } from "./pages/apiPage.ts";

const { version } = JSON.parse(readFileSync(join(PACKAGE_DIRECTORY, "package.json"), "utf8")) as { version: string };

export async function api(exchange: Exchange): Promise<void> {
  const { addresses, routes } = exchange;
  const collections = await readable(exchange, [...exchange.collections.values()]);
  const links = selfLinks(exchange, addresses.of(["api"]), "The definition of this API");
  if (exchange.format === HTML) {
    apiPage(exchange, collections, links);
    return;
  }
  const document = openapiDocument(exchange, { version, routes, collections });
  sendJson(exchange, document, links);
}
