/** The publisher of a dataset, and its licence, from the configuration. */
import type { OgcConfig } from "../../server/kernel/config/ogc.ts";
import type { Exchange } from "./exchange.ts";
import { HTML } from "./formats.ts";
import type { Link } from "./links.ts";

export function datasetTitle({ config, database }: Pick<Exchange, "config" | "database">): string {
  return config.title ?? `Portolan: ${database.name}`;
}

type Contact = NonNullable<OgcConfig["contact"]>;

/** The contact: a page, else by mail. */
export function contactHref({ url, email }: Contact): string | undefined {
  return url ?? (email === undefined ? undefined : `mailto:${email}`);
}

/** IANA's relations `license` and `author`. */
export function publisherLinks({ config: { license, contact } }: Pick<Exchange, "config">): Link[] {
  const href = contact && contactHref(contact);
  return [
    ...(license?.url === undefined
      ? []
      : [{ rel: "license", type: HTML.mediaType, title: license.name, href: license.url }]),
    ...(contact && href !== undefined
      ? [{ rel: "author", type: HTML.mediaType, title: contact.name ?? "Who publishes this", href }]
      : []),
  ];
}

/** OpenAPI 3.0.3 §4.7.2: `contact` and `license`. */
export function publisherInfo({ config: { license, contact } }: Pick<Exchange, "config">): object {
  return { ...(contact && { contact }), ...(license && { license }) };
}
