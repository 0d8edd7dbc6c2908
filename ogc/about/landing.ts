/** `/`: the landing page. */
import { mayHaveMore, readable } from "../collections/access.ts";
import { selfLinks, sendJson, withFormat, type Exchange } from "../exchange/exchange.ts";
import { QUERYABLES_REL } from "../features/queryables.ts";
import { HTML, JSON_FORMAT, JSON_SCHEMA, OPENAPI } from "../exchange/formats.ts";
import { FUNCTIONS_REL } from "./functions.ts";
import type { Link } from "../exchange/links.ts";
import { datasetMapContent } from "../maps/mapCollections.ts";
import { datasetMapLinks, describeContent, withoutMapFormats } from "../maps/mapLinks.ts";
import { datasetTileLinks } from "../tiles/tileLinks.ts";
import { stylesLink } from "../styles/styles.ts";
import { landingPage } from "../pages/landingPage.ts";
import { datasetAbout, publisherLinks } from "../exchange/publisher.ts";

/** Links to the same data in the older services. */
function classicLinks({ classicAddress }: Exchange): Link[] {
  if (classicAddress === undefined) return [];
  return ["WMS", "WMTS", "WFS"].map((service) => ({
    rel: "related",
    type: "text/xml",
    title: service,
    href: `${classicAddress}?service=${service}&request=GetCapabilities`,
  }));
}

export async function landing(exchange: Exchange): Promise<void> {
  const { addresses } = exchange;
  const seen = await readable(exchange, [...exchange.collections.values()]);
  const dataset = { ...exchange, seen };
  const links: Link[] = [
    ...selfLinks(exchange, addresses.root, "This page"),
    {
      rel: "service-desc",
      type: OPENAPI.mediaType,
      title: "The definition of this API",
      href: withFormat(addresses.of(["api"]), OPENAPI),
    },
    {
      rel: "service-doc",
      type: HTML.mediaType,
      title: "The documentation of this API, to try it",
      href: withFormat(addresses.of(["api"]), HTML),
    },
    {
      rel: "conformance",
      type: JSON_FORMAT.mediaType,
      title: "The conformance classes of this API",
      href: addresses.of(["conformance"]),
    },
    { rel: "data", type: JSON_FORMAT.mediaType, title: "The collections", href: addresses.of(["collections"]) },
    {
      rel: FUNCTIONS_REL,
      type: JSON_FORMAT.mediaType,
      title: "Functions of filters",
      href: addresses.of(["functions"]),
    },
    {
      rel: QUERYABLES_REL,
      type: JSON_SCHEMA.mediaType,
      title: "The names for a filter of all collections",
      href: addresses.of(["queryables"]),
    },
    ...datasetMapLinks(exchange),
    ...datasetTileLinks(exchange),
    stylesLink(addresses, [], "Styles of the collections"),
    ...classicLinks(exchange),
    ...publisherLinks(dataset),
  ];
  const { title, description: own, keywords } = datasetAbout(dataset);
  const description = own ?? `${describeContent(exchange)}.`;
  const about = { title, description, ...(keywords.length > 0 && { keywords }) };
  if (exchange.format === HTML) {
    landingPage(exchange, {
      title,
      description,
      hasMore: mayHaveMore(exchange, seen),
      links: withoutMapFormats(links),
    });
  } else sendJson(exchange, { ...about, ...(await datasetMapContent(exchange)), links }, links);
}
