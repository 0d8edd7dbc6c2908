/** The subject and the publisher of a dataset, from the configuration and from the comment of its schema. */
import type { OgcConfig } from "../../server/kernel/config/ogc.ts";
import type { About, Collection, License } from "../collections/collections.ts";
import type { Exchange } from "./exchange.ts";
import { HTML } from "./formats.ts";
import type { Link } from "./links.ts";

interface Dataset extends Pick<Exchange, "config" | "database"> {
  /** The collections that the caller sees. Statements about them must not reveal others. */
  readonly seen: readonly Collection[];
}

/** The description from the schema's comment, if all of these collections are of one schema; undefined otherwise. */
export function aboutOf(collections: Iterable<Collection>): About | undefined {
  let first: Collection | undefined;
  for (const collection of collections) {
    if (first && collection.schema !== first.schema) return undefined;
    first ??= collection;
  }
  return first?.about;
}

/** The description of a whole database. The configuration takes precedence. */
export function datasetAbout({ config, database, seen }: Dataset): About & { readonly title: string } {
  const about = aboutOf(seen);
  return {
    description: about?.description,
    keywords: about?.keywords ?? [],
    title: config.title ?? about?.title ?? `Portolan: ${database.name}`,
    license: config.license ? { name: config.license.name, url: config.license.url } : about?.license,
  };
}

type Contact = NonNullable<OgcConfig["contact"]>;

/** The address of the contact: a page, else an e-mail address. */
export function contactHref({ url, email }: Contact): string | undefined {
  return url ?? (email === undefined ? undefined : `mailto:${email}`);
}

/** The links with IANA's relations `license` and `author`. */
export function publisherLinks(dataset: Dataset): Link[] {
  const { contact } = dataset.config;
  const { license } = datasetAbout(dataset);
  const href = contact && contactHref(contact);
  return [
    ...(license?.url === undefined
      ? []
      : [{ rel: "license", type: HTML.mediaType, title: license.name, href: license.url }]),
    ...(contact && href !== undefined
      ? [{ rel: "author", type: HTML.mediaType, title: contact.name ?? "The publisher of this data", href }]
      : []),
  ];
}

/** OpenAPI 3.0.3 §4.7.2: `contact` and `license`. */
export function publisherInfo(dataset: Dataset): object {
  const { contact } = dataset.config;
  const { license } = datasetAbout(dataset);
  return { ...(contact && { contact }), ...(license && { license: licenseInfo(license) }) };
}

function licenseInfo({ name, url }: License): object {
  return { name, ...(url !== undefined && { url }) };
}
